"""What is told of what a lord may do, and has, is so. By playing it."""

from __future__ import annotations

import re

from pbem.errors import OrderError
from pbem.games.lords import GAME
from pbem.games.lords.look import LOOK
from pbem.games.lords.views import LordsView
from pbem.kernel import Ask
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
