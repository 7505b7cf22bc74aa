"""Whole reports, kept as files: the same moment of a battle as each of three saw it."""

from __future__ import annotations

import pytest

from pbem.games import find
from pbem.games.swords.game import GAME
from pbem.reports.reckoned import Reckoned, render
from pbem.reports.report import Report
from tests.hammer.golden import compare
from tests.swords.table import Table, battle


def fought() -> Table:
    """A battle of three: a castle has spoken, numbers are open, the first loser has left and bid; the next is asked."""
    game = battle(
        players=3,
        cubes="pink 5, yellow 4, black 3",
        elsewhere={"Fife": "yellow 2", "Isles": "black 2"},
        castles_={"Inverness": "black"},
        boards={"pink": "A1 B1 C2", "black": "D3 D4"},
        glory={"Drums": "yellow 1", "Cardinal": ""},
        points={"pink": 12, "yellow": 7},
    )
    game.order("KILL pink").order(pink="COMMIT 2", yellow="COMMIT 3", black="COMMIT 2")
    return game.order("RETREAT 2 Ross\nGLORY 2 Drums")


@pytest.mark.parametrize("seat", ["pink", "yellow", "black"])
def test_a_report_is_what_the_file_holds(seat: str) -> None:
    game = fought()
    assert game.asked == ("black",)
    report = Report(
        "3f29" * 16, seat, GAME.view(game.stop.state, seat), (tuple(game.told()),), game.asked, 123, "ab12" * 16
    )
    compare(f"battle_{seat}.txt", render(Reckoned(report, find("swords"))).rstrip("\n"), "swords")
