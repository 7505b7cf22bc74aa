"""The easy player of Swords Over Scotland: one look at what each answer gains at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from pbem.games.bot import Bot
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
