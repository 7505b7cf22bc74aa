"""Blocks on the map: wooden, from the front with a label, strength turned up, and from behind, with only a count.

A block is drawn 44 wide and scaled. Its label has the strength as a number and as pips of its full strength, the combat rating, its
kind as a figure (a noble shows the arms of Bruce or Comyn), and its name.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from markupsafe import Markup

from pbem.look.markup import joined, markup

from ...rules import BLOCKS, SIDES
from .geometry import num
from .scene import Face

SIZE = 44
DRAWN = 4096
"""The number of cached block drawings: from step to step most stay the same."""

_WOOD = markup(
    '<rect class="shade" x="2.6" y="3.4" width="43" height="43.5" rx="4"/>'
    '<rect class="edge" width="44" height="44" rx="3.6"/><rect class="body" width="42" height="41.8" rx="3.2"/>'
    '<path class="light" d="M1 38V3.6Q1 1 3.6 1H38"/>'
)
_RING = markup('<rect class="known" x="-1.5" y="-1.5" width="46" height="46" rx="5"/>')
_SWORDS = markup(
    '<path id="hm-swords" d="M-6-6 5.4 5.4M6-6-5.4 5.4M1.4 6 6 1.4M-1.4 6-6 1.4" fill="none" stroke="#f7edd3" '
    'stroke-width="1.9" stroke-linecap="round"/>'
)
_GRAIN = "M4 9c10-2 24 3 34 0M4 17c12 3 22-3 34 0M4 26c10-3 24 2 34-1M4 34c12 2 24-2 34 0"
_KINDS = {
    "infantry": markup(
        '<path class="stroke" stroke-width="1.7" d="M3 17.5 14.6 2.4"/><path class="ink" d="M17 0l-.6 5.6-3.9-3.1z"/>'
        '<path class="ink" stroke-width=".9" d="M7.2 6.6h9.4v4.6c0 3.4-2.2 5.5-4.7 6.8-2.5-1.3-4.7-3.4-4.7-6.8z"/>'
        '<path class="pale" d="M11.2 8.2h1.4v2.4h2.4v1.4h-2.4v3.4h-1.4V12H8.8v-1.4h2.4z"/>'
    ),
    "archers": markup(
        '<path class="stroke" stroke-width="2.1" d="M3.4 1.6C11 2 16 7.4 16.6 15"/>'
        '<path class="stroke" stroke-width=".8" d="M3.4 1.6 16.6 15"/>'
        '<path class="stroke" stroke-width="1.5" d="M3 16.4 15.4 3.4"/><path class="ink" d="M17.8.8l-1 5.2-4-4z"/>'
        '<path class="stroke" stroke-width="1.2" d="M2.4 13.4l.6 3 3.2.4"/>'
    ),
    "knights": markup(
        '<path class="ink" d="M3 6.4C3 2.2 5.6.4 9 .4s6 1.8 6 6V16l-6 2-6-2z"/>'
        '<path class="pale" d="M4.2 6.8h9.6v1.9H9.8V16H8.2V8.7h-4z"/>'
        '<path class="pale" d="M5.5 11h1.3v1.2H5.5zm0 2.4h1.3v1.2H5.5zm5.7-2.4h1.3v1.2h-1.3zm0 2.4h1.3v1.2h-1.3z"/>'
    ),
    "horse": markup(
        '<path class="ink" d="M4 17.5C3.2 12.6 5.6 10.8 7.4 9 6 9.2 5 10.4 3.6 11.4L.8 9.8C1.4 7 3.6 5 6 3.4L6.4.6l2.2 1.8'
        '.4-1.6 1.6 2c4.4 1.4 6.6 6 6.4 14.7z"/><circle class="pale" cx="7" cy="5.2" r=".9"/>'
    ),
    "king": markup(
        '<path class="ink" d="M1.6 16.5V5.2l4.2 3.6L9 1.4l3.2 7.4 4.2-3.6v11.3z"/>'
        '<path class="pale" d="M3 13h12v1.3H3z"/><circle class="ink" cx="9" cy="1.4" r="1.4"/>'
        '<circle class="ink" cx="1.6" cy="4.6" r="1.2"/><circle class="ink" cx="16.4" cy="4.6" r="1.2"/>'
    ),
    "sword": markup(
        '<path class="ink" d="M9 18.2l-1.5-2.4V7H3.6L2.2 8.8.8 7.8l1.7-3h5V2.4h-.8V0h4.6v2.4h-.8v2.4h5l1.7 3-1.4 1'
        'L14.4 7h-3.9v8.8z"/>'
    ),
    "ship": markup(
        '<path class="ink" d="M.4 8.6c.6 5.6 3.8 8 8.6 8s8-2.4 8.6-8c-2.2 2.8-4.6 3.6-8.6 3.6S2.6 11.4.4 8.6z"/>'
        '<path class="ink" d="M4 .6h10l1.4 8.8H2.6z"/><path class="pale" d="M6.6 1.8h1.4L7.8 8.6H6.2zm3.4 0h1.4l.4 6.8h-1.6z"/>'
    ),
}  # fmt: skip
_SHIELD = "M1 .6h16v8.2c0 4.8-3.6 7.6-8 9.4-4.4-1.8-8-4.6-8-9.4z"
_ARMS = {
    "Bruce": markup(
        '<path d="{shield}" fill="#e9b93a"/><path d="M1 .6h16v4.6H1z" fill="#a3241c"/>'
        '<path d="M2 5.8 15.3 15M16 5.8 2.7 15" stroke="#a3241c" stroke-width="2.8" fill="none"/>'
        '<path d="{shield}" fill="none" stroke="#33230f" stroke-width="1.2"/>',
        shield=_SHIELD,
    ),
    "Comyn": markup(
        '<path d="{shield}" fill="#234f8d"/>'
        '<g fill="#f0c64a">'
        '<path id="hm-garb" d="M3.4 3.2 5.2 4.6 6.4 2.4 7.6 4.6 5.9 6.6 7.2 9.2H4l1.3-2.6z"/>'
        '<use href="#hm-garb" x="6.8"/><use href="#hm-garb" x="3.4" y="6.8"/></g>'
        '<path d="{shield}" fill="none" stroke="#33230f" stroke-width="1.2"/>',
        shield=_SHIELD,
    ),
}
_EMBLEMS = {
    "english": markup(
        '<path d="{shield}" fill="#f7edd3"/>'
        '<path d="M7.2 .6h3.6v6h6.2v3.6h-6.2v7.2L9 18.2l-1.8-.8v-7.2H1V6.6h6.2z" fill="#9c2a22"/>'
        '<path d="{shield}" fill="none" stroke="#5e1410" stroke-width="1.2"/>',
        shield=_SHIELD,
    ),
    "scottish": markup(
        '<path d="{shield}" fill="#28538c"/>'
        '<path d="M1.8 1.2 14.8 14.6M16.2 1.2 3.2 14.6" stroke="#f7edd3" stroke-width="3" fill="none"/>'
        '<path d="{shield}" fill="none" stroke="#142c52" stroke-width="1.2"/>',
        shield=_SHIELD,
    ),
}
_FIGURE = {
    "infantry": "infantry", "archers": "archers", "knights": "knights", "hobelars": "horse", "cavalry": "horse",
    "king": "king", "wallace": "sword", "norse": "ship",
}  # fmt: skip
"""Type of a block -> its figure; a noble bears the arms of his faction."""


def definitions() -> Markup:
    """Return the drawings that blocks are put together from.

    Each is of the class of the map itself: what `use` brings in has no other ancestors by which a style could find it.
    """
    parts = [
        markup(
            '<g id="hm-face-{side}" class="hm"><g class="{side}">{wood}'
            '<rect class="label" x="3" y="3" width="36" height="35.8" rx="1.6"/></g></g>'
            '<g id="hm-back-{side}" class="hm"><g class="{side}">{wood}<path class="grain" d="{grain}"/></g></g>',
            side=side,
            wood=_WOOD,
            grain=_GRAIN,
        )
        for side in SIDES
    ]
    parts += [
        markup('<g id="hm-{name}" class="hm">{drawn}</g>', name=name, drawn=drawn) for name, drawn in _KINDS.items()
    ]
    parts += [
        markup('<g id="hm-arms-{name}">{drawn}</g>', name=name.lower(), drawn=drawn) for name, drawn in _ARMS.items()
    ]
    parts += [
        markup(
            '<g id="hm-emblem-{side}">{drawn}</g>'
            '<g id="hm-shield-{side}"><g transform="translate(-8.1 -8.5) scale(.9)">{drawn}</g></g>',
            side=side,
            drawn=drawn,
        )
        for side, drawn in _EMBLEMS.items()
    ]
    return joined([*parts, _SWORDS])


def _figure(name: str) -> str:
    block = BLOCKS[name]
    if block.is_noble:
        return f"arms-{block.faction.lower()}" if block.faction else "infantry"
    return _FIGURE.get(block.type, "infantry")


def _words() -> dict[str, str]:
    """Return the label of each block: its name without its kind, which the figure shows; with it if two labels would be alike."""
    names = {name: name.rpartition(" ")[0] or name for name in BLOCKS}
    alike = Counter(names.values())
    return {name: word if alike[word] == 1 else _with_kind(name, word) for name, word in names.items()}


def _with_kind(name: str, word: str) -> str:
    return f"{word if len(word) <= _SHORT else f'{word[: _SHORT - 1]}.'} {_KIND[name.rpartition(' ')[2]]}"


_SHORT = 5
_KIND = {"Archers": "Arch.", "Infantry": "Inf.", "Knights": "Kn."}
_WORD = _words()


@lru_cache(DRAWN)
def face(face: Face, says: str, x: float, y: float, size: int) -> Markup:
    """Return a block from the front, with its description as a tooltip."""
    return markup(
        '<g id="hm-block-{block}" class="face {side}" transform="{placed}" data-at="block:{name}"><title>{says}</title>{drawn}</g>',
        block=face.name.lower().replace(" ", "-"), side=face.side, placed=placed(x, y, size), name=face.name, says=says,
        drawn=front(face),
    )  # fmt: skip


@lru_cache(DRAWN)
def front(face: Face) -> Markup:
    """Return the front of a block, 44 wide; `strength` 0 is not known; `known` is one that everybody sees."""
    name, side, strength, known, rating = face
    block, word = BLOCKS[name], _WORD[name]
    letters = min(9.8, 65 / max(len(word), 1))
    return markup(
        '<use href="#hm-face-{side}"/>{ring}{pips}'
        '<text class="rating end" x="37.5" y="11.8">{rating}</text>'
        '<text class="strength mid" x="11.5" y="28.8">{strength}</text>'
        '<use href="#hm-{figure}" x="19.8" y="12.2"/>'
        '<text class="mid" font-size="{size}" x="21" y="37.2">{word}</text>',
        side=side, ring=_RING if known else "", pips=_pips(strength, block.max), rating=rating,
        strength=strength or "?", figure=_figure(name),
        size=num(letters), word=word,
    )  # fmt: skip


def _pips(strength: int, most: int) -> Markup:
    return joined(
        markup(
            '<rect x="{x}" y="5.4" width="3.9" height="3.9" rx="1" class="{kind}" stroke-width=".9"/>',
            x=num(5.2 + 4.9 * i),
            kind="ink" if i < strength else "stroke",
        )
        for i in range(most)
    )


@lru_cache(DRAWN)
def backs(area: str, side: str, n: int, says: str, x: float, y: float, size: int) -> Markup:
    """Return the turned-down blocks of a side in an area: up to three from behind, and how many they are."""
    return markup(
        '<g id="hm-stack-{side}-{area}" class="back {side}" transform="{placed}"><title>{says}</title>{drawn}</g>',
        side=side, area=area.lower(), placed=placed(x, y, size), says=says, drawn=stack(side, n),
    )  # fmt: skip


@lru_cache(DRAWN)
def stack(side: str, n: int) -> Markup:
    """Return turned-down blocks, 44 wide together, with their number."""
    more = min(n, 3) - 1
    behind = joined(
        markup(
            '<use href="#hm-back-{side}" transform="translate({x} {y})"/>', side=side, x=num(i * 4.5), y=num(i * -4.5)
        )
        for i in range(more, 0, -1)
    )
    drawn = markup(
        '{behind}<use href="#hm-back-{side}"/><use href="#hm-emblem-{side}" transform="translate(4.5 4) scale(1.05)"/>'
        '<circle class="pale" cx="29.5" cy="29" r="10.5" stroke="#33230f" stroke-width="1"/>'
        '<text class="count mid" x="29.5" y="34.3">{n}</text>',
        behind=behind, side=side, n=n,
    )  # fmt: skip
    if not more:
        return drawn
    return markup(  # a stack takes no more room than a block
        '<g transform="scale({scale}) translate(0 {down})">{drawn}</g>',
        scale=f"{SIZE / (SIZE + 4.5 * more):.3f}", down=num(4.5 * more), drawn=drawn,
    )  # fmt: skip


def placed(x: float, y: float, size: int) -> str:
    """Return the place of a block, as a transform."""
    scale = size / SIZE
    return f"translate({num(x)} {num(y)})" + (f" scale({scale:.3f})" if size != SIZE else "")
