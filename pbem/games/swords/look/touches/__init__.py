"""The possible next touches: most questions are a list; deployments and retreats are assembled touch by touch.

=========  =========================================
deploying  formation, cubes, region, special action
leaving    retreats, cube by cube; glory cards
planning   the subject of a plan, and the wishes
foreseen   plans for formations that a cube makes
names      where words are touched, what they say
=========  =========================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.games.touching import beside
from pbem.look.touches import AHEAD, Touch, listed

from ...game import GAME
from ...rules.names import BANNER
from ...views import SwordsView
from ..words import laid
from .deploying import deploy
from .leaving import leave
from .names import Touched
from .planning import plan

Lines = tuple[str, ...]
_PLACE = f"{AHEAD} PLACE:"
_MOST_AHEAD = 12
"""The maximum number of premove lines for one flip."""


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
    """Return the touches of a question with few answers; a touch that begins an order includes its verb."""
    said, orders = Touched(view), [str(order) for order in GAME.options(view)]
    verbs = {order.split()[0] for order in orders}
    verb = "" if lines or len(verbs) > 1 else f"{verbs.pop()} "
    return listed(orders, lines, said.at, lambda words: said.label(f"{verb}{words.removeprefix(verb)}"))


_PUT_TOGETHER: Mapping[str, Callable[[SwordsView, Lines], Sequence[Touch]]] = {"deploy": deploy, "retreat": leave}


def _ahead(view: SwordsView, lines: Lines) -> list[Touch]:
    """Return the touches of premove lines for the next flip: squares in order of preference; the first that fits counts.

    Nobody knows the next icon, and a covered square may be free by then, so every square can be named. A line may also say where
    the cube comes from, and that it is a Pict.
    """
    *before, line = lines or ("",)
    said = Touched(view)
    if f"{_PLACE} ".startswith(f"{line.upper()} ") or line.upper() == _PLACE:
        ways = [f"PLACE {square}" for square in view.table.parts.squares] if len(lines) <= _MOST_AHEAD else []
    else:
        order = line[len(_PLACE) :].strip()
        ways = (
            [f"{order}{more}" for more in _whence(view, order)] if line.upper().startswith(f"{_PLACE} PLACE ") else []
        )
    return [
        Touch(said.at(way.removeprefix("PLACE ")), said.ahead(way.removeprefix("PLACE ")), (*before, text), closes=True)
        for way in ways
        if (text := f"{_PLACE} {way}") not in before
    ]


def _whence(view: SwordsView, order: str) -> Iterator[str]:
    """Go through what may be said behind an order sent ahead: where its cube comes from, that it is a Pict."""
    if order.endswith("WITH PICT"):
        return
    table = view.table
    if " FROM " not in order:  # whatever is in the supply now may be gone by then
        yield from (f" FROM {place}" for place in (*table.parts.names, *table.parts.strongholds, *laid(table)))
    if BANNER in table.glory:
        yield " WITH PICT"
