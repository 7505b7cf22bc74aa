"""The table as SVG: the flipped pair, the map of Scotland, the glory cards, the players' boards, one below the other.

It is narrow on purpose: it can be read on a telephone without zooming. Everything drawn is open to everybody. It also has a layout
for wide screens (`data-wide`, see `pbem.look.Look.picture`): there the boards are beside the map, the own one as large as
possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.look.markup import joined, markup, stylesheet
from pbem.look.picture import MOVING, STILL

from ...views import SwordsView
from ..board import where
from . import ground, panels
from .geometry import HEIGHT, WIDTH, layout, num
from .pieces import definitions
from .style import SHEET, TABLE

if TYPE_CHECKING:
    from markupsafe import Markup


def picture(views: Sequence[SwordsView]) -> Markup:
    """Return the table; all views of a moment show the same one."""
    view = views[0]
    table = view.table
    lies = layout(table.parts)
    beside = HEIGHT
    rows = -(-len(table.glory) // 3)
    boards = beside + rows * panels.GLORY
    high = boards + -(-len(table.seats) // 2) * panels.high(table) + 8
    fought, deep = view.battle.region if view.battle else "", panels.deep(table)
    layers = {
        "where": [panels.head(view, where(view))],
        "castles": [ground.wall(table, lies), *ground.regions(table, lies, fought), *ground.castles(table, lies)],
        "glory": [panels.glory(table, beside + 4)],
        "boards": [panels.boards(table, boards, view.seat)],
    }  # fmt: skip
    parts = [
        markup(
            '<svg xmlns="http://www.w3.org/2000/svg" class="sw" viewBox="0 0 {wide} {high}" role="img" '
            'aria-labelledby="sw-title" data-wide="0 0 {all} {deep}">{sheet}{defs}{still}<rect width="{wide}" height="{high}" '
            'fill="{table}" data-wide="scale({across} {down})"/>'
            '<clipPath id="sw-map"><rect width="{wide}" height="{map}"/></clipPath>'
            '<g clip-path="url(#sw-map)">{ground}</g>{moving}',
            wide=WIDTH, high=int(high), all=panels.ACROSS, deep=int(deep), across=num(panels.ACROSS / WIDTH),
            down=f"{deep / int(high):.4f}", sheet=stylesheet(SHEET), defs=definitions(), still=STILL, table=TABLE, map=HEIGHT,
            ground=ground.ground(table.parts, lies), moving=MOVING,
        ),
        markup('<title id="sw-title">{title}</title>', title=_("Swords Over Scotland: {where}", where=where(view))),
        *(line for name, drawn in layers.items() for line in (markup('<g id="sw-{name}">', name=name), *drawn, markup("</g>"))),
        markup("</svg>\n"),
    ]  # fmt: skip
    return joined(parts, "\n")
