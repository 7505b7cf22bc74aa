"""What players say besides their orders, and what must follow (PROTOCOL 3): resignations, offers, claims, leave, time.

A `Talk` follows a log entry by entry and knows, without any game's rules, what may be said now and what the log then owes.
The verifier asks it of every entry that was written, the host before it writes one: so both come to the same answer. It
knows no clock: moments stand in the entries, or are handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple, TypeAlias

from pbem.ledger.canon import cj_read, sha256_hex
from pbem.words import _

AGREED_DRAW = {"winner": "", "why": "agreed"}
"""The result of a game that ends by an agreed draw."""

Phase: TypeAlias = Literal["play", "told", "asked", "answered", "called"]


class Objection(NamedTuple):
    """Why an entry may not stand where it stands: a code of the closed list, and a sentence."""

    code: str
    reason: str


@dataclass(slots=True)
class Offer:
    """An offer that stands: who made it, what it is, about which question, and who has agreed to it at which entry."""

    seat: str
    act: str
    about: int = 0
    agreed: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Talk:
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
    host: str = ""
    """The key line of the host who is in office."""
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
    def of(cls, game: Mapping[str, Any]) -> Talk:
        """Return the talk of a game of which only entry 0 is written."""
        terms = game.get("terms", {})
        return cls(
            game["seats"], terms.get("late", "default"), terms.get("leave", 0), rules=game["rules"], host=game["host"],
            deals=sum(label.startswith("deal:") for label in game["chains"]),
        )  # fmt: skip

    @classmethod
    def read(cls, entries: Iterable[Mapping[str, Any]]) -> Talk:
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
    def dealt_anew_on(self) -> str:
        """The chain on which a host who has taken over deals anew what no seat knew: none that the rules count."""
        return f"deal:{self.deals + self.moves}"

    # -- what may be written ----------------------------------------------------------------------------------------

    def owed(self, kind: str) -> Objection | None:
        """Why no entry of this kind may come next, whatever it holds."""
        if self._owed is None or kind in self._owed[0]:
            return None
        kinds, n = self._owed
        return Objection(
            "ORDERING",
            _("Entry {n} calls for “{due}” right after it; here is “{kind}”.", n=n, due=kinds[0], kind=kind),
        )

    def objection(self, n: int, fields: Mapping[str, Any]) -> Objection | None:
        """Why this say, extension, answer or end may not stand as entry `n`; whether it is signed and bound is not asked."""
        match fields["k"]:
            case "say":
                return self._say(n, fields)
            case "rekey":
                return self._rekey(fields["by"], fields["say"])
            case "ready" if self.called and fields["by"] not in self.missing:
                return Objection("ORDERING", _("{seat} says to be ready, but is not called to.", seat=fields["by"]))
            case "extend":
                return self._extend(fields)
            case "skip":
                return self._skip(fields["to"], fields["at"], fields["why"] == "only")
            case "order" if fields["by"] in self.gone:
                return Objection(
                    "ORDERING",
                    _(
                        "{seat} is out since entry {gone}, but answers.",
                        seat=fields["by"],
                        gone=self.gone[fields["by"]],
                    ),
                )
            case "order" if self.claim is not None and self._open == [fields["by"]] and not self._silent:
                return Objection(
                    "ORDERING", _("Entry {claim} claims the game by time, but nobody is late.", claim=self.claim)
                )
            case "end" if "cause" in fields:
                return self._end(fields)
            case "amend":
                return self._amend(n, fields["what"], fields["agreed"])
            case "host":
                return self._host(n, fields)
        return None

    def _rekey(self, seat: str, say: Mapping[str, Any]) -> Objection | None:
        if objection := self._speaks(seat, say):
            return objection
        if self.phase not in ("asked", "called"):
            return Objection("ORDERING", _("{seat} changes the key while no question stands open.", seat=seat))
        # a thief who has the key is undone by the recovery key, and cannot exchange that
        if (seat, "recovery" in say) in self._rekeyed:
            return Objection(
                "ORDERING", _("{seat} changes the key a second time without an order in between.", seat=seat)
            )
        if "recovery" not in say and self.recovery[seat] not in ("", say["next"]):
            return Objection("BIND", _("{seat} binds another recovery key without the one that was bound.", seat=seat))
        if say["key"] in self.keys.values():
            return Objection("BIND", _("{seat} changes to a key that a seat of this game has.", seat=seat))
        return None

    def _speaks(self, seat: str, say: Mapping[str, Any]) -> Objection | None:
        # 3: no counts the seat's says
        if say["no"] != self.next_no(seat):
            return Objection(
                "ORDERING",
                _(
                    "{seat}'s say is numbered {no}; {due} was next.",
                    seat=seat,
                    no=say["no"],
                    due=self.next_no(seat),
                ),
            )
        if seat in self.gone:
            return Objection(
                "ORDERING",
                _("{seat} is out since entry {gone} and has no say any more.", seat=seat, gone=self.gone[seat]),
            )
        return None

    def _say(self, n: int, fields: Mapping[str, Any]) -> Objection | None:
        seat, say = fields["by"], fields["say"]
        if objection := self._speaks(seat, say):
            return objection
        match say["act"]:
            case "takeback":
                return self._takeback(seat, say["about"]) or self._asked(
                    _("{seat} asks to take back while no question stands open.", seat=seat)
                )
            case "agree" if "what" in say:
                if seat in self.pledges.get(say["what"], ()):
                    return Objection(
                        "BIND",
                        _("{seat} agrees to {what}…, to which he has agreed before.", seat=seat, what=say["what"][:12]),
                    )
                # while all are to be ready there may be another host to agree to
                if self.phase == "called":
                    return None
                return self._asked(_("{seat} agrees to an amendment while no question stands open.", seat=seat))
            case "agree":
                return self._agree(n, seat, say)
            case "resign":
                return self._asked(_("{seat} resigns while no question stands open.", seat=seat))
            case "claim" if self.phase == "called":
                return self._claim_of_missing(seat, fields["at"])
            case "claim":
                return self._asked(
                    _("{seat} claims the game while no question stands open.", seat=seat)
                ) or self._claim(seat, fields["at"])
            case "leave":
                return self._asked(_("{seat} takes leave while no question stands open.", seat=seat)) or self._leave(
                    seat, say["hours"]
                )
        return None

    def _takeback(self, seat: str, about: int) -> Objection | None:
        if self.back.get(about) == seat:
            return None
        return Objection(
            "BIND",
            _(
                "{seat} wants to go back to entry {about}, which is none of the questions that this seat answered last, or "
                "chance has spoken or something was shown since.",
                seat=seat,
                about=about,
            ),
        )

    def next_no(self, seat: str) -> int:
        """Return the number of the seat's next say."""
        return self.said.get(seat, 0) + 1

    def _asked(self, else_said: str) -> Objection | None:
        return None if self.phase == "asked" else Objection("ORDERING", else_said)

    def _agree(self, n: int, seat: str, say: Mapping[str, Any]) -> Objection | None:
        """3: one agrees to another seat's offer, which lapses at the next order."""
        about = say["about"]
        offer = self.offers.get(about)
        if offer is None or about >= n:
            return Objection(
                "BIND",
                _("{seat} agrees to entry {about}, which is no offer, or one that has lapsed.", seat=seat, about=about),
            )
        if offer.seat == seat:
            return Objection("BIND", _("{seat} agrees to entry {about}, his own offer.", seat=seat, about=about))
        if seat in offer.agreed:
            return Objection(
                "BIND", _("{seat} agrees to entry {about}, to which he has agreed before.", seat=seat, about=about)
            )
        if say["seen"][0] < about:
            return Objection(
                "SEEN", _("{seat} agrees to the offer of entry {about}, which he had not seen.", seat=seat, about=about)
            )
        if self._completes(offer, seat) and self.phase not in (
            ("told", "asked") if offer.act == "draw" else ("asked",)
        ):
            return Objection(
                "ORDERING", _("{seat} agrees to entry {about} while answers are being written.", seat=seat, about=about)
            )
        return None

    def _completes(self, offer: Offer, seat: str) -> bool:
        """Has every seat that plays on agreed once `seat` has?"""
        return set(self.seats) - set(self.gone) <= {offer.seat, seat, *offer.agreed}

    def _amend(self, n: int, what: Mapping[str, Any], agreed: Sequence[int]) -> Objection | None:
        if "takeback" in what or self._owed is not None:
            if self._owed is None or what != self._what or agreed != self._agreed:
                return Objection("BIND", _("Entry {n} amends what was not agreed on right above.", n=n))
            return None
        if "player" in what and what["player"]["say"]["seat"] not in self.absent:
            return Objection(
                "BIND",
                _("Entry {n} gives away a seat that is not one of this game, or whose player has not vanished.", n=n),
            )
        if agreed != self.pledged(what):
            return Objection("BIND", _("Entry {n} amends what not every seat agreed to since the last order.", n=n))
        if self.phase != "asked":
            return Objection("ORDERING", _("Entry {n} amends the game while no question stands open.", n=n))
        if "player" in what:
            return None
        if what["rules"]["id"] != self.rules["id"] or what["rules"]["ver"] <= self.rules["ver"]:
            return Objection("ORDERING", _("Entry {n} does not take in a newer version of this game's rules.", n=n))
        return None

    def _host(self, n: int, fields: Mapping[str, Any]) -> Objection | None:
        """3: a new host, to whose key, anchors and beginning every seat has agreed."""
        agreed = fields["agreed"]
        if agreed != self.pledged(another_host(fields)) or agreed != list(range(fields["seen"][0] + 1, n)):
            return Objection("BIND", _("Entry {n} names another host than every seat agreed to right above.", n=n))
        if self.phase not in ("asked", "called"):
            return Objection("ORDERING", _("Entry {n} names another host while no question stands open.", n=n))
        if fields["key"] in self.keys.values():
            return Objection("BIND", _("Entry {n} makes a host of a key that a seat of this game has.", n=n))
        if fields["mark"] <= self.mark:
            found = {"n": n, "mark": fields["mark"], "last": self.mark}
            return Objection(
                "ORDERING", _("Entry {n} calls all to be ready with mark {mark}; {last} has been.", **found)
            )
        return None

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

    def _claim(self, seat: str, at: str) -> Objection | None:
        if self.late != "claim":
            return Objection("ORDERING", _("{seat} claims the game, but its terms know no win by time.", seat=seat))
        if self.due is None or at < self.due:
            return Objection("ORDERING", _("{seat} claims the game before the time to answer was over.", seat=seat))
        if self._open == [seat]:
            return Objection("ORDERING", _("{seat} claims the game, but it waits for nobody else.", seat=seat))
        return None

    def _claim_of_missing(self, seat: str, at: str) -> Objection | None:
        """Nobody holds a game up by not being ready, whatever its terms say about late answers."""
        if self.due is None or at < self.due:
            return Objection("ORDERING", _("{seat} claims the game before the time to be ready was over.", seat=seat))
        if seat in self.missing:
            return Objection("ORDERING", _("{seat} claims the game, without being ready.", seat=seat))
        return None

    def _leave(self, seat: str, hours: int) -> Objection | None:
        if seat not in self._open or self.due is None:
            return Objection(
                "ORDERING", _("{seat} takes leave, but no answer with a time limit is asked of this seat.", seat=seat)
            )
        left = self.leave - self.taken.get(seat, 0)
        if hours > left:
            return Objection(
                "ORDERING",
                _("{seat} takes {hours} hours of leave, but has {left} left.", seat=seat, hours=hours, left=left),
            )
        if plus_hours(self.due, hours) is None:
            return Objection("ORDERING", _("{seat} takes leave beyond the end of the calendar.", seat=seat))
        return None

    def _extend(self, fields: Mapping[str, Any]) -> Objection | None:
        if self.phase != "asked" or fields["ask"] != self.ask or self.due is None:
            return Objection(
                "ORDERING", _("Time is added to question {ask}, which is not open, or has no limit.", ask=fields["ask"])
            )
        if fields.get("cause") != (self._owed[1] if self._owed else None):
            return Objection("BIND", _("Time is added for leave that nobody took right above."))
        hours = 0 if self._owed is None else self._hours
        if fields["due"] <= self.due or (hours and fields["due"] != plus_hours(self.due, hours)):
            return Objection(
                "ORDERING",
                _(
                    "The time to answer goes from {before} to {due}: not what was added.",
                    before=self.due,
                    due=fields["due"],
                ),
            )
        return None

    def _skip(self, seat: str, at: str, only: bool) -> Objection | None:
        if seat in self.gone:
            return None
        if self.claim is not None:
            if seat == self._claimant:
                return Objection("ORDERING", _("{seat} claims the game by time, and is late as well.", seat=seat))
            if only and self._open == [seat] and not self._silent:
                return Objection(
                    "ORDERING", _("Entry {claim} claims the game by time, but nobody is late.", claim=self.claim)
                )
            return None
        # 3: not before due
        if self.due is None or at < self.due:
            return Objection("ORDERING", _("{seat} was skipped before the time to answer was over.", seat=seat))
        if self.late != "default" and not only:
            return Objection(
                "ORDERING", _("{seat} was skipped, but by the terms of this game a late answer is claimed.", seat=seat)
            )
        return None

    def _end(self, fields: Mapping[str, Any]) -> Objection | None:
        if fields["cause"] != self.ends:
            return Objection(
                "ORDERING", _("The game ends by entry {cause}, which does not end it here.", cause=fields["cause"])
            )
        if self._owed is not None and fields["result"] != AGREED_DRAW:
            return Objection("TELL", _("A draw was agreed, but the result says {result}.", result=fields["result"]))
        return None

    # -- what was written -------------------------------------------------------------------------------------------

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
                self.host, self.moved, self.moves = fields["key"], n, self.moves + 1
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
        self.mark += 1
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

    @property
    def amends(self) -> dict[str, Any] | None:
        """The amendment that has to be written now: what it holds and who agreed; None where nothing was agreed."""
        if self._owed is None or self._owed[0] != ("amend",):
            return None
        return {"k": "amend", "what": self._what, "agreed": self._agreed}

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


def another_host(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is agreed to when another host is: his key and anchors, the mark of being ready, the head he goes on from."""
    return {"host": {name: fields[name] for name in ("chains", "key", "mark", "seen")}}


def plus_hours(moment: str, hours: int) -> str | None:
    """Return the moment so many hours later, or None where the calendar has no such year.

    >>> plus_hours("2030-01-31T20:00:00Z", 5)
    '2030-02-01T01:00:00Z'
    """
    try:
        later = datetime.fromisoformat(moment[:-1]) + timedelta(hours=hours)
    except OverflowError:
        return None
    return later.isoformat(timespec="seconds") + "Z"
