"""Where blocks go that retreat after a battle, and where the victors go: places are changed as long as that makes it better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from pbem.kernel import Order

from ... import orders
from ...questions.question import asked_area
from ...rules import NORSE, exits_seen
from ..foresight.model import SmallGame
from ..foresight.numbers import AREA, BLOCK
from .trials import Trials

Places = tuple[tuple[str, str], ...]
"""Who goes where."""
ROUNDS, CHANGES, LOOKS_FOR_A_CHANGE = 3, 14, 30


def best_regroup(trials: Trials, usual: Order, budget: int) -> Order:
    """Return where victors go."""
    area = asked_area(trials.view)
    room = exits_seen(trials.view, area, regroup=True).room

    def order(places: Places) -> Order:
        return orders.Regroup(area=area, places=_as_places(places)) if places else orders.Pass()

    return _Leaving(trials, trials.view.groups.get(area, ()), room, usual, order).best(budget)


def best_retreat(trials: Trials, usual: Order, budget: int) -> Order:
    """Return where those go who have to."""
    area = asked_area(trials.view)
    room = exits_seen(trials.view, area).room

    def order(places: Places) -> Order:
        return orders.Retreat(area=area, places=_as_places(places))

    return _Leaving(trials, trials.view.frames["retreat"]["blocks"], room, usual, order).best(budget)


def _as_places(places: Places) -> tuple[orders.Place, ...]:
    return tuple(orders.Place(block=block, to=to) for block, to in places)


class _Leaving:
    """Blocks of one area, and where they could go; the Norse go as usual."""

    def __init__(
        self,
        trials: Trials,
        blocks: Sequence[str],
        room: Mapping[str, int],
        usual: Order,
        order: Callable[[Places], Order],
    ) -> None:
        self.trials, self.usual, self.order = trials, usual, order
        self.blocks = [name for name in blocks if name != NORSE]
        self.areas = [to for to, n in room.items() if n]
        self.dice = trials.dice(-1)

    def best(self, budget: int) -> Order:
        """Return the best order found."""
        first = tuple((place.block, place.to) for place in getattr(self.usual, "places", ()))
        norse = tuple(place for place in first if place[0] == NORSE)
        best, found = first, dict.fromkeys([first, norse])
        found.update(dict.fromkeys((*norse, *((name, to) for name in self.blocks)) for to in self.areas))
        for _round in range(ROUNDS):
            for _ in range(LOOKS_FOR_A_CHANGE):
                if len(found) > CHANGES or not self.blocks:
                    break
                found[self._changed(best)] = None
            some = [places for places in found if places == first or self.trials.legal(self.order(places))]
            best = self.trials.best(some, self._play, budget // ROUNDS)
            found = {best: None}
        return self.usual if best == first else self.order(best)

    def _changed(self, places: Places) -> Places:
        """Return places in which one or two go elsewhere, or stay."""
        found = dict(places)
        for _ in range(1 + self.dice.randrange(2)):
            name = self.blocks[self.dice.randrange(len(self.blocks))]
            found.pop(name, None)
            if to := ["", *self.areas][self.dice.randrange(1 + len(self.areas))]:
                found[name] = to
        return tuple(found.items())

    @staticmethod
    def _play(model: SmallGame, places: Places, _dice: Random) -> None:
        for name, to in places:
            model.go(BLOCK[name], AREA[to])
