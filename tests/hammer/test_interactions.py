"""Where several rules meet in one turn: pinning, borders, reserves, the Norse, events, the end of a turn.

Battles are watched from outside (who stands in front, who goes where), with everybody firing and missing.
"""

from __future__ import annotations

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.rules.battle import Battle
from pbem.games.hammer.rules.battles import muster
from pbem.games.hammer.rules.printed import DEAD, ENGLISH, NOBLES, POOL, SCOTTISH
from pbem.kernel import Ask, Chance, Roll
from tests.hammer.builder import Table
from tests.hammer.winter_builder import WinterTable

HOME = {"Dunbar": "Dunbar"}
NORTH = {"Ross": "Ross"}
IN_BATTLE = ("next battle", "battle action", "hits", "retreats", "regroup")


def fronts(table: Table, area: str, event: str = "") -> dict[str, set[str]]:
    """Return who stands in the front lines of the battle in an area."""
    battle = muster(table.board, area, event)
    return {ENGLISH: set(battle.english), SCOTTISH: set(battle.scottish)}


def is_battle_on(table: Table) -> bool:
    """Does the table wait for something that belongs to a battle?"""
    wanted = table.stop.wants
    if isinstance(wanted, Chance):
        return isinstance(wanted.requests[0], Roll)
    return isinstance(wanted, Ask) and wanted.what in IN_BATTLE


def go_on(table: Table, die: int = 6) -> None:
    """Take the answer of silence, or let all dice show the same."""
    wanted = table.stop.wants
    if isinstance(wanted, Chance):
        assert isinstance(wanted.requests[0], Roll)
        table.dice(*[die] * wanted.requests[0].n)
    else:
        assert isinstance(wanted, Ask)
        (seat,) = wanted.seats
        table._go(GAME.step(table.stop.state, {seat: GAME.default(table.view(seat))}))


def let_them_miss(table: Table) -> Table:
    """Fight all battles to their end with the answers of silence and no hit."""
    while is_battle_on(table):
        go_on(table)
    return table


def round_1(table: Table, *seats: str) -> Table:
    """Fight round 1: the blocks of these seats hit with every die, the others miss."""
    while isinstance(battle := table.stop.state.stack[-1], Battle) and battle.round == 1:
        hit = not isinstance(table.stop.wants, Ask) and any(battle.block in battle.front(seat) for seat in seats)
        go_on(table, 1 if hit else 6)
    return table


def may_retreat(table: Table) -> bool:
    """May a block of the asked side retreat in this combat turn?"""
    return "RETREAT" in "".join(table.options())


# pinning


def attacked_by_two() -> Table:
    """Buchan, held by four, is attacked by two from Angus and one from Mar; three are pinned."""
    table = Table(
        {"Angus": "Angus, York Knights", "Mar": "Mar", "Badenoch": "Comyn"},
        {"Buchan": "Buchan, Wallace, Douglas, Keith", "Moray": "Fraser"},
    ).turn("Move 2", "Move 2")
    return table.order("MOVE Angus: ALL > Buchan MAIN\nMOVE Mar: Mar > Buchan")


def test_4_6_one_of_four_leaves_three_pinned_and_attacks_and_is_no_defender_any_more() -> None:
    table = attacked_by_two()
    assert "3 of your 4 blocks in Buchan are pinned (rule 4.6)" in table.refused(
        "MOVE Buchan: Wallace, Keith > Badenoch"
    )
    table.order("MOVE Buchan: Wallace > Badenoch\nMOVE Moray: Fraser > Strathspey > Buchan")
    assert table.asked == (ENGLISH, "next battle")
    assert fronts(table, "Buchan") == {ENGLISH: {"Angus", "York Knights"}, SCOTTISH: {"Buchan", "Douglas", "Keith"}}
    assert fronts(table, "Badenoch") == {ENGLISH: {"Comyn"}, SCOTTISH: {"Wallace"}}
    assert muster(table.board, "Badenoch", "").attacker == SCOTTISH


