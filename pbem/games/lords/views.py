"""What one seat, or the public, may know of a game: the typed form of a view's JSON.

`?` stands for a card that the seat may not know. Discards and `old` are objects keyed by slugs ("scott_12"), since a log holds the
changes of a view. What is None here is left out of the JSON. When the game is over, all hands lie open.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from pbem.kernel import Json, View

from .rules.cards import Terms, slug

HIDDEN = "?"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FollowerView(_Part):
    """A follower: face-up, with its end-of-round power where that was activated; or face-down, with who has seen it."""

    card: str
    power: str | None = None
    seen: list[str] | None = None

    @property
    def up(self) -> bool:
        """Does it lie face-up?"""
        return self.seen is None


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

    seat: str
    terms: Terms
    seats: list[str]
    round: int
    turn: int
    victor: str
    hand: list[str]
    hands: dict[str, int]
    taken: dict[str, list[str]]
    armies: dict[str, list[FollowerView]]
    row: list[str]
    """The recruits: each its card, or `?` and its back."""
    supporters: list[str]
    won: dict[str, list[str]]
    discards: dict[str, bool]
    old: dict[str, bool]
    pile: int
    dealt: int
    deals: int
    placing: list[str]
    stack: dict[str, dict[str, Json]]
    """The procedures under way, by name, with their locals."""
    waiting: dict[str, str]
    """Who is asked what."""
    shown: dict[str, list[str]] | None = None
    result: dict[str, Any] | None = None

    @property
    def question(self) -> str:
        """What this seat is asked now, or ""."""
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
