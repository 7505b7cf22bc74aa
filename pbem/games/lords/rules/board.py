"""The table of Lords of Scotland: every card, its place, and who has seen it. Nothing here ever changes in place.

A card from the pile has a place in a deal (`deal:k`, counted from the top). All can follow it while the card is in the pile or
face-down among the recruits. In a hand it is one of several, and only the owner can tell which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pbem.kernel import changed

from .cards import BRUCE, COCHRANE, Agreed, clan


@dataclass(frozen=True, slots=True)
class Follower:
    """A card in an army; `power` is the end-of-round power that was activated, or "".

    If it is face-down, `seen` names the seats that know it, first the one that mustered it.
    """

    card: str
    up: bool = True
    power: str = ""
    seen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recruit:
    """A card beside the pile; if it is face-down, with its place in the deal from which it came."""

    card: str
    up: bool
    deal: int = 0
    place: int = 0

    @property
    def label(self) -> str:
        return f"deal:{self.deal}"


class Standing(NamedTuple):
    """What an army comes to at the end of a round: its total, doubled or not, and its highest rank."""

    total: int
    rank: int
    doubled: bool


@dataclass(frozen=True, slots=True)
class Board:
    """Everything on the table. `old` are the cards out of sight that were not in the last deal: they cannot be in the pile.

    `taken` are the cards that everybody saw a seat recruit and nobody has seen since. `placing` is the order of the last
    skirmish, winner first. The deck begins as the discards: the first deal is a shuffle like any other.
    """

    terms: Agreed
    seats: tuple[str, ...]
    hands: Mapping[str, tuple[str, ...]]
    taken: Mapping[str, tuple[str, ...]]
    armies: Mapping[str, tuple[Follower, ...]]
    won: Mapping[str, tuple[str, ...]]
    discards: tuple[str, ...]
    supporters: tuple[str, ...] = ()
    recruits: tuple[Recruit, ...] = ()
    pile: tuple[str, ...] = ()
    dealt: int = 0
    """How many cards the last deal had."""
    deals: int = 0
    old: tuple[str, ...] = ()
    victor: str = ""
    """The seat with the Victor's Initiative."""
    round: int = 0
    turn: int = 0
    placing: tuple[str, ...] = ()

    @staticmethod
    def set_up(terms: Agreed, seats: tuple[str, ...], victor: str) -> Board:
        """Return the table before the first deal."""
        empty: dict[str, tuple[Any, ...]] = dict.fromkeys(seats, ())
        return Board(terms, seats, empty, empty, empty, empty, (), victor=victor).discard(terms.cards)

    # What can be read off the table

    @property
    def in_turn(self) -> tuple[str, ...]:
        """The seats in clockwise order, from the holder of the Victor's Initiative on."""
        start = self.seats.index(self.victor)
        return self.seats[start:] + self.seats[:start]

    @property
    def top(self) -> int:
        """The place, in its deal, of the card on top of the pile."""
        return self.dealt - len(self.pile)

    def points(self, seat: str) -> int:
        """Return the strength of a seat's victory pile."""
        return sum(map(self.terms.strength, self.won[seat]))

    def standing(self, seat: str) -> Standing:
        """Return what an army comes to ("The end of the round")."""
        cards = [follower.card for follower in self.armies[seat]]
        total = sum(map(self.terms.strength, cards))
        # Bruce: an activated card is of any clan that one wishes, and one wishes for what doubles
        clans = {clan(f.card) for f in self.armies[seat] if f.power != BRUCE}
        doubled = len(cards) > 1 and len(clans) <= 1
        return Standing(2 * total if doubled else total, max(map(self.terms.rank, cards), default=0), doubled)

    def placed(self) -> tuple[str, ...]:
        """Return the seats with an army, in the order of claims: the highest total, of equals the highest rank."""
        standing = {seat: self.standing(seat)[:2] for seat in self.seats if self.armies[seat]}
        return tuple(sorted(standing, key=lambda seat: standing[seat], reverse=True))

    def claims(self, seat: str) -> int:
        """Return how many supporters a seat claims when its turn comes."""
        return 2 if any(follower.power == COCHRANE for follower in self.armies[seat]) else 1

    def open_cards(self) -> Iterator[str]:
        """Go through the cards that everybody can see, or has seen go to the discards."""
        yield from self.supporters
        yield from self.discards
        yield from (recruit.card for recruit in self.recruits if recruit.up)
        for seat in self.seats:
            yield from self.won[seat]
            yield from (follower.card for follower in self.armies[seat] if follower.up)

    def known_to(self, seat: str | None) -> frozenset[str]:
        """Return the cards of which a seat knows where they are."""
        own = self.hands[seat] if seat else ()
        down = (f.card for army in self.armies.values() for f in army if not f.up and seat in f.seen)
        return frozenset((*self.open_cards(), *own, *down))

    def every_card(self) -> Iterator[str]:
        """Go through all cards, wherever they are."""
        yield from (*self.pile, *self.supporters, *self.discards)
        yield from (recruit.card for recruit in self.recruits)
        for seat in self.seats:
            yield from (*self.hands[seat], *self.won[seat])
            yield from (follower.card for follower in self.armies[seat])

    # What becomes of it

    def hold(self, seat: str, cards: Iterable[str]) -> Board:
        """Return the table with these cards as a seat's hand: a hand has no order."""
        return changed(self, hands={**self.hands, seat: tuple(sorted(cards, key=self.terms.rank))})

    def field(self, seat: str, army: Iterable[Follower]) -> Board:
        """Return the table with these followers as a seat's army."""
        return changed(self, armies={**self.armies, seat: tuple(army)})

    def discard(self, cards: Iterable[str]) -> Board:
        """Return the table with these cards among the discards, which have no order, either."""
        return changed(self, discards=tuple(sorted((*self.discards, *cards), key=self.terms.rank)))

    def win(self, seat: str, card: str) -> Board:
        """Return the table with a supporter in a seat's victory pile."""
        left = tuple(other for other in self.supporters if other != card)
        return changed(self, supporters=left, won={**self.won, seat: (*self.won[seat], card)})

    def show(self, cards: Iterable[str]) -> Board:
        """Return the table after everybody has seen these cards."""
        shown = set(cards)
        taken = {seat: tuple(c for c in names if c not in shown) for seat, names in self.taken.items()}
        return changed(self, taken=taken, old=tuple(c for c in self.old if c not in shown))

    def shuffled(self, pile: tuple[str, ...]) -> Board:
        """Return the table after the discards were made the pile."""
        seen = {*self.open_cards()}
        old = tuple(sorted((card for card in self.terms.cards if card not in seen), key=self.terms.rank))
        return changed(self, pile=pile, dealt=len(pile), deals=self.deals + 1, discards=(), old=old)
