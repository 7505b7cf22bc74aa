"""The state of a log: everything that its entries establish, one after the other; nothing is taken on trust.

A `Course` is a value. `after(entry)` returns the next one, and `objection(entry)` why an entry may not come next. Checkers, writers
and signers of a log use the same functions. It knows no game's rules, no keys, seals or dice, and no clock: moments come from the
entries. A course can be saved (`dump`) and loaded again, so a host keeps it with its game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias

from pbem.errors import PlayerError
from pbem.i18n import _
from pbem.ledger.chains import chain_length
from pbem.ledger.fields import plus_seconds, seconds_between
from pbem.ledger.patch import changed
from pbem.ledger.tree import LEAVES
from pbem.records import dataclass

if TYPE_CHECKING:
    from pydantic import TypeAdapter

REACH = 2
"""How many marks ahead an order may be sent: this limits the number of links known early."""
REST = 10
"""The minimum number of marked questions that a seat answers between two changes of its key."""
FEW = {"seat": 256, "pub": 1024, "priv": 1024, "deal": 64}
"""With this few or fewer links left (deals: leaves) a chain may continue from a new anchor."""

Phase: TypeAlias = Literal["roster", "ready", "play", "told", "asked", "answered", "called", "over"]
"""The phase of a log:

- roster, ready: seats join, and confirm that they are ready.
- play: random events may happen, and a tell comes.
- told: the last entry is a tell; a question or the end comes.
- asked: a question is open, without logged answers.
- answered: some of its answers are logged.
- called: everybody has to confirm again that they are ready.
- over: the game has ended.
"""


class Objection(PlayerError):
    """Why a signed statement or an entry is not allowed in its place: a code from the closed list, and a sentence."""

    def __init__(self, code: str, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(reason)


def object_if(wrong: object, code: str, reason: str, /, **values: object) -> None:
    """Raise Objection if `wrong` is true, with the reason and its values."""
    if wrong:
        raise Objection(code, _(reason, **values))


@dataclass(frozen=True, slots=True)
class Terms:
    """The agreed terms of the game that affect a verdict; in hours."""

    late: str = "default"
    """What becomes of a late answer: “default” (the host takes the default), “claim” (another seat may claim the game)."""
    leave: int = 0
    """How much leave each seat may take in the whole game."""
    hours: int = 0
    """How long each question can be answered at the least; 0: without a limit."""
    grace: int = 0
    """How much is added to that at the least."""
    most: int = 0
    """The maximum time to answer a question, without leave."""


@dataclass(frozen=True)
class Holder:
    """One seat, as the log has it: who plays it, how far its chain is given, and what it has said."""

    key: str = ""
    next: str = ""
    """The SHA-256 of its recovery key line, or ""."""
    anchor: str = ""
    """The anchor of its chain, which counts as link number `base`."""
    base: int = 0
    begun: int = 0
    """The number of the say by which it changed its key or chain last; 0: it has those of its join."""
    anchors: tuple[str, ...] = ()
    """All anchors that it has had."""
    mark: int = 0
    """The mark of the last marked question that was put to it and is not void; of its ready before that."""
    put: tuple[tuple[int, int, str], ...] = ()
    """Entry, mark and name of the last marked questions put to it since the last call or take-back, at most REACH + 1."""
    link_n: int = 0
    link: str = ""
    """The last link it gave, and of which mark: of its present chain, or of the one before while `fresh`."""
    fresh: bool = False
    """Has it a new chain, of which it has given no link?"""
    is_ready: bool = False
    answer: tuple[int, int] = (-1, 0)
    """The seat's last order in the log: question and revision; (-1, 0): none."""
    ahead: tuple[int, int] = (-1, 0)
    """The last one that had been sent ahead: mark and revision."""
    seen: int = -1
    """The highest entry that it had seen when it signed one of them."""
    said: int = 0
    """How many says it has logged, changes of key among them."""
    gone: int = 0
    """The entry by which it is out, or 0."""
    missed: int = 0
    """How many times in a row it let its answer be the default; more than once: its player has vanished."""
    late: bool = False
    """Did it lose by time, and has signed nothing since?"""
    leave: int = 0
    """Hours of leave that it has taken."""
    rested: int = REST
    """How many marked questions it has answered since it changed its key."""
    by_key: bool = False
    """Did the key itself make the last change?"""


@dataclass(frozen=True)
class QuestionPut:
    """A question: its entry, the seats it was put to, and its answers so far."""

    n: int
    to: tuple[str, ...]
    what: str
    secret: str
    mark: int = 0
    """0: it bears none."""
    at: str = ""
    due: str = ""
    """When the time to answer is over, with all that was added; "": never."""
    added: int = 0
    """Hours of leave in that."""
    open: tuple[str, ...] = ()
    """The seats without an answer in the log."""
    silent: tuple[str, ...] = ()
    """Those that were skipped for being late."""
    orders: tuple[str, ...] = ()
    length: ClassVar[int] = 0
    """A question has no time but that of the terms."""


