"""The places on our drawing of Scotland: outlines, labels, and places for blocks. Nothing here knows a position.

The drawing is `geometry.json`, in units of a board 1000 wide and 1240 high. Each area has rows for blocks of a size, the nearest
to its label first. `places` distributes any number of blocks on them, as large as possible.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from math import hypot
from typing import Any, NamedTuple

GEOMETRY: dict[str, Any] = json.loads(
    resources.files("pbem.games.hammer.look.map").joinpath("geometry.json").read_text(encoding="utf-8")
)
WIDTH, HEIGHT = 1000, 1240
GAP = 3
"""Between two blocks of a row."""
ASHORE = 30
"""The length by which a way continues from the last border into the area where it ends."""

Point = tuple[float, float]
Corners = tuple[float, float, float, float]
"""A rectangle: left, top, right, bottom."""

CENTRE: dict[str, Point] = {}
"""Where ways through an area begin and end: the middle of its first row of blocks."""
MIDDLE: dict[tuple[str, str], Point] = {}
"""The middle of the border between two neighbours, in either order."""
for _name, _area in GEOMETRY["areas"].items():
    _y, _left, _right = _area["rows"]["32"][0]
    CENTRE[_name] = ((_left + _right) / 2, _y + 16)
for _border in GEOMETRY["borders"]:
    MIDDLE[_border["a"], _border["b"]] = MIDDLE[_border["b"], _border["a"]] = tuple(_border["mid"])


class Places(NamedTuple):
    """The places of an area's blocks: their size, and the upper left corner of each."""

    size: int
    at: tuple[Point, ...]


@cache
def places(area: str, first: int, second: int = 0) -> Places:
    """Return places for `first` blocks of one side and then `second` of the other, which begin a row of their own where
    they can.

    >>> places("Lothian", 1).size > places("Lothian", 6, 5).size
    True
    >>> len(places("Mar", 20).at)
    20
    """
    rows: dict[str, list[list[int]]] = GEOMETRY["areas"][area]["rows"]
    sizes = [(int(size), rows[size]) for size in rows]
    for size, found in sizes:
        for groups in ([n for n in (first, second) if n], [first + second]):
            spread = _spread(size, found, groups)
            if spread is not None:
                return Places(size, spread)
    size, found = sizes[-1]
    return Places(size, _crowded(size, found, first + second))


def _spread(size: int, rows: Sequence[Sequence[int]], groups: Sequence[int]) -> tuple[Point, ...] | None:
    """Fill rows group by group, each row set in its middle; None if they do not hold all."""
    at: list[Point] = []
    left = iter(rows)
    for n in groups:
        while n:
            row = next(left, None)
            if row is None:
                return None
            y, start, end = row
            k = min(n, (end - start + GAP) // (size + GAP))
            begin = (start + end - k * (size + GAP) + GAP) / 2
            at += [(begin + i * (size + GAP), y) for i in range(k)]
            n -= k
    return tuple(at)


def _crowded(size: int, rows: Sequence[Sequence[int]], n: int) -> tuple[Point, ...]:
    """Let `n` blocks overlap on all rows, when more have come together than there is room for."""
    each = -(-n // len(rows))
    at = [
        (start + (end - start - size) * i / max(each - 1, 1), float(y))
        for y, start, end in sorted(rows, key=lambda row: row[0])
        for i in range(each)
    ]
    return tuple(at[:n])


def way(stops: Sequence[str]) -> list[Point]:
    """Return the points of a way through areas: from the middle of the first over the borders into the last."""
    points = [CENTRE[stops[0]], *(MIDDLE[pair] for pair in pairwise(stops))]
    (x, y), (cx, cy) = points[-1], CENTRE[stops[-1]]
    far = hypot(cx - x, cy - y) or 1
    go_on = min(ASHORE, far / 2) / far
    return [*points, (x + (cx - x) * go_on, y + (cy - y) * go_on)]


EAST: dict[str, Point] = {
    "Ross": (640, 165), "Moray": (585, 212), "Strathspey": (700, 186), "Buchan": (958, 330), "Angus": (885, 520),
    "Fife": (850, 625), "Mentieth": (690, 683), "Lothian": (750, 672), "Dunbar": (940, 715), "England": (975, 815),
}  # fmt: skip
WEST: dict[str, Point] = {
    "Ross": (262, 245), "Garmoran": (205, 440), "Lochaber": (236, 548), "Argyll": (255, 770), "Lennox": (392, 745),
    "Carrick": (372, 850), "Galloway": (395, 1110), "Annan": (600, 1112), "England": (620, 1165),
}  # fmt: skip
"""A place at sea off each coastal area, on either side of Scotland; Ross and England have both."""


class SeaWay(NamedTuple):
    """A way by sea: one line, or two where it leads around Scotland; the last has the arrow. `at` is where to write upon it."""

    lines: tuple[tuple[Point, ...], ...]
    at: Point


def sea_way(start: str, end: str) -> SeaWay:
    """Return the way by sea between two areas: along one coast, or out to sea on one side and in again on the other."""
    for coast in (WEST, EAST):
        if start in coast and end in coast:
            (ax, ay), (bx, by) = coast[start], coast[end]
            x = max(min(ax, bx) - 20, 240) if coast is WEST else min(max(ax, bx) + 10, 955)
            out = (x, (ay + by) / 2)
            return SeaWay(((CENTRE[start], coast[start], out, coast[end], _landing(coast[end], end)),), out)
    leaves = EAST.get(start) or WEST[start]
    comes = EAST.get(end) or WEST[end]
    return SeaWay(((CENTRE[start], leaves), (comes, _landing(comes, end))), comes)


def _landing(sea: Point, area: str) -> Point:
    """Return a point on the way from the sea into an area, at two thirds of the way."""
    x, y = CENTRE[area]
    return ((sea[0] + 2 * x) / 3, (sea[1] + 2 * y) / 3)


def curve(points: Sequence[Point]) -> str:
    """Return a smooth path through points (a Catmull-Rom spline)."""
    p = [points[0], *points, points[-1]]
    d = [f"M{num(p[1][0])} {num(p[1][1])}"]
    for i in range(1, len(p) - 2):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = p[i - 1 : i + 3]
        d.append(
            f"C{num(bx + (cx - ax) / 6)} {num(by + (cy - ay) / 6)} "
            f"{num(cx - (dx - bx) / 6)} {num(cy - (dy - by) / 6)} {num(cx)} {num(cy)}"
        )
    return "".join(d)


def num(x: float) -> str:
    """Return a coordinate with one decimal at most.

    >>> num(12.0), num(3.14)
    ('12', '3.1')
    """
    return f"{x:.1f}".removesuffix(".0")
