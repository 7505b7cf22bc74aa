"""The built-in player of Swords: legal, from views alone, the same answer to the same view, and stronger than chance."""

from __future__ import annotations

import random

import pytest

from bench.balance import interval, play
from pbem.games.swords.bots import BOTS
from pbem.games.swords.bots.duel import ROUNDS, Commander, Stake, duel
from pbem.games.swords.bots.ground import Region, Times, after_castles, worth
from pbem.games.swords.game import GAME
from pbem.games.swords.orders import Commit, Deploy, Kill, Place
from pbem.games.swords.rules.names import GLORY
from pbem.games.swords.rules.shapes import BOX, LINE, S, T, shape
from tests.swords.bots import asked

EVEN, LATE = Times(6, 1), Times(0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("no", range(4))
def test_it_never_orders_what_is_not_legal_with_any_glory_card(no: int) -> None:
    options = {"players": 2 + no % 3, "glory": list(GLORY[3 * no : 3 * no + 3]), "castles": ("present", "any")[no % 2]}
    kinds = set()
    for view, order in asked(no, **options):
        assert GAME.why_not(view, order) is None, f"{order} is not legal"
        assert GAME.parse(view, str(order)) == order, f"{order} does not read back"
        kinds.add(view.question)
    assert {"setup", "place", "deploy", "commit", "retreat"} <= kinds


@pytest.mark.slow
def test_it_answers_alike_to_the_same_view_and_seed() -> None:
    for view, _order in asked(7, players=3)[::5]:
        again = [
            BOTS["sensible"]().answer(GAME.read_view(view.model_dump(mode="json")), random.Random(3)) for _ in "ab"
        ]
        assert again[0] == again[1]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_beats_chance(players: int) -> None:
    """In a hundred games of each it lost none (`docs/explanation/balance.md`); four show that it plays at all."""
    seats = GAME.seats({"players": players})
    for seed in range(4):
        mine = seats[seed % players]
        options = GAME.options_model(players=players).model_dump(mode="json")
        game = play("swords", options, seed, {seat: "random" for seat in seats if seat != mine})
        assert game.winner == mine
        assert game.points[mine] > 1.5 * max(points for seat, points in game.points.items() if seat != mine)


@pytest.mark.slow
def test_it_uses_the_special_actions_and_throws_nothing_away() -> None:
    orders = [order for seed in range(2) for _view, order in asked(seed, players=4)]
    deploys = [order for order in orders if isinstance(order, Deploy)]
    kinds = {shape(order.squares) for order in deploys if order.special}
    assert {S, BOX, T, LINE} >= kinds >= {BOX}
    assert len(deploys) > 36, "more than one formation of four flips each"
    committed = [order.troops.total for order in orders if isinstance(order, Commit)]
    assert 0 in committed
    assert max(committed) > 2
    assert {type(order) for order in orders} >= {Place, Kill}


# Its judgement


def test_a_duel_between_equals_is_worth_nothing_and_never_the_same_number() -> None:
    even = duel(Commander(0, 7, 14), Commander(0, 7, 14), Stake(70, 20, 100))
    assert abs(even.worth) < 10
    assert sum(even.weights) == ROUNDS
    assert sum(weight > 0 for weight in even.weights) > 1, "who always commits alike is beaten"


def test_a_duel_against_nobody_costs_a_cube_and_one_without_cubes_is_lost() -> None:
    assert duel(Commander(0, 5, 14), Commander(0, 0, 14), Stake(70, 20, 100)).weights[1] > ROUNDS // 2
    assert duel(Commander(0, 0, 14), Commander(0, 5, 14), Stake(70, 20, 100)).worth < -30
    strong, weak = (duel(Commander(0, n, 14), Commander(0, 4, 14), Stake(70, 20, 100)).worth for n in (6, 3))
    assert strong > 0 > weak


def test_the_quaich_binds_a_duel() -> None:
    assert not any(duel(Commander(3, 5, 14), Commander(0, 5, 14), Stake(70, 20, 100)).weights[:3])


def test_a_region_is_worth_its_token_at_the_end_for_the_majority_alone() -> None:
    def of(*cubes: int, times: Times = LATE) -> int:
        return worth(Region(10, cubes, (0,) * len(cubes)), times)

    assert (of(3, 2), of(2, 2), of(2, 3), of(0, 0)) == (100, 0, -100, 0)
    assert of(3, 2, 1) == 100
    assert of(1, 2, 0) == -50, "of two others one gains it: a half of that is our loss"
    assert of(3, 2, times=EVEN) < of(3, 2)
    assert of(4, 2, times=EVEN) > of(3, 2, times=EVEN) > of(2, 2, times=EVEN) > of(1, 2, times=EVEN)


def test_castles_count_before_a_battle() -> None:
    region = Region(8, (4, 3, 2), (2, 1, 1))
    assert after_castles(region) == (2, 1)
    assert worth(region, EVEN) > worth(replace_castles(region, 0, 1, 1), EVEN)


def replace_castles(region: Region, *castles: int) -> Region:
    return region._replace(castles=castles)


def test_who_is_not_in_a_battle_loses_by_it() -> None:
    assert worth(Region(6, (0, 4, 3), (0, 0, 0)), EVEN) < 0


def test_the_interval_holds_the_share_and_narrows() -> None:
    wide, narrow = interval(5, 10), interval(500, 1000)
    assert wide[0] < narrow[0] < 50 < narrow[1] < wide[1]
