"""Built-in players of Swords Over Scotland. They see a view, as a player does, and nothing else. Where each story lives:

=========  ===========================================================================
gathering  where cubes are placed on the player board, so that formations come of it
deploying  what a formation does: how many cubes, whither, and its special action
fighting   which battle comes first, castles, commitments, retreats
glory      what glory cards are worth, and where their pieces are set
situation  a view thought through: who has how many cubes where, how long they must hold
ground     what it is worth to have so many cubes in a region: the judgement behind all
duel       how many cubes are committed, when nobody knows how many the other will
=========  ===========================================================================

All is reckoned in tenths of a point, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from pbem.games.bot import Bot, RandomBot
from pbem.kernel import Chooser, Order, View

from ..game import GAME
from ..views import SwordsView
from . import deploying, fighting, gathering, glory

_ANSWERS: Mapping[str, Callable[[SwordsView], Order]] = {
    "setup": deploying.first_cube,
    "place": gathering.place,
    "deploy": deploying.deploy,
    "merchant": gathering.carry,
    "battle": fighting.next_battle,
    "sword": fighting.draw_sword,
    "castles": fighting.kill,
    "druid": fighting.heal,
    "retreat": fighting.retreat,
    "cardinal": glory.put_cardinal,
    "wall": glory.put_wall,
    "tapestry": glory.put_tapestry,
}
"""Every question but that for a commitment, which leaves something to chance."""


class SensibleBot(Bot):
    """Gathers cubes side by side, deploys where points are won by it, commits so that nobody can foresee it, bids for glory.

    Every answer of his own is checked; `strayed` counts the illegal ones.
    """

    def __init__(self) -> None:
        self.strayed = 0

    def answer(self, view: View, chooser: Chooser) -> Order:
        seen = cast(SwordsView, view)
        order = fighting.commit(seen, chooser) if seen.question == "commit" else _ANSWERS[seen.question](seen)
        if GAME.why_not(seen, order) is None:
            return order
        self.strayed += 1
        return GAME.default(seen)


BOTS: dict[str, Callable[[], Bot]] = {"random": lambda: RandomBot(GAME), "sensible": SensibleBot}
