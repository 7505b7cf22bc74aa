"""The winter's choices: where those go who may choose, and who disbands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from random import Random

from pbem.kernel import Order

from ... import orders
from ...rules import CARDS_A_YEAR, ENGLISH, SELKIRK, WALLACE, home_choices, quarters
from ...views import HammerView
from ..foresight.model import SmallGame
from ..foresight.numbers import AREA, BLOCK, MOST
from ..foresight.winter import after_disbanding, disband_scots, winter
from ..situation import Situation
from ..wintering import who_goes
from .trials import Trials

MOST_TRIED = 24
"""So many orders are tried at most."""
HIDES = 2
"""So many steps Wallace gains in Selkirk (7.5)."""


def best_homes(trials: Trials, usual: Order, budget: int) -> Order:
    """Return where Bruce, Comyn, Moray and the King go."""
    choices = home_choices(trials.view)
    assert isinstance(usual, orders.GoHome)  # noqa: S101 - the question takes no other
    found = {str(usual): usual}
    for places in islice(product(*choices.values()), MOST_TRIED):
        goings = (orders.Going(block=block, to=to) for block, to in zip(choices, places, strict=True))
        order = orders.GoHome(goings=tuple(goings))
        if trials.legal(order):
            found.setdefault(str(order), order)
    return trials.best(list(found.values()), _go_home, budget) if len(found) > 1 else usual


def _go_home(model: SmallGame, order: orders.GoHome, dice: Random) -> None:
    for going in order.goings:
        block = BLOCK[going.block]
        if going.to in AREA:
            model.go(block, AREA[going.to])
        elif going.to == orders.DISBAND:
            model.take(block)
    winter(model, dice, court=False)
    model.left = CARDS_A_YEAR


def best_disbanding(trials: Trials, usual: Order, budget: int) -> Order:
    """Return who stays."""
    assert isinstance(usual, orders.Disband)  # noqa: S101 - the question takes no other
    found = {str(usual): usual}
    for order in _disbandings(trials.view):
        if trials.legal(order):
            found.setdefault(str(order), order)
    view = trials.view

    def play(model: SmallGame, order: orders.Disband, dice: Random) -> None:
        if order.wallace:
            model.go(BLOCK[WALLACE], AREA[SELKIRK])
            model.st[BLOCK[WALLACE]] = min(MOST[BLOCK[WALLACE]], model.st[BLOCK[WALLACE]] + HIDES)
        for name in {*order.blocks, *quarters(view.seat, view.groups, order, view.variants).forced}:
            model.take(BLOCK[name])
        if view.seat == ENGLISH:
            if order.edward:
                model.wintered = model.year
            disband_scots(model)
        after_disbanding(model, model.wintered == model.year, dice)
        model.left = CARDS_A_YEAR

    return trials.best(list(found.values()), play, budget) if len(found) > 1 else usual


def _disbandings(view: HammerView) -> Iterator[orders.Disband]:
    """Go through what might be ordered of Edward and Wallace; who else stays is the sensible player's choice."""
    now = Situation(view, second=True)
    for order in (orders.Disband(), orders.Disband(edward=True), orders.Disband(wallace=True)):
        yield order.model_copy(update={"blocks": tuple(who_goes(now, order))})
