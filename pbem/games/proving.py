"""Proves that an order certainly wins, given what its seat knows: against every answer, on every table that looks alike to it.

It plays the rules themselves, not a model of them. A seat that has to answer sees one view, and several tables may fit it. It takes
one order for all of them, so it never acts on what it cannot know, and wins if that order wins on each. The other seat has all its
answers on each table, including the best, whether or not it could know that they are best. So the result is safe against luck, too.

A game defines the tables (`Unknowns`), and makes them from the view alone. Chance and clocks play no part: the proof is the same
everywhere, and the first refutation found is given.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from pbem.kernel import Ask, Chance, End, Fact, Game, Json, Order, Outcome, Stop, View


class TooMuch(Exception):
    """The proof would take more steps than allowed, or the game does not say what is hidden there."""


class Unknowns(Protocol):
    """The game-specific knowledge for a proof, beyond the rules."""

    def tables(self, state: Any, seat: str) -> Iterator[Any]:
        """Go through the tables that look to a seat as this one does, one for all that cannot matter to it; made from its view."""

    def answers(self, state: Any, seat: str, other: str) -> Iterator[tuple[Any, Order]]:
        """Go through what the other seat may answer, each with a table that looks to `seat` as this one does and allows it."""

    def before(self, state: Any, seat: str, order: Order) -> Iterator[Any]:
        """Go through the tables that differ in what an order of the seat's own brings to light, if it matters."""

    def comes(self, wanted: Chance) -> Iterator[Outcome]:
        """Go through the outcomes of chance: one, where none matters. Raises TooMuch where they cannot be gone through."""

    def won(self, before: View, state: Any, aim: str) -> bool | None:
        """Has the seat of `before` reached what it should, for good; None while that is open."""

    def seen(self, view: View) -> Hashable:
        """Return the part of a seat's view that may matter. The rest is arbitrary, because the tables were filled at will."""


class OnTheWay(NamedTuple):
    """A seat's order, and its public facts."""

    seat: str
    order: Order
    facts: tuple[Json, ...]


Line = tuple[OnTheWay, ...]
"""Orders one after the other."""


class _At(NamedTuple):
    state: Any
    line: Line


@dataclass(slots=True)
class Proved:
    """The result for a position: the orders that win, or have the best chance, and all others.

    `steps` is the number of steps of the rules. `chance` is that of the winning orders, and `next` that of the best of the others,
    where chances are `reckoned`.
    """

    wins: list[Order] = field(default_factory=list)
    refuted: list[Order] = field(default_factory=list)
    steps: int = 0
    chance: Fraction = Fraction(1)
    next: Fraction = Fraction(0)
    reckoned: bool = False


class Prover:
    """Proves orders of one seat at one position."""

    def __init__(self, game: Game, tables: Unknowns, state: Any, seat: str, aim: str, most: int) -> None:
        """Set up the prover; `most` is the maximum number of steps, for all examined orders together."""
        self._game, self._hidden, self._seat, self._aim, self._most = game, tables, seat, aim, most
        self.view = self._view(state)
        self._tables = [_At(table, ()) for table in tables.tables(state, seat)]
        self.steps = 0

    def proof(self, answers: int = 1_000) -> Proved:
        """Look at every order; where more than `answers` win, raise TooMuch, as where a proof takes too long."""
        found = Proved()
        for order in self._game.options(self.view):
            line = self.against(order)
            if line is None:
                found.wins.append(order)
                if len(found.wins) > answers:
                    raise TooMuch
            else:
                found.refuted.append(order)
        found.steps = self.steps
        return found

    def against(self, order: Order) -> Line | None:
        """Return what refutes an order, beginning with it; None if it wins for certain. Raises TooMuch."""
        return self._after(self._tables, order)

    def _view(self, state: Any, seat: str = "") -> View:
        return self._game.own_view(self._game.view(state, seat or self._seat))

    def _after(self, tables: Sequence[_At], order: Order) -> Line | None:
        """Return a refutation of an order on these tables, which look alike."""
        laid = (_At(state, at.line) for at in tables for state in self._hidden.before(at.state, self._seat, order))
        return self._against(self._step(at, {self._seat: order}) for at in laid)

    def _against(self, tables: Iterable[_At]) -> Line | None:
        """Return what refutes these tables, each after an order: a line on which the seat does not get what it should."""
        alike: dict[Hashable, list[_At]] = {}
        for begun in tables:
            for at in self._until_asked(begun):
                won = self._hidden.won(self.view, at.state, self._aim)
                if won is False:
                    return at.line
                if won is None:
                    alike.setdefault(self._hidden.seen(self._view(at.state)), []).append(at)
        for group in alike.values():
            if line := self._refuted(group):
                return line
        return None

    def _refuted(self, tables: Sequence[_At]) -> Line | None:
        first: Line | None = None
        for order in self._game.options(self._view(tables[0].state)):
            line = self._after(tables, order)
            if line is None:
                return None
            first = first or line
        return first

    def _until_asked(self, at: _At) -> Iterator[_At]:
        """Go through the tables at which the seat is asked next, or all is decided, after all that others may do."""
        wanted = self._game.wants(at.state)
        if isinstance(wanted, End) or self._hidden.won(self.view, at.state, self._aim) is not None:
            yield at
        elif isinstance(wanted, Chance):
            for outcome in self._hidden.comes(wanted):
                yield from self._until_asked(self._step(at, outcome))
        elif wanted.seats == (self._seat,):
            yield at
        elif isinstance(wanted, Ask) and len(wanted.seats) == 1:
            (other,) = wanted.seats
            for state, order in self._hidden.answers(at.state, self._seat, other):
                yield from self._until_asked(self._step(_At(state, at.line), {other: order}))
        else:
            raise TooMuch

    def _step(self, at: _At, given: Mapping[str, Order] | Outcome) -> _At:
        self.steps += 1
        if self.steps > self._most:
            raise TooMuch
        stop = self._game.step(at.state, given)
        facts = public_facts(stop)
        if isinstance(given, Mapping):
            ((seat, order),) = given.items()
            return _At(stop.state, (*at.line, OnTheWay(seat, order, facts)))
        last = at.line[-1]
        return _At(stop.state, (*at.line[:-1], last._replace(facts=last.facts + facts)))


def public_facts(stop: Stop) -> tuple[Json, ...]:
    """Return what everybody was told of a step."""
    return tuple(event.public for event in stop.events if isinstance(event, Fact) and event.public is not None)


class Proves(Protocol):
    """Proves orders at one position; `steps` of the rules were made for it."""

    view: View
    steps: int

    def proof(self, answers: int = 1_000) -> Proved:
        """Look at every order; where more than `answers` win, raise TooMuch, as where a proof takes too long."""

    def against(self, order: Order) -> Line | None:
        """Return how an order may fail, beginning with it; None if it is an answer. Raises TooMuch."""


class Matter(Protocol):
    """What puzzles must know of a game."""

    aims: tuple[str, ...]
    """What can be won, by names, the most worth having first."""

    def aim_in_words(self, aim: str) -> str:
        """Return the task as a sentence to the solver."""

    def suits(self, view: View, aim: str) -> bool:
        """Return whether the hidden things can be enumerated, the end is near enough, and the aim in reach."""

    def arrangements(self, view: View) -> int:
        """Return the number of relevant arrangements of hidden things."""

    def prover(self, state: Any, seat: str, aim: str, most: int) -> Proves:
        """Return a prover for a seat's orders, with at most `most` steps of the rules."""
