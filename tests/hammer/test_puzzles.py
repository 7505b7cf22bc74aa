"""The puzzles of Hammer: throws come to what all throws come to, one order at a time is enough, nothing hidden matters."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from pbem.games import find
from pbem.games.hammer.game import GAME
from pbem.games.hammer.puzzles.matter import MATTER, HammerMatter
from pbem.games.proving import TooMuch
from pbem.games.puzzles import Puzzle, kept
from pbem.games.reckoning import Reckoner
from pbem.kernel import Chance, Order, Outcome, Roll, View

PUZZLES = kept(find("hammer"))
MOST = 6_000


def _called(puzzle: Puzzle) -> str:
    return str(puzzle.number)


class EveryThrow(HammerMatter):
    """Goes through all throws one by one."""

    def throws(self, state: Any, wanted: Chance) -> Iterator[tuple[int, Outcome]]:
        (roll,) = wanted.requests
        assert isinstance(roll, Roll)
        if roll.n > 2:
            raise TooMuch
        yield from ((1, (dice,)) for dice in product(range(1, roll.sides + 1), repeat=roll.n))


class EveryOrder(HammerMatter):
    """Goes through all orders."""

    def enough(self, state: Any, view: View, seat: str) -> Iterator[Order]:
        yield from GAME.options(view)


@pytest.mark.slow
@pytest.mark.parametrize("matter", [EveryThrow(), EveryOrder()], ids=["throws", "orders"])
def test_it_comes_to_the_same_as_all_throws_and_all_orders(matter: HammerMatter) -> None:
    tried = 0
    for puzzle in PUZZLES:
        state = puzzle.placed().state
        try:
            found = Reckoner(GAME, matter, state, puzzle.seat, puzzle.aim, MOST).proof()
        except TooMuch:
            continue
        tried += 1
        assert (tuple(map(str, found.wins)), found.chance) == (puzzle.wins, puzzle.chance)
    assert tried > 1


@pytest.mark.variants
@pytest.mark.parametrize("puzzle", PUZZLES, ids=_called)
def test_what_is_hidden_does_not_matter(puzzle: Puzzle) -> None:
    """Independent of what the reckoning takes for open: wherever the rules' own guesses put what is hidden, the answer stands."""
    view, luck = puzzle.prover().view, random.Random(puzzle.number)
    assert MATTER.suits(view, puzzle.aim)
    order = GAME.parse(view, puzzle.wins[0])
    for _guess in range(4 if puzzle.aim not in ("captive", "field") else 1):
        guessed = Reckoner(GAME, MATTER, GAME.determinise(view, luck), puzzle.seat, puzzle.aim, MOST)
        assert guessed.view == view
        assert guessed.chance(order) == guessed.best() == puzzle.chance


def test_dice_are_weighed_as_they_fall() -> None:
    """In how many of all throws a block hits so often, counted die by die."""
    weighed = Counter[int]()
    for puzzle in PUZZLES:
        state = puzzle.placed().state
        for order in GAME.options(puzzle.prover().view):
            stop = GAME.step(state, {puzzle.seat: order})
            if isinstance(stop.wants, Chance) and stop.state.stack[-1].at == "battle":
                throws = list(MATTER.throws(stop.state, stop.wants))
                (roll,) = stop.wants.requests
                assert isinstance(roll, Roll)
                assert sum(weight for weight, _outcome in throws) == roll.sides**roll.n
                weighed[roll.n] += 1
    assert weighed
