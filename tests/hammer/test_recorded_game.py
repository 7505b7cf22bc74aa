"""A whole game told to both seats, report by report, kept as files."""

from __future__ import annotations

import pytest

from pbem.games import find
from pbem.i18n import speaking
from pbem.reports.reckoned import Reckoned, render

from .golden import compare
from .recorded import SEATS, reports

EIGHTH = 8


@pytest.mark.slow
@pytest.mark.parametrize("seat", SEATS)
def test_every_report_of_a_game_is_what_the_file_holds(seat: str) -> None:
    pack = find("hammer")
    texts = [render(Reckoned(report, pack)) for report in reports(seat)]
    assert texts[-1].count("THE GAME IS OVER") == 1
    compare(f"recorded/{seat}.txt", ("\f\n".join(texts)).rstrip("\n"))


@pytest.mark.parametrize("seat", SEATS)
def test_every_eighth_report_and_the_last_in_french(seat: str) -> None:
    pack, found = find("hammer"), list(reports(seat))
    with speaking("fr"):
        texts = [render(Reckoned(report, pack)) for report in (*found[:-1:EIGHTH], found[-1])]
    assert texts[-1].count("LA PARTIE EST FINIE") == 1
    compare(f"recorded/french_{seat}.txt", ("\f\n".join(texts)).rstrip("\n"))
