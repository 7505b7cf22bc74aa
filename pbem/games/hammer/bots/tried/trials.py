"""Trials of one player before one answer: the same guesses and the same dice for all that he thinks of.

A trial guesses what is hidden, does what is tried, lets the enemy answer, and fights the battles; after the last turn of a year it
goes through the winter. What is left is judged by `outlook`. All of it is made from a view alone, and chance comes from one seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from pbem.games.searching import halving
from pbem.kernel import Chooser, Order

from ...game import GAME
from ...rules import CARDS_A_YEAR, SIDES
from ...views import HammerView
from ..foresight.guessing import small
from ..foresight.model import SmallGame
from ..foresight.numbers import ENGLISH
from ..foresight.outlook import EVEN, Hands, hope
from ..foresight.turns import act, battles
from ..foresight.winter import winter
from ..foresight.worth import CERTAIN

C = TypeVar("C")
Play = Callable[[SmallGame, C, Random], None]
"""Does on a game in small what is tried."""
MOST_MOVES = 3
"""The most Group Moves a card gives."""
WORLDS = 48
"""So many guesses of what is hidden are made for one answer."""


class Trials:
    """All trials before one answer."""

    def __init__(self, view: HammerView, chooser: Chooser) -> None:
        self.view, self.side = view, SIDES.index(view.seat)
        self.seed = chooser.randrange(1 << 30)
        self._worlds: list[SmallGame] = []
        self._rounds = 0

    def world(self, number: int) -> SmallGame:
        """Return a guess of what is hidden, to be copied before it is changed; after `WORLDS` of them they come again."""
        number %= WORLDS
        while number >= len(self._worlds):
            self._worlds.append(small(self.view, self.dice(-len(self._worlds) - 2)))
        return self._worlds[number]

    def dice(self, number: int) -> Random:
        """Return dice: those of a trial, or below 0 those for a purpose of their own."""
        return Random(self.seed * 1_000_003 + number)  # noqa: S311 - a player's own thoughts

    def legal(self, order: Order) -> bool:
        """May the order be given?"""
        return GAME.why_not(self.view, order) is None

    def best(
        self,
        candidates: Sequence[C],
        play: Play[C],
        budget: int,
        answered: bool = False,
        held: Callable[[C], Hands] = lambda _: EVEN,
    ) -> C:
        """Return the candidate of which most is to be hoped after about so many trials.

        Where `play` does not let the enemy move, he moves first next turn (`answered`); `held` says what cards are left.
        """
        start = self._rounds
        self._rounds += WORLDS // 7

        def trial(number: int, candidate: C) -> int:
            number += start
            model, dice = self.world(number).copy(), self.dice(number)
            play(model, candidate, dice)
            _end_turn(model, dice)
            if not answered and model.winner < 0 and 0 < model.left < CARDS_A_YEAR:
                self._answer(model, dice)
            found = hope(model, held(candidate) if model.left < CARDS_A_YEAR else EVEN)
            return found if self.side == ENGLISH else CERTAIN - found

        return halving(candidates, trial, budget)

    def _answer(self, model: SmallGame, dice: Random) -> None:
        """Let the enemy move in the next turn, with any card."""
        model.left -= 1
        act(model, 1 - self.side, f"Move {1 + int(dice.random() * MOST_MOVES)}", first=True, dice=dice)
        _end_turn(model, dice)


def _end_turn(model: SmallGame, dice: Random) -> None:
    """Fight the battles; after the last turn of a year let the winter come."""
    if model.winner < 0:
        battles(model, dice)
    model.forget()
    if model.winner < 0 and not model.left:
        winter(model, dice)
        model.left = CARDS_A_YEAR