@dataclass(frozen=True)
class Call:
    """All are to say again that they are ready, because of the entries from `first` to `n`, with link `mark`."""

    first: int
    n: int
    mark: int
    at: str = ""
    due: str = ""
    length: int = 0
    """The seconds that those who are called have, at the least."""
    added: int = 0
    makers: tuple[str, ...] = ()
    """The seats that brought it about: they claim nothing by it."""


@dataclass(frozen=True)
class Offer:
    """A valid offer: who made it, its kind, the question it is about, and who has agreed at which entry."""

    seat: str
    act: str
    about: int = 0
    agreed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Owed:
    """Kinds of which the next entry must be one, and the say at entry `n` that calls for it."""

    kinds: tuple[str, ...]
    n: int
    hours: int = 0
    """Of leave."""
    takeback: int = 0
    """The question to be put again."""
    agreed: tuple[int, ...] = ()
    last: bool = False
    """Is the end called for because one seat is left?"""


class ReturnPoint(NamedTuple):
    """A question to which a seat may go back, judged by the log: its entry, its seat, and every seat's mark before it."""

    n: int
    seat: str
    marks: Mapping[str, int]
    put: Mapping[str, tuple[tuple[int, int, str], ...]]


@dataclass(frozen=True)
class Course:
    """How far a log has come; `next` is the number of its next entry."""

    next: int = 0
    order: tuple[str, ...] = ()
    """The seats in the order of the game entry."""
    seats: Mapping[str, Holder] = field(default_factory=dict)
    terms: Terms = Terms()
    rules: Mapping[str, Any] = field(default_factory=dict)
    """The rules currently in force."""
    clock: str = ""
    """The latest moment that an entry names."""
    phase: Phase = "roster"
    roster: int = 0
    """The last join."""
    hosts: tuple[tuple[int, str], ...] = ()
    """Who was host, one after the other: the entry from which on, and the key line. The last one is in office."""
    chains: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    """Of the host's chains by label: after which index each was begun, and its anchor."""
    indices: Mapping[str, int] = field(default_factory=dict)
    """The last index used on each of them."""
    trees: tuple[tuple[int, str], ...] = ()
    """After which deal each tree of deals was begun, and its root."""
    dealt: int = 0
    """The number of the last deal."""
    moved: int = 0
    """The entry by which another host took over, until that host's first tell; otherwise 0."""
    moves: int = 0
    """How often another host has taken over."""
    keys: tuple[str, ...] = ()
    """All keys that seats and hosts have had."""
    mark: int = 1
    """The highest mark that a question or ready has borne."""
    floor: int = 1
    """The mark of being ready last."""
    since: int = 0
    """The last entry that voided a question, or the last join; earlier premoves are invalid."""
    question: QuestionPut | None = None
    """The open question, or the last one."""
    call: Call | None = None
    """The last call; it is on while the phase says so."""
    claim: tuple[int, str] | None = None
    """The claim that is closing the open question, and its seat."""
    offers: Mapping[int, Offer] = field(default_factory=dict)
    """Offers that have not lapsed, by entry."""
    pledges: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By digest of an amendment, the seats that have agreed since the last order, with the entries."""
    owed: Owed | None = None
    ends: int = 0
    """The say right above, by which the game may end; or 0."""
    back: tuple[ReturnPoint, ...] = ()
    here: ReturnPoint | None = None
    """The last question, as one to go back to once it is answered."""
    rolls: tuple[int, ...] = ()
    """Indices of the public events since the last tell."""
    in_the_open: tuple[str, ...] = ()
    """Digests of the orders given in the open since the last tell, which the next tell opens."""

    # -- what follows from it -------------------------------------------------------------------------------------------

    def but(self, **changes: Any) -> Course:
        """Return this with some fields changed."""
        return changed(self, **changes)

    def seat_but(self, seat: str, **changes: Any) -> Course:
        """Return this with some fields of one seat changed."""
        return self.but(seats={**self.seats, seat: changed(self.seats[seat], **changes)})

    @property
    def waiting(self) -> tuple[str, ...]:
        """The seats that still have to answer the open question, judged by the log."""
        if self.question is None or self.phase not in ("asked", "answered"):
            return ()
        return tuple(seat for seat in self.question.open if not self.seats[seat].gone)

    @property
    def missing(self) -> tuple[str, ...]:
        """The seats that have to say, again, that they are ready."""
        if self.phase not in ("ready", "called"):
            return ()
        return tuple(name for name, seat in self.seats.items() if not seat.is_ready and not seat.gone)

    @property
    def gone(self) -> dict[str, int]:
        """The seats that are out, having resigned or lost by time, and the say by which they left."""
        return {name: seat.gone for name, seat in self.seats.items() if seat.gone}

    @property
    def due(self) -> str:
        """When the time to answer the open question is over, or to be ready where a call is on; "": never."""
        if self.phase == "called":
            return self.call.due if self.call else ""
        return self.question.due if self.question else ""

    @property
    def on(self) -> Call | QuestionPut | None:
        """What a time runs for that may be longer yet: the call, or the question that nobody has answered."""
        on: dict[Phase, Call | QuestionPut | None] = {"called": self.call, "asked": self.question}
        return on.get(self.phase)

    @property
    def put(self) -> QuestionPut:
        """The last question, where there has been one."""
        if self.question is None:
            raise LookupError("no question has been put")
        return self.question

    @property
    def host(self) -> str:
        """The key line of the host in charge, or ""."""
        return self.hosts[-1][1] if self.hosts else ""

    @property
    def dealt_anew_on(self) -> str:
        """The chain on which a new host deals again the cards that no seat knew."""
        return f"anew:{self.moves}"

    @property
    def next_mark_of_call(self) -> int:
        """The mark of the next ready round.

        5, fair 1: no link was given for it or a later mark, because it is beyond all marks open to premoves.
        """
        return self.mark + REACH + 1

    def next_no(self, seat: str) -> int:
        """Return the number of the seat's next say."""
        return self.seats[seat].said + 1

    def most_ahead(self, seat: str, seen: int | None = None) -> int:
        """Return the last mark for which a seat may send an order ahead that has seen entry `seen`, not older than `since`."""
        borne = (mark for n, mark, _what in self.seats[seat].put if seen is None or n <= seen)
        return max([self.floor, *borne]) + REACH

    def asked_last(self, seat: str) -> tuple[int, str]:
        """Return the seat's current mark and the question it was asked there; "" if it had no marked question yet."""
        holder = self.seats[seat]
        return holder.mark, holder.put[-1][2] if holder.put else ""

    def below(self, seat: str) -> tuple[int, str]:
        """Return the number and value of the link to which the seat's next one leads: the last it gave, or its anchor."""
        holder = self.seats[seat]
        if holder.fresh or not holder.link:
            return holder.base, holder.anchor
        return holder.link_n, holder.link

    def links_left(self, label: str) -> int:
        """Return how many links of a chain of the host's are not used; of “deals” how many leaves of their tree."""
        if label == "deals":
            return LEAVES - (self.dealt - self.trees[-1][0])
        return chain_length(label) - (self.indices.get(label, 0) - self.chains[label][-1][0])

    def links(self) -> list[list[Any]]:
        """Return [seat, mark, link] of each seat's last closed mark, by seat: what goes into the key of a random event."""
        return [[name, seat.link_n, seat.link] for name, seat in sorted(self.seats.items()) if seat.link]

    def vanished(self, seat: str, at: str) -> bool:
        """Return whether a seat's player has vanished: late twice in a row, or out by time, and silent since.

        A seat that is not ready within the time of a ready round is late once; after twice that time, twice.
        """
        holder = self.seats[seat]
        missed = holder.missed + 2 * holder.late
        if self.phase == "called" and self.call and self.call.due and seat in self.missing and at >= self.call.due:
            again = plus_seconds(self.call.due, seconds_between(self.call.at, self.call.due))
            missed += 1 + (at >= again)
        return missed >= 2

    def least_due(self, at: str) -> str:
        """Return the earliest end of a time that begins at a moment, by the terms; "" without a limit."""
        return plus_seconds(at, 3600 * (self.terms.hours + self.terms.grace)) if self.terms.hours else ""

    def most_due(self, at: str) -> str:
        """Return the latest end of a time that begins at a moment, by the terms."""
        return plus_seconds(at, 3600 * self.terms.most)

    def call_length(self) -> int:
        """Return the seconds that a call which began now would have at the least: as many as what it voids, leave and all."""
        least = 3600 * (self.terms.hours + self.terms.grace)
        on = self.on
        return max(least, seconds_between(on.at, on.due)) if on and on.due and on.at else least

    # -- written down ---------------------------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return this as JSON, without the fields that still have their initial values."""
        return {
            f.name: _plain(value)
            for f in fields(self)
            if (value := getattr(self, f.name)) != getattr(_BEGINNING, f.name)
        }

    @classmethod
    def load(cls, said: Mapping[str, Any]) -> Course:
        """Return the course that `dump` wrote."""
        return _reader().validate_python(said)


_BEGINNING = Course()


@cache
def _reader() -> TypeAdapter[Course]:
    from pydantic import TypeAdapter

    return TypeAdapter(Course)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(inner) for inner in value]
    return {f.name: _plain(getattr(value, f.name)) for f in fields(value)} if is_dataclass(value) else value
