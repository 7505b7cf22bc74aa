"""Marks of the turn on the map: contested areas, ways of the blocks, borders used and how often, main attacks. Rules 4.3-5.32."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, degrees

from markupsafe import Markup

from pbem.look.markup import markup

from ...rules import AREAS, BORDER, ENGLAND, ENGLISH, SELKIRK, SIDES, WALLACE, castle_limit, points_left
from ...rules.said import _
from ..words import LETTER
from .geometry import GEOMETRY, MIDDLE, Corners, Point, curve, num, sea_way, way
from .ground import LETTERED
from .scene import Journey, Scene

_LINE, _SIGN = 19, 15
"""How high a line of numbers is with its gap, and how wide the sign of a main attack."""
_DIRECTIONS = ((0, -1), (0, 1), (-1, 0), (1, 0), (-0.7, -0.7), (0.7, -0.7), (-0.7, 0.7), (0.7, 0.7))
_FAR = 90
"""Nobody looks further for the number of a border."""


def contested(scene: Scene) -> list[Markup]:
    """Hatch the areas with blocks of both sides (4.5), and put a gold frame around the current battle."""
    battle = scene.view.battle
    parts = [
        markup('<use href="#hm-area-{area}" class="contested"/>', area=area.lower()) for area in scene.view.contested
    ]
    if battle:
        parts.append(markup('<use href="#hm-area-{area}" class="fought"/>', area=battle.area.lower()))
    return parts


def ways(scene: Scene) -> list[Markup]:
    """Draw how blocks moved: an arrow for each way, whole for the English and broken for the Scots."""
    drawn: dict[tuple[str, ...], Journey] = {}
    for one in scene.ways:
        key = (one.side, *one.stops)
        before = drawn.get(key)
        drawn[key] = (
            one if before is None else one._replace(blocks=one.blocks + before.blocks, main=one.main or before.main)
        )
    return [_way(one) for one in drawn.values()]


def _way(one: Journey) -> Markup:
    lines = sea_way(one.stops[0], one.stops[-1]).lines if one.sea else (way(one.stops),)
    d = "".join(map(curve, lines))
    (bx, by), (x, y) = lines[-1][-2:]
    return markup(
        '<g class="move {side}{main}" data-at="way:{stops}"><path class="under" d="{d}"/><path class="over" d="{d}"/>'
        '<path class="tip" d="M11 0-7-8.5-3.5 0-7 8.5z" transform="translate({x} {y}) rotate({turn}) scale({size})"/></g>',
        side=one.side, main=" main" if one.main else "", stops="/".join(one.stops), d=d,
        x=num(x), y=num(y), turn=num(degrees(atan2(y - by, x - bx))),
        size=1.5 if one.main else 1.1,
    )  # fmt: skip


def numbers(scene: Scene, taken: Sequence[Corners]) -> list[Markup]:
    """Show at each used border how many blocks have crossed and how many may, and how many came by sea (4.3).

    `taken` are the rectangles that blocks cover: a number is put beside them, as near to its border as there is room.
    """
    free = _Room(taken)
    letter = {side: _(text) for side, text in LETTER.items()}
    parts = []
    by_border: dict[tuple[str, str], list[tuple[str, str]]] = {}
    if scene.used:
        for crossed in scene.used:
            limit = BORDER[crossed.between].limit
            text = f"{letter[crossed.side]} {crossed.blocks}/{limit}"
            by_border.setdefault(crossed.between, []).append((crossed.side, text))
    else:
        for side, pair, n in _legs(scene):
            by_border.setdefault(pair, []).append((side, f"{letter[side]} {n}"))
    main = {(one.side, *sorted(one.stops[-2:])) for one in scene.ways if one.main and not one.sea}
    for pair, told in sorted(by_border.items()):
        wide = max(_wide(text) + _SIGN * ((side, *sorted(pair)) in main) for side, text in told)
        x, y = free.near(MIDDLE[pair], wide, _LINE * len(told))
        key = "-".join(pair).lower()
        for i, (side, text) in enumerate(told):
            at = (x, y + (i - (len(told) - 1) / 2) * _LINE)
            parts.append(_pill(f"hm-used-{key}-{side}", side, text, at, (side, *sorted(pair)) in main))
    for sailed in (one for one in scene.ways if one.sea):
        text = f"{letter[sailed.side]} {sailed.blocks}"
        at = free.near(sea_way(sailed.stops[0], sailed.stops[-1]).at, _wide(text) + _SIGN * sailed.main, _LINE)
        parts.append(_pill("", sailed.side, text, at, sailed.main))
    return [*parts, *_winter(scene, free)]


def _winter(scene: Scene, free: _Room) -> Iterator[Markup]:
    """Go through what an area has for a seat: blocks of how many that may stay (7.5), before and after it answers; points (7.6)."""
    view = scene.view
    match (view.ask or {}).get("what") or view.frames.get("winter", {}).get("step"):
        case "home" | "homes" | "disband" | "disbanded" if view.seat in SIDES:
            held = {
                area: (
                    len([name for name in names if (name, area) != (WALLACE, SELKIRK)]),
                    castle_limit(area, view.seat),
                )
                for area, names in view.groups.items()
                if area in AREAS and area != ENGLAND
            }  # Wallace in Selkirk does not count (7.5)
            said = {area: f"{n}/{limit}{' !' if n > limit else ''}" for area, (n, limit) in held.items() if n}
        case "build":
            said = {area: f"+{n}" for area, n in points_left(view).items()}
        case _:
            return
    for area, text in said.items():
        x, y = GEOMETRY["areas"][area]["label"]
        yield _pill(f"hm-winter-{area.lower()}", view.seat, text, free.near((x, y + _LINE), _wide(text), _LINE))


class _Room:
    """Where there is room yet for numbers: not upon blocks, nor upon each other; nor, if that can be, upon names."""

    def __init__(self, taken: Sequence[Corners]) -> None:
        self._taken = list(taken)

    def near(self, at: Point, wide: float, high: float) -> Point:
        """Reserve the nearest free rectangle of that size to a point, and return its middle; the point itself if there is none."""
        found = self._first(at, wide, high, LETTERED) or self._first(at, wide, high) or at
        self._taken.append(_rectangle(found, wide, high))
        return found

    def _first(self, at: Point, wide: float, high: float, names: Sequence[Corners] = ()) -> Point | None:
        taken = (*self._taken, *names)
        return next((one for one in _around(at) if _is_free(_rectangle(one, wide, high), taken)), None)


def _is_free(asked: Corners, taken: Sequence[Corners]) -> bool:
    left, top, right, bottom = asked
    return not any(a < right and left < c and b < bottom and top < d for a, b, c, d in taken)


def _around(at: Point) -> Iterator[Point]:
    x, y = at
    yield at
    for far in range(6, _FAR, 6):
        for dx, dy in _DIRECTIONS:
            yield x + dx * far, y + dy * far


def _rectangle(middle: Point, wide: float, high: float) -> Corners:
    x, y = middle
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def _wide(text: str) -> float:
    return 13 + 5.8 * len(text)


def _legs(scene: Scene) -> Iterator[tuple[str, tuple[str, str], int]]:
    """Go through the borders that the ways told of have crossed, by side, and by how many blocks."""
    found: dict[tuple[str, tuple[str, str]], int] = {}
    for one in scene.ways:
        for a, b in pairwise(one.stops) if not one.sea else ():
            if border := BORDER.get((a, b)):
                key = (one.side, (border.a, border.b))
                found[key] = found.get(key, 0) + one.blocks
    yield from ((side, pair, n) for (side, pair), n in found.items())


def _pill(key: str, side: str, text: str, at: Point, main: bool = False) -> Markup:
    x, y = at
    letters = _wide(text)
    width = letters + (_SIGN if main else 0)
    drawn = markup(
        '<rect class="body" x="{left}" y="-8.5" width="{width}" height="17" rx="{corner}"/>'
        '<text class="mid" x="{middle}" y="4.2">{text}</text>{swords}',
        left=num(-width / 2), width=num(width), corner=2.5 if side == ENGLISH else 8.5,
        middle=num((letters - width) / 2), text=text,
        swords=markup('<use href="#hm-swords" x="{x}"/>', x=num(width / 2 - 11)) if main else "",
    )  # fmt: skip
    placed = {"side": side, "x": num(x), "y": num(y), "drawn": drawn}
    if not key:
        return markup('<g class="used {side}" transform="translate({x} {y})">{drawn}</g>', **placed)
    return markup('<g id="{key}" class="used {side}" transform="translate({x} {y})">{drawn}</g>', key=key, **placed)
