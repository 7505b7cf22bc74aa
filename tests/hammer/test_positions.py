"""Positions from lost games, and what a good player does there: each test is a class of orders that must not, or must, be given."""

from __future__ import annotations

import random

import pytest

from pbem.games.hammer import orders
from pbem.games.hammer.bots import BOTS
from pbem.games.hammer.rules.printed import BLOCKS, ENGLISH, SCOTTISH
from pbem.kernel import Order
from tests.hammer.builder import Places, Table
from tests.hammer.winter_builder import WinterTable

pytestmark = pytest.mark.slow
LEVELS = ("normal", "hard")
SEEDS = range(3)
NORTH = {"Ross": "Ross", "Buchan": "Buchan", "Badenoch": "Comyn", "Angus": "Angus", "Mar": "Mar", "Argyll": "Argyll"}
"""Nobles who live far from the army."""


def nobles(of: Places, *others: str) -> dict[str, str]:
    """Return a side's places, with those nobles at home who are named."""
    found = dict(of)
    for name in others:
        home = BLOCKS[name].homes[0]
        found[home] = f"{found[home]}, {name}" if home in found else name
    return found


def last_turn(table: Table, first: bool = True) -> Table:
    """Play the cards of a year but the last, doing nothing, and begin its last turn; are the English first?"""
    table.deal(*(("Move 3", "Move 1") if first else ("Move 1", "Move 3")))
    while table.asked[0] != ENGLISH or table.asked[1] != "act" or len(table.view(ENGLISH).hand):
        if table.asked[1] == "card":
            hands = {seat: table.view(seat).hand for seat in (ENGLISH, SCOTTISH)}
            table.both(
                *(f"CARD {sorted(hands[seat], reverse=(seat == SCOTTISH) == first)[0]}" for seat in (ENGLISH, SCOTTISH))
            )
        else:
            table.order("PASS")
    return table


def answers(table: Table, level: str, seat: str = "") -> list[Order]:
    """Return what a player answers, by several seeds."""
    wanted = table.asked[0].split("+")
    who = seat or wanted[0]
    assert who in wanted, table.asked
    return [BOTS[level]().answer(table.view(who), random.Random(seed)) for seed in SEEDS]


def moved(order: Order) -> dict[str, str]:
    """Return where the blocks of a move go."""
    if not isinstance(order, orders.Move):
        return {}
    return {block: march.route[-1] for march in order.marches for block in march.blocks}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("strength", [4, 2])
def test_edward_alone_attacks_no_two(level: str, strength: int) -> None:
    table = Table(
        nobles({"Lothian": f"Edward {strength}", "England": "York Knights, Wales Archers"}, "Dunbar", *NORTH.values()),
        nobles({"Mentieth": "Wallace 3, Douglas 3"}, "Mentieth", "Lennox", "Steward", "Atholl", "Galloway", "Bruce"),
        1298,
    )
    table.turn("Move 3", "Move 1")
    assert table.asked == (ENGLISH, "act")
    for order in answers(table, level):
        assert moved(order).get("Edward") != "Mentieth", order


@pytest.mark.parametrize("level", LEVELS)
def test_edward_does_not_cross_the_border_alone(level: str) -> None:
    table = Table(
        nobles({"England": "Edward, York Knights, Wales Archers, Lancaster Infantry"}, "Dunbar", *NORTH.values()),
        nobles({"Selkirk": "Wallace, Douglas"}, "Mentieth", "Lennox", "Steward", "Atholl", "Galloway", "Bruce"),
        1298,
    )
    table.turn("Move 1", "Move 1")
    for order in answers(table, level):
        assert "Edward" not in moved(order), order


@pytest.mark.parametrize("level", LEVELS)
def test_his_companions_do_not_leave_edward_among_the_scots(level: str) -> None:
    table = Table(
        nobles({"Lanark": "Edward, York Knights, Lancaster Infantry"}, "Dunbar", "Steward", *NORTH.values()),
        nobles({"Mentieth": "Wallace, Douglas, Barclay"}, "Mentieth", "Lennox", "Atholl", "Galloway", "Bruce"),
        1298,
    )
    table.turn("Move 3", "Move 1")
    for order in answers(table, level):
        goes = moved(order)
        army = ("Edward", "York Knights", "Lancaster Infantry", "Steward")
        where = goes.get("Edward", "Lanark")
        assert sum(goes.get(block, "Lanark") == where for block in army) >= 3, order


