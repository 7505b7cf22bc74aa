"""Built-in players of Tiny. They see a view, as a player does, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import cast

from pbem.games.bot import Bot, RandomBot
from pbem.kernel import Chooser, Order, View

from .orders import Act, Keep, PlayCard
from .rules import BANKED, GAME, TinyView, worth


class SensibleBot(Bot):
    """Plays the higher card, digs when that promises more than banking, keeps the better token."""

    def answer(self, view: View, chooser: Chooser) -> Order:
        seen = cast(TinyView, view)
        match seen.question:
            case "card":
                return PlayCard(card=max(seen.mine.hand, key=worth))
            case "keep":
                return Keep(keep=max(seen.drawn, key=worth))
        pairs = list(combinations(map(worth, seen.mine.chest), 2))
        digging_is_better = sum(map(max, pairs)) > BANKED * len(pairs)
        return Act(act="DIG" if digging_is_better else "BANK")


BOTS: dict[str, Callable[[], Bot]] = {"random": lambda: RandomBot(GAME), "sensible": SensibleBot}
