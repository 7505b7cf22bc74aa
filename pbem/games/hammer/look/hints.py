"""What a move that is being written may still add: the Group Moves left, who may go how far, how many more a border lets through.

Rules 4.0-4.7, asked of the same law that judges the finished order, from the view of the seat that moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .. import orders
from ..rules.facts import AREAS, BORDER, NEIGHBOURS, NORSE
from ..rules.move_law import Tally, mover, routes
from ..rules.norse import norse_coast
from .words import count, hanging, listed, solid

if TYPE_CHECKING:
    from ..views import HammerView

_NEAR = 3
"""No block moves further than so many areas (2.13)."""


def hints(view: HammerView, lines: Sequence[str]) -> str:
    """Return what may be added to a move; the other questions say what is legal themselves."""
    if view.ask is None or view.ask["what"] != "act" or not view.ask["card"].startswith("Move"):
        return ""
    tally = _written(view, lines)
    left = tally.who.group_moves - tally.cost
    told = [f"{count(left, 'Group Move')} of {tally.who.group_moves} left."]
    groups = [line for area in AREAS for line in _group(tally, view, area)] + list(_norse(tally))
    if groups:
        told += [
            "Who may still move (Move Rating), and how many areas away he may stop;",
            "[6]: so many may still cross the border, r: a red one, !: an attack.",
        ]
        told += groups
    elif not tally.moved:
        told.append("No block may move: PASS.")
    else:
        told.append("No other block may move: END.")
    if tally.moved:
        told += hanging("Written: ", f"{', '.join(solid(f'{name} > {to}') for name, to in tally.moved.items())}.")
    return "\n".join(told)


def _written(view: HammerView, lines: Sequence[str]) -> Tally:
    """Return what the lines have used up."""
    from .. import GAME  # the game is made of the rules and knows its look only by name

    tally = Tally(mover(view))
    order = GAME.parse(view, "\n".join(lines)) if lines else None
    for march in order.marches if isinstance(order, orders.Move) else ():
        tally.add(march)
    return tally


def _group(tally: Tally, view: HammerView, area: str) -> Iterator[str]:
    """Go through the lines for the blocks in an area that may still move."""
    who = tally.who
    names = [name for name in view.groups.get(area, ()) if name != NORSE and name not in tally.moved]
    reach: dict[str, int] = {}
    able = []
    for name in names:
        found = [
            route
            for route in routes(who, area, who.rating(name))
            if tally.refusal(orders.March(start=area, blocks=(name,), route=route)) is None
        ]
        if found:
            able.append(solid(f"{name} ({who.rating(name)})"))
        for route in found:
            reach[route[-1]] = min(len(route), reach.get(route[-1], _NEAR))
    if not able:
        return
    pinned = ""
    if who.is_contested(area):
        pinned = f"; {count(who.free(area) - tally.left.get(area, 0))} may leave (4.6)"
    yield from hanging(f"  {area:<12}", ", ".join(able) + pinned)
    for steps in range(1, _NEAR + 1):
        there = [to for to in AREAS if reach.get(to) == steps]
        if there:
            yield from hanging(f"{steps:>16}: ", ", ".join(solid(_end(tally, area, to)) for to in there))


def _end(tally: Tally, start: str, to: str) -> str:
    """Return an area as the end of a route, with the room on the border if it is a neighbour."""
    text = to + " !" * tally.who.is_attack(to)
    if to not in NEIGHBOURS[start]:
        return text
    border = BORDER[start, to]
    room = border.limit - tally.crossed.get((border.a, border.b), 0)
    return f"{text} [{room}{'r' if border.red else ''}]"


def _norse(tally: Tally) -> Iterator[str]:
    """Say where the Norse may sail (4.7)."""
    if NORSE in tally.who.places:
        coast = [
            to
            for to in norse_coast(tally.who.variants)
            if tally.refusal(orders.March(start="", blocks=(NORSE,), route=(to,))) is None
        ]
        if coast:
            yield from hanging("  Norse       ", f"by sea: {listed(map(solid, coast))}")
