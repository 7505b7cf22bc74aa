"""Built-in players of a tournament: the matter is one bid, so one of them is always careful."""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.bot import Bot, RandomBot
from pbem.kernel import Chooser, Order, View

from .game import GAME
from .orders import Bid


class SensibleBot(Bot):
    """Bids low: a price of one for either side."""

    def answer(self, view: View, chooser: Chooser) -> Order:
        return Bid(bid=("E1", "S1")[chooser.randrange(2)])


BOTS: dict[str, Callable[[], Bot]] = {"random": lambda: RandomBot(GAME), "sensible": SensibleBot}
