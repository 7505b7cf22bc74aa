"""The verifier's findings about a log while it reads it: the facts for an auditor's replay of the rules.

Filled entry by entry by the checks of this package; after a clean verdict everything in it has been checked. It does not judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any, NamedTuple

from pbem.ledger.course import Course, after, read
from pbem.ledger.keys import verify_sig_read
from pbem.ledger.log import Attachment, Entry
from pbem.records import dataclass

MOST_OFFERS = 16
"""The maximum number of simultaneous offers for which courses are kept."""


class Bearer(NamedTuple):
    """The place of a digest in the chain, which determines the content of its opening."""

    n: int
    who: str
    ref: int
    name: str


@dataclass(slots=True)
class Beside:
    """An attachment with the number of the last entry above it, whether it has the form of its kind, and a seal's digest."""

    after: int
    attachment: Attachment
    well_formed: bool
    digest: str


@dataclass(slots=True)
class Work:
    """What a file has asked of its reader so far: hashes of links and trees, dice and names drawn, signatures, keys looked at."""

    hashes: int = 0
    drawn: int = 0
    signatures: int = 0
    keys: int = 0


@dataclass(slots=True)
class Checked:
    """The facts of a log. A digest is the hex SHA-256 of a seal's line; labels are those of hash chains."""

    entries: list[Entry] = field(default_factory=list)
    beside: list[Beside] = field(default_factory=list)
    """Attachments in file order."""
    course: Course = field(default_factory=Course)
    """How far the entries have come that were checked."""
    courses: list[Course] | None = None
    """The course behind each entry that was checked, for who goes through the log again; None where they are not kept."""
    lost_to: int = -1
    """Up to which entry what only the host held may be lost, the game having gone on under another."""
    anchors: dict[str, str] = field(default_factory=dict)
    """By label, X_0 of each deal that brought its anchor."""
    bearers: dict[str, Bearer] = field(default_factory=dict)
    """By digest, every seal that the chain bears."""
    openings: dict[str, Attachment] = field(default_factory=dict)
    """By digest, every seal line in the file."""
    opened: dict[str, Any] = field(default_factory=dict)
    """By digest, the value of every seal that the file opens and the chain bears."""
    heads: dict[int, list[Attachment]] = field(default_factory=dict)
    """By entry, the lines of this game that say to be heads over it; their signatures have not been looked at."""
    links: dict[tuple[str, int], str] = field(default_factory=dict)
    """The host's links that the file shows, by label and index; those of public events included."""
    events: dict[tuple[str, int], int] = field(default_factory=dict)
    """The entry number of each random event, by label and index."""
    event_links: dict[int, list[list[Any]]] = field(default_factory=dict)
    """By entry number, the [seat, mark, link] that go into the event's key."""
    asks: dict[int, Entry] = field(default_factory=dict)
    answers: dict[int, dict[str, Entry]] = field(default_factory=dict)
    """By ask, each seat's order or skip."""
    signed: dict[str, Entry] = field(default_factory=dict)
    """Entries that a player signed, by the digest that a receipt names."""
    named: dict[str | tuple[str, int], int] = field(default_factory=dict)
    """Digests and links that a tell has named, with the number of that tell."""
    work: Work = field(default_factory=Work)
    check_sig: Callable[[str, str, bytes, str], bool] = verify_sig_read
    """Is this the key's signature over the message in this namespace? Its form has been checked."""

    @property
    def game(self) -> str:
        """The game id G = h_0."""
        return self.entries[0].hash

    @property
    def first(self) -> dict[str, Any]:
        """The fields of the game entry."""
        return self.entries[0].fields

    def bound(self, label: str) -> str:
        """What the chains of this label are bound to: a player's to the game, the host's to its nonce."""
        return self.game if label.startswith("seat:") else str(self.first["nonce"])

    def course_at(self, n: int) -> Course:
        """How far the log had come with entry n; it is read once more."""
        return read(entry.fields for entry in self.entries[: n + 1])

    def keep_course(self) -> None:
        """Keep the current course, if courses are kept. Stop keeping them if there are many offers, because each course would
        contain all.
        """
        if self.courses is None:
            return
        if len(self.course.offers) > MOST_OFFERS:
            self.courses = None
        else:
            self.courses.append(self.course)

    def followed(self) -> Iterator[tuple[Course, Course, Entry]]:
        """Yield each checked entry with the course before and after it; courses that were not kept are computed again."""
        before = Course()
        for entry in self.entries:
            behind = after(before, entry.fields) if self.courses is None else self.courses[entry.n]
            yield before, behind, entry
            before = behind

    def key_at(self, seat: str, n: int) -> str:
        """The key that counted for a seat at entry n; that of its join, before it."""
        return self.course_at(n).seats[seat].key or self.course.seats[seat].key

    def due(self, ask: int) -> str:
        """When the time to answer a question was over, with all that was added to it; "": never."""
        extended = [entry for entry in self.entries if entry.k == "extend" and entry.fields["ask"] == ask]
        return str([self.asks[ask], *extended][-1].fields.get("due", ""))

    def host_at(self, n: int) -> str:
        """The key line of the host who was in office at entry n."""
        for since, key in reversed(self.course.hosts):
            if since <= n:
                return key
        return ""

    def chain_at(self, label: str, i: int) -> tuple[int, str]:
        """The host's chain to which link i belongs: after which index it was begun, and its X_0."""
        begun = self.course.chains.get(label) or ((0, self.anchors[label]),)
        return next(found for found in reversed(begun) if found[0] < i)

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
        return name == "state" or bool(fields["k"] == "rand" and fields["chain"].startswith(("deal:", "anew:")))

    def is_lost_link(self, label: str, i: int) -> bool:
        """Could only a former host have shown this link: one of a deal, that no tell names?"""
        of_deal = label.startswith(("deal:", "anew:"))
        return of_deal and self.events[label, i] <= self.lost_to and (label, i) not in self.named

    @property
    def lost(self) -> tuple[int, int]:
        """How many seals and links were lost with a former host: they are not judged."""
        seals = sum(digest not in self.openings and self.is_lost(digest) for digest in self.bearers)
        return seals, sum(event not in self.links and self.is_lost_link(*event) for event in self.events)

    @property
    def closed_seals(self) -> int:
        """How many seals of the chain this file does not open: they are not judged."""
        return sum(digest not in self.opened for digest in self.bearers)
