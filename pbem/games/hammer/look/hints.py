"""What may still be added to a move or a build while it is written, from the view of the seat that writes it.

A move: the Group Moves left, who may go how far, how many more a border lets through (4.0-4.7). A build: the replacement
points left, who may gain how much (7.6). The law that judges the finished order is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.errors import OrderError
from pbem.i18n import _, _n
from pbem.kernel import Order

from .. import orders
from ..rules import (
    AREAS,
    BLOCKS,
    BORDER,
    NEIGHBOURS,
    NORSE,
    RALLY,
    Tally,
    buildable,
    draw_refusal,
    leaders,
    marches,
    mover,
    points_left,
    sailings,
)
from ..views import HammerView
from .words import hanging, listed, solid

_NEAR = 3
"""No block moves further than so many areas (2.13)."""


def hints(view: HammerView, lines: Sequence[str]) -> str:
    """Return what may be added to the lines; the other questions say what is legal themselves."""
    ask = view.ask or {"what": ""}
    if ask["what"] == "act" and ask["card"].startswith("Move"):
        return "\n".join(_move(view, _written(view, lines)))
    if ask["what"] == "build":
        return "\n".join(_build(view, _written(view, lines)))
    return ""


def _written(view: HammerView, lines: Sequence[str]) -> Order | None:
    """Return the order as far as it is written; a build is not yet complete without a draw or DONE (7.62)."""
    from .. import GAME  # the game is made of the rules and knows its look only by name

    for end in ((), (orders.DONE,)):
        try:
            return GAME.parse(view, "\n".join([*lines, *end]))
        except OrderError:
            continue
    return None


# A move


def _move(view: HammerView, written: Order | None) -> list[str]:
    tally = Tally(mover(view))
    for march in written.marches if isinstance(written, orders.Move) else ():
        tally.add(march)
    left = tally.who.group_moves - tally.cost
    told = [_n("{n} Group Move of {all} left.", "{n} Group Moves of {all} left.", left, all=tally.who.group_moves)]
    groups = [line for area in AREAS for line in _group(tally, view, area)] + list(_norse(tally))
    rallies = list(_rallies(tally, view))
    if groups:
        told += [
            _("Who may move still (Move Rating), and how many areas away he may stop;"),
            _("[6]: so many may still cross the border, r: a red one, !: an attack."),
            *groups,
        ]
    if rallies:
        told += [_("Who may rally (option), those who rally at one place for one Group Move:"), *rallies]
    if not groups and not rallies:
        told.append(_("No other block may move: END.") if tally.moved else _("No block may move: PASS."))
    if tally.moved:
        told += hanging(_("Written: "), f"{', '.join(solid(f'{name} > {to}') for name, to in tally.moved.items())}.")
    return told


def _group(tally: Tally, view: HammerView, area: str) -> Iterator[str]:
    """Go through the lines for the blocks in an area that may still move."""
    who = tally.who
    names = [name for name in view.groups.get(area, ()) if name != NORSE and name not in tally.moved]
    reach: dict[str, int] = {}
    able = []
    for name in names:
        found = [march.route for march in marches(tally, area, (name,), who.rating(name))]
        if found:
            able.append(solid(f"{name} ({who.rating(name)})"))
        for route in found:
            reach[route[-1]] = min(len(route), reach.get(route[-1], _NEAR))
    if not able:
        return
    pinned = ""
    if who.is_contested(area):
        free = who.free(area) - tally.left.get(area, 0)
        pinned = _n("; {n} block may leave (4.6)", "; {n} blocks may leave (4.6)", free)
    yield from hanging(f"  {area:<12}", ", ".join(able) + pinned)
    for steps in range(1, _NEAR + 1):
        if there := [to for to in AREAS if reach.get(to) == steps]:
            yield from hanging(f"{steps:>16}: ", ", ".join(solid(_end(tally, area, to)) for to in there))


def _end(tally: Tally, start: str, to: str) -> str:
    """Return an area as the end of a route, with the room on the border if it is a neighbour."""
    text = to + " !" * tally.who.is_attack(to)
    if to not in NEIGHBOURS[start]:
        return text
    border = BORDER[start, to]
    room = border.limit - tally.crossed.get((border.a, border.b), 0)
    return f"{text} [{room}{'r' if border.red else ''}]"


def _rallies(tally: Tally, view: HammerView) -> Iterator[str]:
    """Go through the places where leaders stand by now, and who may rally there."""
    who = tally.who
    if RALLY not in who.variants:
        return
    now = {**who.places, **tally.moved}
    for end in dict.fromkeys(now[name] for name in leaders(who.side, now)):
        able = [
            name
            for area in AREAS
            for name in view.groups.get(area, ())
            if name not in tally.moved and name != NORSE and _may_rally(tally, name, area, end)
        ]
        if able:
            yield from hanging(f"  {end:<12}", ", ".join(map(solid, able)))


def _may_rally(tally: Tally, name: str, area: str, end: str) -> bool:
    rallies = marches(tally, area, (name,), tally.who.rating(name), rally=True)
    return any(march.route[-1] == end for march in rallies)


def _norse(tally: Tally) -> Iterator[str]:
    """Say where the Norse may sail (4.7)."""
    if coast := [march.route[0] for march in sailings(tally)]:
        yield from hanging("  Norse       ", _("by sea: {areas}", areas=listed(map(solid, coast))))


# A build


def _build(view: HammerView, written: Order | None) -> list[str]:
    build = written if isinstance(written, orders.Build) else orders.Build()
    gained = Counter(dict.fromkeys(BLOCKS, 0))
    points = points_left(view)
    for area, steps in ((part.area, part.steps) for part in build.builds):
        gained.update({step.block: step.steps for step in steps})
        points[area] -= sum(step.steps for step in steps)
    for area in build.draws:
        points[area] -= 1
    told = [_n("{n} replacement point left.", "{n} replacement points left.", sum(points.values()))]
    for area, left in points.items():
        rooms = ((name, room - gained[name]) for name, room in buildable(view, area).items())
        uses = [solid(_("{name} up to {n}", name=name, n=min(room, left))) for name, room in rooms if room and left]
        if draw_refusal(view, area, build.draws, left) is None:
            uses.append(f"DRAW {area}")
        if uses:
            told += hanging(f"  {area:<12}", _n("{n} point: {uses}", "{n} points: {uses}", left, uses=", ".join(uses)))
    return told if len(told) > 1 else [*told, _("There is no other use for them: DONE, then END.")]
