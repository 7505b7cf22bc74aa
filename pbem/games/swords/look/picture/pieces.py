"""The pieces: cubes with a count, the icons of the player boards, castles, tokens, the Cardinal, the leader's mark."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from markupsafe import Markup

from pbem.look.markup import joined, markup

from ...rules.names import COLOURS as ALL
from .geometry import num
from .style import COLOURS, MARKS

CUBE = 34
"""How wide a cube is drawn, its side included."""
GAP = 6
_ICONS = {
    "thistle": (
        "M0 14V2M-7-1C-9-7-4-9 0-9S9-7 7-1C5 4-5 4-7-1zM-6-7L-8-13M-2-9L-3-15M2-9L3-15M6-7L8-13"
        "M0 10C-5 11-9 8-10 4M0 12C5 13 9 10 10 6"
    ),
    "sword": "M0-15V8M-2.4-12L0-16 2.4-12M-7 6H7M0 8V14M-2.5 14.5H2.5",
    "stag": (
        "M-5 4C-5 11-2 14 0 14S5 11 5 4C5 1 3-1 0-1S-5 1-5 4zM-3-1C-6-4-7-8-6-14M-6.6-7C-10-8-11-10-11-13"
        "M3-1C6-4 7-8 6-14M6.6-7C10-8 11-10 11-13"
    ),
    "harp": "M-8 14V-10C-4-15 2-7 9-12M9-12C9-2 3 8-8 14M-4-11.5V10.5M0-9.5V7M4-10V2.6",
}
"""The icons of our player board, drawn about a middle in a square of 32."""
_FORT = "M-15 13V-5H-15.5V-13h6v4h4V-13h11v4h4V-13h6V-5H15V13z"
_LEADER = "M-2 17V-15H2V17zM2-14L17-8 2-2z"
_CARDINAL = "M0-15a6 6 0 0 1 5 9.4L13 0 10 5 6 2.5 9 15H2.5L0 8-2.5 15H-9L-6 2.5-10 5-13 0-5-5.6A6 6 0 0 1 0-15z"


def definitions() -> Markup:
    """Return the shared definitions: a cube of each colour, each icon, castle, Cardinal, the leader's mark.

    They have no classes, because on a page a class would not reach the elements that refer to them. Those elements have the class.
    """
    icons = joined(markup('<path id="sw-{name}" d="{d}"/>', name=name, d=d) for name, d in _ICONS.items())
    return markup(
        '<defs>{cubes}{icons}<path id="sw-fort" d="{fort}"/><path id="sw-leader" d="{leader}"/>'
        '<path id="sw-cardinal" d="{cardinal}"/></defs>',
        cubes=joined(_cube(colour) for colour in ALL), icons=icons, fort=_FORT, leader=_LEADER, cardinal=_CARDINAL,
    )  # fmt: skip


def _cube(colour: str) -> Markup:
    """Draw a cube from its upper left corner: the front 28 wide, below a top of 8 with the colour's mark beside the count."""
    front, side, top, _ink = COLOURS[colour]
    return markup(
        '<g id="sw-cube-{colour}"><path d="M0 7L6 0H34L28 7z" fill="{top}"/><path d="M28 7L34 0V27L28 34z" fill="{side}"/>'
        '<path d="M0 7H28V34H0z" fill="{front}"/><path d="M0 7L6 0H34V27L28 34H0zM0 7H28V34M28 7L34 0" fill="none" '
        'stroke="#1c140a" stroke-width="1.3" stroke-linejoin="round"/></g>',
        colour=colour, front=front, side=side, top=top,
    )  # fmt: skip


def cube(colour: str, x: float, y: float) -> Markup:
    """Return a cube at its upper left corner, with the mark of its colour."""
    return markup(
        '<g transform="translate({x} {y})"><use href="#sw-cube-{colour}"/>'
        '<path transform="translate(14 20.5) scale(1.25)" d="{mark}" fill="{ink}"/></g>',
        x=num(x), y=num(y), colour=colour, mark=MARKS[colour], ink=COLOURS[colour][3],
    )  # fmt: skip


def cubes(counts: Mapping[str, int], x: float, y: float, *, begin: bool = False) -> Markup:
    """Return a cube for each colour that is there, with its count beside it, in a row about its middle, or from its `begin`ning."""
    there = [(colour, counts[colour]) for colour in ALL if counts.get(colour)]
    left = x if begin else x - (sum(map(_wide, dict(there).values())) - GAP) / 2
    parts = []
    for colour, n in there:
        parts.append(cube(colour, left, y))
        if n > 1:
            at = {"x": num(left + CUBE + 3), "y": num(y + 28), "n": n}
            parts.append(markup('<text class="number halo" x="{x}" y="{y}">{n}</text>', **at))
        left += _wide(n)
    return joined(parts)


def _wide(n: int) -> int:
    return CUBE + GAP + (3 + 13 * len(str(n)) if n > 1 else 0)


@lru_cache(64)
def icon(name: str, x: float, y: float, scale: float = 1) -> Markup:
    """Return an icon about its middle; one that we have not drawn by its first letters."""
    if name in _ICONS:
        return markup(
            '<use href="#sw-{name}" class="icon" transform="translate({x} {y}) scale({scale})"/>',
            name=name, x=num(x), y=num(y), scale=num(scale),
        )  # fmt: skip
    return markup('<text class="mid" x="{x}" y="{y}">{short}</text>', x=num(x), y=num(y + 8), short=name[:3])
