"""Who fires in a battle and who goes, where there is a choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.kernel import Order

from ... import orders
from ...rules import BLOCKS, CombatTurn, combat_turn
from ...views import HammerView
from ..fighting import places
from ..foresight.combat import BattleMoment, fight_on
from ..foresight.model import SmallGame
from ..foresight.numbers import AREA, BLOCK, Dice
from ..foresight.rest import Act
from ..foresight.worth import CERTAIN
from .trials import Trials

MARGIN = CERTAIN // 50
"""By so much another order must be better than the usual one."""


def best_acts(trials: Trials, usual: Order, budget: int) -> Order:
    """Return the best of what might be done."""
    view, turn = trials.view, combat_turn(trials.view)
    if not turn.fire or not any(turn.exits.ways(name) for name in turn.blocks):
        return usual
    fight, area = view.fight, AREA[turn.area]
    at = BattleMoment(fight.round, fight.turn, frozenset(BLOCK[name] for name in fight.acted))

    def play(model: SmallGame, order: orders.BattleActions, dice: Dice) -> Sequence[Act]:
        for one in order.acts:
            if one.action == "RETREAT":
                model.go(BLOCK[one.block], AREA[one.to])
        fight_on(model, area, dice, at, frozenset(BLOCK[one.block] for one in order.acts if one.action == "FIRE"))
        return ()

    assert isinstance(usual, orders.BattleActions)  # noqa: S101 - the question takes no other
    found = {str(usual): usual}
    for order in _stands(view, turn):
        if str(order) not in found and trials.legal(order):
            found[str(order)] = order
    if len(found) == 1:
        return usual
    return trials.best(list(found.values()), play, budget, lambda order: MARGIN * (order is usual))


def _stands(view: HammerView, turn: CombatTurn) -> Iterator[orders.BattleActions]:
    """Go through who might go: nobody, all but who defends his home, all, each alone."""
    to = {place.block: place.to for place in places(view, turn.area, turn.exits, turn.blocks)}
    others = [name for name in turn.blocks if turn.area not in BLOCKS[name].homes]
    for going in ([], others, turn.blocks, *([name] for name in turn.blocks)):
        leaving = [name for name in turn.blocks if name in going and name in to]
        staying = [orders.Act(block=name, action="FIRE") for name in turn.blocks if name not in leaving]
        acts = [*staying, *(orders.Act(block=name, action="RETREAT", to=to[name]) for name in leaving)]
        yield orders.BattleActions(area=turn.area, acts=tuple(acts))
