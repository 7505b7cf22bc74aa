"""The ground of the map, which is the same in every game: sea, coast, land, hills, rivers, borders and names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from markupsafe import Markup

from pbem.i18n import N_
from pbem.look.markup import joined, markup

from ...rules import AREAS, BORDER, ENGLAND, NEIGHBOURS
from ...rules.said import _, named
from .geometry import GEOMETRY, HEIGHT, WIDTH, Corners, num

_HILL = "m-7 4 5.4-9 3 4.4 2-3 5 7.6M-1.6-5l1.6 5.5"
_COAST = ((20, "#c3d8d8"), (13, "#cfe1df"))
"""The waters by the coast, from outside in: width and colour."""
_SEAS = (
    N_("The North Sea"), N_("The Western Ocean"), N_("The Irish Sea"), N_("Moray Firth"), N_("Firth of Clyde"),
    N_("Firth of Forth"), N_("Solway Firth"), N_("Firth of Tay"), N_("The Minch"),
)  # fmt: skip
"""The names of the seas, as our drawing has them."""


def ground() -> Markup:
    """Return everything below the pieces."""
    parts = [_sea(), _land(), _hills(), _waters(), _borders(), _names(), _frame()]
    return markup('<g id="hm-ground" clip-path="url(#hm-edge)">{parts}</g>', parts=joined(parts))


@cache
def definitions() -> Markup:
    """Return what the ground and the marks refer to: outlines of the areas, the hatching of contested ones."""
    outlines = joined(
        markup('<path id="hm-area-{name}" d="{d}"/>', name=name.lower(), d=area["path"] + area["islands"])
        for name, area in GEOMETRY["areas"].items()
    )
    return markup(
        '{outlines}<clipPath id="hm-edge"><rect width="{wide}" height="{high}"/></clipPath><path id="hm-hill" d="{hill}"/>'
        '<path id="hm-tower" d="M-8 8.5V-3.5H-8.6V-9.5h3.6v2.4h2.9V-9.5h4.2v2.4H5V-9.5H8.6v6H8V8.5z"/>'
        '<path id="hm-cross" d="M-1.5-9h3v4.6H6v3H1.5V9h-3V-1.4H-6v-3h4.5z"/>'
        '<pattern id="hm-hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width="3" height="9" fill="#a3241c" fill-opacity=".34"/></pattern>'
        '<pattern id="hm-beyond" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width=".9" height="7" fill="#8a7a55" fill-opacity=".5"/></pattern>',
        outlines=outlines, wide=WIDTH, high=HEIGHT, hill=_HILL,
    )  # fmt: skip


def _sea() -> Markup:
    coasts = joined(
        markup(
            '<g fill="none" stroke="{colour}" stroke-width="{wide}" stroke-linejoin="round">{land}</g>',
            colour=colour,
            wide=2 * width,
            land=_coast(),
        )
        for width, colour in _COAST
    )
    return markup(
        '<rect width="{wide}" height="{high}" fill="#b1cbce"/>{coasts}'
        '<g fill="none" stroke="#7ba0a8" stroke-width="14.5" stroke-linejoin="round" stroke-opacity=".55">{land}</g>'
        '<g fill="none" stroke="#dfebe6" stroke-width="12.8" stroke-linejoin="round">{land}</g>',
        wide=WIDTH, high=HEIGHT, coasts=coasts, land=_coast(),
    )  # fmt: skip


@cache
def _coast() -> Markup:
    uses = joined(markup('<use href="#hm-area-{name}"/>', name=name.lower()) for name in AREAS if AREAS[name].coastal)
    return markup('{uses}<path d="{beyond}"/>', uses=uses, beyond=GEOMETRY["out_of_play"])


def _land() -> Markup:
    beyond = markup(
        '<path class="land beyond" d="{d}"/><path d="{d}" fill="url(#hm-beyond)"/>', d=GEOMETRY["out_of_play"]
    )
    kinds = {name: "foreign" if name == ENGLAND else f"t{area['tint']}" for name, area in GEOMETRY["areas"].items()}
    return beyond + joined(
        markup(
            '<use href="#hm-area-{id}" class="land {kind}" data-at="area:{name}"><title>{told}</title></use>',
            id=name.lower(),
            kind=kind,
            name=name,
            told=_told(name),
        )
        for name, kind in kinds.items()
    )


def _told(area: str) -> str:
    """Describe what decides in an area: castle limit, cathedral, the noble with his home there, and the limits of its borders."""
    fact = AREAS[area]
    limit = [_("castle limit {n}", n=fact.limit)] if area != ENGLAND else []
    limit += [_("cathedral (one more for the Scots)")] if fact.cathedral else []
    limit += [_("home of {noble}", noble=named(fact.home_of))] if fact.home_of else []
    borders = ", ".join(f"{named(there)} {BORDER[area, there].limit}" for there in NEIGHBOURS[area])
    head = ": ".join(filter(None, [named(area), ", ".join(limit)]))
    return _("{area}. Blocks over a border: {borders}", area=head, borders=borders)


def _hills() -> Markup:
    return joined(
        markup('<use href="#hm-hill" class="hill" x="{x}" y="{y}"/>', x=num(x), y=num(y)) for x, y in GEOMETRY["hills"]
    )


def _waters() -> Markup:
    rivers = joined(markup('<path class="line river" d="{d}"/>', d=d) for d in GEOMETRY["rivers"])
    lochs = joined(
        markup('<path class="line loch" d="{d}"/><path class="line loch-water" d="{d}"/>', d=d)
        for d in GEOMETRY["lochs"]
    )
    return rivers + lochs


def _borders() -> Markup:
    """Draw major borders as roads of two lines, minor ones as a row of dashes (1.1)."""
    casings, lines = [], []
    for border in GEOMETRY["borders"]:
        d = border["path"]
        between = f"{border['a']}/{border['b']}"
        casings.append(markup('<path class="line casing" d="{d}" data-at="border:{between}"/>', d=d, between=between))
        if BORDER[border["a"], border["b"]].red:
            lines.append(markup('<path class="line minor" d="{d}"/>', d=d))
        else:
            lines.append(markup('<path class="line major" d="{d}"/><path class="line core" d="{d}"/>', d=d))
    return joined(casings + lines)


def _names() -> Markup:
    parts = []
    for sea in GEOMETRY["seas"]:
        (x, y), name = sea["xy"], sea["name"]
        said = {"size": sea["size"], "x": x, "y": y, "told": _(name)}
        parts.append(
            markup(
                '<text class="italic sea-name mid" font-size="{size}" x="{x}" y="{y}" '
                'transform="rotate({turn} {x} {y})">{told}</text>',
                turn=sea["rotate"], **said,
            )
            if sea["rotate"]
            else markup('<text class="italic sea-name mid" font-size="{size}" x="{x}" y="{y}">{told}</text>', **said)
        )  # fmt: skip
    return joined(parts)


def towns(taken: Sequence[Corners]) -> list[Markup]:
    """Return the towns with dots and names that no block covers; `taken` are the rectangles of blocks."""
    parts = []
    for town, (x, y, side) in GEOMETRY["towns"].items():
        wide = 5.2 * len(town)
        left = {"r": x - 4, "l": x - wide - 6}.get(side, x - wide / 2)
        if not any(a < left + wide + 8 and left < c and b < y + 14 and y - 12 < d for a, b, c, d in taken):
            parts.append(_town(town))
    return parts


@cache
def _town(town: str) -> Markup:
    x, y, side = GEOMETRY["towns"][town]
    dx, dy, anchor = {"r": (5, 3.5, ""), "l": (-5, 3.5, " end"), "t": (0, -5, " mid"), "b": (0, 12, " mid")}[side]
    return markup(
        '<circle cx="{x}" cy="{y}" r="2.2" fill="#f7edd3" stroke="#5f4526"/>'
        '<text class="italic town{anchor}" x="{left}" y="{base}">{town}</text>',
        x=x, y=y, anchor=anchor, left=num(x + dx), base=num(y + dy), town=town,
    )  # fmt: skip


def _frame() -> Markup:
    """Draw the neat line of an old map: two rules with black and white degrees between them."""
    across = "".join(f"M{a} 3.5H{b}M{a} {HEIGHT - 3.5}H{b}" for a, b in _degrees(WIDTH))
    down = "".join(f"M3.5 {a}V{b}M{WIDTH - 3.5} {a}V{b}" for a, b in _degrees(HEIGHT))
    edge = f"M0 0H{WIDTH}V{HEIGHT}H0zM11 11V{HEIGHT - 11}H{WIDTH - 11}V11z"
    return markup(
        '<path fill="#f7edd3" fill-rule="evenodd" d="{edge}"/>'
        '<rect class="rule" x="10.5" y="10.5" width="{inner_wide}" height="{inner_high}" stroke-width="1.6"/>'
        '<path d="{degrees}" fill="none" stroke="#33230f" stroke-width="4"/>'
        '<rect class="rule" x="1.2" y="1.2" width="{outer_wide}" height="{outer_high}"/>'
        '<rect class="rule" x="5.8" y="5.8" width="{wide}" height="{high}"/>',
        edge=edge, degrees=across + down, inner_wide=WIDTH - 21, inner_high=HEIGHT - 21,
        outer_wide=WIDTH - 2.4, outer_high=HEIGHT - 2.4, wide=WIDTH - 11.6, high=HEIGHT - 11.6,
    )  # fmt: skip


def _degrees(length: int) -> list[tuple[int, int]]:
    return [pair for i, pair in enumerate(pairwise(range(0, length + 1, 40))) if i % 2]


@cache
def _lettered(area: str) -> Corners:
    (x, y), width = GEOMETRY["areas"][area]["label"], GEOMETRY["areas"][area]["width"]
    half = (width + 42 + 13 * AREAS[area].cathedral) / 2
    return x - half, y - 8, x + half, y + 8


LETTERED = tuple(_lettered(area) for area in AREAS)
"""The places of the areas' names, with the labels beside them."""


