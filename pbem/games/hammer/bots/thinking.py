"""The players who look ahead: they try candidates many times on the small model of the game, and take the best.

Each trial guesses what is hidden, makes the candidate's move, lets the enemy answer and fights the battles. The result is judged
by how games continued from such positions. All candidates meet the same guesses and the same dice. Questions without trials they
answer as the sensible player does. They see only a view, and their chance comes from their chooser.
"""

from __future__ import annotations

from pbem.games.bot import Bot
from pbem.kernel import Chooser, Order, View

from ..rules import card_value
from ..views import HammerView
from .tried.battles import best_acts
from .tried.cards import best_card, best_disband
from .tried.moves import best_move
from .tried.regroups import best_regroup
from .tried.trials import Trials

SELDOM = 4
"""The factor by which other answers get fewer trials than a move."""


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