@pytest.mark.parametrize("level", LEVELS)
def test_a_part_of_an_army_does_not_attack_a_stronger_one(level: str) -> None:
    table = Table(
        nobles({"Lanark": "York Knights, Durham Knights, Lancaster Infantry, York Infantry"}, "Dunbar", *NORTH.values()),
        nobles(
            {"Mentieth": "Wallace, Douglas, Barclay, Grant"},
            "Mentieth", "Lennox", "Steward", "Atholl", "Galloway", "Bruce",
        ),
        1299,
    )  # fmt: skip
    table.turn("Move 3", "Move 1")
    for order in answers(table, level):
        attacking = [block for block, to in moved(order).items() if to == "Mentieth"]
        assert len(attacking) not in (1, 2), order


@pytest.mark.parametrize("level", LEVELS)
def test_a_fresh_levy_does_not_wait_behind_a_card_of_1(level: str) -> None:
    """Six blocks in England cross one by one: the first cards of the year are those with more moves."""
    table = Table(
        nobles(
            {"England": "York Knights, Durham Knights, Wales Archers, Lancaster Infantry, York Infantry, Hobelars"},
            "Dunbar", *NORTH.values(),
        ),
        nobles({"Fife": "Wallace, Douglas"}, "Mentieth", "Lennox", "Steward", "Atholl", "Galloway", "Bruce"),
        1299,
    )  # fmt: skip
    table.deal("Move 1", "Move 2")
    hand = table.view(ENGLISH).hand
    assert "Move 3" in hand or "Move 2" in hand
    for order in answers(table, level, ENGLISH):
        assert isinstance(order, orders.PlayCard)
        assert order.card in ("Move 2", "Move 3"), order


@pytest.mark.parametrize("level", LEVELS)
def test_who_attacks_with_two_groups_declares_the_main_attack(level: str) -> None:
    table = Table(
        nobles(
            {"Lanark": "York Knights, Wales Archers", "Lothian": "Edward, Durham Knights, Lancaster Infantry"},
            "Dunbar", *NORTH.values(),
        ),
        nobles({"Mentieth": "Wallace 2"}, "Mentieth", "Lennox", "Steward", "Atholl", "Galloway", "Bruce"),
        1298,
    )  # fmt: skip
    table.turn("Move 3", "Move 1")
    for order in answers(table, level):
        assert isinstance(order, orders.Move)
        starts = {march.start for march in order.marches if march.route[-1] == "Mentieth"}
        mains = [march.start for march in order.marches if march.main and march.route[-1] == "Mentieth"]
        assert len(mains) == (len(starts) > 1), order


@pytest.mark.parametrize("level", LEVELS)
def test_nobles_do_not_leave_their_homes_open_on_the_last_card(level: str) -> None:
    """Steward at home beside the enemy: whoever leaves lets him walk in, as nobody moves after him this year."""
    table = Table(
        nobles({"Lothian": "York Knights 2"}, "Dunbar", "Steward", *NORTH.values()),
        nobles(
            {"Mentieth": "Wallace, Douglas", "Lennox": "Barclay, Grant"},
            "Mentieth",
            "Lennox",
            "Atholl",
            "Galloway",
            "Bruce",
        ),
        1299,
    )
    last_turn(table)
    assert table.view(ENGLISH).ask
    for order in answers(table, level):
        assert "Steward" not in moved(order), order


@pytest.mark.parametrize("level", LEVELS)
def test_on_the_last_card_nobody_moves_without_a_reason(level: str) -> None:
    """All nobles are at home, and who could be attacked is stronger: after them nobody moves."""
    strong = {
        "Mentieth": "Wallace, Douglas",
        "Lennox": "Barclay, Grant",
        "Atholl": "Fraser, Keith",
        "Lanark": "Lindsay, Graham",
    }
    table = Table(
        nobles({}, "Dunbar", *NORTH.values()),
        nobles(strong, "Mentieth", "Lennox", "Steward", "Atholl", "Galloway", "Bruce"),
        1299,
    )
    last_turn(table, first=False)
    assert table.view(ENGLISH).ask == {
        "what": "act",
        "card": table.view(ENGLISH).cards[ENGLISH].played[-1],
        "player": 2,
    }
    for order in answers(table, level):
        assert moved(order) == {}, order


@pytest.mark.parametrize("level", LEVELS)
def test_comyn_goes_home_to_the_greater_castle(level: str) -> None:
    table = WinterTable({"Lennox": "Comyn"}, {"Moray": "Moray 2"})
    table.winter()
    assert table.asked == (ENGLISH, "home")
    for order in answers(table, level):
        assert "Comyn > Badenoch" in str(order) or "Badenoch" in str(order), order
