"""Random whole games of two to five, a hundred of each, with everything that must always be true looked at after every step."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from pbem.games import find
from pbem.games.lords import GAME
from pbem.games.lords.rules.board import Board, Follower
from pbem.kernel import Json
from tests.conformance.spying import Spy
from tests.conformance.watching import watched_game
from tests.lords.invariants import Watch, check_board, compare
from tests.lords.table import table

OPTIONS: tuple[Json, ...] = (
    {},
    {"bruce": True, "claims": "in turn"},
    {"activation": "clan"},
    {"activation": "lowest", "bruce": True, "bruce_ranks": [0, 100], "bruce_strength": 3},
)


@pytest.mark.variants
@pytest.mark.parametrize("ten", range(10))
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_keep_the_invariants(players: int, ten: int) -> None:
    for seed in range(10 * ten, 10 * ten + 10):
        stop = watched_game(GAME, {"players": players, **OPTIONS[seed % len(OPTIONS)]}, seed)
        assert stop.state.board.deals < 8, "random games need few deals"


@pytest.mark.variants
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_nothing_hidden_is_told(players: int) -> None:
    options = {"players": players, "goal": 12}
    spy = Spy(find("lords"), GAME.seats(options), random.Random(f"spied {players}"), Watch.revealing)
    spy.follow(options)


def laid_out() -> Board:
    return table(hands={"angus": "Scott 8"}, armies={"buchan": "Wemyss 3 down"}, recruits="Scott 1 down").board


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"supporters": ("Scott 8",)}, id="a card in two places"),
        pytest.param({"taken": {"angus": ("Wemyss 3",), "buchan": (), "carrick": ()}}, id="taken, and in another army"),
        pytest.param({"old": ("Scott 8",)}, id="out of sight before the first shuffle"),
        pytest.param({"dealt": 90}, id="more cards than were dealt"),
        pytest.param(
            {"armies": {"angus": (Follower("Wemyss 3", up=False),), "buchan": (), "carrick": ()}}, id="unseen"
        ),
    ],
)
def test_what_cannot_be_on_a_table_is_noticed(changes: dict[str, Any]) -> None:
    check_board(laid_out())
    with pytest.raises(AssertionError):
        check_board(replace(laid_out(), **changes))


def test_what_was_won_stays_won() -> None:
    won = laid_out().win("angus", "Scott 12")
    with pytest.raises(AssertionError):
        compare(won, laid_out())
