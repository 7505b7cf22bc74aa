"""Lords of Scotland by mail: how many letters a round costs, with standing plans and without."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games.lords.views import LordsView
from tests.host.post import Club, a_club

TURNS = 3 * 5


def a_round(club: Club) -> list[tuple[str, str]]:
    """Play until the second round begins, everybody mustering; return who was asked what, in order."""
    asked: list[tuple[str, str]] = []
    while True:
        for seat in club.asked():
            _, view, _ = club.desks[seat].question(club.notes(seat))
            assert isinstance(view, LordsView)
            if view.round > 1:
                return asked
            asked.append((seat, view.question))
            text = f"MUSTER {view.hand[0]} DOWN" if view.question == "turn" else "CLAIM STRONGEST"
            club.take(club.order(seat, text))
        club.read_all()


@pytest.mark.slow
@pytest.mark.parametrize("plans", ["CLAIM STRONGEST", ""], ids=["standing plans", "none"])
def test_a_round_costs_five_letters_each_and_those_of_the_claims_that_no_plan_answers(
    tmp_path: Path, plans: str
) -> None:
    with a_club(tmp_path, game="lords") as club:
        club.begin()
        for seat, desk in club.desks.items():
            desk.speaker(club.notes(seat)).plan(plans)
        asked = a_round(club)
        turns, claims = asked[:TURNS], asked[TURNS:]
        assert {question for _, question in turns} == {"turn"}
        assert [seat for seat, _ in turns] == 5 * [seat for seat, _ in turns[:3]]
        # the last of three gets what is left: no choice, no letter
        assert [question for _, question in claims] == ([] if plans else ["claim", "claim"])
