"""Whether Edward winters in Scotland: with him his companions stay, without him half of the pool is levied again (7.4, 7.7)."""

from __future__ import annotations

from random import Random

from pbem.kernel import Order

from ... import orders
from ...rules import CARDS_A_YEAR, edward_refusal
from ..foresight.model import SmallGame
from ..foresight.numbers import ENGLISH
from ..foresight.winter import winter
from ..situation import Situation
from ..wintering import disbanding
from .trials import Trials


def best_disband(trials: Trials, usual: Order, budget: int) -> Order:
    """Return the better of both, if Edward may stay."""
    view = trials.view
    if trials.side != ENGLISH or edward_refusal(view):
        return usual
    assert isinstance(usual, orders.Disband)  # noqa: S101 - the question takes no other
    other = disbanding(Situation(view, second=True), orders.Disband(edward=not usual.edward))

    def play(model: SmallGame, order: orders.Disband, dice: Random) -> None:
        winter(model, dice, order.edward)
        model.left = CARDS_A_YEAR

    return trials.best((usual, other), play, budget)
