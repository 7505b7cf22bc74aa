"""Which card is played: each is tried against what the enemy may play, both sides doing with theirs what comes to mind."""

from __future__ import annotations

from random import Random

from pbem.kernel import Order

from ... import orders
from ...rules import CARD_NAME, DECK, card_value, is_event
from ..foresight.model import SmallGame
from ..foresight.numbers import ENGLISH, SCOTS
from ..foresight.outlook import Hands, in_hand
from ..foresight.turns import act
from .trials import Trials

EVENT = 4
"""An event comes before any Move card (3.12)."""


def best_card(trials: Trials, usual: Order, budget: int) -> Order:
    """Return the best card, what is left in the hand counting too."""
    view, side = trials.view, trials.side
    hidden = [CARD_NAME[card] for card in DECK]
    for card in (*view.hand, *(card for one in view.cards.values() for card in one.played)):
        hidden.remove(card)
    assert isinstance(usual, orders.PlayCard)  # noqa: S101 - the question takes no other

    def play(model: SmallGame, card: str, dice: Random) -> None:
        theirs = hidden[int(dice.random() * len(hidden))]
        both = (card, theirs) if side == ENGLISH else (theirs, card)
        ranks = [EVENT if is_event(one) else card_value(one) for one in both]
        first = ENGLISH if ranks[ENGLISH] >= ranks[SCOTS] else SCOTS
        model.left = 0 if min(ranks) == EVENT else model.left - 1
        act(model, first, both[first], first=True, dice=dice)
        if model.winner < 0:
            act(model, 1 - first, both[1 - first], first=False, dice=dice)

    def held(card: str) -> Hands:
        left = list(view.hand)
        left.remove(card)
        return (in_hand(left), 0.0) if side == ENGLISH else (0.0, in_hand(left))

    cards = list(dict.fromkeys((usual.card, *sorted(view.hand))))
    return orders.PlayCard(card=trials.best(cards, play, budget, answered=True, held=held))
