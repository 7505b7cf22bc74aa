"""Tables that fit the view of one or more seats of Lords of Scotland, made quickly: like `..rules.guess`, on a `Fray`.

The parts common to all guesses are laid out once. As there, a guess respects what everybody can work out. The pile has only cards
of the last deal; a seat that took a card openly has it in hand or has mustered it face-down.
"""

from __future__ import annotations

from pbem.games.searching import Urn

from ..rules.cards import BRUCE, CLANS, slug
from ..views import HIDDEN, FollowerView, LordsView
from .fray import NUMBERS, Fray, Printed

_CLANS = (*CLANS, BRUCE)


class Guesses:
    """The known and the unknown cards of a seat; with views of `others`, of all of them together."""

    def __init__(self, view: LordsView, *others: LordsView) -> None:
        self._views = {seen.seat: seen for seen in (view, *others)}
        self._numbers = {seat: number for number, seat in enumerate(view.seats)}
        self.seat = self._numbers[view.seat]
        self.known = self._table(view)
        laid = self._seen(view)
        cards = [NUMBERS[card] for card in view.terms.cards if NUMBERS[card] not in laid]
        old = {NUMBERS[card] for card in view.terms.cards if slug(card) in view.old}
        self._taken = [[NUMBERS[card] for card in view.taken[seat] if NUMBERS[card] in cards] for seat in view.seats]
        held = {card for taken in self._taken for card in taken}
        self._old = [card for card in cards if card in old and card not in held]
        self._new = [card for card in cards if card not in old and card not in held]
        self._row = [(i, int(r.back.split(".")[0]) != view.deals) for i, r in enumerate(view.recruits) if not r.up]
        self._pile = view.pile
        self._slots = [self._open(view, seat) for seat in view.seats]

    def _table(self, view: LordsView) -> Fray:
        table = Fray()
        table.printed = Printed(view.terms)
        table.hands = [
            [NUMBERS[card] for card in self._views[seat].hand] if seat in self._views else [] for seat in view.seats
        ]
        table.armies = [
            [
                self._follower(known(place))
                for place in zip(*(seen.armies[seat] for seen in self._views.values()), strict=True)
            ]
            for seat in view.seats
        ]
        table.row = [(NUMBERS.get(recruit.card, -1), recruit.up) for recruit in view.recruits]
        table.supporters = [NUMBERS[card] for card in view.supporters]
        table.pile, table.discards = [], [NUMBERS[card] for card in view.left]
        table.points = [view.points(seat) for seat in view.seats]
        table.victor, table.turn, table.round = self._numbers[view.victor], view.turn, view.round
        table.asked, table.again, table.placing = self.seat, False, []
        return table

    def _follower(self, said: FollowerView) -> tuple[int, bool, int, int]:
        card = -1 if said.card == HIDDEN else NUMBERS[said.card]
        power = _CLANS.index(said.power) if said.power else -1
        return card, said.up, power, sum(1 << self._numbers[seat] for seat in said.seen or ())

    def _seen(self, view: LordsView) -> set[int]:
        table = self.known
        won = [NUMBERS[card] for seat in view.seats for card in view.won[seat]]
        return {
            *won, *table.supporters, *table.discards, *(card for hand in table.hands for card in hand),
            *(card for card, _up in table.row),
            *(follower[0] for army in table.armies for follower in army),
        }  # fmt: skip

    def _open(self, view: LordsView, owner: str) -> list[tuple[int, int]]:
        """Return the unseen places of a seat's cards: the army's seat and the place there; (-1, …) is its hand."""
        if owner in self._views:
            return []
        found = [(-1, i) for i in range(view.hands[owner])]
        for number, army in enumerate(self.known.armies):
            for place, (card, _up, _power, _seen) in enumerate(army):
                seen = view.armies[view.seats[number]][place].seen
                if card < 0 and seen and seen[0] == owner:
                    found.append((number, place))
        return found

    def lay(self, urn: Urn) -> Fray:
        """Return a table that looks like the view to its seat."""
        table = self.known.copy()
        old, new = self._old[:], self._new[:]
        for place, is_old in self._row:
            table.row[place] = (_drawn(old if is_old else new, urn), False)
        for _time in range(len(new) - self._pile):
            old.append(_drawn(new, urn))
        table.pile = new
        for owner, slots in enumerate(self._slots):
            if slots:
                self._fill(table, owner, old, urn)
        return table

    def _fill(self, table: Fray, owner: int, left: list[int], urn: Urn) -> None:
        free, cards = self._slots[owner][:], self._taken[owner][:]
        while free:
            at = urn.randrange(len(free))
            seat, place = free[at]
            free[at] = free[-1]
            free.pop()
            card = cards.pop() if cards else _drawn(left, urn)
            if seat < 0:
                table.hands[owner].append(card)
            else:
                _card, up, power, seen = table.armies[seat][place]
                table.armies[seat][place] = (card, up, power, seen)


def known(place: tuple[FollowerView, ...]) -> FollowerView:
    """Return a follower as a seat that knows it sees it, or the common view if no seat knows it."""
    return next((follower for follower in place if follower.card != HIDDEN), place[0])


def _drawn(cards: list[int], urn: Urn) -> int:
    at = urn.randrange(len(cards))
    card = cards[at]
    cards[at] = cards[-1]
    cards.pop()
    return card
