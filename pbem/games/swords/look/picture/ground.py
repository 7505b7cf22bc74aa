"""The map: sea, land, borders and the pieces on them, a plate with token and cubes in each region."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from pbem.i18n import _
from pbem.look.markup import joined, markup

from ...rules.board import Board
from ...rules.names import COLOURS
from ...rules.parts import PrintedParts
from .geometry import GEOMETRY, HEIGHT, WIDTH, Layout, num
from .pieces import cube, cubes

_HILL = "m-7 4 5.4-9 3 4.4 2-3 5 7.6M-1.6-5l1.6 5.5"
_TOKEN = 20
"""How far a token reaches from its middle."""


def ground(parts: PrintedParts, lies: Layout) -> Markup:
    """Return the part of the map that never changes during a game."""
    if not lies.ours:
        return joined([_plain(parts, lies)])
    regions = GEOMETRY["regions"]
    land = joined(
        markup('<path class="land t{tint}" d="{d}" data-at="area:{name}"/>', tint=one["tint"], d=one["path"], name=name)
        for name, one in regions.items()
    )
    shores = joined(
        markup('<path d="{d}"/>', d=one["path"]) for one in (*regions.values(), {"path": GEOMETRY["beyond"]})
    )
    hills = joined(
        markup('<path class="hill" transform="translate({x} {y})" d="{d}"/>', x=x, y=y, d=_HILL)
        for x, y in GEOMETRY["hills"]
    )
    return markup(
        '<rect width="{wide}" height="{high}" fill="#b1cbce"/>'
        '<g fill="none" stroke="#c3d8d8" stroke-width="40" stroke-linejoin="round">{shores}</g>'
        '<g fill="none" stroke="#dfebe6" stroke-width="16" stroke-linejoin="round">{shores}</g>'
        '<path class="land" fill="#d9d2bd" d="{beyond}"/>{land}{hills}{ways}{seas}',
        wide=WIDTH, high=HEIGHT, shores=shores, beyond=GEOMETRY["beyond"], land=land, hills=hills, ways=_ways(lies), seas=_seas(),
    )  # fmt: skip


def _plain(parts: PrintedParts, lies: Layout) -> Markup:
    """Draw parts of somebody's own: a plate for each region, a line for each border."""
    plates = joined(
        markup(
            '<rect class="panel" x="{x}" y="{y}" width="160" height="96" rx="10" data-at="area:{name}"/>',
            x=num(lies.plates[name][0] - 80), y=num(lies.plates[name][1] - 40), name=name,
        )
        for name in parts.names
    )  # fmt: skip
    return markup(
        '<rect width="{wide}" height="{high}" fill="#e6dcc0"/>{ways}{plates}',
        wide=WIDTH, high=HEIGHT, ways=_ways(lies), plates=plates,
    )  # fmt: skip


def _ways(lies: Layout) -> Markup:
    """Draw the borders: a dotted lane by sea, a row of dashes on our land, a line on a plain map."""
    kinds = {True: "lane", False: "border" if lies.ours else "line"}
    return joined(
        markup(
            '<path class="{kind}" d="{d}"/><path class="touched" d="{d}" data-at="border:{between}"/>',
            kind=kinds[way.sea], d=way.path, between="/".join(sorted(between)),
        )
        for between, way in lies.ways.items()
    )  # fmt: skip


def _seas() -> Markup:
    names = (
        (_("The North Sea"), 780, 118, 0), (_("The Western Ocean"), 48, 800, -90), (_("The Irish Sea"), 230, 1085, 0),
    )  # fmt: skip
    return joined(
        markup(
            '<text class="italic sea-name mid" transform="translate({x} {y}) rotate({turn})">{name}</text>',
            x=x, y=y, turn=turn, name=name,
        )
        for name, x, y, turn in names
    )  # fmt: skip


def regions(table: Board, lies: Layout, fought: str) -> Iterator[Markup]:
    """Go through the plates of the regions: name, token, cubes, the Cardinal; `fought` is where a battle is on."""
    for name in table.parts.names:
        x, y = lies.plates[name]
        long = 11.5 * len(name)
        what = {
            "x": num(x + _TOKEN + 4), "y": num(y + 8), "name": name, "token": table.tokens[name],
            "left": num(x - long / 2 - 6), "top": num(y), "base": num(y + 8), "r": _TOKEN,
            "kind": "plate fought" if name == fought else "plate",
        }  # fmt: skip
        there = {colour: table.count(name, colour) for colour in COLOURS}
        yield markup(
            '<g class="{kind}" data-at="area:{name}"><circle class="token" cx="{left}" cy="{top}" r="{r}"/>'
            '<text class="serif token-number mid" x="{left}" y="{base}">{token}</text>'
            '<text class="serif region mid halo" x="{x}" y="{y}">{name}</text>{cubes}{cardinal}</g>',
            cubes=cubes(there, x, y + 22), cardinal=_cardinal(x + long / 2 + 42, y) if table.cardinal == name else "", **what,
        )  # fmt: skip


def _cardinal(x: float, y: float) -> Markup:
    return markup('<use href="#sw-cardinal" class="blue" x="{x}" y="{y}"/>', x=num(x), y=num(y))


def castles(table: Board, lies: Layout) -> Iterator[Markup]:
    """Go through the castles on their borders: with the cube of the holder; several on one border side by side."""
    on: dict[frozenset[str], int] = {}
    for castle in table.parts.castles:
        border = frozenset(castle.border)
        x, y = lies.ways[border].mid
        no = on[border] = on.get(border, -1) + 1
        held = table.castles.get(castle.name, "")
        inside = cube(held, -15, -46) if held else ""
        yield markup(
            '<g transform="translate({x} {y})" data-at="castle:{name}"><title>{name}</title>{inside}'
            '<use href="#sw-fort" class="fort"/><text class="castle mid halo" y="32">{name}</text></g>',
            x=num(x + 36 * no), y=num(y), name=castle.name, inside=inside,
        )  # fmt: skip


def wall(table: Board, lies: Layout) -> Markup:
    """Return Hadrian's Wall: along a border of our land; across a lane or a line."""
    if not table.wall:
        return joined()
    way = lies.ways[frozenset(table.wall)]
    x, y = way.mid
    d = way.path if lies.ours and not way.sea else f"M{num(x - 34)} {num(y)}H{num(x + 34)}"
    return markup('<path class="wall" d="{d}"/><path class="wall-top" d="{d}"/>', d=d)
