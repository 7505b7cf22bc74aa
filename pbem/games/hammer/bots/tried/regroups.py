"""Where the victors of a battle go: as far apart as the sensible player would send them, only some of them, or nobody.

Free ground is tempting, but divided blocks are beaten a turn later. So each choice is tried to the end of the next turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.kernel import Order

from ... import orders
from ..foresight.model import SmallGame
from ..foresight.numbers import AREA, BLOCK, Dice, Thrown
from ..foresight.rest import PURPOSES, Act, end_turn
from .trials import Trials, begin_turn


def best_regroup(trials: Trials, usual: Order, budget: int) -> Order:
    """Return the best of the sensible player's regroup, no regroup, and parts of his regroup."""
    if not isinstance(usual, orders.Regroup):
        return usual
    hand, unseen = trials.view.hand, trials.unseen

    def play(model: SmallGame, order: Order, dice: Dice) -> Sequence[Act]:
        for place in order.places if isinstance(order, orders.Regroup) else ():
            model.go(BLOCK[place.block], AREA[place.to])
        thrown, another = int(dice.random() * (1 << 32)), model.left
        end_turn(model, lambda purpose: Thrown(thrown * PURPOSES + purpose))
        if model.winner < 0 and another:
            mine, theirs = (cards[int(dice.random() * len(cards))] for cards in (hand, unseen))
            return begin_turn(model, trials.side, mine, theirs)
        return ()

    found = [usual, *(order for order in (orders.Pass(), *_parts(usual)) if trials.legal(order))]
    return trials.best(found, play, budget)


def _parts(usual: orders.Regroup) -> Iterator[orders.Regroup]:
    """Yield the parts of an order in which one block goes, or all but one."""
    if len(usual.places) > 1:
        for one in usual.places:
            yield usual.model_copy(update={"places": (one,)})
            if len(usual.places) > 2:
                yield usual.model_copy(update={"places": tuple(other for other in usual.places if other != one)})
