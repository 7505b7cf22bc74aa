"""The cards of a table that one of two seats does not see, and their possible places.

These are the other's hand, face-down followers, pile and recruits. It is exact: it respects only what everybody can work out. The
pile has only cards of the last deal; a seat that took a card openly has it in hand, or has mustered it face-down. It is made from
the view of the seat alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from math import comb
from typing import NamedTuple

from pbem.kernel import changed

from ..rules.board import Board, Follower, Recruit
from ..rules.cards import slug
from ..views import HIDDEN, LordsView


class Place(NamedTuple):
    """The place of a face-down follower that the seat does not know."""

    owner: str
    at: int


class Hidden:
    """The unknown cards and places of a table, seen by one seat of two."""

    def __init__(self, view: LordsView) -> None:
        (self.other,) = view.others
        terms = view.terms
        known = {
            *view.supporters, *view.left, *view.hand, *(recruit.card for recruit in view.recruits),
            *(card for cards in view.won.values() for card in cards),
            *(follower.card for army in view.armies.values() for follower in army),
        }  # fmt: skip
        self.cards = sorted((card for card in terms.cards if card not in known), key=terms.worth, reverse=True)
        """All that is nowhere to be seen, the strongest first."""
        self.held = view.hands[self.other]
        self.places = [
            Place(owner, at)
            for owner in view.seats
            for at, follower in enumerate(view.armies[owner])
            if follower.card == HIDDEN
        ]
        self._taken = frozenset(view.taken[self.other]).intersection(self.cards)
        self._old = frozenset(card for card in self.cards if slug(card) in view.old)
        deals = [int(recruit.back.split(".")[0]) for recruit in view.recruits if not recruit.up]
        # of the cards of earlier deals, all that are no recruits are in the other's hand or face-down
        self._of_old = len(self._old) - sum(deal != view.deals for deal in deals)

    def fits(self, hand: Iterable[str], down: Iterable[str]) -> bool:
        """May the other hold at least these cards, while those lie face-down, in the order of the places?"""
        had = self._taken.union(hand, down)
        of_old = len(had & self._old)
        all_of_his = self.held + len(self.places)
        return (
            len(had) <= all_of_his
            and of_old <= self._of_old
            and len(had) - of_old <= all_of_his - self._of_old
            and not set(hand).intersection(down)
        )

    def ways_down(self) -> Iterator[tuple[str, ...]]:
        """Go through the cards that may lie face-down, in the order of the places."""
        return (down for down in permutations(self.cards, len(self.places)) if self.fits((), down))

    def hands(self, down: tuple[str, ...]) -> int:
        """Return how many hands the other may have while these lie face-down."""
        sure = self._taken.union(down)
        of_old = self._of_old - len(sure & self._old)
        of_new = self.held + len(self.places) - len(sure) - of_old
        new = len(self.cards) - len(self._old) - len(sure - self._old)
        return comb(len(self._old - sure), of_old) * comb(new, of_new)

    def to_draw(self, down: tuple[str, ...]) -> list[str]:
        """Return the cards that may be drawn next while these lie face-down."""
        sure = self._taken.union(down)
        spare = self.held + len(self.places) - len(sure) - (self._of_old - len(sure & self._old))
        found = [card for card in self.cards if card not in self._old and card not in sure]
        return found if len(found) > spare else []

    def lay(self, board: Board, hand: Iterable[str], down: tuple[str, ...], top: str = "") -> Board:
        """Return a table that looks the same to the seat, with these cards in the other's hand, and those face-down.

        `top` is the card on top of the pile, one of `to_draw`; without it any.
        """
        named = dict(zip(self.places, down, strict=True))
        holds = {*hand, *(self._taken - {*down})}
        left = [card for card in self.cards if card not in holds and card not in down and card != top]
        old, new = ([card for card in left if (card in self._old) is is_old] for is_old in (True, False))
        missing = self._of_old - len((holds | {*down}) & self._old)
        holds |= {*old[:missing]}
        del old[:missing]
        more = self.held - len(holds)
        holds |= {*new[:more]}
        del new[:more]
        row = tuple(_recruit(recruit, old if recruit.deal != board.deals else new) for recruit in board.recruits)
        armies: Mapping[str, tuple[Follower, ...]] = {
            owner: tuple(
                changed(follower, card=named[Place(owner, at)]) if Place(owner, at) in named else follower
                for at, follower in enumerate(army)
            )
            for owner, army in board.armies.items()
        }
        return changed(
            board.hold(self.other, holds), recruits=row, armies=armies, pile=(top, *new) if top else tuple(new)
        )


def _recruit(recruit: Recruit, cards: list[str]) -> Recruit:
    return recruit if recruit.up else changed(recruit, card=cards.pop(0))
