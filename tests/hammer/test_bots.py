"""The built-in player of Hammer: legal, from views alone, the same answer to the same view, and stronger than chance."""

from __future__ import annotations

import random

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.bots import BOTS, SensibleBot
from pbem.games.hammer.bots.force import Force, block_force, odds, together
from pbem.games.hammer.orders import Disband
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH, SIDES
from pbem.games.hammer.rules.variants import OPTIONS
from pbem.games.hammer.views import HammerView
from pbem.kernel import Ask, Chance, End
from tests.conformance import outcome
from tests.hammer.bots import Judged, play


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["braveheart", "bruce"])
def test_the_sensible_player_never_orders_what_the_options_forbid_and_rallies(scenario: str) -> None:
    own = {side: SensibleBot() for side in SIDES}
    judged = {side: Judged(bot) for side, bot in own.items()}
    play(judged, 1, scenario, options=OPTIONS)
    assert [bot.strayed for bot in own.values()] == [0, 0]
    assert any(bot.rallied for bot in judged.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "scenario", "edition"),
    [
        *((seed, "braveheart", "4.0") for seed in range(3)),
        *(
            (seed, scenario, edition)
            for seed in range(2)
            for scenario, edition in (("bruce", "4.0"), ("braveheart", "2.3"))
        ),
        (1, "campaign", "4.0"),
    ],
)
def test_the_sensible_player_never_orders_what_is_not_legal(seed: int, scenario: str, edition: str) -> None:
    own = {side: SensibleBot() for side in SIDES}
    judged = {side: Judged(bot) for side, bot in own.items()}
    play(judged, seed, scenario, edition)
    assert all(bot.answers > 50 for bot in judged.values())
    # the default taken instead of an illegal order is a net, not a habit
    assert [bot.strayed for bot in own.values()] == [0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
def test_the_sensible_player_beats_chance(side: str) -> None:
    wins = 0
    for seed in range(8):
        bots = {other: BOTS["sensible" if other == side else "random"]() for other in SIDES}
        wins += play(bots, seed)["winner"] == side
    assert wins >= 7


@pytest.mark.slow
def test_the_same_view_and_whims_give_the_same_answer() -> None:
    """And nothing of one game is remembered in the next: a new player answers as one who has played all along."""
    rng = random.Random("same")
    bots = {side: SensibleBot() for side in SIDES}
    stop = GAME.start({})
    for step in range(250):
        if isinstance(stop.wants, End):
            break
        if isinstance(stop.wants, Chance):
            stop = GAME.step(stop.state, outcome(stop.wants, rng))
            continue
        given = {}
        for seat in stop.wants.seats:
            json_view = GAME.view(stop.state, seat)
            given[seat] = bots[seat].answer(GAME.read_view(json_view), random.Random(step))
            again = SensibleBot().answer(GAME.read_view(json_view), random.Random(step))
            assert again == given[seat]
        stop = GAME.step(stop.state, given)


@pytest.mark.slow
def test_twins_get_the_same_answer() -> None:
    """What a seat cannot see cannot move it: positions that look the same are answered the same."""
    rng = random.Random("twins")
    bot = SensibleBot()
    stop = GAME.start({})
    looked = 0
    for step in range(250):
        if isinstance(stop.wants, End):
            break
        if isinstance(stop.wants, Ask):
            given = {}
            for seat in stop.wants.seats:
                view = GAME.read_view(GAME.view(stop.state, seat))
                given[seat] = bot.answer(view, random.Random(step))
                twin = GAME.determinise(view, rng)
                assert bot.answer(GAME.read_view(GAME.view(twin, seat)), random.Random(step)) == given[seat]
                looked += 1
            stop = GAME.step(stop.state, given)
        else:
            stop = GAME.step(stop.state, outcome(stop.wants, rng))
    assert looked > 50


# judgement


def test_the_odds_follow_force() -> None:
    strong, weak = block_force("Edward", 4), block_force("Grant", 1)
    assert odds(strong, weak).wins > 0.9
    assert odds(weak, strong).wins < 0.1
    two = together([block_force("York Knights", 4), block_force("Durham Knights", 3)])
    assert odds(two, strong).wins > odds(block_force("York Knights", 4), strong).wins
    assert odds(strong, weak + weak + weak, later=Force()).wins >= odds(strong, weak, later=weak + weak + weak).wins


def test_a_noble_at_home_is_stronger() -> None:
    assert block_force("Bruce", 4, plus=1).b == 2.0
    assert block_force("Bruce", 4).b < 2.0


def first_question(what: str, side: str, seed: int = 1) -> HammerView:
    """Return the first view of a random game in which a side is asked something."""
    from tests.conformance import answers

    rng = random.Random(f"question {seed}")
    stop = GAME.start({})
    while not (isinstance(stop.wants, Ask) and stop.wants.what == what and side in stop.wants.seats):
        stop = GAME.step(stop.state, answers(GAME, stop, rng))
    view = GAME.read_view(GAME.view(stop.state, side))
    assert isinstance(view, HammerView)
    return view


def test_as_many_as_may_stay_the_winter_do() -> None:
    view = first_question("disband", SCOTTISH)
    order = SensibleBot().answer(view, random.Random(1))
    assert isinstance(order, Disband)
    silent = GAME.default(view)
    assert isinstance(silent, Disband)
    assert len(order.blocks) <= len(silent.blocks)


def test_replacement_points_are_not_wasted() -> None:
    view = first_question("build", ENGLISH, 3)
    order = str(SensibleBot().answer(view, random.Random(1)))
    assert order.count("BUILD") == str(GAME.default(view)).count("BUILD")
