"""What is told of what a lord may do, and has, is so. By playing it."""

from __future__ import annotations

import re

import pytest

from pbem.errors import OrderError
from pbem.games.lords import GAME
from pbem.games.lords.look import LOOK
from pbem.games.lords.views import LordsView
from pbem.kernel import Ask, Fact
from tests.conformance.playing import play


def _takes(view: LordsView, text: str) -> bool:
    try:
        return GAME.why_not(view, GAME.parse(view, text)) is None
    except OrderError:
        return False


def test_who_may_not_recruit_is_told_so_and_nobody_s_army_is_called_nobody() -> None:
    record, told = play(GAME, {"players": 2}, 3, 400), set()
    for index, stop in enumerate(record.stops):
        for seat in stop.wants.seats if isinstance(stop.wants, Ask) and stop.wants.what == "turn" else ():
            view = record.view(index, seat)
            assert isinstance(view, LordsView)
            question = " ".join(LOOK.question(view).split())
            shut = "may not recruit now" in question or "PASS is all you can do" in question
            assert _takes(view, "RECRUIT 1") is not shut, question
            assert _takes(view, "PASS") == ("PASS is all you can do" in question), question
            board = LOOK.board(view)
            assert not re.search(r"Army:\s+nobody", board)
            assert board.count("no follower yet") == sum(not army for army in view.armies.values())
            told.add(shut)
    assert told == {True, False}


@pytest.mark.parametrize("claims", ["together", "in turn"])
def test_so_many_supporters_are_won_as_a_lord_is_told_that_he_claims_and_so_many_claim_before_him(claims: str) -> None:
    """Whatever was chosen, and in games in which Cochrane lets two be claimed."""
    told = set()
    for players, seed in ((4, 1), (5, 0)):
        record, claimed = play(GAME, {"players": players, "claims": claims}, seed, 400), list[str]()
        for index, stop in enumerate(record.stops[:-1]):
            asked = stop.wants if isinstance(stop.wants, Ask) and stop.wants.what == "claim" else None
            after = record.stops[index + 1]
            facts = [event.public or {} for event in after.events if isinstance(event, Fact)]
            claiming = [*claimed, *(str(fact["seat"]) for fact in facts if fact.get("f") == "claim")]
            for seat in asked.seats if asked else ():
                view, later = record.view(index, seat), record.view(index + 1, seat)
                assert isinstance(view, LordsView)
                assert isinstance(later, LordsView)
                question = " ".join(LOOK.question(view).split())
                found = re.search(r"You claim (one|two) cards?, (?:first of all|after (\d+) others?)\.", question)
                assert found, question
                many, before = {"one": 1, "two": 2}[found[1]], int(found[2] or 0)
                assert len(later.won[seat]) - len(view.won[seat]) == many, question
                assert claiming.index(seat) == before, question
                told.add((many, before))
            claimed = claiming if asked and isinstance(after.wants, Ask) and after.wants.what == "claim" else []
    assert {many for many, _before in told} == {1, 2}
    assert {before for _many, before in told} == {0, 1, 2, 3}
