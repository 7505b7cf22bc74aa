"""The moments of Swords Over Scotland that can be searched to the end of the game: those after the last flip of the last round.

From there nothing is hidden and nothing is drawn. In simultaneous answers, such as commitments, the others answer as if they had
seen the seat's answer. The loser of a battle may leave it in more ways than `Game.options` names: all of them are examined.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product
from typing import cast

from pbem.games.proving import TooMuch
from pbem.games.reckoning import Reckoner
from pbem.i18n import _
from pbem.kernel import Chance, Order, Outcome, View

from ..game import GAME
from ..orders import Bid, Retreat, RetreatTo
from ..rules.battle_law import healed, heals
from ..rules.names import GLORY
from ..rules.troops import Troops
from ..rules.war import State
from ..views import SwordsView

GAME_WON = "game"


class SwordsMatter:
    """The Matter and Stakes of Swords: see `pbem.games.proving.Matter` and `pbem.games.reckoning.Stakes`."""

    aims = (GAME_WON,)

    def aim_in_words(self, aim: str) -> str:
        return _("Win the game alone: nothing is flipped any more.")

    def suits(self, view: View, aim: str) -> bool:
        seen = cast(SwordsView, view)
        table = seen.table
        # of a retreat not every order can be listed, so there none can be called the only one
        asked = seen.question not in ("", "setup", "place", "retreat")
        return asked and table.round == table.parts.rounds and not table.deck

    def arrangements(self, view: View) -> int:
        """Nothing is hidden."""
        return 1

    def prover(self, state: State, seat: str, aim: str, most: int) -> Reckoner:
        return Reckoner(GAME, self, state, seat, aim, most)

    def throws(self, state: State, wanted: Chance) -> Iterator[tuple[int, Outcome]]:
        raise TooMuch

    def enough(self, state: State, view: View, seat: str) -> Iterator[Order]:
        seen = cast(SwordsView, view)
        if seen.question == "commit":
            yield from reversed(list(GAME.options(seen)))  # the more is committed, the sooner all is over
        else:
            yield from every_retreat(seen) if seen.question == "retreat" else GAME.options(seen)

    def reached(self, before: View, state: State, aim: str) -> bool | None:
        return None if state.result is None else state.result["winner"] == cast(SwordsView, before).seat

    def alike(self, state: State) -> Hashable:
        return GAME.fingerprint(state)


def every_retreat(view: SwordsView) -> Iterator[Retreat]:
    """Go through all ways to leave a lost battle: cubes split among regions, committed ones among the supply and glory cards."""
    table, battle = view.table, view.battle
    assert battle is not None, "who retreats has fought"  # noqa: S101 - the question stands in a battle alone
    seat, region, fallen = view.seat, battle.region, battle.fallen.get(view.seat, Troops())
    ways = table.ways(seat, region)
    cards = [card for card in GLORY if card in table.glory]
    for heal in heals(table, seat, fallen) if ways else [None]:
        back = Troops() if heal is None else healed(heal)
        going = table.troops(seat, region) + back if ways else Troops()
        for own, picts in product(_shares(going.own, len(ways)), _shares(going.picts, len(ways))):
            split = zip(ways, map(Troops, own, picts), strict=True)
            led = tuple(RetreatTo(troops=troops, region=goal) for goal, troops in split if troops.total)
            # what goes to no card stays in the supply
            for bids in _shares(fallen.own - back.own, len(cards) + 1):
                glory = tuple(Bid(cubes=n, card=card) for card, n in zip(cards, bids, strict=False) if n)
                yield Retreat(ways=led, glory=glory, heal="NO" if heal is None else heal.heal)


def _shares(n: int, places: int) -> Iterator[tuple[int, ...]]:
    """Go through the ways to share out n among some places.

    >>> list(_shares(2, 2)), list(_shares(0, 0))
    ([(0, 2), (1, 1), (2, 0)], [()])
    """
    if places < 2:
        yield (n,) * places
        return
    for first in range(n + 1):
        yield from ((first, *rest) for rest in _shares(n - first, places - 1))


MATTER = SwordsMatter()
