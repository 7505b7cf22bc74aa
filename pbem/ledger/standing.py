"""What stands in the talk of a log (PROTOCOL 3): offers and pledges, who is out, who is awaited, keys, leave, time.

A `Standing` follows a log entry by entry, without any game's rules, and takes it that each may stand: what may is decided by
`talk`. It knows no clock: moments stand in the entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeAlias

from pbem.ledger.canon import cj_read, sha256_hex
from pbem.ledger.marks import mark_of_call

Phase: TypeAlias = Literal["play", "told", "asked", "answered", "called"]


@dataclass(slots=True)
class Offer:
    """An offer that stands: who made it, what it is, about which question, and who has agreed to it at which entry."""

    seat: str
    act: str
    about: int = 0
    agreed: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Standing:
    """How far the talk of a game has come."""

    seats: Sequence[str]
    late: str = "default"
    """What becomes of a late answer: “default” (the host takes the default), “claim” (another seat may claim the game)."""
    leave: int = 0
    """Hours of leave that each seat may take in the whole game."""
    said: dict[str, int] = field(default_factory=dict)
    """How many says each seat has logged."""
    gone: dict[str, int] = field(default_factory=dict)
    """The seats that are out, having resigned or lost by time, and the say by which they left."""
    offers: dict[int, Offer] = field(default_factory=dict)
    """Offers that have not lapsed, by entry."""
    pledges: dict[str, dict[str, int]] = field(default_factory=dict)
    """By the digest of an amendment, who has agreed to it at which entry, since the last order."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    """The rules by which the game goes on."""
    hosts: list[str] = field(default_factory=list)
    """The key lines of all who have been host; the last one is in office."""
    moved: int = 0
    """The entry by which another host took over, until his first tell; else 0."""
    moves: int = 0
    """How often another host has taken over."""
    deals: int = 0
    """How many deals entry 0 names chains for."""
    taken: dict[str, int] = field(default_factory=dict)
    """Hours of leave that each seat has taken."""
    back: dict[int, str] = field(default_factory=dict)
    """The questions to which one may go back, as far as the log shows, and the seat each was put to."""
    ask: int = 0
    """The open question, or the last one."""
    due: str | None = None
    """When the time to answer it is over, with all that was added to it."""
    claim: int | None = None
    """The claim by which it is being closed."""
    phase: Phase = "play"
    """Told: a tell stands last. Asked: a question is open, none of its answers logged. Answered: some are. Called: all are to say
    again that they are ready."""
    called: int = 0
    """The entry that calls for that, the last one; 0: there was none."""
    missing: list[str] = field(default_factory=list)
    """Who has not said so yet."""
    keys: dict[str, str] = field(default_factory=dict)
    recovery: dict[str, str] = field(default_factory=dict)
    """By seat, the SHA-256 of its recovery key line, or ""."""
    fresh: dict[str, str] = field(default_factory=dict)
    """The anchors of new chains, of which no link has been given yet."""
    absent: set[str] = field(default_factory=set)
    """Who let his last answer to a question be the default, and has signed nothing since, or is out by a claim."""
    mark: int = 1
    """The highest mark; at a call, the mark of being ready."""
    ends: int | None = None
    """The say right above, by which the game may end."""
    _to: list[str] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)
    _silent: list[str] = field(default_factory=list)
    _owed: tuple[tuple[str, ...], int] | None = None
    """Kinds of which the next entry must be one, and the say that calls for it."""
    _what: dict[str, Any] = field(default_factory=dict)
    """What the next entry amends."""
    _agreed: list[int] = field(default_factory=list)
    _opened: set[str] = field(default_factory=set)
    """Digests of the orders given in the open since the last tell."""
    _rekeyed: set[tuple[str, bool]] = field(default_factory=set)
    """Seats that have changed their key and given no order since, and whether by their recovery key."""
    _hours: int = 0
    """The hours of the leave right above."""
    _claimant: str = ""

    @classmethod
    def of(cls, game: Mapping[str, Any]) -> Self:
        """Return the talk of a game of which only entry 0 is written."""
        terms = game.get("terms", {})
        return cls(
            game["seats"], terms.get("late", "default"), terms.get("leave", 0), rules=game["rules"], hosts=[game["host"]],
            deals=sum(label.startswith("deal:") for label in game["chains"]),
        )  # fmt: skip

    @classmethod
    def read(cls, entries: Iterable[Mapping[str, Any]]) -> Self:
        """Return the talk of a log, from the fields of its entries; the log is not checked."""
        talk = cls(())
        for n, fields in enumerate(entries):
            if n == 0:
                talk = cls.of(fields)
            talk.follow(n, fields)
        return talk

    @property
    def waiting(self) -> tuple[str, ...]:
        """The seats of which an answer to the open question is awaited, as far as the log shows."""
        return tuple(seat for seat in self._open if seat not in self.gone)

    @property
    def host(self) -> str:
        """The key line of the host who is in office, or ""."""
        return self.hosts[-1] if self.hosts else ""

    @property
    def dealt_anew_on(self) -> str:
        """The chain on which a host who has taken over deals anew what no seat knew: none that the rules count."""
        return f"deal:{self.deals + self.moves}"

    def next_no(self, seat: str) -> int:
        """Return the number of the seat's next say."""
        return self.said.get(seat, 0) + 1

    def pledged(self, what: Mapping[str, Any]) -> list[int] | None:
        """Return the entries by which every seat that is not out has agreed to an amendment, or None while one is missing.

        Who is to be replaced is not asked; and nobody can agree to a newcomer whose key has a seat already.
        """
        found = self.pledges.get(sha256_hex(cj_read(what)), {})
        needed = set(self.seats) - set(self.gone)
        if "player" in what:
            needed.discard(what["player"]["say"]["seat"])
            if what["player"]["say"]["key"] in self.keys.values():
                return None
        return sorted(found[seat] for seat in needed) if needed <= found.keys() else None

    @property
    def amends(self) -> dict[str, Any] | None:
        """The amendment that has to be written now: what it holds and who agreed; None where nothing was agreed."""
        if self._owed is None or self._owed[0] != ("amend",):
            return None
        return {"k": "amend", "what": self._what, "agreed": self._agreed}

    def follow(self, n: int, fields: Mapping[str, Any]) -> None:
        """Take in entry `n`, which stands in the log."""
        self.ends = None
        if fields["k"] in ("say", "order", "rekey", "ready"):
            self.absent.discard(fields["by"])
        match fields["k"]:
            case "say":
                self._said(n, fields["by"], fields["say"])
            case "join":
                self._keyed(fields["by"], fields["say"])
            case "ready":
                self.fresh.pop(fields["by"], None)
                if self.called:
                    self.missing.remove(fields["by"])
                    self._called_on()
            case "rekey":
                self.said[fields["by"]] = fields["say"]["no"]
                self._keyed(fields["by"], fields["say"])
                self._rekeyed.add((fields["by"], "recovery" in fields["say"]))
                self._call(n)
            case "extend":
                self.due, self._owed = fields["due"], None
            case "host":
                self.hosts.append(fields["key"])
                self.moved, self.moves = n, self.moves + 1
                self._call(n)
                self.mark, self.due = fields["mark"], None
            case "amend" if "player" in fields["what"]:
                say = fields["what"]["player"]["say"]
                self._keyed(say["seat"], say)
                self.gone.pop(say["seat"], None)
                self.absent.discard(say["seat"])
                self._call(n)
            case "amend":
                what = fields["what"]
                self.rules = what.get("rules", self.rules)
                self.back = {m: seat for m, seat in self.back.items() if m < what.get("takeback", 0)}
                self.offers.clear()
                self.pledges.clear()
                self._open, self._owed, self.phase = [], None, "play"
            case "tell":
                self.phase, self.moved = "told", 0
                if fields["links"] or not self._opened.issuperset(fields["opens"]):
                    self.back.clear()
                self._opened.clear()
            case "rand":
                self.phase = "play"
                self.back.clear()
            case "ask":
                self._to = fields["to"]
                self.mark = max(self.mark, fields.get("mark", 0))
                self.ask, self.due, self.phase = n, fields.get("due"), "asked"
                self._open, self._silent = list(fields["to"]), []
            case "order":
                self.offers.clear()  # 3: an offer lapses at the next order
                self.pledges.clear()
                self._ordered(fields["by"], fields["say"])
            case "end":
                self._open = []
            case "skip":
                self.back.clear()
                if fields["to"] not in self.gone and fields["why"] != "only":
                    self._silent.append(fields["to"])
                    self.absent.add(fields["to"])
                self._answered(fields["to"])

    def _ordered(self, seat: str, say: Mapping[str, Any]) -> None:
        self._rekeyed -= {(seat, False), (seat, True)}
        ahead = say["act"] == "ahead"  # what was sent ahead is not taken back
        if ahead or self._to != [seat] or set(self.back.values()) - {seat}:
            self.back.clear()
        if not ahead and self._to == [seat]:
            self.back[self.ask] = seat
        if say.get("pub"):
            self._opened.add(say["seals"]["order"])
        self._answered(seat)

    def _said(self, n: int, seat: str, say: Mapping[str, Any]) -> None:
        self.said[seat] = say["no"]
        match say["act"]:
            case "draw" | "takeback":
                self.offers[n] = Offer(seat, say["act"], say.get("about", 0))
            case "agree" if "what" in say:
                self.pledges.setdefault(say["what"], {})[seat] = n
            case "agree":
                self._agreed_to(n, seat, say["about"])
            case "resign":
                self._leaves(seat, n)
                self.ends = n
            case "claim" if self.phase == "called":
                for late in self.missing:
                    self._leaves(late, n)
                self.absent.update(self.missing)
                self.missing, self.ends = [], n
                self._called_on()
            case "claim":
                self.claim, self._claimant, self._owed = n, seat, (("order", "skip"), n)
            case "leave":
                self.taken[seat] = self.taken.get(seat, 0) + say["hours"]
                self._hours, self._owed = say["hours"], (("extend",), n)

    def _keyed(self, seat: str, say: Mapping[str, Any]) -> None:
        self.keys[seat], self.recovery[seat], self.fresh[seat] = say["key"], say["next"], say["chain"]

    def _call(self, n: int) -> None:
        """5, fair 1: after a new anchor every seat says again that it is ready, with a link that nobody has seen."""
        self.called, self.missing = n, [seat for seat in self.seats if seat not in self.gone]
        self.mark = mark_of_call(self.mark)
        self.offers.clear()
        self.pledges.clear()
        self.back.clear()
        self._open, self.phase = [], "called"

    def _called_on(self) -> None:
        """Once all are ready, the question is put again; after a move, what no seat knew is dealt anew before that, and told."""
        self.phase = "called" if self.missing else "play" if self.moved else "told"

    def _agreed_to(self, n: int, seat: str, about: int) -> None:
        offer = self.offers[about]
        offer.agreed[seat] = n
        if not self._completes(offer, seat):
            return
        if offer.act == "draw":
            self.ends, self._owed = n, (("end",), n)
        else:
            self._what, self._agreed = {"takeback": offer.about}, [about, *offer.agreed.values()]
            self._owed = (("amend",), n)

    def _leaves(self, seat: str, n: int) -> None:
        self.back.clear()
        self.gone[seat] = n
        self.offers = {m: offer for m, offer in self.offers.items() if offer.seat != seat}

    def _answered(self, seat: str) -> None:
        self._open.remove(seat)
        self.phase = "answered" if self._open else "play"
        if not self._open and self.claim is not None:
            for late in self._silent:
                self._leaves(late, self.claim)
            self.ends, self.claim, self._owed = self.claim, None, None

    def _completes(self, offer: Offer, seat: str) -> bool:
        """Has every seat that plays on agreed once `seat` has?"""
        return set(self.seats) - set(self.gone) <= {offer.seat, seat, *offer.agreed}
