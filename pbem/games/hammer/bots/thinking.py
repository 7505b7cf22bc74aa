"""The players who look ahead: they try what comes to mind on the game in small, many times, and take what has served best.

Each trial guesses what is hidden, does what is tried, lets the enemy answer and fights the battles; what is left is judged by how
games went on from such positions. All that is tried meets the same guesses and the same dice. Where they try nothing they answer
as the sensible player does. They see a view and nothing else, and what they leave to chance comes from their chooser.
"""

from __future__ import annotations

from pbem.games.bot import Bot
from pbem.kernel import Chooser, Order, View

from ..rules import card_value
from ..views import HammerView
from .tried.battles import best_acts
from .tried.cards import best_card
from .tried.moves import best_move
from .tried.regroups import best_regroup
from .tried.trials import Trials
from .tried.winters import best_disband

SELDOM = 4
"""For other answers it tries so many times less often than for a move."""


class ThinkingBot(Bot):
    """Looks ahead; `playouts` is how often it tries for one move. Where it does not, `otherwise` answers.

    It tries moves, battles and where victors go; with `more` which card is played as well, and whether Edward winters in Scotland.
    """

    def __init__(self, otherwise: Bot, playouts: int, more: bool = False) -> None:
        self.otherwise, self.playouts, self.more = otherwise, playouts, more

    def answer(self, view: View, chooser: Chooser) -> Order:
        assert isinstance(view, HammerView)  # noqa: S101 - the view model of this game
        ask = view.ask or {}
        usual = self.otherwise.answer(view, chooser)
        if ask["what"] == "act" and card_value(ask["card"]):
            return best_move(Trials(view, chooser), usual, self.playouts)
        if ask["what"] == "card" and self.more:
            return best_card(Trials(view, chooser), usual, self.playouts // SELDOM)
        if ask["what"] == "disband" and self.more:
            return best_disband(Trials(view, chooser), usual, self.playouts // SELDOM)
        if ask["what"] == "regroup":
            return best_regroup(Trials(view, chooser), usual, self.playouts // SELDOM)
        if ask["what"] == "battle action":
            return best_acts(Trials(view, chooser), usual, self.playouts // SELDOM)
        return usual
