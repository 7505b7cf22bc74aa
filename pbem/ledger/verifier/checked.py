"""What the verifier learns of a log while it reads it: the facts that an auditor replays rules over.

Filled entry by entry by the checks of this package; after a clean verdict everything in it has been checked. It holds
no judgement of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pbem.ledger.log import Attachment, Entry
from pbem.ledger.talk import Talk


class Bearer(NamedTuple):
    """Where a digest stands in the chain, and so what its opening must say."""

    n: int
    who: str
    ref: int
    name: str


@dataclass(slots=True)
class Beside:
    """An attachment with the number of the last entry above it, why it is malformed, and a seal's digest."""

    after: int
    attachment: Attachment
    fault: str | None
    digest: str


@dataclass(slots=True)
class Stage:
    """How far the game has come, as far as the order of entries is concerned."""

    phase: str = "roster"
    """roster, ready, play (random events may fall), told (ask or end is next), asked (orders may come), over."""
    ask: int = 0
    """The number of the open or last ask."""
    answered: int = 0
    """How many of the seats asked have an order or a skip."""
    rolls: list[int] = field(default_factory=list)
    """Indices of the public events since the last tell."""
    public_orders: list[str] = field(default_factory=list)
    """Digests of orders given in the open since the last tell, which the next tell opens."""


@dataclass(slots=True)
class Checked:
    """The facts of a log. A digest is the hex SHA-256 of a seal's line; labels are those of hash chains."""

    entries: list[Entry] = field(default_factory=list)
    beside: list[Beside] = field(default_factory=list)
    """Attachments in file order."""
    game: str = ""
    """The game id G = h_0."""
    nonce: str = ""
    hosts: list[tuple[int, str]] = field(default_factory=list)
    """Who was host, one after the other: the entry from which on, and the key line."""
    lost_to: int = -1
    """Up to which entry what only the host held may be lost, the game having gone on under another."""
    rules: dict[str, Any] = field(default_factory=dict)
    opts: dict[str, Any] = field(default_factory=dict)
    seats: list[str] = field(default_factory=list)
    """In the order of the game entry."""
    anchors: dict[str, str] = field(default_factory=dict)
    """X_0 by label, the players' too."""
    begun: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """Of the host's chains by label: after which index each was begun, and its X_0."""
    keys: dict[str, str] = field(default_factory=dict)
    """Key line by seat."""
    past_keys: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """By seat, keys that it had before, each with the entry up to which it counted."""
    recovery: dict[str, str] = field(default_factory=dict)
    """SHA-256 of the recovery key line by seat, or ""."""
    bearers: dict[str, Bearer] = field(default_factory=dict)
    """By digest, every seal that the chain bears."""
    openings: dict[str, Attachment] = field(default_factory=dict)
    """By digest, every seal line that the file holds."""
    opened: dict[str, Any] = field(default_factory=dict)
    """By digest, the value of every seal that the file opens and the chain bears."""
    links: dict[tuple[str, int], str] = field(default_factory=dict)
    """The host's links that the file shows, by label and index; those of public events included."""
    seat_links: dict[str, dict[int, str]] = field(default_factory=dict)
    """The links that each seat has given, by mark."""
    last_links: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Mark and link of each seat's last closed mark."""
    marks: dict[str, int] = field(default_factory=dict)
    """How many marked questions each seat has been put, `ready` included."""
    talk: Talk = field(default_factory=lambda: Talk(()))
    """What was said besides orders, and what it calls for."""
    events: dict[tuple[str, int], int] = field(default_factory=dict)
    """The entry number of each random event, by label and index."""
    event_links: dict[int, list[list[Any]]] = field(default_factory=dict)
    """By entry number, the [seat, mark, link] that go into the event's key."""
    asks: dict[int, Entry] = field(default_factory=dict)
    dues: dict[int, str] = field(default_factory=dict)
    """By ask, when the time to answer was over, with all that was added to it."""
    answers: dict[int, dict[str, Entry]] = field(default_factory=dict)
    """By ask, each seat's order or skip."""
    orders_by_digest: dict[str, Entry] = field(default_factory=dict)
    """Order entries by the digest that a receipt names."""
    named: dict[str | tuple[str, int], int] = field(default_factory=dict)
    """Digests and links that a tell has named, with the number of that tell."""
    stage: Stage = field(default_factory=Stage)

    def key_at(self, seat: str, n: int) -> str:
        """The key that counted for a seat at entry n."""
        return next((key for until, key in self.past_keys.get(seat, ()) if n < until), self.keys[seat])

    @property
    def host_key(self) -> str:
        """The key line of the host in office, or ""."""
        return self.hosts[-1][1] if self.hosts else ""

    def host_at(self, n: int) -> str:
        """The key line of the host who was in office at entry n."""
        return next((key for since, key in reversed(self.hosts) if since <= n), "")

    def chain_at(self, label: str, i: int) -> tuple[int, str]:
        """The host's chain to which link i belongs: after which index it was begun, and its X_0."""
        return next(found for found in reversed(self.begun[label]) if found[0] < i)

    @property
    def head(self) -> tuple[int, str] | None:
        """(n, h_n) of the last entry that was read."""
        return (self.entries[-1].n, self.entries[-1].hash) if self.entries else None

    @property
    def finished(self) -> bool:
        """Whether the last entry is `end`."""
        return bool(self.entries) and self.entries[-1].fields.get("k") == "end"

    def is_lost(self, digest: str) -> bool:
        """Could only a former host have opened this seal: a fingerprint, or a place of a deal or its list, that no tell names?"""
        n, who, _, name = self.bearers[digest]
        if who != "host" or n > self.lost_to or digest in self.named:
            return False
        fields = self.entries[n].fields
        return name == "state" or bool(fields["k"] == "rand" and fields["chain"].startswith("deal:"))

    def is_lost_link(self, label: str, i: int) -> bool:
        """Could only a former host have shown this link: one of a deal, that no tell names?"""
        return label.startswith("deal:") and self.events[label, i] <= self.lost_to and (label, i) not in self.named

    @property
    def lost(self) -> tuple[int, int]:
        """How many seals and links were lost with a former host: they are not judged."""
        seals = sum(digest not in self.openings and self.is_lost(digest) for digest in self.bearers)
        return seals, sum(event not in self.links and self.is_lost_link(*event) for event in self.events)

    @property
    def closed_seals(self) -> int:
        """How many seals of the chain this file does not open: they are not judged."""
        return sum(digest not in self.opened for digest in self.bearers)
