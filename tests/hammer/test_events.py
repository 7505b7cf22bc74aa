"""Herald, Pillage, Sea Move, Truce, Victuals. Rule 3.12, the cards' texts and the rulings on them."""

from __future__ import annotations

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.orders import Truce
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from tests.hammer.builder import Table

HOME = {"Dunbar": "Dunbar"}
NORTH = {"Ross": "Ross"}


# Herald


def test_herald_a_noble_comes_over_at_current_strength() -> None:
    table = Table({**HOME, "Angus": "Angus 2"}, NORTH).turn("Move 1", "Herald")
    table.order("HERALD Angus").dice(4)
    assert (table.side("Angus"), table.strength("Angus"), table.at("Angus")) == (SCOTTISH, 2, "Angus")
    assert table.asked == (ENGLISH, "act")


def test_herald_on_5_and_6_nothing_is_told_of_the_noble() -> None:
    table = Table({**HOME, "Angus": "Angus 2"}, NORTH).turn("Move 1", "Herald")
    table.order("HERALD Angus").dice(5)
    assert table.side("Angus") == ENGLISH
    assert table.facts("herald answer") == [{"f": "herald answer", "noble": "Angus", "die": 5, "success": False}]
    assert not table.facts("defection")


def test_herald_goes_to_an_enemy_noble_not_to_moray() -> None:
    table = Table(HOME, {**NORTH, "Moray": "Moray"}).turn("Herald", "Move 1")
    assert "Moray never changes sides" in table.refused("HERALD Moray")
    assert "(rule Herald)" in table.refused("HERALD Dunbar")
    assert table.options() == ["PASS", "HERALD Ross"]


def test_herald_a_noble_among_enemies_attacks_at_once_without_home_bonus() -> None:
    table = Table({**HOME, "Angus": "Angus 2, York Infantry"}, NORTH).turn("Move 1", "Herald")
    table.order("HERALD Angus").dice(1)
    (battle,) = table.facts("battle")
    assert (battle["attacker"], battle["scottish"], battle["english"], battle["event"]) == (SCOTTISH, 1, 1, True)
    # York C2 defends, Angus B2 acts before it
    table.order("BATTLE Angus: Angus FIRE").dice(2, 3)
    assert table.facts("fire")[0]["rating"] == 2
    assert table.strength("York Infantry") == 3


def test_herald_the_battle_is_over_before_the_other_player_moves() -> None:
    table = Table({**HOME, "Angus": "Angus, York Infantry 1"}, NORTH).turn("Move 1", "Herald")
    table.order("HERALD Angus").dice(1).order("BATTLE Angus: Angus FIRE").dice(1, 6, 6)
    assert table.asked == (SCOTTISH, "regroup")
    table.order("REGROUP Angus: Angus > Fife")
    assert table.at("Angus") == "Fife"
    assert table.asked == (ENGLISH, "act")


# Pillage


def pillage(english: dict[str, str], scots: dict[str, str]) -> Table:
    return Table({**HOME, **english}, {**NORTH, **scots}).turn("Move 1", "Pillage")


def test_pillage_takes_two_hits_from_the_strongest_and_gives_the_steps() -> None:
    table = pillage({"Angus": "York Infantry, Angus 3"}, {"Fife": "Wallace 2, Douglas"})
    table.order("PILLAGE Angus FROM Fife")
    assert table.asked == (ENGLISH, "pillage losses")
    assert "(rule 5.41)" in table.refused("HITS Angus: Angus, York Infantry")
    table.order("HITS Angus: York Infantry, Angus")
    assert table.blocks("Angus") == {"York Infantry": 3, "Angus": 2}
    assert table.facts("pillage losses")[0]["steps"] == 2
    assert "losses" not in table.facts("pillage losses", SCOTTISH)[0]
    assert table.asked == (SCOTTISH, "pillage gains")
    assert "(rule Pillage)" in table.refused("GAINS Fife: Douglas")
    assert "(rule Pillage)" in table.refused("GAINS Fife: Wallace 3")
    table.order("GAINS Fife: Wallace 2")
    assert table.strength("Wallace") == 4
    assert "gains" not in table.facts("pillage gains", ENGLISH)[0]


def test_pillage_one_block_alone_takes_all_without_a_question() -> None:
    table = pillage({"Angus": "York Infantry"}, {"Fife": "Wallace"}).order("PILLAGE Angus FROM Fife")
    assert table.strength("York Infantry") == 2
    assert table.asked == (SCOTTISH, "pillage gains")


def test_pillage_only_steps_really_lost_may_be_added() -> None:
    table = pillage({"Angus": "York Infantry 1"}, {"Fife": "Wallace 1"}).order("PILLAGE Angus FROM Fife")
    assert table.at("York Infantry") == "pool"
    assert "there are 1" in table.refused("GAINS Fife: Wallace 2")


def test_5_7_a_noble_pillaged_to_nothing_changes_sides_and_fights_at_once() -> None:
    table = pillage({"Angus": "Angus 2, York Infantry 1"}, {"Fife": "Wallace"})
    table.order("PILLAGE Angus FROM Fife").order("HITS Angus: Angus, Angus").order("PASS")
    assert (table.side("Angus"), table.strength("Angus")) == (SCOTTISH, 1)
    (battle,) = table.facts("battle")
    assert (battle["attacker"], battle["scottish"]) == (SCOTTISH, 1)
    assert table.asked == (SCOTTISH, "battle action")