def test_4_6_the_unpinned_may_leave_in_parts_no_more_than_there_are() -> None:
    table = attacked_by_two()
    said = table.refused("MOVE Buchan: Wallace > Strathspey\nMOVE Buchan: Keith > Badenoch")
    assert "line 2" in said
    assert "(rule 4.6)" in said


def test_4_6_a_border_that_the_enemy_used_is_closed_farther_on_the_route_too() -> None:
    """From contested Buchan over Strathspey and back into Moray, where the English entered from Strathspey."""
    table = Table(
        {"Angus": "Angus", "Strathspey": "Edward"}, {"Buchan": "Buchan, Wallace", "Moray": "Moray"}
    ).turn("Move 3", "Move 1")  # fmt: skip
    table.order("MOVE Angus: Angus > Buchan\nMOVE Strathspey: Edward > Moray")
    assert "controls the border between Strathspey and Moray (rule 4.6)" in table.refused(
        "MOVE Buchan: Wallace > Strathspey > Moray"
    )
    table.order("MOVE Buchan: Wallace > Strathspey > Badenoch")


# borders and who controls them


def test_5_5_a_reinforcement_closes_its_border_to_the_attacker() -> None:
    """Both came from Mentieth; the English, Player 1, cannot go back there, and go by another way after round 3."""
    table = Table(
        {**HOME, "Mentieth": "York Infantry"}, {**NORTH, "Lanark": "Douglas", "Lennox": "Campbell"}
    ).turn("Move 1", "Move 1")  # fmt: skip
    table.order("MOVE Mentieth: York Infantry > Lanark").order("MOVE Lennox: Campbell > Mentieth > Lanark")
    assert fronts(table, "Lanark")[SCOTTISH] == {"Douglas"}
    assert table.board.marks == (("Mentieth", "Lanark", SCOTTISH),)
    let_them_miss(table)
    assert table.at("York Infantry") not in ("Lanark", "Mentieth")
    assert {table.at("Douglas"), table.at("Campbell")} == {"Lanark"}


def test_5_5_only_attacks_close_borders_the_sidebar_to_its_end() -> None:
    """Player 1 came over Moray to Ross, vacant, and is attacked over Moray: only the attackers may retreat there."""
    table = Table({**HOME, "Strathspey": "Edward", "Garmoran": "Angus"}, {"Moray": "Douglas", "Fife": "Fraser"})
    table.turn("Move 1", "Move 2").order("MOVE Moray: Douglas > Ross")
    assert table.board.marks == ()
    table.order("MOVE Strathspey: Edward > Moray > Ross")
    assert fronts(table, "Ross")[SCOTTISH] == {"Douglas"}  # Player 1 was there before
    while table.asked != (SCOTTISH, "battle action"):
        assert table.asked != (ENGLISH, "battle action") or may_retreat(table)
        go_on(table)
    assert not may_retreat(table)
    let_them_miss(table)
    assert table.at("Douglas") == "Ross"
    assert table.at("Edward") in ("Moray", "Garmoran")


def test_5_5_a_border_closed_in_one_battle_is_closed_in_all() -> None:
    """The English attack Ross from Moray; those left in Moray are attacked in turn, and the attackers cannot go on to Ross."""
    table = Table({**HOME, "Moray": "Edward, Hobelars, York Infantry"}, {"Ross": "Ross 1", "Strathspey": "Wallace"})
    table.turn("Move 1", "Move 1").order("MOVE Moray: Edward > Ross").order("MOVE Strathspey: Wallace > Moray")
    assert table.board.marks == (("Moray", "Strathspey", SCOTTISH), ("Ross", "Moray", ENGLISH))
    table.order("NEXT Moray")
    assert table.board.contested() == ("Ross", "Moray")
    let_them_miss(table)
    assert table.at("Wallace") not in ("Moray", "Ross")


# the Anglo-Scottish border


