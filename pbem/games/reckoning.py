"""Computes the chance that a seat reaches its aim, with best play by both: exactly, as a fraction, by the rules themselves.

This is for positions where nothing hidden matters any more, and the dice decide. Each throw is examined with its weight. The seat
takes its order with the best chance. The others take theirs with the worst, as if they saw everything. Nothing is sampled or
rounded. A game says which positions qualify, and which throws are equivalent (`Stakes`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, Protocol

from pbem.kernel import Ask, Chance, Game, Order, Outcome, View

from .proving import Line, OnTheWay, Proved, TooMuch, public_facts

NEVER, SURELY = Fraction(0), Fraction(1)
DEEPEST = 150
"""The maximum number of orders and throws in a row."""


class Stakes(Protocol):
    """The game-specific knowledge for computing chances, beyond the rules."""

    def throws(self, state: Any, wanted: Chance) -> Iterator[tuple[int, Outcome]]:
        """Go through the outcomes of chance that differ in what comes of them, each with its weight. Raises TooMuch."""

    def enough(self, state: Any, view: View, seat: str) -> Iterator[Order]:
        """Yield orders of the seat of `view`, one of them as good as its best, for computing `seat`'s chance.

        Raises TooMuch if anything hidden from `seat` matters.
        """

    def reached(self, before: View, state: Any, aim: str) -> bool | None:
        """Has the seat of `before` reached what it should, for good; None while that is open."""

    def alike(self, state: Any) -> Hashable:
        """Return what of a state can matter."""


class Reckoner:
    """Computes the chances of orders of one seat at one position."""

    def __init__(self, game: Game, stakes: Stakes, state: Any, seat: str, aim: str, most: int) -> None:
        """Set up the computation; `most` is the maximum number of steps of the rules, for all examined orders together."""
        self._game, self._stakes, self._state, self._seat, self._aim, self._most = game, stakes, state, seat, aim, most
        self._found: dict[Hashable, Fraction] = {}
        self._open: dict[Hashable, int] = {}
        self._back = DEEPEST
        self.view = self._view(state, seat)
        self.steps = 0

    def chance(self, order: Order) -> Fraction:
        """Return how likely an order brings what it should. Raises TooMuch."""
        return self._answered(self._state, order)

    def proof(self, answers: int = 1_000) -> Proved:
        """Look at every order; where more than `answers` have the best chance, raise TooMuch, as where it takes too long."""
        chances = [(order, self.chance(order)) for order in self._game.options(self.view)]
        best = max(chance for _order, chance in chances)
        found = Proved(
            [order for order, chance in chances if chance == best and best],
            [order for order, chance in chances if chance < best or not best],
            self.steps, best, max((chance for _order, chance in chances if chance < best), default=NEVER), reckoned=True,
        )  # fmt: skip
        if len(found.wins) > answers:
            raise TooMuch
        return found

    def against(self, order: Order) -> Line | None:
        """Return how an order is likeliest to fail; None if no order has a better chance. Raises TooMuch."""
        if self.chance(order) == self._best(self._state):
            return None
        return self._failing(order)

    def best(self) -> Fraction:
        """Return the chance of the best order."""
        return self._best(self._state)

    def _view(self, state: Any, seat: str) -> View:
        return self._game.own_view(self._game.view(state, seat))

    def _chance(self, state: Any) -> Fraction:
        reached = self._stakes.reached(self.view, state, self._aim)
        if reached is not None:
            return SURELY if reached else NEVER
        key = self._stakes.alike(state)
        if key in self._found:
            return self._found[key]
        if key in self._open:
            self._back = min(self._back, self._open[key])
            return NEVER  # who only comes back to where he was has reached nothing by it
        return self._on_the_way(key, state)

    def _on_the_way(self, key: Hashable, state: Any) -> Fraction:
        """Compute the chance of a state, and store it unless it depends on returning to a state still being computed."""
        depth, before = len(self._open), self._back
        if depth == DEEPEST:
            raise TooMuch
        self._open[key], self._back = depth, DEEPEST
        chance = self._reckoned(state)
        del self._open[key]
        if chance == SURELY or self._back >= depth:
            self._found[key] = chance
        self._back = min(before, self._back if self._back < depth else DEEPEST)
        return chance

    def _reckoned(self, state: Any) -> Fraction:
        wanted = self._game.wants(state)
        if isinstance(wanted, Chance):
            throws = list(self._stakes.throws(state, wanted))
            whole = sum(weight for weight, _outcome in throws)
            return sum((weight * self._chance(self._step(state, outcome)) for weight, outcome in throws), NEVER) / whole
        return self._best(state)

    def _best(self, state: Any) -> Fraction:
        """Return the chance where somebody is asked: by the seat's best order if it is asked, against the worst of the others."""
        found = NEVER
        for order in self._orders(state, self._seat):
            found = max(found, self._answered(state, order))
            if found == SURELY:
                break
        return found

    def _answered(self, state: Any, order: Order | None) -> Fraction:
        """Return the chance with an order of the seat, None if it is not asked, against the worst that others say to it."""
        found = SURELY
        for given in self._given(state, order):
            found = min(found, self._chance(self._step(state, given)))
            if found == NEVER:
                break
        return found

    def _orders(self, state: Any, seat: str) -> Iterable[Order | None]:
        """Return what a seat may say, None alone if it is not asked."""
        wanted = self._game.wants(state)
        if not isinstance(wanted, Ask):
            raise TooMuch
        return self._stakes.enough(state, self._view(state, seat), self._seat) if seat in wanted.seats else (None,)

    def _given(self, state: Any, order: Order | None) -> Iterator[dict[str, Order]]:
        """Go through what all that are asked may say together, with this order of the seat's own."""
        wanted = self._game.wants(state)
        others = [seat for seat in wanted.seats if seat != self._seat] if isinstance(wanted, Ask) else []
        own = {} if order is None else {self._seat: order}
        for said in product(*(self._orders(state, seat) for seat in others)):
            yield own | {seat: given for seat, given in zip(others, said, strict=True) if given is not None}

    def _step(self, state: Any, given: Mapping[str, Order] | Outcome) -> Any:
        self.steps += 1
        if self.steps > self._most:
            raise TooMuch
        return self._game.step(state, given).state

    def _failing(self, order: Order) -> Line:
        """Play on from an order with the best orders of both, and of all throws the one that most of its failures come from."""
        state, line = self._state, list[OnTheWay]()
        said: Order | None = order
        while self._stakes.reached(self.view, state, self._aim) is None:
            wanted = self._game.wants(state)
            if isinstance(wanted, Chance):
                stop = self._game.step(state, self._worst_throw(state, wanted))
            else:
                said = said or max(self._orders(state, self._seat), key=lambda own: self._answered(state, own))
                given = min(self._given(state, said), key=lambda given: self._chance(self._step(state, given)))
                stop, said = self._game.step(state, given), None
                line.extend(OnTheWay(seat, order, ()) for seat, order in given.items())
            line[-1] = line[-1]._replace(facts=line[-1].facts + public_facts(stop))
            state = stop.state
        return tuple(line)

    def _worst_throw(self, state: Any, wanted: Chance) -> Outcome:
        throws = self._stakes.throws(state, wanted)
        return max(throws, key=lambda throw: throw[0] * (1 - self._chance(self._step(state, throw[1]))))[1]
