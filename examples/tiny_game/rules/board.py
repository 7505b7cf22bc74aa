"""The board of Tiny: the cards, what belongs to each seat, what lies on the table. Nothing here ever changes in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..orders import ALL_TOKENS


@dataclass(frozen=True, slots=True)
class Card:
    """A dealt card: its name, and its back, that is the deal and place it came from, which everybody may know."""

    name: str
    deal: int
    place: int

    @property
    def label(self) -> str:
        return f"deal:{self.deal}"

    @property
    def back(self) -> str:
        return f"{self.deal}.{self.place}"


@dataclass(frozen=True, slots=True)
class Side:
    """What belongs to one seat. Its hand, its chest and the tokens it kept are known to it alone."""

    hand: tuple[Card, ...] = ()
    chest: tuple[str, ...] = ALL_TOKENS
    kept: tuple[str, ...] = ()
    score: int = 0


@dataclass(frozen=True, slots=True)
class Board:
    """Everything on the table. The deck begins as the discards: the first deal is a reshuffle like any other (1.2)."""

    turns: int
    sides: Mapping[str, Side]
    discards: tuple[str, ...]
    pile: tuple[Card, ...] = ()
    table: Mapping[str, str] = field(default_factory=dict)
    winner: str = ""
    turn: int = 1
    deals: int = 0

    def change(self, seat: str, **changes: Any) -> Board:
        """Return the board with one seat's side changed as named."""
        return replace(self, sides={**self.sides, seat: replace(self.sides[seat], **changes)})

    def unseen(self) -> dict[str, list[str]]:
        """Return, deal by deal, the cards that have not been turned up yet: who counts along knows these."""
        cards = [*self.pile, *(card for side in self.sides.values() for card in side.hand)]
        return {label: sorted(c.name for c in cards if c.label == label) for label in sorted({c.label for c in cards})}


def worth(name: str) -> int:
    """Return the value of a card (1.1) or a token (1.3): the number it bears."""
    return int(name[1:])
