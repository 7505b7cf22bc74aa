"""Whole reports, kept as files: the same moment as each of three saw it; and that plans change nothing but the mails."""

from __future__ import annotations

import random

import pytest

from pbem.games import find
from pbem.games.lords import GAME
from pbem.games.lords.orders import Claim
from pbem.kernel import Ask
from pbem.referee.table import Table as RealTable
from pbem.reports.reckoned import Reckoned, render
from pbem.reports.report import Report
from tests.hammer.golden import compare
from tests.lords.table import Table, table


def played() -> Table:
    """A last turn: powers, hidden cards that change hands, the count, and the claims."""
    game = table(
        players=3,
        turn=4,
        bruce=True,
        hands={
            "angus": "Ferguson 1, Scott 2, MacDonnell 6",
            "buchan": "Makgill 1, Forsyth 1, Wemyss 9",
            "carrick": "Cochrane 1, Bruce a",
        },
        armies={"angus": "Scott 7", "buchan": "Cochrane 12 down", "carrick": "Wemyss 4 down, Wemyss 8"},
        supporters="Scott 11, Forsyth 5, Cockburn 8",
        recruits="Scott 3, Wemyss 6, Forsyth 10, Cockburn 9, Makgill 12 down",
        won={"angus": "Forsyth 12", "buchan": "Cockburn 1, Scott 1"},
        pile="Cockburn 11, Makgill 5",
    )
    game.order("MUSTER Ferguson 1 USE buchan 1")
    game.order("MUSTER Makgill 1 USE\nMUSTER Forsyth 1 USE", "MUSTER Cochrane 1 USE")
    return game.order("MUSTER Scott 2 DOWN", "RECRUIT Scott 3", "MUSTER Bruce a DOWN")


@pytest.mark.parametrize("seat", ["angus", "buchan", "carrick"])
def test_a_report_is_what_the_file_holds(seat: str) -> None:
    game = played()
    assert isinstance(game.stop.wants, Ask)
    view = GAME.view(game.stop.state, seat)
    report = Report("3f29" * 16, seat, view, (tuple(game.told(seat)),), game.asked, 123, "ab12" * 16)
    compare(f"claims_{seat}.txt", render(Reckoned(report, find("lords"))).rstrip("\n"), "lords")


def test_a_game_with_plans_is_the_game_without_them() -> None:
    """Dice and deals hang on marks alone, so a claim by plan is the claim by mail."""
    ends = []
    for plans in ("", str(Claim())):
        game, chance = RealTable(GAME, {"players": 3, "goal": 10}, "plans"), random.Random(1)
        asked = 0
        while (due := game.open) is not None:
            views = {seat: game.referee.view(seat) for seat in due.to}
            wanted = game.referee.wants
            assert isinstance(wanted, Ask)
            said = {
                s: Claim() if wanted.what == "claim" else GAME.options(view).sample(chance) for s, view in views.items()
            }
            game.answer({seat: (str(order), plans) for seat, order in said.items()})
            asked += 1
        ends.append((asked, GAME.dump(game.referee.state)))
    assert ends[0][1] == ends[1][1]
    assert ends[1][0] < ends[0][0]
