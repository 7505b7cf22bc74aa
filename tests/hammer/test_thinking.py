"""The players of Hammer who look ahead: legal under every option, from views alone, always the same; and the game in small."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pytest

from pbem.engine.match import A, Match
from pbem.games import find
from pbem.games.hammer import GAME, orders
from pbem.games.hammer.bots import BOTS, SensibleBot
from pbem.games.hammer.bots.foresight.combat import BattleMoment, fight, fight_on
from pbem.games.hammer.bots.foresight.features import NAMES, features
from pbem.games.hammer.bots.foresight.guessing import small
from pbem.games.hammer.bots.foresight.likely import Calendar, nobles, strength
from pbem.games.hammer.bots.foresight.marches import march, plan
from pbem.games.hammer.bots.foresight.model import SmallGame
from pbem.games.hammer.bots.foresight.numbers import (
    AREA,
    BLOCK,
    DEAD,
    ENGLAND,
    ENGLISH,
    HOMES,
    INFANTRY,
    KING,
    NEAR,
    POOL,
    SCOTS,
    TURNING,
    TURNS,
)
from pbem.games.hammer.bots.foresight.numbers import MOST as MOST_STEPS
from pbem.games.hammer.bots.foresight.outlook import hope
from pbem.games.hammer.bots.foresight.rest import end_turn, player_1
from pbem.games.hammer.bots.foresight.turns import battles
from pbem.games.hammer.bots.foresight.weights import WEIGHTS
from pbem.games.hammer.bots.foresight.winter import homes, winter
from pbem.games.hammer.bots.foresight.worth import CERTAIN, english_hope
from pbem.games.hammer.bots.thinking import ThinkingBot
from pbem.games.hammer.bots.tried.moves import MOST
from pbem.games.hammer.bots.tried.regroups import best_regroup
from pbem.games.hammer.bots.tried.trials import Trials
from pbem.games.hammer.rules import AREAS, DECK, OPTIONS, ROSTER, SIDES, scenario
from pbem.games.hammer.rules.printed import CARD_NAME
from pbem.games.hammer.views import HammerView
from pbem.kernel import Ask, End, Stop
from tests.conformance import outcome
from tests.hammer.bots import Judged, play


def quick() -> ThinkingBot:
    """Return one who looks ahead a little, in all that is tried."""
    return ThinkingBot(SensibleBot(), 4, more=True)


def until(what: str) -> Stop:
    """Play a game between sensible players until somebody is asked this."""
    chance, bot = random.Random(what), SensibleBot()
    stop = GAME.start({})
    while not isinstance(stop.wants, Ask) or stop.wants.what != what:
        assert not isinstance(stop.wants, End)
        if isinstance(stop.wants, Ask):
            views = {seat: GAME.read_view(GAME.view(stop.state, seat)) for seat in stop.wants.seats}
            stop = GAME.step(stop.state, {seat: bot.answer(view, chance) for seat, view in views.items()})
        else:
            stop = GAME.step(stop.state, outcome(stop.wants, chance))
    return stop


def seen(stop: Stop, side: int) -> HammerView:
    """Return the view of a side."""
    view = GAME.read_view(GAME.view(stop.state, SIDES[side]))
    assert isinstance(view, HammerView)
    return view


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "edition", "options"),
    [("bruce", "2.3", ()), ("braveheart", "4.0", tuple(OPTIONS))],
)
def test_who_looks_ahead_orders_what_is_legal(scenario: str, edition: str, options: Iterable[str]) -> None:
    judged = {side: Judged(quick()) for side in SIDES}
    play(judged, 3, scenario, edition, options)
    assert all(bot.answers > 50 for bot in judged.values())


@pytest.mark.slow
def test_twins_and_a_second_time_get_the_same_answer() -> None:
    """What a seat cannot see cannot move it, and nothing but view and seed does."""
    rng = random.Random("thinking twins")
    stop = GAME.start({})
    looked = 0
    for step in range(160):
        if isinstance(stop.wants, End):
            break
        if not isinstance(stop.wants, Ask):
            stop = GAME.step(stop.state, outcome(stop.wants, rng))
            continue
        given = {}
        for seat in stop.wants.seats:
            view = GAME.read_view(GAME.view(stop.state, seat))
            given[seat] = quick().answer(view, random.Random(step))
            twin = GAME.read_view(GAME.view(GAME.determinise(view, rng), seat))
            assert quick().answer(twin, random.Random(step)) == given[seat]
            looked += stop.wants.what in ("card", "act", "battle action")
        stop = GAME.step(stop.state, given)
    assert looked > 40


@pytest.mark.slow
def test_a_short_match_is_won_against_chance() -> None:
    """Four games of two years, cards and dice shared: nothing illegal, and all are won."""
    match = Match(find("hammer"), {"years": 2}, ("normal", "random"), "eighteen", 60)
    games = list(match.play(4))
    assert [game.fault for game in games] == [""] * 4
    assert [game.winner for game in games] == [A] * 4


def test_hard_tries_more_often_for_a_move_and_seeks_no_more_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten times the budget nothing goes to more first ideas: each is tried more often."""
    tried = dict[int, tuple[int, int]]()
    found = list[tuple[int, int]]()

    def counted(_trials: Trials, candidates: Any, _play: Any, budget: int, _ahead: Any) -> Any:
        found.append((len(candidates), budget))
        return candidates[0]

    monkeypatch.setattr(Trials, "best", counted)
    stop = until("act")
    assert isinstance(stop.wants, Ask)
    (seat,) = stop.wants.seats
    for playouts in (BOTS["normal"]().playouts, BOTS["hard"]().playouts, 10 * BOTS["hard"]().playouts):
        found.clear()
        ThinkingBot(SensibleBot(), playouts).answer(GAME.read_view(GAME.view(stop.state, seat)), random.Random(1))
        tried[playouts] = found[0]
    few, more, most = tried.values()
    assert few[1] < more[1] < most[1]
    assert few[0] <= more[0] == most[0] <= MOST + 2


