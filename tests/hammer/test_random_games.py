"""Two hundred random games of every scenario and option, with everything that must always be true looked at after every step."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.rules.board import Board
from pbem.games.hammer.rules.printed import SIDES
from pbem.games.hammer.rules.scenarios import SCENARIOS
from pbem.games.hammer.rules.variants import OPTIONS
from pbem.kernel import End, Fact, Stop
from tests.conformance import answers
from tests.conformance.watching import check_twins, watched_game
from tests.hammer.invariants import Watch, check_board, check_winter

STEPS = 5_000
STRIDE = 37


def keeps_the_invariants(seed: int, scenario: str = "braveheart", steps: int = STEPS, **options: Any) -> Stop:
    """Play a watched random game with these options to its end, or for so many steps; return its last stop."""
    return watched_game(GAME, {"scenario": scenario, **options}, seed, STRIDE, steps)


@pytest.mark.variants
@pytest.mark.parametrize("seed", range(100))
def test_random_games_keep_the_invariants(seed: int) -> None:
    assert isinstance(keeps_the_invariants(seed).wants, End)


@pytest.mark.variants
@pytest.mark.parametrize("seed", range(30))
def test_8_2_random_games_of_the_bruce_keep_the_invariants(seed: int) -> None:
    stop = keeps_the_invariants(seed, "bruce")
    assert isinstance(stop.wants, End)
    assert stop.wants.result["why"] in ("majority", "all nobles", "king killed", "edward ii killed")  # never a tie


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(16))
def test_8_3_random_campaigns_keep_the_invariants(seed: int) -> None:
    whole = seed < 4  # a campaign has no last year: most are left on their way
    stop = keeps_the_invariants(seed, "campaign", STEPS if whole else 900, years=20 if whole else 0)
    assert isinstance(stop.wants, End) if whole else stop.state.board.year > 1297


@pytest.mark.variants
@pytest.mark.parametrize("seed", range(12))
def test_random_games_of_edition_23_keep_the_invariants(seed: int) -> None:
    assert isinstance(keeps_the_invariants(seed, ("braveheart", "bruce")[seed % 2], edition="2.3").wants, End)


@pytest.mark.variants
@pytest.mark.parametrize(("bid", "scenario"), [("E1", "braveheart"), ("E3", "bruce"), ("S3", "braveheart")])
def test_random_games_under_a_bid_keep_the_invariants(bid: str, scenario: str) -> None:
    assert isinstance(keeps_the_invariants(5, scenario, bid=bid).wants, End)


ALL_OPTIONS = dict.fromkeys(OPTIONS, True)
FEW_STEPS = 600
"""So much is played of a campaign with options."""


@pytest.mark.variants
@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_games_with_each_option_alone_keep_the_invariants(scenario: str, option: str) -> None:
    steps = FEW_STEPS if scenario == "campaign" else STEPS
    stop = keeps_the_invariants(len(option), scenario, steps, **{option: True})
    assert isinstance(stop.wants, End) or stop.state.board.year > 1297


@pytest.mark.variants
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_games_with_all_options_together_keep_the_invariants(scenario: str, seed: int) -> None:
    steps, edition = FEW_STEPS if scenario == "campaign" else STEPS, ("4.0", "2.3")[seed == 4]
    stop = keeps_the_invariants(seed, scenario, steps, edition=edition, **ALL_OPTIONS)
    assert isinstance(stop.wants, End) or stop.state.board.year > 1297


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "scenario", "options"),
    [
        (0, "braveheart", {}),
        (1, "braveheart", {}),
        (0, "bruce", {}),
        (0, "campaign", {}),
        pytest.param(0, "bruce", ALL_OPTIONS, id="0-bruce-all options"),
        pytest.param(1, "campaign", ALL_OPTIONS, id="1-campaign-all options"),
    ],
)
def test_a_guessed_position_gives_the_same_view_at_every_step(
    seed: int, scenario: str, options: dict[str, bool]
) -> None:
    rng = random.Random(f"twins {seed}")
    stop = GAME.start({"scenario": scenario, **options})
    for _ in range(STEPS if scenario == "braveheart" else 500):
        if isinstance(stop.wants, End):
            return
        check_twins(GAME, SIDES, stop, rng, Watch.check)
        stop = GAME.step(stop.state, answers(GAME, stop, rng))
    assert scenario != "braveheart", "the game does not end"


def broken(**changes: dict[str, Any]) -> Board:
    """Return the board of 1297 with pieces changed: `Wallace={"strength": 5}`."""
    board: Board = GAME.start({}).state.board
    return board.put(*(board[name]._replace(**change) for name, change in changes.items()))


@pytest.mark.parametrize(
    "board",
    [
        pytest.param(broken(Wallace={"strength": 5}), id="stronger than printed"),
        pytest.param(broken(Wallace={"strength": 0}), id="on the map without strength"),
        pytest.param(broken(Wallace={"at": "Atlantis"}), id="nowhere"),
        pytest.param(broken(Wallace={"side": "english"}), id="of the other side"),
        pytest.param(broken(Angus={"at": "pool", "strength": 0}), id="a noble in the pool"),
        pytest.param(broken(Norse={"at": "Lanark", "strength": 3}), id="the Norse inland"),
        pytest.param(replace(broken(), crossed=(("Ross", "Moray", "scottish", 3),)), id="three over a red border"),
    ],
)
def test_what_cannot_be_on_a_board_is_noticed(board: Board) -> None:
    check_board(broken())
    with pytest.raises(AssertionError):
        check_board(board)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"Fraser": {"at": "Angus"}, "Grant": {"at": "Angus"}}, id="a battle in winter"),
        pytest.param({"Fraser": {"at": "Ross"}, "Ross": {"side": "scottish"}}, id="over the castle limit"),
        pytest.param({"Fraser": {"at": "England"}}, id="a raider stays"),
        pytest.param({"Angus": {"at": "Mar"}}, id="a noble away from home"),
    ],
)
def test_what_cannot_be_after_winter_is_noticed(changes: dict[str, dict[str, str]]) -> None:
    home = {"Barclay": {"at": "pool", "strength": 0}, "Moray": {"at": "pool", "strength": 0}}
    check_winter(broken(**home))
    with pytest.raises(AssertionError):
        check_winter(broken(**home, **changes))


def test_more_group_moves_than_the_card_gives_are_noticed() -> None:
    watch = Watch()
    stop = GAME.start({})
    cards = Fact({"f": "cards", "english": "Move 1", "scottish": "Move 2", "first": "scottish"})
    two = [
        Fact({"f": "move", "side": "english", "route": [start, to], "n": 1})
        for start, to in (("Ross", "Moray"), ("Mar", "Angus"))
    ]
    watch.see(Stop(stop.state, (cards, two[0]), stop.wants))
    with pytest.raises(AssertionError, match="fewer Group Moves"):
        watch.see(Stop(stop.state, (two[1],), stop.wants))
