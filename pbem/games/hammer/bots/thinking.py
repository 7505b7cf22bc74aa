"""The players who look ahead: they try what comes to mind on the game in small, many times, and take what has served best.

Each trial guesses what is hidden, does what is tried, lets the enemy answer and fights the battles; what is left is judged by how
games went on from such positions. All that is tried meets the same guesses and the same dice. Where they try nothing they answer
as the sensible player does. They see a view and nothing else, and what they leave to chance comes from their chooser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pbem.games.bot import Bot
from pbem.kernel import Chooser, Order, View

from ..rules import card_value
from ..views import HammerView
from .tried.battles import best_acts
from .tried.cards import best_card
from .tried.moves import best_move
from .tried.trials import Trials
from .tried.winter import best_disbanding, best_homes


class _Way(NamedTuple):
    """How a question is thought over, and for which part of the trials that a move gets."""

    best: Callable[[Trials, Order, int], Order]
    part: int


_WAYS: Mapping[str, _Way] = {
    "act": _Way(best_move, 1),
    "battle action": _Way(best_acts, 4),
    "card": _Way(best_card, 3),
    "home": _Way(best_homes, 4),
    "disband": _Way(best_disbanding, 4),
}


class ThinkingBot(Bot):
    """Looks ahead; `playouts` is how often it tries for one move. Where it does not, `otherwise` answers."""

    def __init__(self, otherwise: Bot, playouts: int) -> None:
        self.otherwise, self.playouts = otherwise, playouts

    def answer(self, view: View, chooser: Chooser) -> Order:
        assert isinstance(view, HammerView)  # noqa: S101 - the view model of this game
        ask = view.ask or {}
        usual = self.otherwise.answer(view, chooser)
        way = _WAYS.get(ask["what"])
        if way is None or (ask["what"] == "act" and not card_value(ask["card"])):
            return usual
        return way.best(Trials(view, chooser), usual, self.playouts // way.part)
