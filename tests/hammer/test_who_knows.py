"""Who knows what in Hammer, in places that games of two seldom come to: a raid, a landing, a crown."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.knowing import KNOWING
from pbem.games.hammer.rules import CANDIDATES
from pbem.games.hammer.rules.battle import Battle
from pbem.games.hammer.rules.battles import Battles
from pbem.games.hammer.rules.board import State
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.games.hammer.rules.raids import Raid
from pbem.games.hammer.rules.retreats import Retreating
from pbem.games.hammer.rules.winter_builds import Builds
from pbem.games.hammer.rules.year import GameTurn, Year
from pbem.kernel import Fact, Frame, changed
from pbem.kernel.knowing import ALL, on_the_way, one_step
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


WAYS = ("Annan", "Selkirk")


def after_round_3(ways: tuple[str, str], stays: str) -> Any:
    """Return a state in which the English archers go back the one way that is open; who `stays` waits for his letter."""
    there = ("Wales Archers", "York Infantry")
    foes = dict(zip(("Lennox", "Mentieth", "Carrick", "Lothian", "Selkirk"), FOES, strict=True))
    board = Table({"Lanark": ", ".join(there), "Annan": "Dunbar"}, {"Lanark": "Wallace", **foes}).start
    came = [board[name]._replace(start=way, via=way, known=2) for name, way in zip(there, ways, strict=True)]
    going = tuple(name for name in there if name != stays)
    staying = (stays,) if stays else ()
    battle = Battle("withdraw", "Lanark", ENGLISH, staying, ("Wallace",), round=3, turn=2)
    frames = (GameTurn("finish"), Battles("choose"), battle, Retreating("begin", "Lanark", ENGLISH, going))
    return on_the_way(State(board.put(*came), (Year("turns"), *frames)))


def leaving(acted: str) -> Any:
    """Return a state in which these English have acted in their turn, and the Wales Archers are about to go to Annan."""
    there = ("Wales Archers", "Lancaster Archers")
    foes = dict(zip(("Lennox", "Mentieth", "Carrick"), FOES, strict=False))
    board = Table({"Lanark": ", ".join(there), "Teviot": "Dunbar"}, {"Lanark": "Wallace", **foes}).start
    battle = Battle(
        "turn", "Lanark", ENGLISH, ("Lancaster Archers",), ("Wallace",), turn=3, acted=tuple(acted.split(", ")),
        leaving=(("Wales Archers", "Annan"),),
    )  # fmt: skip
    shown = board.put(*(board[name]._replace(known=2) for name in (*there, "Wallace")))
    return on_the_way(State(shown, (Year("turns"), GameTurn("finish"), Battles("choose"), battle)))


@pytest.mark.parametrize(
    ("acted", "knower"),
    [("Lancaster Archers, Wales Archers", ALL), ("Wales Archers, Lancaster Archers", ENGLISH)],
)
def test_where_to_somebody_goes_who_was_pledged_to_is_forgotten_behind_dice_and_hits(acted: str, knower: str) -> None:
    """A program that goes on from what it sees knows that they leave, and not where to."""
    state, seats = leaving(acted), (ENGLISH, SCOTTISH)
    assert KNOWING.openly(state, seats) == knower
    assert KNOWING.openly(state, ()) == ENGLISH
    gone = {one_step(state)[0].board["Wales Archers"].at}
    gone |= {one_step(guessed(state, seed))[0].board["Wales Archers"].at for seed in range(4)}
    assert len(gone) > 1


@pytest.mark.parametrize(("ways", "answers"), [(("England", "England"), True), (("Annan", "Teviot"), False)])
def test_no_pledge_speaks_behind_a_retreat_that_its_side_tells(ways: tuple[str, str], answers: bool) -> None:
    """Who heard the step before has forgotten where to somebody goes, and so what is open to the next one."""
    state = leaving("Wales Archers")
    battle, there = state.stack[-1], ("Wales Archers", "Lancaster Archers")
    came = [state.board[name]._replace(start=way, via=way) for name, way in zip(there, ways, strict=True)]
    asks = changed(
        state, board=state.board.put(*came), stack=(*state.stack[:-1], changed(battle, step="action", acted=there[:1]))
    )
    found = KNOWING.pledged(asks, ENGLISH, "BATTLE ANY: FIGHT", (ENGLISH, SCOTTISH))
    assert (found is not None) == answers


def guessed(state: Any, seed: int) -> Any:
    return on_the_way(KNOWING.guess(KNOWING.view(state, SCOTTISH), random.Random(seed)))


FOES = ("Lennox", "Mentieth", "Bruce", "Douglas", "Barclay")


def test_who_goes_the_one_way_tells_by_which_way_those_came_who_stay() -> None:
    """5.5: the Scots see two ways and two blocks, and not who came by which."""
    states = [after_round_3(ways, "York Infantry") for ways in (WAYS, WAYS[::-1])]
    before, after = (
        [KNOWING.view(one, SCOTTISH) for one in seen] for seen in (states, [one_step(s)[0] for s in states])
    )
    assert before[0] == before[1]
    assert after[0] != after[1]
    assert [KNOWING.knower(state) for state in states] == [ENGLISH, ENGLISH]


def test_where_nobody_stays_everybody_knows_it() -> None:
    states = [after_round_3(ways, "") for ways in (WAYS, WAYS[::-1], ("Annan", "Annan"))]
    assert [KNOWING.knower(state) for state in states] == [ALL] * 3
    after = [KNOWING.view(one_step(state)[0], SCOTTISH) for state in states]
    assert after[0] == after[1] == after[2]
    assert KNOWING.knower(after_round_3(("Annan", "Annan"), "York Infantry")) == ALL


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
