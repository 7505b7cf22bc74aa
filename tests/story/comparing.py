"""Whether two games tell the same, as the tests of notations ask it."""

from __future__ import annotations

from pbem.ledger import cj
from pbem.reports.replay import Opened


def same(one: Opened, other: Opened) -> bool:
    """Do both tell the same to everybody, with the same numbers?"""
    told = [
        [(seat, tell.n, cj(list(tell.facts)), cj(tell.view)) for seat, tells in each.told.items() for tell in tells]
        for each in (one, other)
    ]
    ends = [(each.game, list(each.seats), each.end, each.last) for each in (one, other)]
    return told[0] == told[1] and ends[0] == ends[1]
