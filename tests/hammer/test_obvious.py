"""The players of Hammer who look ahead find what is obvious, in small positions: in each of some trains of thought."""

from __future__ import annotations

import random

import pytest

from pbem.games.hammer.bots import SensibleBot
from pbem.games.hammer.bots.thinking import ThinkingBot
from pbem.games.hammer.orders import BattleActions, Move
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.kernel import Order
from tests.hammer.builder import Table

THOUGHTS = range(4)
NORTH = {"Ross": "Ross", "Buchan": "Buchan"}
ARMY = "Edward, York Knights, Lancaster Knights, Lancaster Archers"


def thought(table: Table, side: str, seed: int) -> Order:
    """Return what a player of 100 trials orders."""
    return ThinkingBot(SensibleBot(), 100).answer(table.view(side), random.Random(seed))


def ends(order: Order) -> dict[str, str]:
    """Return where each block goes that moves."""
    marches = order.marches if isinstance(order, Move) else ()
    return {name: march.route[-1] for march in marches for name in march.blocks}


@pytest.mark.parametrize("seed", THOUGHTS)
def test_a_king_who_has_no_way_out_is_attacked(seed: int) -> None:
    table = Table({"Carrick": ARMY, "Annan": "Bruce", **NORTH}, {"Galloway": "King 1", "Mar": "Mar", "Angus": "Angus"})
    table.turn("Move 1", "Move 1")
    assert "Galloway" in ends(thought(table, ENGLISH, seed)).values()


@pytest.mark.parametrize("seed", THOUGHTS)
def test_a_king_leaves_a_battle_that_is_lost(seed: int) -> None:
    table = Table({"Mentieth": ARMY, **NORTH}, {"Fife": "King 1", "Mar": "Mar", "Galloway": "Galloway"})
    table.turn("Move 1", "Move 1").orders(f"MOVE Mentieth: {ARMY} > Fife", "PASS")
    order = thought(table, SCOTTISH, seed)
    assert isinstance(order, BattleActions)
    assert [act.action for act in order.acts] == ["RETREAT"]


@pytest.mark.parametrize("seed", THOUGHTS)
def test_a_noble_is_not_thrown_away_on_an_army(seed: int) -> None:
    table = Table(
        {"Angus": "Angus 1", "Dunbar": "Dunbar"}, {"Buchan": "Wallace, Douglas, Fraser, Buchan", "Mar": "Mar"}
    )
    table.turn("Move 2", "Move 1")
    assert "Buchan" not in ends(thought(table, ENGLISH, seed)).values()


@pytest.mark.parametrize("seed", THOUGHTS)
def test_the_last_noble_alone_is_taken(seed: int) -> None:
    """Who takes him has all nobles, and has won."""
    table = Table({"Carrick": ARMY, "Annan": "Bruce", **NORTH}, {"Galloway": "Galloway 1", "Fife": "Wallace"})
    table.turn("Move 1", "Move 1")
    assert "Galloway" in ends(thought(table, ENGLISH, seed)).values()
