"""What may be touched next: most questions are a list; deployments and retreats are put together touch by touch.

=========  =========================================
deploying  formation, cubes, region, special action
leaving    retreats, cube by cube; glory cards
planning   what is planned for, and the wishes
names      where words are touched, what they say
=========  =========================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.games.touching import beside
from pbem.look.touches import AHEAD, Touch, listed

from ...game import GAME
from ...rules import placing_law
from ...views import SwordsView
from .deploying import deploy
from .leaving import leave
from .names import Said
from .planning import plan

Lines = tuple[str, ...]
_PLACE = f"{AHEAD} PLACE:"
_MOST_AHEAD = 12
"""So many lines can be sent ahead for one flip."""


def touches(view: SwordsView, draft: Sequence[str]) -> Sequence[Touch]:
    """Return what may be touched after a draft; () for a seat that is not asked."""
    if not view.question:
        return ()
    asked = _PUT_TOGETHER.get(view.question, _one_of)
    drafted = [" ".join(line.split()) for line in draft]
    return beside(
        GAME, view, drafted,
        order=lambda lines: asked(view, lines),
        plan=lambda lines: plan(view, lines),
        ahead=lambda lines: _ahead(view, lines),
    )  # fmt: skip


def _one_of(view: SwordsView, lines: Lines) -> Sequence[Touch]:
    """Return the touches of a question whose answers are few; one that begins an order says its verb, too."""
    said, orders = Said(view), [str(order) for order in GAME.options(view)]
    verbs = {order.split()[0] for order in orders}
    verb = "" if lines or len(verbs) > 1 else f"{verbs.pop()} "
    return listed(orders, lines, said.at, lambda words: said.label(f"{verb}{words.removeprefix(verb)}"))


_PUT_TOGETHER: Mapping[str, Callable[[SwordsView, Lines], Sequence[Touch]]] = {"deploy": deploy, "retreat": leave}


def _ahead(view: SwordsView, lines: Lines) -> list[Touch]:
    """Return the touches of lines for the next flip: squares in the order in which one wants them; the first that fits counts.

    Which icon comes nobody knows, so every free square can be named. Whence the cube comes is offered where the supply runs out.
    """
    *before, line = lines or ("",)
    if len(lines) > _MOST_AHEAD or not (f"{_PLACE} ".startswith(f"{line.upper()} ") or line.upper() == _PLACE):
        return []
    said = Said(view)
    return [
        Touch(said.at(place), said.ahead(place), (*before, f"{_PLACE} PLACE {place}"), closes=True)
        for place in _places(view)
        if f"{_PLACE} PLACE {place}" not in before
    ]


def _places(view: SwordsView) -> Iterator[str]:
    table = view.table
    squares = table.free_squares(view.seat)
    spare = table.spare(view.seat)
    if spare.own or not spare.total:
        yield from squares
    if spare.picts:
        yield from (f"{square} WITH PICT" for square in squares)
    if spare.total < 2:
        held = (source.place for source in placing_law.sources(table, view.seat) if source.place)
        there = dict.fromkeys((*held, *table.presence(view.seat)))
        yield from (f"{square} FROM {place}" for square in squares for place in there)
