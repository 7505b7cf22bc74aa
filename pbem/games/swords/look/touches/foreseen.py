"""Plans for deployments of certain formations: those completed by the cube placed now, as its owner foresees them.

Icon and number of the flip are known when a cube is placed. So a formation that it completes can be planned to the end: its cubes,
the region, and the special action of its shape. Others are planned as the first formation there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from pbem.i18n import _
from pbem.look.touches import PLAN, Touch, listed

from ...rules import deploy_law, placing_law, shapes
from ...rules.board import Board
from ...rules.shapes import Squares
from ...views import SwordsView
from ..words import icon, shape
from .deploying import ordered, put_in_words
from .names import Touched

_HEAD = f"{PLAN} DEPLOY"


def foreseen(view: SwordsView, line: str) -> Sequence[Touch]:
    """Return the touches that continue a plan for a certain formation; () if a cube placed now cannot make one."""
    if view.question != "place":
        return ()
    words, said = line.upper().split(), Touched(view)
    named = tuple(words[2 : 2 + shapes.FOUR])
    if not named:
        return [_begin(view, four, square) for four, square in _fours(view)]
    square = next((square for four, square in _fours(view) if four == named), "")
    if not square:
        return ()
    after = view.table.cover(view.seat, square, view.seat)
    heads = [f"{PLAN} {order}" for order in _orders(after, view.seat, named)]
    whole = next((head for head in heads if f"{line.upper()} ".startswith(f"{head.upper()} ")), "")
    texts = [whole, *_then(after, view.seat, named, whole)] if whole else heads
    return listed(texts, (line,), said.at, lambda added: put_in_words(added, [named], view.table.parts, said))


def _fours(view: SwordsView) -> Iterator[tuple[Squares, str]]:
    """Go through the formations that one cube more makes, with its square; what several make, once."""
    found: dict[Squares, str] = {}
    covered = view.table.boards[view.seat]
    for square in placing_law.squares(view.table, view.seat):
        for four in shapes.formations(shapes.group([*covered, square], square), square):
            found.setdefault(four, square)
    yield from found.items()


def _begin(view: SwordsView, four: Squares, square: str) -> Touch:
    label = _(
        "{shape} of {squares}, with {square} ({icon})",
        shape=shape(shapes.shape(four)), squares=" ".join(four), square=square, icon=icon(view.table.parts.squares[square]),
    )  # fmt: skip
    return Touch(f"square:{view.seat}/{square}", label, (f"{_HEAD} {' '.join(four)}",))


def _orders(after: Board, seat: str, four: Squares) -> Iterator[str]:
    for pulled in combinations(four, deploy_law.must_pull(after, seat, four)):
        yield from (ordered(four, pulled, region) for region in deploy_law.goals(after, seat))


def _then(after: Board, seat: str, four: Squares, whole: str) -> Iterator[str]:
    """Go through the same plan with each special action that its shape allows."""
    pulled, _to, region = whole.partition("PULL ")[2].partition(" TO ")
    there = deploy_law.pulled_to(after, seat, tuple(pulled.split()), region)
    yield from (f"{whole} THEN {special}" for special in deploy_law.specials(there, seat, region, shapes.shape(four)))
