"""Built-in players of Swords Over Scotland. They see a view, as a player does, and nothing else. Where each story lives:

=========  ===========================================================================
gathering  where cubes are placed on the player board, so that formations come of it
deploying  what a formation does: how many cubes, whither, and its special action
fighting   which battle comes first, castles, commitments, retreats
glory      what glory cards are worth, and where their pieces are set
situation  a view thought through: who has how many cubes where, how long they must hold
ground     what it is worth to have so many cubes in a region: the judgement behind all
duel       how many cubes are committed, when nobody knows how many the other will
easy       the player who takes what gains most at once; all the above are his
trying     the normal and the hard player: what his answers, and others, lead to
rough      a rough table on which that is played on quickly
opinion    who stood better, for who looks at a game that is over
=========  ===========================================================================

All is reckoned in tenths of a point, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.bot import Bot, RandomBot

from ..game import GAME
from .easy import SensibleBot
from .opinion import opinion
from .trying import TryingOut

BOTS: dict[str, Callable[[], Bot]] = {
    "random": lambda: RandomBot(GAME),
    "sensible": SensibleBot,
    "normal": lambda: TryingOut(24, 3, 12),
    "hard": lambda: TryingOut(240, 4, 16),
}

__all__ = ["BOTS", "SensibleBot", "opinion"]
