"""The interface of built-in players: each sees only a view, and answers with a legal order.

The view of a seat that is asked contains the question. A built-in player may look ahead through `Game.determinise`, which sees the
view only. It never sees a state, so it knows no more than its seat.
"""

from __future__ import annotations

from typing import Protocol

from pbem.kernel import Chooser, Game, Order, View


class Bot(Protocol):
    """A built-in player of one game."""

    playouts: int = 0
    """How many trials it makes for a decision, about; 0 for one that makes none."""

    def answer(self, view: View, chooser: Chooser) -> Order:
        """Return a legal answer to the question asked in `view`; all that is left to chance comes from `chooser`."""

    def plans(self, view: View) -> str:
        """Return the plans sent with that answer, for what may be asked next: none, where a player has none."""
        return ""

    def ahead(self, view: View, order: Order) -> str:
        """Return the lines AHEAD sent with that answer, for marked questions that come later: none, where a player has none."""
        return ""


class RandomBot(Bot):
    """Answers at random among the legal orders; it can play any game."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def answer(self, view: View, chooser: Chooser) -> Order:
        return self._game.options(view).sample(chooser)


class Steady:
    """A chooser that leaves nothing to chance: it takes the middle of all that could come."""

    def randrange(self, stop: int, /) -> int:
        return stop // 2


def steady(bot: Bot, view: View) -> Order:
    """Return what a built-in player answers who throws no dice: the same each time, from the view alone, and legal."""
    return bot.answer(view, Steady())
