"""What comes after a move: the enemy's answer, the battles, the raid, and the winter, as if the year ended then."""

from __future__ import annotations

from collections.abc import Callable

from ...rules import card_value
from .combat import fight
from .marches import march, plan
from .model import SmallGame
from .numbers import ENGLAND, ENGLISH, MOST, SCOTS, TURNING, TURNS, Dice
from .winter import winter

HERALD_SUCCEEDS = 2 / 3
VICTUALS = 3


def act(model: SmallGame, side: int, card: str, first: bool, dice: Dice, whim: float = 0.3) -> None:
    """Do with a card what comes to mind; of a move `whim` is left to chance."""
    if moves := card_value(card):
        march(model, side, plan(model, side, moves, not first, dice, whim), first)
    elif card == "Herald":
        _herald(model, side, dice)
    elif card == "Victuals":
        _victuals(model, max(model.men[side], key=lambda there: sum(MOST[b] - model.st[b] for b in there)))
    elif card == "Truce":
        model.truce = 1 - side


def _herald(model: SmallGame, side: int, dice: Dice) -> None:
    """Ask a noble to change sides, preferably one who is alone. If others are with him he fights at once."""
    theirs = [n for n in TURNING if model.side[n] != side]
    alone = [n for n in theirs if len(model.men[1 - side][model.at[n]]) == 1]
    choice = alone or theirs
    if not choice or dice.random() > HERALD_SUCCEEDS:
        return
    noble = choice[int(dice.random() * len(choice))]
    model.turn_over(noble)
    area = model.at[noble]
    if model.men[1 - side][area]:
        model.attacker[area] = side
        fight(model, area, dice)


def _victuals(model: SmallGame, there: list[int]) -> None:
    for _ in range(VICTUALS):
        if weak := [b for b in there if model.st[b] < MOST[b]]:
            model.st[min(weak, key=lambda b: (model.st[b], b))] += 1


def to_the_end(model: SmallGame, dice: Dice) -> None:
    """Fight all battles, then let raid, count of nobles and winter come (5.1, 5.9, 9.1, 7.0)."""
    battles(model, lambda _area: dice)
    if model.winner < 0:
        winter(model, dice)


def battles(model: SmallGame, dice: Callable[[int], Dice]) -> None:
    """End a turn: fight all battles, each with the dice of its area, let raid and count of nobles come (5.1, 5.9, 9.1)."""
    for area in model.contested():
        if model.winner < 0:
            fight(model, area, dice(area))
    if model.winner < 0 and model.men[SCOTS][ENGLAND]:
        _raid(model)
    if model.winner < 0:
        model.decide()


def _raid(model: SmallGame) -> None:
    """Take one English block off (5.9)."""
    if there := [b for men in model.men[ENGLISH] for b in men if not TURNS[b]]:
        model.take(min(there, key=lambda b: (model.at[b] != ENGLAND, model.st[b], b)))
