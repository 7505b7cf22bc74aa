"""The possible results of a commitment, on a seat's request: counted exactly, over all that the others may commit.

It sees the view of one seat. No view has the others' sealed commitments; all their possible numbers count equally. This does not
model good play, but it shows the worth of a number: wins and ties in 100 cases, and the cubes left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import prod

from pbem.i18n import _
from pbem.look import PageTable

from ..rules import battle_law
from ..rules.battles import Battle
from ..rules.board import Board
from ..views import SwordsView
from .words import player

_MOST = 200_000
"""The maximum number of cases; with more, no result is given, because it would take more than a second."""


def odds(view: SwordsView) -> Iterator[PageTable]:
    """Go through what each number may come to; nothing where the seat commits nothing now."""
    fight = view.battle
    if view.question == "commit" and fight is not None:
        others = _others(view.table, fight, view.seat)
        own = _numbers(view.table, fight, view.seat)
        if len(own) * prod(map(len, others.values())) <= _MOST:
            yield _table(view, fight, own, others)


def _numbers(board: Board, fight: Battle, seat: str) -> range:
    """Return how many cubes a seat may commit."""
    present = fight.present(board)
    return range(battle_law.least(board, fight.region, seat, present), board.troops(seat, fight.region).total + 1)


def _others(board: Board, fight: Battle, seat: str) -> dict[str, range]:
    """Return the same for the others; where hands are open, what they have committed."""
    return {
        other: range(fight.fallen[other].total, fight.fallen[other].total + 1)
        if other in fight.fallen
        else _numbers(board, fight, other)
        for other in fight.present(board)
        if other != seat
    }


def _table(view: SwordsView, fight: Battle, own: range, others: dict[str, range]) -> PageTable:
    whole = prod(map(len, others.values()))
    rows = []
    for n in own:
        came = Counter(
            view.table.most({view.seat: n, **dict(zip(others, said, strict=True))}, zero=True).seat
            for said in product(*others.values())
        )
        lost = whole - came[view.seat] - came[""]
        left = view.table.troops(view.seat, fight.region).total - n
        rows.append((str(n), *(_percent(part, whole) for part in (came[view.seat], lost, came[""])), str(left)))
    answering = (
        [player(last)] if (last := battle_law.answers_last(view.table, fight.region, fight.present(view.table))) else []
    )
    note = _("As if the others committed each number that they may equally often; whoever knows them knows better.")
    if answering and last != view.seat:
        note += " " + _("{who} answers when all others lie open.", who=answering[0])
    heads = _("You commit"), _("You win"), _("Another wins"), _("All lose"), _("Left to you")
    return PageTable(_("What you may commit in {region}", region=fight.region), heads, tuple(rows), note)


def _percent(part: int, whole: int) -> str:
    return _("{n} %", n=(200 * part + whole) // (2 * whole))