def test_4_4_a_longer_route_into_england_costs_a_group_move_for_each_block() -> None:
    table = Table({"Mar": "Mar"}, {"Lothian": "Wallace, Keith, Etterick", "Fife": "Graham"}).turn("Move 1", "Move 3")
    said = table.refused("MOVE Fife: Graham > Angus\nMOVE Lothian: Wallace, Keith, Etterick > Dunbar > England")
    assert "this would be 4 Group Moves, and the card gives 3 (rule 4.4)" in said
    table.order("MOVE Lothian: Wallace, Keith > Dunbar > England\nMOVE Fife: Graham > Angus")
    assert set(table.blocks("England")) == {"Wallace", "Keith"}


def test_4_4_several_groups_share_the_card_with_blocks_that_cross() -> None:
    table = Table({"England": "York Knights", "Lothian": "York Infantry", "Mar": "Mar"}, NORTH).turn("Move 2", "Move 1")
    lines = "MOVE England: York Knights > Annan\nMOVE Lothian: York Infantry > Dunbar\nMOVE Mar: Mar > Angus"
    assert "line 3" in table.refused(lines)
    table.order(lines.rpartition("\n")[0])


def test_5_5_a_scottish_noble_won_over_in_england_cannot_leave_it_and_is_lost_after_three_rounds() -> None:
    """The Herald wins Mar over among the raiders: he attacks, cannot retreat out of England, and is captured back."""
    table = Table(HOME, {"England": "Mar, Wallace", "Ross": "Ross"}).turn("Herald", "Move 1")
    let_them_miss(table.order("HERALD Mar").dice(4))
    assert (table.side("Mar"), table.at("Mar"), table.strength("Mar")) == (SCOTTISH, "England", 1)


# main attack and reserves


def test_5_32_main_on_two_lines_of_one_start_and_border_is_one_main_attack() -> None:
    table = Table({"Angus": "York Knights, York Infantry", "Mar": "Mar"}, {"Buchan": "Buchan"}).turn("Move 3", "Move 1")
    table.order(
        "MOVE Mar: Mar > Buchan\nMOVE Angus: York Knights > Buchan MAIN\nMOVE Angus: York Infantry > Buchan MAIN"
    )
    assert table.board.attacks == (("Buchan", ENGLISH, "Angus", "Angus"),)
    table.order("PASS")
    assert fronts(table, "Buchan")[ENGLISH] == {"York Knights", "York Infantry"}


def test_5_32_one_start_and_two_borders_are_two_groups() -> None:
    table = Table({"Strathspey": "Edward, Hobelars", "Mar": "Mar"}, {"Buchan": "Buchan"}).turn("Move 1", "Move 1")
    said = table.refused("MOVE Strathspey: Edward > Buchan MAIN\nMOVE Strathspey: Hobelars > Badenoch > Buchan MAIN")
    assert "line 2" in said
    assert "(rule 5.32)" in said
    table.order("MOVE Strathspey: Edward > Buchan\nMOVE Strathspey: Hobelars > Badenoch > Buchan").order("PASS")
    assert fronts(table, "Buchan")[ENGLISH] == {"Edward"}


def test_5_32_the_new_defender_keeps_the_field_with_his_reserve_when_round_1_has_changed_control() -> None:
    """The Scots in front die in round 1; their reserve attacks from then on, against the English front and reserve."""
    table = Table(
        {**HOME, "Mentieth": "York Knights", "Lothian": "Hobelars"}, {**NORTH, "Lanark": "Lindsay 1", "Annan": "Douglas"}
    ).turn("Move 2", "Move 1")  # fmt: skip
    table.order("MOVE Mentieth: York Knights > Lanark MAIN\nMOVE Lothian: Hobelars > Lanark")
    table.order("MOVE Annan: Douglas > Lanark")
    round_1(table, ENGLISH)
    assert table.at("Lindsay") == POOL
    assert [fact["attacker"] for fact in table.facts("control")] == [SCOTTISH]
    let_them_miss(table)
    assert table.at("Douglas") != "Lanark"  # 5.3: the new attacker must retreat
    assert {table.at("York Knights"), table.at("Hobelars")} == {"Lanark"}


