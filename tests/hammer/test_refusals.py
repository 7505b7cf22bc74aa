"""Orders given to the wrong question, for the wrong area, or of nobody: each is refused in words, and nothing stumbles."""

from __future__ import annotations

import random
from functools import cache

import pytest

from pbem.errors import FormError, OrderError
from pbem.games.hammer import GAME
from pbem.games.hammer.orders import (
    Act,
    BattleActions,
    Build,
    Coronation,
    Disband,
    Gains,
    GoHome,
    Going,
    Hits,
    March,
    Move,
    Pass,
    Pillage,
    Regroup,
    Retreat,
    SeaMove,
    Victuals,
)
from pbem.games.hammer.orders import Place as Goes
from pbem.games.hammer.views import HammerView
from pbem.kernel import Ask, Order
from tests.hammer.counting import CASES, Place

ELSEWHERE = "Argyll"
"""Nothing happens there in any of the small positions."""


@cache
def asked() -> dict[str, tuple[HammerView, Order]]:
    """Return every question met on random walks from the small positions, with a legal answer that says something."""
    found: dict[str, tuple[HammerView, Order]] = {}
    rng = random.Random("refusals")
    for case in CASES * 3:
        place = case.start()
        for _ in range(9):
            place = _further(place, found, rng)
    return found


def _further(place: Place, found: dict[str, tuple[HammerView, Order]], rng: random.Random) -> Place:
    wanted = place.wants
    if not isinstance(wanted, Ask):
        return place
    given = {}
    for seat in wanted.seats:
        view = place.view(seat)
        given[seat] = GAME.options(view).sample(rng)
        if wanted.what not in found or isinstance(found[wanted.what][1], Pass):
            found[wanted.what] = view, given[seat]
    return place.after(given)


def test_all_kinds_of_questions_are_met() -> None:
    assert {"card", "act", "battle action", "regroup", "retreats", "home", "disband", "build"} <= set(asked())


@pytest.mark.parametrize("what", sorted(asked()))
def test_an_answer_to_another_question_is_refused(what: str) -> None:
    view, own = asked()[what]
    for other, (_, order) in asked().items():
        if type(order) is not type(own) and other != what and not isinstance(order, Pass):
            refusal = GAME.why_not(view, order)
            assert refusal is not None, f"{order} was taken for {what}"
            assert refusal.why, what


@pytest.mark.parametrize("what", sorted(asked()))
def test_an_answer_for_another_area_is_refused(what: str) -> None:
    view, own = asked()[what]
    if hasattr(own, "area"):
        refusal = GAME.why_not(view, own.model_copy(update={"area": ELSEWHERE}))
        assert refusal is not None
        assert refusal.why


def test_orders_that_name_nobody_are_refused() -> None:
    battle, act = asked()["battle action"][0], asked()["act"][0]
    area = battle.ask["area"] if battle.ask else ""
    assert GAME.why_not(battle, BattleActions(area=area, acts=())) is not None
    assert GAME.why_not(battle, BattleActions(area=area, acts=(Act(block="Edward", action="FIRE"),))) is not None
    assert GAME.why_not(act, Move(marches=())) is not None
    assert GAME.why_not(act, Hits(area=ELSEWHERE, blocks=())) is not None


def opening(name: str) -> HammerView:
    """Return the view of the first seat asked where the counting of a file begins."""
    place = next(case for case in CASES if case.path.stem == name).start()
    assert isinstance(place.wants, Ask)
    return place.view(place.wants.seats[0])


def _march(start: str, blocks: tuple[str, ...], *route: str) -> Move:
    return Move(marches=(March(start=start, blocks=blocks, route=route),))


@pytest.mark.parametrize(
    ("case", "order", "why"),
    [
        ("pillage", Pillage(target="Moray", group="Fife"), "no blocks in Fife"),
        ("sea_move", SeaMove(blocks=("Edward",), start="Ross", to="Buchan"), "not one of your blocks"),
        ("victuals", Victuals(area="Ross", steps=()), "name each block"),
        ("norse", Coronation(candidate="Bruce"), ""),
        ("norse", _march("Garmoran", ("Keith",)), "names blocks and where"),
        ("norse", _march("Garmoran", ("Keith", "Keith"), "Ross"), "named twice"),
        ("norse", _march("", ("Norse", "Keith"), "Ross"), "move by themselves"),
        ("norse", _march("", ("Norse",), "Ross", "Moray"), "sail straight"),
        ("withdraw", Retreat(area="Ross", places=(Goes(block="Keith", to="Moray"),)), "not among the blocks"),
        ("withdraw", Retreat(area="Ross", places=(Goes(block="Moray", to="Garmoran"),) * 2), "named twice"),
        ("bruce_two_homes", GoHome(goings=(Going(block="Angus", to="Angus"),)), "no choice to make"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_order_is_said(case: str, order: Order, why: str) -> None:
    refusal = GAME.why_not(opening(case), order)
    assert refusal is not None
    assert why in refusal.why


@pytest.mark.parametrize(
    ("what", "order", "why"),
    [
        ("regroup", Regroup(area="", places=()), "names blocks and their places"),
        ("disband", Disband(blocks=("Wallace", "Wallace")), ""),
        ("build", Build(), "without a draw"),
    ],
)
def test_what_is_wrong_later_is_said(what: str, order: Order, why: str) -> None:
    view = asked()[what][0]
    if hasattr(order, "area") and view.ask:
        order = order.model_copy(update={"area": view.ask["area"]})
    refusal = GAME.why_not(view, order)
    assert refusal is not None
    assert why in refusal.why


@pytest.mark.parametrize(
    ("case", "text", "why"),
    [
        ("norse", "PASS now", "nothing follows PASS"),
        ("norse", "MOVE Garmoran", ""),
        ("truce", "TRUCE now", "nothing follows TRUCE"),
        ("pillage", "PILLAGE Moray", "names the enemy's area and yours"),
        ("sea_move", "SEA Ross", ""),
        ("withdraw", "RETREAT Ross: Moray", "goes is missing"),
        ("bruce_two_homes", "HOME Bruce", "where Bruce goes"),
    ],
)
def test_what_cannot_be_read_is_said(case: str, text: str, why: str) -> None:
    with pytest.raises(OrderError) as caught:
        GAME.parse(opening(case), text)
    assert any(why in problem.why for problem in caught.value.problems), caught.value.problems


@pytest.mark.parametrize("change", [{"variants": ["no_such_rule"]}, {"variants": 3}, {"bid": "E9"}])
def test_a_position_with_rules_that_nobody_knows_is_refused(change: dict[str, object]) -> None:
    position = GAME.dump(CASES[0].start().state)
    with pytest.raises(FormError):
        GAME.load({**position, "board": {**position["board"], **change}})


def test_orders_have_their_text() -> None:
    assert str(Coronation(candidate="Bruce")) == "CORONATION Bruce"
    assert str(Gains(area="Ross", steps=())) == "GAINS Ross: "
