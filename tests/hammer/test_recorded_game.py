"""A whole game told to both seats, report by report, kept as files."""

from __future__ import annotations

import pytest

from pbem.games import find
from pbem.reports.text import render

from .golden import compare
from .recorded import SEATS, reports


@pytest.mark.parametrize("seat", SEATS)
def test_every_report_of_a_game_is_what_the_file_holds(seat: str) -> None:
    pack = find("hammer")
    texts = [render(report, pack) for report in reports(seat)]
    assert texts[-1].count("THE GAME IS OVER") == 1
    compare(f"recorded/{seat}.txt", ("\f\n".join(texts)).rstrip("\n"))