def test_5_3_the_last_defender_killed_in_mid_round_ends_the_battle_at_once() -> None:
    table = Table({**HOME, "Lanark": "York Knights, York Infantry"}, {**NORTH, "Lanark": "Douglas 1"})
    table.battles(("Lanark", ENGLISH, "", ""))
    while not table.facts("battle over"):
        assert table.asked != (SCOTTISH, "battle action")  # Douglas, of letter C, never acts
        go_on(table, 1)
    assert [fact["block"] for fact in table.facts("fire")] == ["York Knights"]


def test_5_32_control_changes_too_when_celtic_unity_takes_the_whole_front() -> None:
    table = Table({**HOME, "Lanark": "Wales Infantry", "Lothian": "York Infantry"}, {"Fife": "Douglas", **NORTH})
    table.turn("Move 1", "Move 2").order("MOVE Fife: Douglas > Mentieth > Lanark")
    table.order("MOVE Lothian: York Infantry > Lanark").dice(5)
    assert table.at("Wales Infantry") == POOL
    round_1(table)
    assert [fact["attacker"] for fact in table.facts("control")] == [ENGLISH]


def test_5_3_a_side_without_blocks_after_celtic_unity_has_lost_though_it_attacked() -> None:
    table = Table({**HOME, "Mentieth": "Wales Archers"}, {**NORTH, "Lanark": "Douglas"}).turn("Move 1", "Move 1")
    table.order("MOVE Mentieth: Wales Archers > Lanark").order("PASS").dice(6)
    assert table.asked == (SCOTTISH, "regroup")
    # 5.6: regrouping is free of border control
    assert table.order("REGROUP Lanark: Douglas > Mentieth").at("Douglas") == "Mentieth"


# the Norse


def test_4_7_a_coast_that_other_battles_take_is_no_retreat_for_the_norse() -> None:
    """The Norse attack Carrick while Fife, their one friendly coast, is lost: after round 3 they are gone for good."""
    table = Table(
        {"Carrick": "York Infantry", "Mentieth": "Edward", "Dunbar": "Dunbar"}, {"Ross": "Norse", "Fife": "Fraser 1", "Mar": "Mar"}
    ).turn("Move 1", "Move 1")  # fmt: skip
    table.order("MOVE Mentieth: Edward > Fife").order("MOVE Norse > Carrick").order("NEXT Fife")
    while "Fife" in table.board.contested():
        go_on(table, 1)
    assert table.at("Fraser") == POOL
    let_them_miss(table)
    assert table.at("Norse") == DEAD


def test_4_7_the_norse_may_reinforce_and_are_a_reserve_that_closes_no_border() -> None:
    table = Table({**HOME, "Angus": "Angus"}, {"Buchan": "Buchan", "Ross": "Norse"}).turn("Move 1", "Move 1")
    table.order("MOVE Angus: Angus > Buchan").order("MOVE Norse > Buchan")
    assert fronts(table, "Buchan")[SCOTTISH] == {"Buchan"}
    assert table.board.marks == (("Buchan", "Angus", ENGLISH),)


def test_4_7_where_the_norse_stand_must_be_said_rightly() -> None:
    table = Table(HOME, {"Lothian": "Norse", "Ross": "Ross"}).turn("Move 1", "Move 3")
    assert "the Norse stand in Lothian, not in Ross (rule 4.7)" in table.refused("MOVE Ross: Norse > Carrick")
    assert table.order("MOVE Lothian: Norse > Carrick").at("Norse") == "Carrick"


# events


def test_sea_move_scots_into_england_and_out_of_it() -> None:
    into = Table(HOME, {"England": "Wallace", "Fife": "Douglas"}).turn("Move 1", "Sea Move")
    assert into.order("SEA Douglas: Fife > England").at("Douglas") == "England"
    out = Table(HOME, {"England": "Wallace", "Fife": "Douglas"}).turn("Move 1", "Sea Move")
    assert out.order("SEA Wallace: England > Fife").at("Wallace") == "Fife"
    vacant = Table(HOME, {"Fife": "Douglas"}).turn("Move 1", "Sea Move")
    assert "(rule Sea Move)" in vacant.refused("SEA Douglas: Fife > England")


