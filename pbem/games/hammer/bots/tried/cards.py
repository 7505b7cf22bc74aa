"""Choosing the card to play: each is tried against the enemy's possible cards, at the cost of not having it later in the year."""

from __future__ import annotations

from random import Random

from pbem.kernel import Order

from ... import orders
from ...rules import DECK, SIDES, card_value, is_event
from ...rules.printed import CARD_NAME
from ...views import HammerView
from ..foresight.model import SmallGame
from ..foresight.numbers import ENGLISH, SCOTS
from ..foresight.turns import act
from ..foresight.worth import CERTAIN
from .trials import Trials

MINE, THEIRS = 0.1, 0.3
"""How much of the moves in such a trial is left to chance."""
KEPT = CERTAIN // 40
"""The worth of a Group Move later in the year; an event counts as one."""


def best_card(trials: Trials, usual: Order, budget: int) -> Order:
    """Return the best of the cards in hand."""
    assert isinstance(usual, orders.PlayCard)  # noqa: S101 - the question takes no other
    view, side = trials.view, trials.side
    cards = list(dict.fromkeys((usual.card, *sorted(view.hand))))
    if len(cards) == 1:
        return usual
    unseen = unseen_cards(view)

    def play(model: SmallGame, card: str, dice: Random) -> None:
        begin_turn(model, side, card, unseen[int(dice.random() * len(unseen))], dice)

    return orders.PlayCard(card=trials.best(cards, play, budget, lambda card: -KEPT * max(1, card_value(card))))


def begin_turn(model: SmallGame, side: int, mine: str, theirs: str, dice: Random) -> None:
    """Let both sides play a card, and do with it what comes to mind."""
    english, scottish = (mine, theirs) if side == ENGLISH else (theirs, mine)
    first = player_1(english, scottish)
    model.left = 0 if is_event(english) and is_event(scottish) else model.left - 1
    for mover in (first, 1 - first):
        whim = MINE if mover == side else THEIRS
        act(model, mover, (english, scottish)[mover], mover == first, dice, whim)


def unseen_cards(view: HammerView) -> list[str]:
    """Return the cards that are neither in the own hand nor played this year: what the enemy has, and what nobody has."""
    left = [CARD_NAME[card] for card in DECK]
    for card in (*view.hand, *(card for side in SIDES for card in view.cards[side].played)):
        left.remove(card)
    return left


def player_1(english: str, scottish: str) -> int:
    """Return the side of the card that goes first (3.12, 4.1): an event, then the higher card, then the English."""
    if is_event(english) or is_event(scottish):
        return ENGLISH if is_event(english) else SCOTS
    return ENGLISH if card_value(english) >= card_value(scottish) else SCOTS
