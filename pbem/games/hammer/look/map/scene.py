"""The content of the map, from the views of one seat or more and the facts told; nothing is drawn here.

One view gives a seat's map: its own blocks, those that everybody sees, and counts of the others. The views of both seats together
give the whole position in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.kernel import Json

from ...rules import AREAS, BLOCK_OF, BORDER, ROSTER, SIDES, Crossed
from ...views import HammerView
from ..words import rating


class Face(NamedTuple):
    """A block that is seen from before; `strength` 0 where only its name is known, `known` where everybody sees it."""

    name: str
    side: str
    strength: int
    known: bool
    rating: str


class Journey(NamedTuple):
    """Blocks of one side that went from area to area, or by sea."""

    side: str
    stops: tuple[str, ...]
    blocks: int
    main: bool = False
    sea: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the map shows. `view` is one of those it was made from, for what they all share."""

    view: HammerView
    seats: tuple[str, ...]
    faces: dict[str, tuple[Face, ...]]
    backs: dict[str, dict[str, int]]
    ways: tuple[Journey, ...]
    used: tuple[Crossed, ...]


def scene(views: Sequence[HammerView], facts: Sequence[Json]) -> Scene:
    """Return what views of one and the same moment show together, and how blocks moved in the last turn that is told of."""
    seen: dict[str, tuple[str, Face]] = {}
    for view in views:
        for key, shown in view.revealed.items():
            name = BLOCK_OF[key]
            seen.setdefault(
                name, (shown.at, Face(name, shown.side, shown.strength, known=True, rating=rating(name, view.variants)))
            )
    for view in views:
        for area in AREAS:
            for name in view.groups.get(area, ()):
                own = view.own(name)
                if own is not None:
                    seen[name] = (
                        area,
                        Face(name, view.seat, own.strength, known=name in seen, rating=rating(name, view.variants)),
                    )
    faces: dict[str, list[Face]] = {}
    for side in SIDES:
        for name in ROSTER:
            if name in seen and seen[name][1].side == side:
                faces.setdefault(seen[name][0], []).append(seen[name][1])
    view = views[0]
    backs: dict[str, dict[str, int]] = {}
    for area, counts in view.occupancy.items():
        for side in SIDES:
            hidden = counts[side] - sum(1 for face in faces.get(area, ()) if face.side == side)
            if hidden > 0:
                backs.setdefault(area, {})[side] = hidden
    return Scene(
        view=view,
        seats=tuple(one.seat for one in views if one.seat),
        faces={area: tuple(found) for area, found in faces.items()},
        backs=backs,
        ways=_ways(view, facts),
        used=view.crossings,
    )


def _ways(view: HammerView, facts: Sequence[Json]) -> tuple[Journey, ...]:
    """Return this turn's moves, as told or, if less has been told, as the board shows them; without any, the last turn's."""
    now, before = _told(facts)
    left = tuple(_arrived(view))
    known = now if sum(one.blocks for one in now) >= sum(one.blocks for one in left) else left
    return known or before


def _arrived(view: HammerView) -> Iterator[Journey]:
    """Go through the moves that the board still shows: into areas where there is, or may be, a battle."""
    for came in view.came:
        if came.via == "sea" or (came.start != came.via and came.start not in AREAS):
            yield Journey(came.side, (came.start, came.area), came.blocks, came.main, sea=True)
        else:  # of a longer way the board shows the end alone
            first = (came.start,) if (came.start, came.via) in BORDER else ()
            yield Journey(came.side, (*first, came.via, came.area), came.blocks, came.main)


def _told(facts: Sequence[Json]) -> tuple[tuple[Journey, ...], tuple[Journey, ...]]:
    """Return the moves of the turn that facts tell of last, and those of the turn before it in the same year."""
    now: list[Journey] = []
    before: list[Journey] = []
    for fact in _of_late(facts):
        match fact["f"]:
            case "turn":
                now, before = [], now
            case "year ends" | "takeback":  # what was not taken back the board still shows
                now, before = [], []
            case "move":
                now.append(Journey(fact["side"], tuple(fact["route"]), fact["n"], sea=bool(fact.get("norse"))))
            case "sea move":
                now.append(Journey(fact["side"], (fact["start"], fact["to"]), fact["n"], sea=True))
            case "main attack":
                sea = fact["via"] == "sea"
                for i, one in enumerate(now):
                    ends = one.sea if sea else not one.sea and one.stops[-2] == fact["via"]
                    if ends and one.stops[-1] == fact["area"] and one.stops[0] == fact["start"]:
                        now[i] = one._replace(main=True)
    return tuple(now), tuple(before)


def _of_late(facts: Sequence[Json]) -> Sequence[Json]:
    """Return the facts since the turn before the last began, or since the last year ended."""
    turns = 0
    for i in range(len(facts) - 1, -1, -1):
        turns += facts[i]["f"] == "turn"
        if turns > 1 or facts[i]["f"] == "year ends":
            return facts[i:]
    return facts