def test_sea_move_leaves_england_during_a_truce() -> None:
    table = Table(HOME, {"England": "Wallace", "Fife": "Douglas"}).turn("Truce", "Sea Move").order("TRUCE")
    assert table.order("SEA Wallace: England > Fife").at("Wallace") == "Fife"


def test_5_8_leaders_pillaged_to_nothing_go_to_the_pool_and_nobody_has_won() -> None:
    table = Table({**HOME, "Angus": "Angus"}, {"Fife": "King 1, Wallace 1"}, king="Bruce").turn("Pillage", "Move 1")
    table.order("PILLAGE Fife FROM Angus").order("HITS Fife: King, Wallace").order("PASS")
    assert (table.at("King"), table.at("Wallace"), table.asked) == (POOL, POOL, (SCOTTISH, "act"))


def test_pillage_a_noble_alone_comes_over_without_a_battle_and_gains_nothing_himself() -> None:
    table = Table({**HOME, "Angus": "Angus 1"}, {**NORTH, "Fife": "Wallace 1"}).turn("Move 1", "Pillage")
    table.order("PILLAGE Angus FROM Fife")
    assert "not one of your blocks in Fife" in table.refused("GAINS Fife: Angus 1")
    assert "these are 2 steps, and there are 1" in table.refused("GAINS Fife: Wallace 2")
    table.order("GAINS Fife: Wallace")
    assert (table.side("Angus"), table.strength("Angus"), table.strength("Wallace")) == (SCOTTISH, 1, 2)
    assert not table.facts("battle")
    assert table.asked == (ENGLISH, "act")


def test_pillage_gains_go_no_higher_than_the_maximum() -> None:
    table = Table({**HOME, "Angus": "York Infantry"}, {**NORTH, "Fife": "Wallace 3"}).turn("Move 1", "Pillage")
    table.order("PILLAGE Angus FROM Fife")
    assert "(rule Pillage)" in table.refused("GAINS Fife: Wallace 2")
    table.order("GAINS Fife: Wallace 1")


def test_6_21_two_battles_come_of_one_coronation_and_the_crowner_orders_them() -> None:
    table = Table(HOME, {"Fife": "Bruce, Ross", "dead": "Wallace", "Angus": "Angus, Douglas"}).turn("Move 3", "Truce")
    table.order("CORONATION Bruce")
    assert table.asked == (SCOTTISH, "next battle")
    assert table.board.contested() == ("Angus", "Fife")
    # the King, just crowned, defends Fife in front
    assert fronts(table, "Fife", ENGLISH) == {ENGLISH: {"Ross"}, SCOTTISH: {"King", "Bruce"}}
    let_them_miss(table)
    assert table.asked == (ENGLISH, "act")
    assert table.board.contested() == ()


def test_5_6_blocks_that_fought_an_events_battle_may_still_move() -> None:
    table = Table({**HOME, "Angus": "Angus, York Infantry"}, NORTH).turn("Move 1", "Herald")
    let_them_miss(table.order("HERALD Angus").dice(1))
    assert (table.board.marks, table.board.crossed) == ((), ())
    to = next(area for area in ("Buchan", "Mar", "Fife") if area != table.at("Angus"))
    assert table.order(f"MOVE Angus: York Infantry > {to}").at("York Infantry") == to


# the end of the turn


def test_9_1_is_looked_at_after_two_events_before_the_year_ends() -> None:
    table = Table({"Dunbar": ", ".join(NOBLES[:12])}, {"Mar": NOBLES[12], "dead": "Moray"})
    table.turn("Herald", "Truce").order(f"HERALD {NOBLES[12]}").dice(1).order("PASS")
    assert table.asked == ("end", "all nobles")
    assert not table.facts("year ends")


def test_9_1_the_raid_comes_first_and_the_last_noble_only_then() -> None:
    table = Table({"Lanark": f"York Infantry, {NOBLES[0]}"}, {"Mar": ", ".join(NOBLES[1:]), "England": "Wallace"})
    table.turn("Move 1", "Herald").order(f"HERALD {NOBLES[0]}").dice(1)
    let_them_miss(table)
    if table.asked == (ENGLISH, "act"):
        table.order("PASS")
    assert table.facts("raid")
    assert table.asked == ("end", "all nobles")


