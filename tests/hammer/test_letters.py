"""How many letters a player gets, how long they are, and how much of each stood in the one before: held against the targets."""

from __future__ import annotations

import statistics

import pytest

from bench import letters
from pbem.games import find
from pbem.kernel import Planned, Planning
from pbem.reports.choices import choices
from tests.hammer.recorded import reports


@pytest.mark.slow
@pytest.mark.parametrize("mode", letters.MODES)
def test_letters_are_short_and_hardly_repeat_each_other(mode: str) -> None:
    """Two turns of a game; `python -m bench.letters` counts whole games."""
    found = letters.count("hammer", {}, mode, 2, 1)
    assert statistics.median(found.asking) <= letters.LINES
    assert 100 * found.again <= letters.AGAIN * found.lines
    assert found.kinds["receipt"] == found.waiting > 0, "a report brings the receipts for what a program has signed"


CEILINGS = {"each question": 9.7, "standing": 6.5}
"""Letters for a turn and player in the first three turns of one game, invitations among them; they only go down. Ten whole games
had 5.75 and 3.78, where all answer at once."""


@pytest.mark.slow
def test_standing_answers_save_letters() -> None:
    found = {mode: letters.count("hammer", {}, mode, 3, 2).a_turn(at_once=True) for mode in letters.MODES}
    assert all(found[mode] <= ceiling for mode, ceiling in CEILINGS.items()), found
    assert found["standing"] < 0.8 * found["each question"]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "most"), [*zip(letters.MODES, letters.LETTERS, strict=True)])
def test_whole_games_need_no_more_letters_than_they_may(mode: str, most: float) -> None:
    """Two games to their end, where all answer at once."""
    games = [letters.count("hammer", {}, mode, 0, seed) for seed in (2, 3)]
    turns = sum(game.turns for game in games)
    assert sum(game.a_turn(at_once=True) * game.turns for game in games) <= most * turns


def test_standing_answers_are_read_by_the_game_and_answer_what_they_say() -> None:
    """Each line with plans is on the list behind the same order without, and its plans are canonical."""
    pack, seen = find("hammer"), set[str]()
    assert isinstance(pack.rules, Planning)
    for seat in ("english", "scottish"):
        for report in reports(seat):
            if report.seat not in report.asked:
                continue
            view = report.typed(pack)
            listed = choices(pack, view)
            for one in listed:
                if one.plans:
                    seen.add(one.plans.split(" ")[0])
                    assert pack.rules.read_plans(one.plans) == one.plans
                    assert any(other.order == one.order and not other.plans for other in listed)
                    found = pack.rules.planned(view, one.plans)
                    assert found is None or isinstance(found, Planned)
    assert "BATTLE" in seen
