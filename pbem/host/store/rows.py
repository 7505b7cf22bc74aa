"""The rows of a host's store, as values with names: the content of each table, but not how it is found.

A field has the name of its column. Those in `AS_JSON` hold JSON, and are returned as the decoded value. The bytes of mail, in and
out, are in no row: they are large, and are read separately.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from pbem.kernel import Json
from pbem.records import dataclass
from pbem.referee import Envelope

AS_JSON = {"opts", "terms", "asked", "result", "say", "openings", "forced", "checkpoints"}
"""The columns that hold JSON."""
KEPT, MAY_BE_KEPT, OWN = "kept", "may", ""
"""What a seat's `kept` says."""
WAITING, SENT, FAILED = 0, 1, 2
"""The values of `sent` for a letter in the outbox: waiting, sent, or refused for good by its receiver's server."""


@dataclass(slots=True)
class Row:
    """A row of the table that its class names."""

    TABLE: ClassVar[str]
    __match_args__: ClassVar[tuple[str, ...]]


@dataclass(slots=True)
class GameRow(Row):
    """A game: its rules and settings, and its state, for queries on games."""

    TABLE = "games"
    id: int
    g: str
    game: str
    opts: Json
    nonce: str
    stage: str
    hours: int
    title: str
    at: str
    ask: int | None
    asked: list[str]
    due: str
    """Until when the open question can be answered; "" without a limit."""
    result: Json
    snapshot: str | None

    def __post_init__(self) -> None:
        self.due = self.due or ""


@dataclass(slots=True)
class SeatRow(Row):
    """A seat: who plays it, where his letters go, and how far he has been told."""

    TABLE = "seats"
    game: int
    seat: str
    address: str
    key: str | None
    link_n: int
    sent_n: int
    moves: int
    zone: str
    quiet: str
    weekends: str
    clocks: int
    late: int
    language: str
    invited: int
    requests: int
    pictures: str
    mail: str
    """Which letters at the web address its player also gets by mail: “all”, “short” or “none”."""
    mails: int
    """How often he has said so."""
    kept: str
    """Whether the host keeps its key: “kept”; may yet, where its player answers JOIN: “may”; "": its player has it."""


@dataclass(slots=True)
class Observer(Row):
    """An address that looks on at a game."""

    TABLE = "observers"
    game: int
    address: str
    sent_n: int
    language: str


@dataclass(slots=True)
class Member(Row):
    """An address that belongs to the club, or was asked to confirm; `confirmed` is since when, "" if it has not confirmed.

    `wanted` takes effect when the code comes back: a name, or "" to leave.
    """

    TABLE = "members"
    id: int
    address: str
    name: str
    language: str
    zone: str
    quiet: str
    weekends: str
    confirmed: str
    wanted: str
    times: int
    code_at: str
    zone_wanted: str
    language_wanted: str


@dataclass(slots=True)
class ClubTable(Row):
    """A game that waits for its players; `opened` is its number once it has begun to be one, 0 before."""

    TABLE = "tables"
    id: int
    game: str
    opts: Json
    terms: Json
    opener: int
    at: str
    until: str
    opened: int


@dataclass(slots=True)
class ClubSeat(Row):
    """A seat at a table: the member who sits there, for whom it is kept (0: nobody), or its built-in player. `anywhere`: he would
    take any."""

    TABLE = "chairs"
    table_id: int
    seat: str
    member: int
    kept: int
    player: str
    anywhere: int


@dataclass(frozen=True, slots=True)
class At:
    """Where an address is registered: the game and its stage, the seat ("": it looks on), the address as it is written there."""

    game: int
    stage: str
    seat: str
    address: str
    language: str


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A note that a seat has a line beside the entries: since which entry, its number there, and the line (empty: it is lost)."""

    seat: str
    after_n: int
    no: int
    line: bytes


@dataclass(frozen=True, slots=True)
class Stored:
    """A row as it is stored, of any table, on its way into another store."""

    table: str
    columns: tuple[str, ...]
    values: tuple[str | int | bytes | None, ...]


@dataclass(slots=True)
class SignedRow(Row):
    """What a player signed, with the time when it came."""

    game: int
    seat: str
    say: dict[str, Json]
    sig: str
    at: str


@dataclass(slots=True)
class OrderRow(SignedRow):
    """An order, with its openings."""

    rev: int
    openings: list[list[Json]]

    @property
    def texts(self) -> tuple[str, str]:
        """The order and its plans, as they were written."""
        order, plans = (str(opening[6]) for opening in self.openings)
        return order, plans

    @property
    def envelope(self) -> Envelope:
        """It, as it came."""
        return Envelope(self.say, self.sig, tuple(self.openings))


@dataclass(slots=True)
class AnswerRow(OrderRow):
    """An answer to an open question."""

    TABLE = "answers"
    ask: int


@dataclass(slots=True)
class AheadRow(OrderRow):
    """An order sent ahead."""

    TABLE = "ahead"
    mark: int


@dataclass(slots=True)
class KeptSay(SignedRow):
    """A statement that follows an order not yet in the log."""

    TABLE = "kept_says"


@dataclass(slots=True)
class JoinRow(SignedRow):
    """A word that somebody takes a seat."""

    TABLE = "joins"
    key: str


@dataclass(slots=True)
class MoveRow(Row):
    """An address that a player has named for a seat; by its code that is confirmed."""

    TABLE = "moves"
    game: int
    seat: str
    no: int
    address: str


@dataclass(slots=True)
class Reminder(Row):
    """A letter that is to remind a seat of its time, from a moment on."""

    TABLE = "reminders"
    game: int
    seat: str
    kind: str
    ask: int


@dataclass(slots=True)
class PaceRow(Row):
    """The time of a game's open question: until when an answer is promised to be in time ("": no limit), and which seats have one
    legal answer only, which may be taken for them.
    """

    TABLE = "paces"
    promised: str = ""
    forced: tuple[str, ...] = ()


@dataclass(slots=True)
class Marked(Row):
    """An address that takes no mail, and why that is thought."""

    TABLE = "marks"
    at: str
    address: str
    why: str


class Kind(StrEnum):
    """The kind of outcome of a mail that the host looks at again: the noted outcome begins with that word and a colon."""

    REFUSED = "refused"
    IGNORED = "ignored"
    UNREADABLE = "unreadable"
    WAITS = "waits"
    FAILED = "failed"

    def is_of(self, outcome: str) -> bool:
        """Is an outcome of this kind?"""
        return outcome.startswith(f"{self}:")

    @property
    def bounds(self) -> tuple[str, str]:
        """The first text that is an outcome of this kind, and the first after all that are."""
        return f"{self}:", f"{self};"


@dataclass(slots=True)
class Mail(Row):
    """A mail in: the time and way of its arrival, and its outcome."""

    TABLE = "inbox"
    id: int
    at: str
    door: str
    sender: str | None
    recipient: str | None
    game: int | None
    outcome: str
    """In a few words; "" as long as it is undecided."""


@dataclass(slots=True)
class LetterRow(Row):
    """A letter: to whom it goes, and how often that was tried."""

    TABLE = "outbox"
    id: int
    message_id: str
    game: int | None
    seat: str
    address: str
    at: str
    kind: str
    sender: str
    sent: int
    attempts: int
    not_before: str
    last_error: str


@dataclass(slots=True)
class OnDoorstep(Row):
    """A letter at the web address: its number among those of its seat, and the key of the player it is for."""

    TABLE = "doorstep"
    id: int
    game: int
    seat: str
    no: int
    key: str
    at: str
