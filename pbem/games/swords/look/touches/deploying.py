"""Deployments: the formation; the cubes that are pulled, in any order; the region; then what the shape allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
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
    """Return the touches of a deployment. The possible special actions are looked up once its region is named."""
    line, said = "".join(lines[:1]).upper(), Touched(view)
    for four, pulled, region in _ways(view):
        whole = ordered(four, pulled, region)
        if line == whole.upper() or line.startswith(f"{whole} THEN".upper()):
            after = deploy_law.pulled_to(view.table, view.seat, pulled, region)
            more = deploy_law.specials(after, view.seat, region, shapes.shape(four))
            return listed([whole, *(f"{whole} THEN {special}" for special in more)], lines, said.at, said.label)
    heads = {four: f"DEPLOY {' '.join(four)} PULL" for four in deploy_law.fours(view.table, law.formation(view))}
    begun = [
        four
        for four, head in heads.items()
        if f"{line} ".startswith(f"{head} ") or (len(heads) == 1 and head.startswith(line))
    ]
    label = partial(_label, view, said=said)
    if not begun:
        return [touch._replace(closes=False) for touch in listed(heads.values(), lines, said.at, label)]
    pulls = _pulls(view, begun[0], line[len(heads[begun[0]]) :].split(), said)
    return pulls or listed((ordered(*way) for way in _ways(view)), lines, said.at, label)


def _pulls(view: SwordsView, four: Squares, named: Sequence[str], said: Touched) -> Sequence[Touch]:
    """Return the touches that pull another cube; () without a choice. The last touch asks for the region."""
    there, n = deploy_law.left(view.table, view.seat, four), deploy_law.must_pull(view.table, view.seat, four)
    if len(named) >= n or len(there) == n or not set(named) <= set(there):
        return ()
    regions = deploy_law.goals(view.table, view.seat)
    end = ("TO", *(regions if len(regions) == 1 else ())) if len(named) == n - 1 else ()
    return [
        Touch(
            said.at(square),
            _("Send the cube of {square}", square=square),
            (" ".join(["DEPLOY", *four, "PULL", *(one for one in there if one in (*named, square)), *end]),),
            closes=len(end) > 1,
        )
        for square in there
        if square not in named
    ]


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


def _label(view: SwordsView, words: str, said: Touched) -> str:
    return put_in_words(words, deploy_law.fours(view.table, law.formation(view)), view.table.parts, said)


def put_in_words(words: str, fours: Sequence[Squares], parts: PrintedParts, said: Touched) -> str:
    """Return the additions of a touch in words: the formation's squares, pulled squares, the region."""
    named, _to, region = words.partition("TO ")
    squares = [word for word in named.split() if word in parts.squares]
    four = next((four for four in fours if list(four) == squares[:4]), None)
    told = [_("{shape} of {squares}", shape=shape(shapes.shape(four)), squares=" ".join(four))] if four else []
    rest = squares[4:] if four else squares
    told += [_("with {squares}", squares=" ".join(rest))] if rest else []
    return ", ".join([*told, *([_("to {region}", region=region)] if region else [])]) or said.label(words)
