"""What one seat, or the public, may know of a game: the typed form of a view's JSON.

`?` is a card that the seat may not know. Discards and `old` are objects keyed by slugs ("scott_12"), since a log contains the
changes of a view. None values are left out of the JSON. When the game is over, all hands are open.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, with_config
from typing_extensions import TypeAliasType, TypedDict

from pbem.kernel import View, one_of

from .rules.cards import NORMAL, ROYAL, SEATS, Agreed, Card, Clan, Seat, slug

HIDDEN = "?"
CARDS = (*NORMAL, *ROYAL)
_STEPS = (
    "first", "hands", "round", "end", "recruits", "supporters", "look", "turn", "count", "clear", "next", "ask", "initiative",
    "act", "drawn", "card", "shuffle", "deal", "hand",
)  # fmt: skip

SeatOrNone = TypeAliasType("SeatOrNone", Annotated[str, one_of(("", *SEATS))])
CardOrBack = TypeAliasType("CardOrBack", Annotated[str, one_of((*CARDS, HIDDEN))])
Back = Annotated[str, Field(pattern=r"^\?[0-9]{1,4}\.[0-9]{1,3}$")]
CardKey = TypeAliasType("CardKey", Annotated[str, one_of(map(slug, CARDS))])
Question = Literal["turn", "claim"]
Procedure = Annotated[str, one_of(("reign", "skirmish", "turn", "claims", "drawing"))]
Local = Annotated[str, one_of(("step", "next", "seat", "to", "left", "place", "up"))]
Word = Annotated[str, one_of(("", *SEATS, *_STEPS))]
"""A word of a procedure's state: its step, or a seat."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class FollowerView(_Part):
    """A follower: face-up, with its end-of-round power if activated; or face-down, with the seats that have seen it."""

    card: CardOrBack
    power: Clan | None = None
    seen: list[Seat] | None = None

    @property
    def up(self) -> bool:
        """Does it lie face-up?"""
        return self.seen is None


@with_config(ConfigDict(extra="forbid"))
class Result(TypedDict):
    """The end of the game: the winner ("" for nobody), the reason, and everybody's points."""

    winner: SeatOrNone
    why: Literal["throne", "cards", "rounds"]
    points: dict[Seat, int]


class RecruitView(NamedTuple):
    """A recruit: its card; or `?`, and its back, that is the deal and place from which it came, "1.13"."""

    card: str
    back: str = ""

    @property
    def up(self) -> bool:
        """Does it lie face-up?"""
        return self.card != HIDDEN


class LordsView(View):
    """All that a seat ("" is the public) may know."""

    seat: SeatOrNone
    terms: Agreed
    seats: list[Seat]
    round: int
    turn: int
    victor: SeatOrNone
    hand: list[Card]
    hands: dict[Seat, int]
    taken: dict[Seat, list[Card]]
    armies: dict[Seat, list[FollowerView]]
    row: list[Card | Back]
    """The recruits: each its card, or `?` and its back."""
    supporters: list[Card]
    won: dict[Seat, list[Card]]
    discards: dict[CardKey, bool]
    old: dict[CardKey, bool]
    pile: int
    dealt: int
    deals: int
    placing: list[Seat]
    stack: dict[Procedure, dict[Local, Word | bool | int]]
    """The procedures under way, by name, with their locals."""
    waiting: dict[Seat, Question]
    """The asked seats and their questions."""
    shown: dict[Seat, list[Card]] | None = None
    result: Result | None = None

    @property
    def question(self) -> str:
        """The present question to this seat, or ""."""
        return self.waiting.get(self.seat, "")

    @property
    def recruits(self) -> list[RecruitView]:
        """The recruits, from the left."""
        return [RecruitView(HIDDEN, said[1:]) if said.startswith(HIDDEN) else RecruitView(said) for said in self.row]

    @property
    def army(self) -> list[FollowerView]:
        """This seat's own followers."""
        return self.armies[self.seat]

    @property
    def others(self) -> list[str]:
        """The other seats, in clockwise order from this one on."""
        start = self.seats.index(self.seat)
        return self.seats[start + 1 :] + self.seats[:start]

    @property
    def face_up(self) -> tuple[str, ...]:
        """The cards of all face-up followers in the skirmish."""
        return tuple(follower.card for seat in self.seats for follower in self.armies[seat] if follower.up)

    @property
    def left(self) -> list[str]:
        """The discards, in the order of the first list of all cards."""
        return [card for card in self.terms.cards if slug(card) in self.discards]

    def points(self, seat: str) -> int:
        """Return the strength of a seat's victory pile."""
        return sum(map(self.terms.strength, self.won[seat]))

    def claims(self, seat: str) -> int:
        """Return how many supporters a seat claims when its turn comes."""
        return 2 if any(follower.power == "Cochrane" for follower in self.armies[seat]) else 1