def test_who_is_told_to_stay_in_a_battle_fires_before_he_may_go() -> None:
    """A king of one step against an army: told to stay he is dead after the round, else he goes."""
    dead = {}
    for stay in (frozenset({KING}), frozenset[int]()):
        model = empty()
        model.place(KING, AREA["Fife"], 1)
        for name in ("Edward", "York Knights", "Lancaster Knights"):
            model.place(BLOCK[name], AREA["Fife"], 4)
        model.attacker[AREA["Fife"]] = ENGLISH
        fight_on(model, AREA["Fife"], random.Random(1), BattleMoment(1, 0, frozenset()), stay)
        dead[bool(stay)] = model.winner == ENGLISH
    assert dead == {True: True, False: False}


# how a position is judged


def placed(*turned: int) -> SmallGame:
    """Return a model in which all nobles stand at home, these with the Scots."""
    model = empty()
    for n in TURNING:
        model.place(n, HOMES[n][0], 3)
    model.place(BLOCK["Wallace"], AREA["Fife"], 4)
    model.place(BLOCK["Moray"], AREA["Moray"], 3)
    for n in turned:
        model.turn_over(n)
    return model


def test_each_noble_more_is_more_hope() -> None:
    hopes = [hope(placed(*TURNING[:n])) for n in range(len(TURNING))]
    assert hopes == sorted(hopes, reverse=True)
    assert len(set(hopes)) == len(hopes)


def test_a_noble_whose_home_is_taken_is_seen_as_lost_and_one_beside_an_army_in_danger() -> None:
    seen = dict(zip(NAMES, features(placed()), strict=True))
    model = placed()
    model.go(BLOCK["Angus"], AREA["Dunbar"])
    model.place(BLOCK["Douglas"], AREA["Angus"], 4)
    after = dict(zip(NAMES, features(model), strict=True))
    assert (seen["English lost"], after["English lost"]) == (0, 1)
    assert after["English risk"] > seen["English risk"]
    assert after["lead"] == seen["lead"]


def test_a_noble_whose_home_is_taken_is_nearly_as_little_hope_as_one_who_has_changed_sides() -> None:
    home, away, turned = placed(), placed(), placed(BLOCK["Angus"])
    away.go(BLOCK["Angus"], AREA["Dunbar"])
    for model in (away, turned):
        model.place(BLOCK["Douglas"], AREA["Angus"], 4)
    assert hope(home) - hope(away) > 0.8 * (hope(home) - hope(turned)) > 0


def test_in_the_last_year_nobody_has_won_before_the_last_turn_is_over() -> None:
    for left, winner in ((2, -1), (0, ENGLISH)):
        model = placed()
        model.year, model.left = model.last, left
        end_turn(model, random.Random)
        assert (model.winner, model.year) == (winner, model.last)
        assert (hope(model) < CERTAIN) == bool(left)