def test_5_8_moray_and_edward_pillaged_to_nothing_go_to_the_pool() -> None:
    table = Table({**HOME, "Badenoch": "Comyn"}, {**NORTH, "Moray": "Moray 1"}).turn("Pillage", "Move 1")
    table.order("PILLAGE Moray FROM Badenoch").order("PASS")
    assert table.at("Moray") == "pool"
    table = pillage({"Angus": "Edward 2"}, {"Fife": "Wallace"}).order("PILLAGE Angus FROM Fife")
    assert table.at("Edward") == "pool"
    assert table.board.edward == 1


def test_pillage_needs_neighbours() -> None:
    table = pillage({"Angus": "York Infantry"}, {"Fife": "Wallace"})
    assert "no border" in table.refused("PILLAGE Dunbar FROM Fife")
    assert "no blocks" in table.refused("PILLAGE Atholl FROM Fife")
    assert table.options() == ["PASS", "PILLAGE Angus FROM Fife"]


# Sea Move


def test_sea_move_takes_two_blocks_to_a_friendly_coast() -> None:
    table = Table(HOME, {"Fife": "Wallace, Douglas, Barclay, Norse", "Ross": "Ross", "Mar": "Mar"}).turn(
        "Move 1", "Sea Move"
    )
    assert "(rule Sea Move)" in table.refused("SEA Wallace, Douglas, Barclay: Fife > Ross")
    assert "(rule Sea Move)" in table.refused("SEA Wallace: Fife > Moray")  # vacant
    assert "(rule Sea Move)" in table.refused("SEA Wallace: Fife > Mar")  # inland
    assert "(rule Sea Move)" in table.refused("SEA Wallace: Fife > Dunbar")  # enemy
    assert "(rule 4.7)" in table.refused("SEA Norse: Fife > Ross")
    table.order("SEA Wallace, Douglas: Fife > Ross")
    assert table.board.blocks_in("Ross", SCOTTISH) == ("Wallace", "Douglas", "Ross")
    assert "blocks" not in table.facts("sea move", ENGLISH)[0]


def test_sea_move_england_included() -> None:
    table = Table({"England": "Edward", **HOME}, NORTH).turn("Sea Move", "Move 1")
    table.order("SEA Edward: England > Dunbar")
    assert table.at("Edward") == "Dunbar"


# Truce


def test_truce_the_opponent_may_move_but_not_attack() -> None:
    table = (
        Table({**HOME, "Angus": "Angus"}, {"Fife": "Wallace", "Annan": "Douglas"})
        .turn("Truce", "Move 3")
        .order("TRUCE")
    )
    assert "(rule Truce)" in table.refused("MOVE Fife: Wallace > Angus")
    table.order("MOVE Fife: Wallace > Atholl")
    assert not table.facts("battle")


def test_5_9_during_a_truce_the_scots_may_not_enter_england() -> None:
    table = Table(HOME, {"Annan": "Douglas", "England": "Wallace"}).turn("Truce", "Move 3").order("TRUCE")
    assert "(rule 5.9)" in table.refused("MOVE Annan: Douglas > England")
    table.order("MOVE Annan: Douglas > Carrick")
    # sidebar Raids and Truces: who is there stays and raids
    assert len(table.facts("raid")) == 1


def test_truce_forbids_the_scots_a_sea_move_to_england() -> None:
    table = Table(HOME, {"Annan": "Douglas", "England": "Wallace"}).turn("Truce", "Sea Move").order("TRUCE")
    assert "(rule 5.9)" in table.refused("SEA Douglas: Annan > England")


def test_truce_lasts_one_turn() -> None:
    table = Table({**HOME, "Angus": "Angus"}, {"Fife": "Wallace"}).turn("Truce", "Move 1").orders("TRUCE", "PASS")
    assert table.turn(table.view(ENGLISH).hand[0], table.view(SCOTTISH).hand[0]).board.truce == ""


def test_truce_does_not_stop_battles_that_the_other_event_causes() -> None:
    table = Table({**HOME, "Angus": "Angus, York Infantry"}, NORTH).turn("Truce", "Herald").order("TRUCE")
    table.order("HERALD Angus").dice(1)
    assert table.facts("battle")


# Victuals


def test_victuals_three_steps_in_one_group_leaders_too() -> None:
    table = Table(HOME, {"Fife": "Wallace 1, Douglas 3", "Ross": "Ross 1"}).turn("Move 1", "Victuals")
    assert "(rule Victuals)" in table.refused("VICTUALS Fife: Wallace 3, Douglas 1")
    assert "(rule Victuals)" in table.refused("VICTUALS Fife: Douglas 2")
    assert "not one of your blocks in Fife" in table.refused("VICTUALS Fife: Ross 1")
    table.order("VICTUALS Fife: Wallace 2, Douglas")
    assert table.blocks("Fife") == {"Wallace": 3, "Douglas": 4}
    (told,) = table.facts("victuals", ENGLISH)
    assert told == {"f": "victuals", "side": SCOTTISH, "area": "Fife", "steps": 3}


@pytest.mark.parametrize(("card", "rule"), [("Herald", "3.12"), ("Move 2", "3.11")])
def test_3_1_an_order_for_another_card_is_refused_with_the_rule_of_the_card_played(card: str, rule: str) -> None:
    refusal = GAME.why_not(Table(HOME, NORTH).turn(card, "Move 1").view(ENGLISH), Truce())
    assert refusal is not None
    assert refusal.rule == rule
