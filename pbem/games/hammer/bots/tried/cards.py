"""The card to play, tried against the enemy's possible cards, at the cost of not having it later; and whether Edward winters."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel import Order

from ... import orders
from ...rules import CARDS_A_YEAR, card_value, edward_refusal
from ..foresight.model import SmallGame
from ..foresight.numbers import ENGLISH, Dice
from ..foresight.rest import Act
from ..foresight.winter import winter
from ..foresight.worth import CERTAIN
from ..situation import Situation
from ..wintering import disbanding
from .trials import Trials, begin_turn

KEPT = CERTAIN // 40
"""The worth of a Group Move later in the year; an event counts as one."""


def best_card(trials: Trials, usual: Order, budget: int) -> Order:
    """Return the best of the cards in hand."""
    assert isinstance(usual, orders.PlayCard)  # noqa: S101 - the question takes no other
    view, side = trials.view, trials.side
    cards = list(dict.fromkeys((usual.card, *sorted(view.hand))))
    if len(cards) == 1:
        return usual

    def play(model: SmallGame, card: str, dice: Dice) -> Sequence[Act]:
        return begin_turn(model, side, card, trials.unseen[int(dice.random() * len(trials.unseen))])

    return orders.PlayCard(card=trials.best(cards, play, budget, lambda card: -KEPT * max(1, card_value(card))))


def best_disband(trials: Trials, usual: Order, budget: int) -> Order:
    """Return the better of Edward's wintering in Scotland and his going, if he may stay.

    With him his companions stay, without him half of the pool is levied again (7.4, 7.7).
    """
    view = trials.view
    if trials.side != ENGLISH or edward_refusal(view):
        return usual
    assert isinstance(usual, orders.Disband)  # noqa: S101 - the question takes no other
    other = disbanding(Situation(view, second=True), orders.Disband(edward=not usual.edward))

    def play(model: SmallGame, order: orders.Disband, dice: Dice) -> Sequence[Act]:
        winter(model, dice, order.edward)
        model.left = CARDS_A_YEAR
        return ()

    return trials.best((usual, other), play, budget)