def test_in_the_last_year_a_lead_says_more_than_before() -> None:
    gains = []
    for year in (1304, 1305):
        hopes = []
        for turned in (TURNING[:4], TURNING[:8]):
            model = placed(*turned)
            model.year = year
            hopes.append(hope(model))
        gains.append(hopes[0] - hopes[1])
    assert gains[1] > 1.2 * gains[0] > 0


def test_each_feature_has_its_weight() -> None:
    assert sorted(WEIGHTS) == sorted(NAMES)
    assert len(features(placed())) == len(NAMES) == len(set(NAMES))


# cards and winters, which the hard player tries as well


def test_what_the_enemy_may_hold_is_what_nobody_has_seen() -> None:
    view = seen(until("card"), ENGLISH)
    cards = Trials(view, random.Random(1)).unseen
    assert len(cards) == len(DECK) - len(view.hand)
    assert sorted([*cards, *view.hand]) == sorted(CARD_NAME[card] for card in DECK)


@pytest.mark.parametrize(
    ("english", "scottish", "first"),
    [
        ("Move 3", "Move 2", ENGLISH),
        ("Move 2", "Move 2", ENGLISH),
        ("Move 1", "Move 2", SCOTS),
        ("Move 3", "Herald", SCOTS),
        ("Truce", "Move 3", ENGLISH),
        ("Truce", "Herald", ENGLISH),
    ],
)
def test_whose_card_goes_first_is_as_in_the_rules(english: str, scottish: str, first: int) -> None:
    assert player_1(english, scottish) == first


def test_edward_winters_as_is_said() -> None:
    """With an army beside him, which would disband: told to stay it stays, and no levy comes; else all go."""
    for stays in (True, False):
        model = empty()
        for n in TURNING:
            model.place(n, HOMES[n][0], 3)
        for name in ("Edward", "York Knights", "Lancaster Knights"):
            model.place(BLOCK[name], AREA["Fife"], 4)
        winter(model, random.Random(1), edward_stays=stays)
        assert (model.at[BLOCK["York Knights"]] == AREA["Fife"]) == stays
        assert bool(model.men[ENGLISH][ENGLAND]) == (not stays)
        assert (model.wintered == model.year - 1) == stays


def regroups(least: int) -> Iterator[tuple[HammerView, orders.Regroup]]:
    """Go through questions whither victors go, to which the sensible player sends away so many, with his answer."""
    for game in range(10):
        rng, bot, stop = random.Random(f"regroups {game}"), SensibleBot(), GAME.start({})
        while not isinstance(stop.wants, End):
            if not isinstance(stop.wants, Ask):
                stop = GAME.step(stop.state, outcome(stop.wants, rng))
                continue
            given = {}
            for seat in stop.wants.seats:
                view = seen(stop, SIDES.index(seat))
                given[seat] = bot.answer(view, rng)
                if isinstance(order := given[seat], orders.Regroup) and len(order.places) >= least:
                    yield view, order
            stop = GAME.step(stop.state, given)


@pytest.mark.slow
def test_victors_are_sent_away_as_usual_one_by_one_all_but_one_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    found = list[Any]()

    def kept(_trials: Trials, candidates: Any, *_how: Any) -> Any:
        found.append(candidates)
        return candidates[0]

    monkeypatch.setattr(Trials, "best", kept)
    view, usual = next(regroups(3))
    assert best_regroup(Trials(view, random.Random(1)), usual, 250) == usual
    (candidates,) = found
    assert candidates[:2] == [usual, orders.Pass()]
    sent = [order.places for order in candidates[2:]]
    assert {len(places) for places in sent} == {1, len(usual.places) - 1}
    assert all(set(places) < set(usual.places) for places in sent)
    assert all(GAME.why_not(view, order) is None for order in candidates)


@pytest.mark.slow
def test_victors_stay_together_where_they_would_be_beaten_one_by_one() -> None:
    sent = {"usual": 0, "tried": 0}
    for view, usual in islice(regroups(2), 12):
        order = best_regroup(Trials(view, random.Random(2)), usual, 250)
        sent["usual"] += len(usual.places)
        sent["tried"] += len(order.places) if isinstance(order, orders.Regroup) else 0
    assert 0 < sent["tried"] < sent["usual"]


# the game in small