def label(area: str, allegiance: str = "", home_of: str = "") -> Markup:
    """Return an area's name with its castle limit, its cathedral, and the shield of the side that its noble follows."""
    said = named(area)
    (x, y), width = GEOMETRY["areas"][area]["label"], GEOMETRY["areas"][area]["width"] * len(said) // len(area)
    fact = AREAS[area]
    has_limit = area != ENGLAND
    left = x - (width + (22 if has_limit else 0) + (13 if fact.cathedral else 0) - (20 if allegiance else 0)) / 2
    after = left + width
    parts = [
        markup(
            '<text class="serif area halo" x="{x}" y="{y}">{name}</text>',
            x=num(left), y=num(y + 5.5), name=said.upper(),
        )
    ]  # fmt: skip
    if allegiance:
        parts.append(markup('<use href="#hm-shield-{side}" x="{x}" y="{y}"/>', side=allegiance, x=num(left - 12), y=y))
    if has_limit:
        parts.append(
            markup(
                '<use href="#hm-tower" class="now" stroke="#f7edd3" x="{x}" y="{y}"/>'
                '<text class="limit mid" x="{x}" y="{base}">{limit}</text>',
                x=num(after + 11), y=y, base=y + 6, limit=fact.limit,
            )
        )  # fmt: skip
    if fact.cathedral:
        parts.append(
            markup('<use href="#hm-cross" fill="#7d1a14" stroke="#f7edd3" x="{x}" y="{y}"/>', x=num(after + 28), y=y)
        )
    if home_of:
        parts.append(
            markup(
                '<text class="italic home halo mid" x="{x}" y="{y}">{noble}</text>',
                x=num(left + width / 2), y=num(y - 12), noble=home_of,
            )
        )  # fmt: skip
    return joined(parts)
