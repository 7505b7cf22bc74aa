"""Trials of one player before one answer: the same guesses and the same dice for all his candidates.

A trial guesses what is hidden, makes the candidate's move, lets the enemy answer, and fights the battles. After the last turn of a
year it plays the winter. `outlook` judges the result. Everything is made from a view alone, and chance comes from one seed. Each
purpose of a trial, above all each battle, has dice of its own. So two answers differ by their effect, not by who threw first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeVar

from pbem.games.searching import halving
from pbem.kernel import Chooser, Order

from ...game import GAME
from ...rules import DECK, SIDES, is_event
from ...rules.printed import CARD_NAME
from ...views import HammerView
from ..foresight.guessing import small
from ..foresight.model import SmallGame
from ..foresight.numbers import ENGLISH, Dice, Thrown
from ..foresight.rest import DOING, PURPOSES, Act, finish, player_1
from ..foresight.worth import CERTAIN

C = TypeVar("C")
Play = Callable[[SmallGame, C, Dice], Sequence[Act]]
"""Makes a candidate's move on a small model, and returns who acts then."""
WORLDS = 48
"""The number of guesses of what is hidden, for one answer."""
MINE, THEIRS = 0.1, 0.3
"""How much of the moves in such a trial is left to chance."""
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

    def dice(self, number: int, purpose: int = 0) -> Thrown:
        """Return the dice of a trial for a purpose (a battle's is its area). Numbers below 0 are for dice outside of trials."""
        return Thrown((self.seed * 1_000_003 + number) * PURPOSES + purpose)

    @cached_property
    def unseen(self) -> tuple[str, ...]:
        """The cards that are neither in the own hand nor played this year: what the enemy has, and what nobody has."""
        left = [CARD_NAME[card] for card in DECK]
        for card in (*self.view.hand, *(card for side in SIDES for card in self.view.cards[side].played)):
            left.remove(card)
        return tuple(left)

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
        model, doing = self.world(number).copy(), self.dice(number, DOING)
        acts = play(model, candidate, doing)
        english = finish(model, (self.seed * 1_000_003 + number) * PURPOSES, doing, acts)
        return english if self.side == ENGLISH else CERTAIN - english


def begin_turn(model: SmallGame, side: int, mine: str, theirs: str) -> Sequence[Act]:
    """Let both sides play a card, and return what they do with it."""
    english, scottish = (mine, theirs) if side == ENGLISH else (theirs, mine)
    first = player_1(english, scottish)
    model.left = 0 if is_event(english) and is_event(scottish) else model.left - 1
    cards = (english, scottish)
    return [Act(by, cards[by], by == first, MINE if by == side else THEIRS) for by in (first, 1 - first)]
