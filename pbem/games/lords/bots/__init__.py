"""Built-in players of Lords of Scotland. They see only a view, as a player does."""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.bot import Bot, RandomBot

from ..game import GAME
from .looking_ahead import LookingAhead
from .opinion import opinion
from .sensible import SensibleBot

BOTS: dict[str, Callable[[], Bot]] = {
    "random": lambda: RandomBot(GAME),
    "sensible": SensibleBot,
    "normal": lambda: LookingAhead(100),
    "hard": lambda: LookingAhead(2000),
}

__all__ = ["BOTS", "SensibleBot", "opinion"]
