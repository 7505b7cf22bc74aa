"""Orders given to the wrong question, for the wrong area, or of nobody: each is refused in words, and nothing stumbles."""

from __future__ import annotations

import random
from functools import cache

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.orders import Act, BattleActions, Hits, Move, Pass
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
