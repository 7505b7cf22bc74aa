"""Which orders of Hammer come to the same: those that differ by spelling and by the order of moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pbem.games.hammer import orders
from pbem.games.hammer.rules.groups import attack_group, origin
from pbem.games.hammer.rules.printed import NORSE
from pbem.games.hammer.views import HammerView
from pbem.kernel import Order, View


def alike(order: Order) -> str:
    """Return a text that is the same for all orders which come to the same.

    A MAIN of the group that comes first says nothing. The lines of a move, the blocks of a line, those that go on foot,
    that disband or gain steps stand in any order; so do the hits of one roll. What acts, takes the hits of a pillage or is drawn
    one after the other keeps its own.
    """
    match order:
        case orders.Move():
            lines = (march.model_copy(update={"blocks": _sorted(march.blocks)}) for march in _needed(order).marches)
            return "\n".join(sorted(map(str, lines)))
        case orders.SeaMove() | orders.Disband():
            return str(order.model_copy(update={"blocks": _sorted(order.blocks)}))
        case orders.Hits() if len(set(order.blocks)) == len(order.blocks):
            return str(order.model_copy(update={"blocks": _sorted(order.blocks)}))
        case orders.Retreat() | orders.Regroup() if NORSE not in [place.block for place in order.places]:
            return str(order.model_copy(update={"places": tuple(sorted(order.places, key=str))}))
        case orders.Victuals() | orders.Gains():
            return str(order.model_copy(update={"steps": _together(order.steps)}))
        case orders.Build():
            return _built(order)
    return str(order)


def needed(order: Order, view: View) -> Order:
    """Return a move without each MAIN that changes nothing, as a view shows it; any other order as it is."""
    if not (isinstance(order, orders.Move) and isinstance(view, HammerView)):
        return order
    norse = view.own(NORSE)
    return _needed(order, view.variants, norse.at if norse else "")


def _needed(order: orders.Move, variants: Iterable[str] = (), norse: str = "") -> orders.Move:
    """Leave out each MAIN of the group that comes first anyway (5.32); `norse` is where the Norse start."""
    known, first, made = frozenset(variants), dict[str, tuple[str, str]](), []
    for march in order.marches:
        end = march.route[-1]
        group = attack_group(known, *origin(march, march.start or norse), end)
        before = first.setdefault(end, group)
        made.append(march.model_copy(update={"main": march.main and before != group}))
    return orders.Move(marches=tuple(made))


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names))


def _together(steps: Iterable[orders.Step]) -> tuple[orders.Step, ...]:
    gained = Counter[str]()
    for step in steps:
        gained[step.block] += step.steps
    return tuple(orders.Step(block=name, steps=n) for name, n in sorted(gained.items()))


def _built(order: orders.Build) -> str:
    by_area: dict[str, Sequence[orders.Step]] = {}
    for build in order.builds:
        by_area[build.area] = (*by_area.get(build.area, ()), *build.steps)
    builds = tuple(orders.Steps(area=area, steps=_together(steps)) for area, steps in sorted(by_area.items()))
    landings = tuple(sorted(order.landings, key=str))
    return str(order.model_copy(update={"builds": builds, "landings": landings}))
