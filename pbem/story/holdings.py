"""What a story adds for the eye: who has what at the end, and the opinion on the game as a drawing.

Both come from what the tale may show: the tables of the last public position, and the judge of the game. The judge sees everything,
so it is asked only about a game that is over and open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.look import PageTable
from pbem.look.markup import of_ours
from pbem.look.pixels import png
from pbem.reports.opinion import opinion
from pbem.reports.replay import PUBLIC
from pbem.reports.turns import ListedTurn

from .telling import ALL

if TYPE_CHECKING:
    from .telling import ToldGame

CHART = "story-opinion.png"
JUDGED = 30
"""The maximum number of positions that are judged for the drawing, evenly through the game."""
ROWS = 8
"""A table with more rows than these is about the board, which the map shows."""
WIDE = 700
"""The width of the drawing, in pixels."""


def held(told: ToldGame) -> Iterator[PageTable]:
    """Yield the tables that say who has what at the end of a game, as everybody sees it; none while it is on.

    The first table of a position is about the turn, and long ones are about the board.
    """
    if told.opened.end is None:
        return
    view = told.pack.rules.read_view(told.opened.told[PUBLIC][-1].view)
    for table in [*told.pack.look.tables(view)][1:]:
        if table.rows and len(table.rows) <= ROWS:
            yield table._replace(title=_("At the end: {table}", table=table.title))


def drawn_opinion(told: ToldGame) -> dict[str, bytes]:
    """Return the drawing of who stood better at each turn, by the name of its file; {} for a game that nobody judges."""
    parts = [part for part in told.parts if part.name]
    if told.pack.opinion is None or told.seat != ALL or len(parts) < 2:
        return {}
    marks = parts[:: -(-len(parts) // JUDGED)]
    turns = [ListedTurn(part.n, 0, part.name) for part in marks]
    made = opinion(told.pack, turns, {part.n: told.views(part.n) for part in marks})
    drawn = [one for one in made if not isinstance(one, PageTable)]
    lettered = [of_ours(str(one).replace("<svg ", '<svg font-family="pbem Serif" ', 1)) for one in drawn]
    return {CHART: png(lettered[0], WIDE)} if lettered else {}


def counted(texts: Iterable[str]) -> Iterator[str]:
    """Yield each text once, with how often it came.

    >>> list(counted(["Ross: Pink", "Moray", "Ross: Pink"]))
    ['Ross: Pink (2)', 'Moray']
    """
    for text, n in Counter(texts).items():
        yield _("{text} ({n})", text=text, n=n) if n > 1 else text
