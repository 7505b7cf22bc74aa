"""Deployments: the formation and the cubes that are pulled, square by square; the region; then what the shape allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from pbem.i18n import _
from pbem.look.touches import Touch, listed

from ... import law
from ...rules import deploy_law, shapes
from ...rules.parts import PrintedParts
from ...rules.shapes import Squares
from ...views import SwordsView
from ..words import shape
from .names import Touched


def deploy(view: SwordsView, lines: Sequence[str]) -> Sequence[Touch]:
    """Return the touches of a deployment. What its special action could be is looked up once its region is named."""
    line, said = "".join(lines[:1]), Touched(view)
    for four, pulled, region in _ways(view):
        whole = ordered(four, pulled, region)
        if line.upper() == whole.upper() or line.upper().startswith(f"{whole} THEN".upper()):
            after = [f"{whole} THEN {special}" for special in _specials(view, four, pulled, region)]
            return listed([whole, *after], lines, said.at, said.label)
    return listed((ordered(*way) for way in _ways(view)), lines, said.at, lambda words: _label(view, words, said))


def _ways(view: SwordsView) -> Iterator[tuple[Squares, Squares, str]]:
    """Go through formations, the cubes of each that can be pulled, and regions."""
    table, at = view.table, law.formation(view)
    regions = deploy_law.goals(table, at.seat)
    for four in deploy_law.fours(table, at):
        there, n = deploy_law.left(table, at.seat, four), deploy_law.must_pull(table, at.seat, four)
        yield from ((four, pulled, region) for pulled in combinations(there, n) for region in regions)


def ordered(four: Squares, pulled: Squares, region: str) -> str:
    """Return a deployment as it is typed, without a special action."""
    return f"DEPLOY {' '.join(four)} PULL {' '.join(pulled)} TO {region}"


def _specials(view: SwordsView, four: Squares, pulled: Squares, region: str) -> Iterator[object]:
    table, seat = view.table, view.seat
    after = deploy_law.pulled_to(table, seat, pulled, region)
    return deploy_law.specials(after, seat, region, shapes.shape(four))


def _label(view: SwordsView, words: str, said: Touched) -> str:
    return put_in_words(words, deploy_law.fours(view.table, law.formation(view)), view.table.parts, said)


def put_in_words(words: str, fours: Sequence[Squares], parts: PrintedParts, said: Touched) -> str:
    """Say what is added: squares of one of these formations, squares that are pulled, the region."""
    named, _to, region = words.partition("TO ")
    squares = [word for word in named.split() if word in parts.squares]
    four = next((four for four in fours if list(four) == squares[:4]), None)
    told = [_("{shape} of {squares}", shape=shape(shapes.shape(four)), squares=" ".join(four))] if four else []
    rest = squares[4:] if four else squares
    told += [_("with {squares}", squares=" ".join(rest))] if rest else []
    return ", ".join([*told, *([_("to {region}", region=region)] if region else [])]) or said.label(words)
