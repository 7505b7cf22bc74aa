"""The map of Scotland with a position on it, as SVG: drawn only from views and facts (ring 3).

==========  ==========================================================================
scene       the content of the map, from the views of one seat or of both
geometry    the places of areas, borders, blocks and ways
ground      sea, land, borders, names: the same in every game
pieces      blocks from the front and from behind
fight       the current battle, in two lines
marks       ways, borders used, main attacks, contested areas
panel       year and turn, the table of both sides, the key
style       colours and classes
==========  ==========================================================================

Every changing element is on a line of its own, and every moving one has an id that begins with `hm-`. So a page that steps through
a game changes it in place. An element that can be touched has its name in `data-at`, as `pbem.look` defines it for touches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from markupsafe import Markup

from pbem.i18n import spoken
from pbem.kernel import Json
from pbem.look.markup import joined, markup, stylesheet
from pbem.look.picture import MOVING, STILL

from ...rules import AREAS, BLOCKS, NOBLES, SIDES, SLUG
from ...rules.said import _
from ...views import HammerView
from ..words import SIDE, blocks
from . import ground, marks, panel, pieces
from .geometry import HEIGHT, WIDTH, Corners, places
from .scene import Face, Scene, scene
from .style import SHEET


def picture(views: Sequence[HammerView], facts: Sequence[Json]) -> Markup:
    """Return the map as these views show it together, with the moves that the facts tell of."""
    seen = scene(views, facts)
    title = _("The map of Scotland, {year}, {seen}", year=seen.view.year, seen=panel.seen_by(seen))
    stood = [_area(seen, area) for area in AREAS]
    taken = [corner for _standing, corners in stood for corner in corners]
    layers = {
        "contested": marks.contested(seen), "ways": marks.ways(seen), "names": [*ground.towns(taken), *_names(seen)],
        "blocks": [drawn for standing, _corners in stood for drawn in standing], "used": marks.numbers(seen, taken),
    }  # fmt: skip
    parts = [
        _before(spoken()), markup('<title id="hm-title">{title}</title>', title=title),
        *(line for name, drawn in layers.items() for line in (markup('<g id="hm-{name}">', name=name), *drawn, markup("</g>"))),
        panel.cartouche(seen), panel.table(seen), _key(spoken()), markup("</svg>\n"),
    ]  # fmt: skip
    return joined(parts, "\n")


@cache
def _before(language: str) -> Markup:
    return markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="hm" viewBox="0 0 {wide} {high}" role="img" aria-labelledby="hm-title">\n'
        "{sheet}<defs>{signs}{blocks}</defs>\n{still}{ground}{moving}",
        wide=WIDTH, high=HEIGHT, sheet=stylesheet(SHEET), signs=ground.definitions(), blocks=pieces.definitions(),
        still=STILL, ground=ground.ground(), moving=MOVING,
    )  # fmt: skip


@cache
def _key(language: str) -> Markup:
    return panel.key()


def _names(seen: Scene) -> Iterator[Markup]:
    for area, fact in AREAS.items():
        noble = fact.home_of
        side = seen.view.nobles.get(SLUG[noble], "") if noble in NOBLES else ""
        yield ground.label(area, side, noble if noble != area else "")


def _said_of(face: Face) -> str:
    """Return the description of a block for a tooltip."""
    full = BLOCKS[face.name].max
    strength = _("strength {n} of {full}", n=face.strength, full=full) if face.strength else _("strength not known")
    return _(
        "{block}, {side}: {strength}, combat {rating}",
        block=face.name,
        side=_(SIDE[face.side]),
        strength=strength,
        rating=face.rating,
    )


def _area(seen: Scene, area: str) -> tuple[list[Markup], list[Corners]]:
    """Draw the blocks in an area, those of the English, then those of the Scots; and say which rectangles they cover."""
    faces, hidden = seen.faces.get(area, ()), seen.backs.get(area, {})
    n = [sum(1 for face in faces if face.side == side) + (side in hidden) for side in SIDES]
    if not any(n):
        return [], []
    size, at = places(area, *n)
    corners = iter(at)
    drawn = []
    for side in SIDES:
        drawn += [pieces.face(face, _said_of(face), *next(corners), size) for face in faces if face.side == side]
        if side in hidden:
            says = _("{side}: {blocks}, turned down", side=_(SIDE[side]), blocks=blocks(hidden[side]))
            drawn.append(pieces.backs(area, side, hidden[side], says, *next(corners), size))
    return drawn, [(x, y, x + size, y + size) for x, y in at]


__all__ = ["picture"]
