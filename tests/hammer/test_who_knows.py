"""Who knows what in Hammer, in places that games of two seldom come to: a raid, a landing, a crown."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.knowing import KNOWING
from pbem.games.hammer.rules import CANDIDATES
from pbem.games.hammer.rules.board import State
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.games.hammer.rules.raids import Raid
from pbem.games.hammer.rules.winter_builds import Builds
from pbem.games.hammer.rules.year import GameTurn, Year
from pbem.kernel import Fact, Frame
from pbem.kernel.knowing import on_the_way, one_step
from tests.hammer.builder import Places, Table


def at(english: Places, scots: Places, *frames: Frame) -> Any:
    """Return a state on the way, in which these procedures go on."""
    return on_the_way(State(Table(english, scots).start, (Year("turns"), *frames)))


def test_what_a_raid_takes_the_english_know_alone() -> None:
    """5.9: the Scots see in both cases the same, and what is gone is gone from another area."""
    raided = [
        at({"Dunbar": one, "Lanark": other}, {"England": "Wallace", "Ross": "Ross"}, GameTurn("finish"), Raid("begin"))
        for one, other in (("Dunbar", "York Infantry"), ("York Infantry", "Dunbar"))
    ]
    assert [KNOWING.knower(state) for state in raided] == [ENGLISH, ENGLISH]
    assert KNOWING.view(raided[0], SCOTTISH) == KNOWING.view(raided[1], SCOTTISH)
    heard = [[event.heard_by(SCOTTISH) for event in one_step(state)[1] if isinstance(event, Fact)] for state in raided]
    assert heard == [[{"f": "raid", "n": 1, "area": "Lanark"}], [{"f": "raid", "n": 1, "area": "Dunbar"}]]


@pytest.mark.parametrize("seat", [ENGLISH, None])
def test_where_norse_and_french_would_land_the_scots_alone_see(seat: str | None) -> None:
    states = [
        at({"Dunbar": "Dunbar"}, {"Ross": "Ross"}, Builds("draw", drawing=("Ross",), landing=landing))
        for landing in ((), (("Ross", "Moray"),))
    ]
    assert KNOWING.view(states[0], seat) == KNOWING.view(states[1], seat)
    assert KNOWING.view(states[0], SCOTTISH) != KNOWING.view(states[1], SCOTTISH)
    assert GAME.view(states[0], seat) != GAME.view(states[1], seat), "it is there to be seen"


def test_a_crown_is_read_by_who_cannot_know_whether_there_is_one_to_give() -> None:
    """6.21, 6.22: where Bruce, Comyn and the French are is hidden; the audit judges it."""
    table = Table({"Dunbar": "Dunbar"}, {"Ross": "Ross"}).turn("Move 1", "Move 1")
    for text in (*(f"CORONATION {name}" for name in CANDIDATES), "RETURN"):
        assert str(KNOWING.read(table.stop.state, SCOTTISH, text)) == text