@pytest.mark.slow
def test_a_guess_shows_what_the_view_shows() -> None:
    """By areas and sides as many blocks, own ones as they are, nobody twice."""
    rng = random.Random("small")
    bots = {side: SensibleBot() for side in SIDES}
    stop = GAME.start({})
    seen = 0
    while not isinstance(stop.wants, End) and seen < 120:
        if not isinstance(stop.wants, Ask):
            stop = GAME.step(stop.state, outcome(stop.wants, rng))
            continue
        views = {seat: GAME.read_view(GAME.view(stop.state, seat)) for seat in stop.wants.seats}
        for view in views.values():
            assert isinstance(view, HammerView)
            compare(view, small(view, random.Random(seen)))
            seen += 1
        stop = GAME.step(stop.state, {seat: bots[seat].answer(view, rng) for seat, view in views.items()})
    assert seen >= 120


def compare(view: HammerView, model: SmallGame) -> None:
    """Compare a guess with the view of which it was made."""
    standing = [b for men in model.men for there in men for b in there]
    assert len(standing) == len(set(standing))
    assert all(model.st[b] > 0 and model.at[b] >= 0 for b in standing)
    for area in AREAS:
        for side, men in zip(SIDES, model.men, strict=True):
            assert len(men[AREA[area]]) == view.count(area, side), area
    for name in ROSTER:
        if own := view.own(name):
            assert model.st[BLOCK[name]] == own.strength
            assert model.side[BLOCK[name]] == SIDES.index(view.seat)


def test_before_the_first_move_leaders_and_knights_are_guessed_where_they_must_be() -> None:
    """Wallace and Moray never go to the pool; nobody but infantry and nobles is in Scotland, as Edward has not wintered."""
    stop = until("card")
    for seed in range(40):
        english, scots = (small(seen(stop, side), random.Random(seed)) for side in (ENGLISH, SCOTS))
        assert english.at[BLOCK["Wallace"]] >= 0
        assert english.at[BLOCK["Moray"]] >= 0
        waiting = [b for there in scots.men[ENGLISH] for b in there if not (TURNS[b] or INFANTRY[b])]
        assert all(scots.at[b] == ENGLAND for b in waiting)


def test_before_the_first_move_the_scots_are_guessed_where_the_scenario_has_them_at_full_strength() -> None:
    view, right = seen(until("card"), ENGLISH), 0
    for seed in range(40):
        model = small(view, random.Random(seed))
        for name, area in scenario("braveheart").scots.items():
            assert model.st[BLOCK[name]] == MOST_STEPS[BLOCK[name]], name
            right += model.at[BLOCK[name]] == AREA[area]
    assert right >= 40 * len(scenario("braveheart").scots) * 0.95


def test_who_fought_in_the_first_year_or_may_have_been_built_anew_is_guessed_weaker() -> None:
    """In the first turn nobody is, later in that year one of four, after a winter half of the Scots."""
    at_first = {BLOCK["Grant"]: AREA["Strathspey"]}
    full = []
    for first_turn, deployed in ((True, at_first), (False, at_first), (False, {})):
        when = Calendar(first_turn, deployed)
        dice = random.Random("strength")
        full.append(
            sum(
                strength(BLOCK["Grant"], SCOTS, AREA["Mar"], when, dice) == MOST_STEPS[BLOCK["Grant"]]
                for _ in range(400)
            )
        )
    assert full[0] == 400
    assert 280 <= full[1] <= 320
    assert 180 <= full[2] <= 220


def test_a_noble_is_mostly_guessed_at_home_where_somebody_of_his_side_stands() -> None:
    at_home = 0
    for seed in range(200):
        model = empty()
        model.side[BLOCK["Mar"]] = SCOTS
        slots = [AREA["Fife"], AREA["Mar"], AREA["Angus"]]
        nobles(model, [BLOCK["Mar"]], slots, SCOTS, LATER, random.Random(seed))
        at_home += model.at[BLOCK["Mar"]] == AREA["Mar"]
        assert len(slots) == 2
    assert 185 <= at_home < 200


def test_a_battle_has_dice_of_its_own() -> None:
    """What is fought elsewhere before it changes nothing: so two moves differ by what they do, not by who throws first."""

    def fought(*areas: str) -> tuple[int, ...]:
        model = empty()
        for area in areas:
            model.place(BLOCK[area], AREA[area], 3)
        men = {"Angus": ("Douglas", "Grant"), "Mar": ("Wallace", "Fraser")}
        for area in areas:
            for name in men[area]:
                model.place(BLOCK[name], AREA[area], 3)
            model.attacker[AREA[area]] = SCOTS
        battles(model, random.Random)
        return tuple(model.st[BLOCK[name]] for name in ("Mar", *men["Mar"]))

    assert fought("Angus", "Mar") == fought("Mar")


