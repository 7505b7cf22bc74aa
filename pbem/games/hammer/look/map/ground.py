"""The ground of the map, which is the same in every game: sea, coast, land, hills, rivers, borders and names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from pbem.words import N_, _

from ...rules.facts import AREAS, BORDER, ENGLAND
from .geometry import GEOMETRY, HEIGHT, WIDTH, num

_HILL = "m-7 4 5.4-9 3 4.4 2-3 5 7.6M-1.6-5l1.6 5.5"
_COAST = ((20, "#c3d8d8"), (13, "#cfe1df"))
"""The waters by the coast, from outside in: width and colour."""
_SEAS = (
    N_("The North Sea"), N_("The Western Ocean"), N_("The Irish Sea"), N_("Moray Firth"), N_("Firth of Clyde"),
    N_("Firth of Forth"), N_("Solway Firth"), N_("Firth of Tay"), N_("The Minch"),
)  # fmt: skip
"""The names of the seas, as our drawing has them."""


def ground() -> str:
    """Return all that lies below the pieces."""
    parts = [_sea(), _land(), _hills(), _waters(), _borders(), _names(), _frame()]
    return f'<g id="hm-ground">{"".join(parts)}</g>'


@cache
def definitions() -> str:
    """Return what the ground and the marks refer to: outlines of the areas, the hatching of contested ones."""
    outlines = "".join(
        f'<path id="hm-area-{name.lower()}" d="{area["path"]}{area["islands"]}"/>'
        for name, area in GEOMETRY["areas"].items()
    )
    return (
        f"{outlines}"
        f'<path id="hm-hill" d="{_HILL}"/>'
        '<path id="hm-tower" d="M-8 8.5V-3.5H-8.6V-9.5h3.6v2.4h2.9V-9.5h4.2v2.4H5V-9.5H8.6v6H8V8.5z"/>'
        '<path id="hm-cross" d="M-1.5-9h3v4.6H6v3H1.5V9h-3V-1.4H-6v-3h4.5z"/>'
        '<pattern id="hm-hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width="3" height="9" fill="#a3241c" fill-opacity=".34"/></pattern>'
        '<pattern id="hm-beyond" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width=".9" height="7" fill="#8a7a55" fill-opacity=".5"/></pattern>'
    )


def _sea() -> str:
    coasts = "".join(
        f'<g fill="none" stroke="{colour}" stroke-width="{2 * width}" stroke-linejoin="round">{_all_land()}</g>'
        for width, colour in _COAST
    )
    lines = (
        '<g fill="none" stroke="#7ba0a8" stroke-width="14.5" stroke-linejoin="round" stroke-opacity=".55">'
        f'{_all_land()}</g><g fill="none" stroke="#dfebe6" stroke-width="12.8" stroke-linejoin="round">{_all_land()}</g>'
    )
    return f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#b1cbce"/>{coasts}{lines}'


@cache
def _all_land() -> str:
    uses = "".join(f'<use href="#hm-area-{name.lower()}"/>' for name in GEOMETRY["areas"])
    return f'{uses}<path d="{GEOMETRY["out_of_play"]}"/>'


def _land() -> str:
    beyond = GEOMETRY["out_of_play"]
    parts = [f'<path class="land beyond" d="{beyond}"/><path d="{beyond}" fill="url(#hm-beyond)"/>']
    for name, area in GEOMETRY["areas"].items():
        kind = "foreign" if name == ENGLAND else f"t{area['tint']}"
        parts.append(f'<use href="#hm-area-{name.lower()}" class="land {kind}"/>')
    return "".join(parts)


def _hills() -> str:
    return "".join(f'<use href="#hm-hill" class="hill" x="{num(x)}" y="{num(y)}"/>' for x, y in GEOMETRY["hills"])


def _waters() -> str:
    rivers = "".join(f'<path class="line river" d="{d}"/>' for d in GEOMETRY["rivers"])
    lochs = "".join(
        f'<path class="line loch" d="{d}"/><path class="line loch-water" d="{d}"/>' for d in GEOMETRY["lochs"]
    )
    return rivers + lochs


def _borders() -> str:
    """Draw major borders as roads of two lines, minor ones as a row of dashes (1.1)."""
    casings, lines = [], []
    for border in GEOMETRY["borders"]:
        d = border["path"]
        casings.append(f'<path class="line casing" d="{d}"/>')
        if BORDER[border["a"], border["b"]].red:
            lines.append(f'<path class="line minor" d="{d}"/>')
        else:
            lines.append(f'<path class="line major" d="{d}"/><path class="line core" d="{d}"/>')
    return "".join(casings + lines)


def _names() -> str:
    parts = []
    for sea in GEOMETRY["seas"]:
        (x, y), name = sea["xy"], sea["name"]
        turn = f' transform="rotate({sea["rotate"]} {x} {y})"' if sea["rotate"] else ""
        told = _(name)
        parts.append(f'<text class="italic sea-name mid" font-size="{sea["size"]}" x="{x}" y="{y}"{turn}>{told}</text>')
    return "".join(parts)


def towns(taken: Sequence[tuple[float, float, float, float]]) -> list[str]:
    """Return the towns whose dots and names no block covers; `taken` are the rectangles of blocks."""
    parts = []
    for town, (x, y, side) in GEOMETRY["towns"].items():
        wide = 5.2 * len(town)
        left = {"r": x - 4, "l": x - wide - 6}.get(side, x - wide / 2)
        if any(a < left + wide + 8 and left < c and b < y + 14 and y - 12 < d for a, b, c, d in taken):
            continue
        dx, dy, anchor = {"r": (5, 3.5, ""), "l": (-5, 3.5, " end"), "t": (0, -5, " mid"), "b": (0, 12, " mid")}[side]
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="2.2" fill="#f7edd3" stroke="#5f4526"/>'
            f'<text class="italic town{anchor}" x="{num(x + dx)}" y="{num(y + dy)}">{town}</text>'
        )
    return parts


def _frame() -> str:
    """Draw the neat line of an old map: two rules with black and white degrees between them."""
    edge = (
        f'<path fill="#f7edd3" fill-rule="evenodd" d="M0 0H{WIDTH}V{HEIGHT}H0zM11 11V{HEIGHT - 11}H{WIDTH - 11}V11z"/>'
        f'<rect class="rule" x="10.5" y="10.5" width="{WIDTH - 21}" height="{HEIGHT - 21}" stroke-width="1.6"/>'
    )
    across = "".join(f"M{a} 3.5H{b}M{a} {HEIGHT - 3.5}H{b}" for a, b in _degrees(WIDTH))
    down = "".join(f"M3.5 {a}V{b}M{WIDTH - 3.5} {a}V{b}" for a, b in _degrees(HEIGHT))
    return (
        f'{edge}<path d="{across}{down}" fill="none" stroke="#33230f" stroke-width="4"/>'
        f'<rect class="rule" x="1.2" y="1.2" width="{WIDTH - 2.4}" height="{HEIGHT - 2.4}"/>'
        f'<rect class="rule" x="5.8" y="5.8" width="{WIDTH - 11.6}" height="{HEIGHT - 11.6}"/>'
    )


def _degrees(length: int) -> list[tuple[int, int]]:
    return [pair for i, pair in enumerate(pairwise(range(0, length + 1, 40))) if i % 2]


@cache
def label(area: str, allegiance: str = "", home_of: str = "") -> str:
    """Return an area's name with its castle limit, its cathedral, and the shield of the side that its noble follows."""
    (x, y), width = GEOMETRY["areas"][area]["label"], GEOMETRY["areas"][area]["width"]
    fact = AREAS[area]
    has_limit = area != ENGLAND
    left = x - (width + (22 if has_limit else 0) + (13 if fact.cathedral else 0) - (20 if allegiance else 0)) / 2
    after = left + width
    text = f'x="{num(left)}" y="{num(y + 5.5)}">{area.upper()}</text>'
    parts = [f'<text class="serif area halo" {text}<text class="serif area" {text}']
    if allegiance:
        parts.append(f'<use href="#hm-shield-{allegiance}" x="{num(left - 12)}" y="{y}"/>')
    if has_limit:
        parts.append(
            f'<use href="#hm-tower" class="now" stroke="#f7edd3" x="{num(after + 11)}" y="{y}"/>'
            f'<text class="limit mid" x="{num(after + 11)}" y="{y + 6}">{fact.limit}</text>'
        )
    if fact.cathedral:
        parts.append(f'<use href="#hm-cross" fill="#7d1a14" stroke="#f7edd3" x="{num(after + 28)}" y="{y}"/>')
    if home_of:
        note = f'x="{num(left + width / 2)}" y="{num(y - 12)}">{home_of}</text>'
        parts.append(f'<text class="italic home halo mid" {note}<text class="italic home mid" {note}')
    return "".join(parts)
