"""The places on our drawing of Scotland, and on a plain one for somebody's own parts. Nothing here knows a position.

`geometry.json` has the ten regions in units of a map 900 wide and 1150 high: outlines, the place of each region's plate, the
course and the middle of each border. Other parts are arranged on a grid, with a line for each border.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from math import ceil, sqrt
from typing import Any, NamedTuple

from ...rules.parts import STANDARD, PrintedParts

GEOMETRY: dict[str, Any] = json.loads(
    resources.files("pbem.games.swords.look.picture").joinpath("geometry.json").read_text(encoding="utf-8")
)
WIDTH, HEIGHT = 900, 1150

Point = tuple[float, float]


class BorderLine(NamedTuple):
    """A border: its course as a path, its middle, and whether it is the sea."""

    path: str
    mid: Point
    sea: bool


class Layout(NamedTuple):
    """A map: the place of each region's plate, and its borders in the order of the parts; `ours` is drawn as a land."""

    plates: Mapping[str, Point]
    ways: Mapping[frozenset[str], BorderLine]
    ours: bool


def layout(parts: PrintedParts) -> Layout:
    """Return the layout of the map for these parts."""
    if (parts.names, parts.land, parts.sea) == (STANDARD.names, STANDARD.land, STANDARD.sea):
        return _ours()
    return _plain(parts.names, parts.land, parts.sea)


@lru_cache(1)
def _ours() -> Layout:
    plates = {name: (x, y) for name, region in GEOMETRY["regions"].items() for x, y in [region["plate"]]}
    ways = {}
    for kind in ("borders", "sea"):
        for between, way in GEOMETRY[kind].items():
            x, y = way["mid"]
            ways[frozenset(between.split("/"))] = BorderLine(way["path"], (x, y), kind == "sea")
    return Layout(plates, ways, ours=True)


@lru_cache(8)
def _plain(names: tuple[str, ...], land: tuple[Any, ...], sea: tuple[Any, ...]) -> Layout:
    """Set regions out on a grid, every other row to the right, so that few borders lie on one line."""
    across = ceil(sqrt(len(names)))
    down = ceil(len(names) / across)
    wide, high = WIDTH / (across + 0.5), HEIGHT / down
    plates = {
        name: ((no % across + 0.5 + 0.5 * (no // across % 2)) * wide, (no // across + 0.5) * high)
        for no, name in enumerate(names)
    }
    ways = {}
    for borders, is_sea in ((land, False), (sea, True)):
        for one, other in borders:
            (ax, ay), (bx, by) = plates[one], plates[other]
            path = f"M{num(ax)} {num(ay)}L{num(bx)} {num(by)}"
            ways[frozenset((one, other))] = BorderLine(path, ((ax + bx) / 2, (ay + by) / 2), is_sea)
    return Layout(plates, ways, ours=False)


def num(x: float) -> str:
    """Return a coordinate with one decimal at most.

    >>> num(12.0), num(3.14)
    ('12', '3.1')
    """
    return f"{x:.1f}".removesuffix(".0")