def test_7_0_two_events_end_the_year_after_the_raid() -> None:
    table = Table({**HOME, "Lanark": "York Infantry"}, {"England": "Wallace", **NORTH}).turn("Victuals", "Truce")
    table.orders("PASS", "PASS")
    kinds = [fact["f"] for told in table.told if (fact := told.heard_by(None))]
    assert kinds.index("raid") < kinds.index("year ends")


@pytest.mark.parametrize("name", ["Douglas", "Wallace"])
def test_5_9_only_blocks_of_ones_own_are_disbanded_by_a_raid(name: str) -> None:
    table = Table({**HOME, "Lanark": "York Infantry, Edward"}, {"England": "Wallace, Douglas", **NORTH})
    table.turn("Move 1", "Move 1").orders("PASS", "PASS")
    assert f"{name} is not one of your blocks on the map (rule 5.9)" in table.refused(f"RAID {name}")


# the winter


@pytest.mark.parametrize("block", ["Moray", "King", "Norse", "Wallace"])
def test_7_1_any_scottish_block_in_his_home_turns_an_english_noble(block: str) -> None:
    table = WinterTable({"Lothian": "Angus 2"}, {"Angus": block}, king="Bruce").winter()
    assert (table.side("Angus"), table.at("Angus"), table.strength("Angus")) == (SCOTTISH, "Angus", 2)


def test_7_1_english_blocks_that_will_disband_still_turn_a_scottish_noble() -> None:
    """Knights may not winter, but they go at 7.31 only; Mar has come home to them before."""
    table = WinterTable(
        {"Mar": "York Knights", "Annan": "Bruce", "Badenoch": "Comyn"}, {"dead": "Moray", "Fife": "Mar"}
    )
    table.winter().silence()
    assert table.side("Mar") == ENGLISH
    while table.asked == (ENGLISH, "disband"):
        table.order("DONE")
    assert (table.at("York Knights"), table.at("Mar")) == (POOL, "Mar")


def test_7_1_nobles_change_sides_both_ways_in_one_winter() -> None:
    """Angus finds Scots at home, Mar finds English there."""
    table = WinterTable(
        {"Fife": "Angus 1", "Mar": "York Infantry"}, {"dead": "Moray", "Angus": "Douglas", "Lothian": "Mar 2"}
    )
    table.winter()
    assert (table.side("Angus"), table.strength("Angus")) == (SCOTTISH, 1)
    table.silence()  # of the English, whom their half asks for the homes of Bruce and Comyn
    assert (table.side("Mar"), table.strength("Mar")) == (ENGLISH, 2)
    assert {fact["noble"]: fact["to"] for fact in table.facts("turned")} == {"Angus": SCOTTISH, "Mar": ENGLISH}


def test_7_4_edward_killed_in_battle_may_not_winter_when_he_is_back() -> None:
    table = Table({**HOME, "Lanark": "Edward 1"}, {**NORTH, "Lanark": "Wallace"}).battles(("Lanark", ENGLISH, "", ""))
    while not table.facts("edward"):
        go_on(table, 1)
    again = WinterTable({"Lothian": "Edward, York Infantry"}, {"dead": "Moray"}, edward=table.board.edward).disbanding()
    assert "Edward II may not winter in Scotland (rule 7.4)" in again.refused("EDWARD STAYS")


def test_7_6_the_french_are_looked_for_after_all_have_gone_home() -> None:
    """Seven nobles and the eighth only when he has come over in 7.1."""
    seven = {name: name for name in ("Angus", "Argyll", "Buchan", "Ross", "Galloway", "Atholl", "Mar")}
    table = WinterTable({"Fife": "Dunbar"}, {**seven, "dead": "Moray", "Dunbar": "Grant"}).winter()
    while table.asked[1] in ("home", "disband"):
        table.silence()
    assert len(table.board.nobles(SCOTTISH)) == 8
    assert table.facts("french")