LATER = Calendar(first_turn=False, deployed={})


def empty() -> SmallGame:
    """Return a model with nobody on the map, all nobles English."""
    model = SmallGame()
    model.year, model.last, model.left = 1297, 1305, 2
    for n, name in enumerate(ROSTER):
        model.side[n] = SCOTS if name in ("Wallace", "King", "Douglas", "Grant", "Moray") else ENGLISH
    return model


def test_in_small_too_a_noble_changes_sides_whose_home_the_enemy_holds() -> None:
    model = empty()
    for n in TURNING:
        model.place(n, AREA["Lothian"], 2)
    model.place(BLOCK["Douglas"], AREA["Mar"], 2)
    model.place(BLOCK["Grant"], AREA["Annan"], 2)
    homes(model)
    assert model.side[BLOCK["Mar"]] == SCOTS
    # Bruce has another home
    assert (model.side[BLOCK["Bruce"]], model.at[BLOCK["Bruce"]]) == (ENGLISH, AREA["Carrick"])
    assert sum(model.side[n] for n in TURNING) == 1


def besieged(seed: int, ways_out: bool) -> SmallGame:
    """Return what comes of a noble at home whom an army attacks, with or without somewhere to go."""
    model, home = empty(), AREA["Mar"]
    for name in ("Wallace", "Douglas"):
        model.place(BLOCK[name], home, 4)
    model.place(BLOCK["Mar"], home, 3)
    if not ways_out:
        model.shut.update({(home, area): SCOTS for area in NEAR[home]})
    model.attacker[home] = SCOTS
    fight(model, home, random.Random(seed))
    assert not model.contested()
    return model


def test_in_small_too_a_battle_leaves_one_side_and_captives_change_it() -> None:
    turned = sum(besieged(seed, ways_out=False).side[BLOCK["Mar"]] == SCOTS for seed in range(40))
    assert turned >= 35


def test_in_small_too_a_noble_at_home_gives_way_to_an_army() -> None:
    """As in games: if he is not hit hard before he can, he goes, and the enemy holds his home."""
    caught = 0
    for seed in range(40):
        model = besieged(seed, ways_out=True)
        turned = model.side[BLOCK["Mar"]] == SCOTS
        assert turned == (model.at[BLOCK["Mar"]] == AREA["Mar"])
        caught += turned
    assert 0 < caught < 20


def test_in_small_too_the_kings_death_ends_the_game() -> None:
    model = empty()
    model.place(KING, AREA["Fife"], 1)
    for area in ("Angus", "Mentieth", "Atholl"):
        model.place(BLOCK[area], AREA[area], 3)  # nowhere to go
    for name in ("Edward", "York Knights", "Lancaster Knights"):
        model.place(BLOCK[name], AREA["Fife"], 4)
    model.attacker[AREA["Fife"]] = ENGLISH
    fight(model, AREA["Fife"], random.Random(1))
    assert model.winner == ENGLISH
    assert english_hope(model) == CERTAIN


def test_an_open_home_is_taken() -> None:
    """An enemy noble is away, the year is nearly over: who can walks into his home."""
    model = empty()
    model.left = 0
    for n in TURNING:
        model.at[n], model.side[n] = DEAD, SCOTS
    model.at[BLOCK["Mar"]], model.side[BLOCK["Mar"]] = POOL, ENGLISH
    model.place(BLOCK["Mar"], AREA["Dunbar"], 3)
    model.place(BLOCK["Douglas"], AREA["Buchan"], 3)
    parties = plan(model, SCOTS, 1, second=True, dice=random.Random(1), whim=0.0)
    march(model, SCOTS, parties, first=False)
    assert model.at[BLOCK["Douglas"]] == AREA["Mar"]


def test_more_nobles_are_more_hope() -> None:
    hopes = []
    for gone in range(0, len(TURNING), 4):
        model = empty()
        for n in TURNING:
            model.place(n, AREA["Lothian"], 2)
        for n in TURNING[:gone]:
            model.turn_over(n)
        hopes.append(english_hope(model))
    assert hopes == sorted(hopes, reverse=True)
    assert len(set(hopes)) == len(hopes)
