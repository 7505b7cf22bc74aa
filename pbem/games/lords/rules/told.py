"""Every kind of fact that the rules tell: what the look turns into sentences. Places are counted from 1."""

from __future__ import annotations

from pbem.kernel import Happening, counted, hidden

from .cards import Card, Clan, Seat


class LordsFact(Happening):
    """The base of them all."""


class _OfSeat(LordsFact):
    seat: Seat


class _OfCards(LordsFact):
    cards: tuple[Card, ...]


class _OfSeatAndCards(_OfCards, _OfSeat):
    """A seat first, then cards."""


class _OfRecruit(LordsFact):
    place: int
    card: Card


class First(_OfSeat, kind="first"):
    """The result of the die for the Victor's Initiative at the beginning."""

    die: int


class Dealt(_OfSeat, kind="hand"):
    """A seat is dealt its first hand."""

    n: int | None = counted()
    cards: tuple[Card, ...] | None = hidden()


class Round(LordsFact, kind="round"):
    """A round begins."""

    round: int
    first: Seat


class Recruited(_OfSeat, kind="recruit"):
    """A recruit is taken; a face-down one is hidden."""

    place: int
    card: Card | None = hidden()


class Mustered(_OfSeat, kind="muster"):
    """A card is played; a face-down card is hidden."""

    card: Card | None = hidden()
    up: bool = False


class PowerUsed(_OfSeat, kind="power"):
    """The power of a card is used, on a supporter or a follower; `power` is its clan, or the one that a Scott copies.

    `from` is whose army the follower was in, `gone` the one that Wemyss discards, `took` a face-down one that Ferguson gets.
    """

    card: Card
    power: Clan
    target: str = ""
    from_: Seat | None = None
    gone: Card | None = None
    took: Card | None = hidden()


class Drawn(_OfSeat, kind="draw"):
    """A card is drawn to a hand."""

    card: Card | None = hidden()


class Army(_OfSeat):
    """What an army comes to."""

    total: int
    rank: int
    doubled: bool


class Armies(LordsFact, kind="armies"):
    """The armies are counted, the best first."""

    armies: tuple[Army, ...]


class Claimed(_OfSeatAndCards, kind="claim"):
    """Supporters are claimed; `points` is the seat's total."""

    points: int


class Shuffled(LordsFact, kind="shuffle"):
    """This many discards become the draw pile."""

    cards: int


class NoCards(LordsFact, kind="no cards"):
    """There is nothing left to draw."""


class Supporters(_OfCards, kind="supporters"):
    """The supporters of a round are on the table."""


class Same(_OfCards, kind="same"):
    """Supporters of one strength are discarded at once."""


class TurnedUp(_OfRecruit, kind="turn up"):
    """A recruit is turned up."""


class NewRecruit(_OfRecruit, kind="new recruit"):
    """A face-up recruit replaces one that was taken."""


class Passed(_OfSeat, kind="pass"):
    """A seat can do nothing."""


class Flipped(_OfSeatAndCards, kind="flip"):
    """Followers are turned up at the end of a round."""


class Unclaimed(_OfCards, kind="unclaimed"):
    """Supporters that nobody claims are discarded."""


class Stayed(_OfSeatAndCards, kind="stay"):
    """Followers stay for another round."""


class HandShown(_OfSeatAndCards, kind="show hand"):
    """A hand is shown when the game is over."""
