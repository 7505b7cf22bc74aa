"""Built-in players of Swords Over Scotland. They see only a view, as a player does. The modules:

=========  ===========================================================================
gathering  where cubes are placed on the player board, so that they become formations
deploying  the use of a formation: how many cubes, where to, and its special action
fighting   which battle comes first, castles, commitments, retreats
glory      the worth of glory cards, and the places of their pieces
situation  an analysis of a view: whose cubes are where, and how long they must hold
ground     the worth of a number of cubes in a region: the evaluation behind all
duel       how many cubes to commit, without knowing the opponent's number
easy       the player who takes the greatest immediate gain; all the above are his
trying     the normal and the hard player: where their answers, and others, lead
rough      a rough table on which the rest is played quickly
opinion    who was ahead, for viewers of a finished game
=========  ===========================================================================

All values are in tenths of a point, in whole numbers.
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
