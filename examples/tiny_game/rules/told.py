"""Every kind of fact that the rules tell: what the look turns into sentences."""

from __future__ import annotations

from pbem.kernel import Happening, hidden

from ..orders import CardName, Seat, Token


class TinyFact(Happening):
    """The base of them all."""


class _OfSeat(TinyFact):
    seat: Seat


class Shuffled(TinyFact, kind="shuffle"):
    """The discards become a new pile of so many cards (1.2)."""

    cards: int


class Dealt(_OfSeat, kind="deal"):
    """A seat takes a card of the pile, which it alone sees (1.2)."""

    card: CardName | None = hidden()


class Played(_OfSeat, kind="play"):
    """A card is turned up (2.1)."""

    card: CardName


class Rolled(TinyFact, kind="roll"):
    """All have rolled: each seat's card and die, and who wins the turn (3)."""

    cards: dict[Seat, CardName]
    dice: dict[Seat, int]
    winner: Seat


class Banked(_OfSeat, kind="bank"):
    """The winner banks points (4.1, 4.3)."""

    points: int


class Dug(_OfSeat, kind="dig"):
    """The winner digs (4.2)."""


class Drawn(TinyFact, kind="draw"):
    """The tokens that a seat draws from its chest; nobody else hears anything of it (4.2)."""

    tokens: tuple[Token, ...]


class Kept(_OfSeat, kind="keep"):
    """A seat keeps a token, which it alone sees until the end (4.2)."""

    token: Token | None = hidden()


class Counted(_OfSeat, kind="count"):
    """The tokens that a seat has kept are turned up; `score` has it in all (6)."""

    kept: tuple[Token, ...]
    score: int
