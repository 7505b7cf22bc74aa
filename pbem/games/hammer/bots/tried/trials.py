"""Trials of one player before one answer: the same guesses and the same dice for all his candidates.

A trial guesses what is hidden, makes the candidate's move, lets the enemy answer, and fights the battles. After the last turn of a
year it plays the winter. `outlook` judges the result. Everything is made from a view alone, and chance comes from one seed. Each
purpose of a trial, above all each battle, has dice of its own. So two answers differ by their effect, not by who threw first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import TypeVar

from pbem.games.searching import halving
from pbem.kernel import Chooser, Order

from ...game import GAME
from ...rules import CARDS_A_YEAR, SIDES
from ...views import HammerView
from ..foresight.guessing import small
from ..foresight.model import SmallGame
from ..foresight.numbers import AREA_NAMES, ENGLISH
from ..foresight.outlook import hope
from ..foresight.turns import battles
from ..foresight.winter import winter
from ..foresight.worth import CERTAIN

C = TypeVar("C")
Play = Callable[[SmallGame, C, Random], None]
"""Makes a candidate's move on a small model."""
WORLDS = 48
"""The number of guesses of what is hidden, for one answer."""
DOING, WINTER, PURPOSES = len(AREA_NAMES), len(AREA_NAMES) + 1, len(AREA_NAMES) + 2
"""The purposes of dice other than battles, which have the numbers of their areas."""
SHIFT = 7
"""The number of guesses by which each comparison begins after the last one."""


class Trials:
    """All trials before one answer."""

    def __init__(self, view: HammerView, chooser: Chooser) -> None:
        self.view, self.side = view, SIDES.index(view.seat)
        self.seed = chooser.randrange(1 << 30)
        self._worlds: list[SmallGame] = []
        self._rounds = 0

    def world(self, number: int) -> SmallGame:
        """Return a guess of what is hidden; copy it before changing it. After `WORLDS` guesses they repeat."""
        number %= WORLDS
        while number >= len(self._worlds):
            self._worlds.append(small(self.view, self.dice(-len(self._worlds) - 2)))
        return self._worlds[number]

    def dice(self, number: int, purpose: int = 0) -> Random:
        """Return the dice of a trial for a purpose (a battle's is its area). Numbers below 0 are for dice outside of trials."""
        return Random((self.seed * 1_000_003 + number) * PURPOSES + purpose)  # noqa: S311 - a player's own thoughts

    def legal(self, order: Order) -> bool:
        """May the order be given?"""
        return GAME.why_not(self.view, order) is None

    def best(
        self, candidates: Sequence[C], play: Play[C], budget: int, ahead: Callable[[C], int] = lambda _candidate: 0
    ) -> C:
        """Return the candidate with the best hope after about `budget` trials, each with its initial lead from `ahead`."""
        start = self._rounds
        self._rounds += SHIFT
        return halving(candidates, lambda number, one: self.trial(start + number, one, play) + ahead(one), budget)

    def trial(self, number: int, candidate: C, play: Play[C]) -> int:
        """Return what one trial of a candidate comes to: the seat's hope, from 0 to `CERTAIN`."""
        model, dice = self.world(number).copy(), partial(self.dice, number)
        play(model, candidate, dice(DOING))
        end_turn(model, dice)
        english = hope(model)
        return english if self.side == ENGLISH else CERTAIN - english


def end_turn(model: SmallGame, dice: Callable[[int], Random]) -> None:
    """Fight the battles, and let the winter come after the last turn of a year; in the last year it is the count."""
    if model.winner < 0:
        battles(model, dice)
    model.forget()
    if model.winner < 0 and not model.left:
        winter(model, dice(WINTER))
        model.left = CARDS_A_YEAR
