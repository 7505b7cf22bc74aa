"""Group moves, borders, England, pinning, the Norse. Rules 4.0-4.7 and 2.13."""

from __future__ import annotations

import pytest

from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from tests.hammer.builder import Table

HOME = {"Dunbar": "Dunbar"}


def english(places: dict[str, str], scots: dict[str, str] | None = None, card: str = "Move 3") -> Table:
    """Return a table where the English, as Player 1, are to move."""
    return Table(places, scots or {"Ross": "Ross"}).turn(card, "Move 1")


def scots(places: dict[str, str], foes: dict[str, str] | None = None, card: str = "Move 3") -> Table:
    """Return a table where the Scots, as Player 1, are to move."""
    return Table(foes or HOME, places).turn("Move 1", card)


def test_4_2_the_buchan_group_may_go_to_all_neighbours_by_one_move() -> None:
    table = scots({"Buchan": "Buchan, Douglas, Campbell, Graham"}, card="Move 2")
    table.order("MOVE Buchan: Buchan > Angus\nMOVE Buchan: Douglas > Mar\nMOVE Buchan: Campbell > Badenoch\n"
                "MOVE Buchan: Graham > Strathspey > Moray")  # fmt: skip
    assert [table.at(n) for n in ("Buchan", "Douglas", "Campbell", "Graham")] == ["Angus", "Mar", "Badenoch", "Moray"]


def test_4_2_a_card_gives_as_many_group_moves_as_its_value() -> None:
    table = scots({"Fife": "Wallace", "Moray": "Moray", "Lennox": "Campbell"}, card="Move 2")
    lines = ["MOVE Fife: Wallace > Angus", "MOVE Moray: Moray > Ross", "MOVE Lennox: Campbell > Lanark"]
    said = table.refused("\n".join(lines))
    assert "line 3" in said
    assert "(rule 4.2)" in said
    table.order("\n".join(lines[:2]))
    assert table.at("Campbell") == "Lennox"


def test_4_0_a_block_moves_once() -> None:
    table = scots({"Fife": "Wallace"})
    assert "moves only once" in table.refused("MOVE Fife: Wallace > Angus\nMOVE Fife: Wallace > Atholl")


def test_4_0_blocks_stop_where_they_meet_the_enemy() -> None:
    table = scots({"Fife": "Wallace, Douglas"}, {"Angus": "Angus"})
    assert "(rule 4.0)" in table.refused("MOVE Fife: Wallace > Angus > Buchan")
    table.order("MOVE Fife: Wallace > Angus")
    assert table.at("Wallace") == "Angus"


def test_4_0_blocks_pass_through_friendly_and_vacant_areas() -> None:
    table = scots({"Fife": "Wallace", "Angus": "Campbell"})
    table.order("MOVE Fife: Wallace > Angus > Buchan > Strathspey")
    assert table.at("Wallace") == "Strathspey"


def test_2_13_nobody_moves_farther_than_his_move_rating() -> None:
    table = scots({"Fife": "Wallace, Douglas"})
    said = table.refused("MOVE Fife: Wallace, Douglas > Angus > Buchan > Strathspey")
    assert "Douglas moves at most 2 areas" in said
    assert "(rule 2.13)" in said


def test_4_0_a_route_enters_no_area_twice() -> None:
    table = scots({"Fife": "Wallace"})
    assert "(rule 4.0)" in table.refused("MOVE Fife: Wallace > Angus > Fife")


def test_1_1_where_there_is_no_border_blocks_cannot_move() -> None:
    table = scots({"Carrick": "Douglas", "Fife": "Wallace"})
    said = table.refused("MOVE Carrick: Douglas > Argyll\nMOVE Fife: Wallace > Lothian")
    assert "line 1" in said
    assert "line 2" in said
    assert "(rule 1.1)" in said


def test_4_3_the_border_example() -> None:
    """If 6 blocks in Buchan move to Angus, 2 in Strathspey cannot; 2 in Mar can, over their own border."""
    blocks = {
        "Buchan": "Wallace, Douglas, Campbell, Graham, MacDonald, Lindsay",
        "Strathspey": "Fraser, Grant",
        "Mar": "Keith, Etterick",
    }
    six = "MOVE Buchan: Wallace, Douglas, Campbell, Graham, MacDonald, Lindsay > Angus"
    table = scots(blocks)
    assert "(rule 4.3)" in table.refused(f"{six}\nMOVE Strathspey: Fraser, Grant > Buchan > Angus")
    table.order(f"{six}\nMOVE Mar: Keith, Etterick > Angus")
    assert len(table.blocks("Angus")) == 8


def test_4_3_two_blocks_cross_a_red_border_and_stop() -> None:
    table = scots({"Moray": "Moray, Campbell, Douglas"})
    assert "(rule 4.3)" in table.refused("MOVE Moray: Moray, Campbell, Douglas > Ross")
    assert "must stop" in table.refused("MOVE Moray: Moray > Badenoch > Strathspey")
    table.order("MOVE Moray: Moray, Campbell > Ross")


def test_4_3_both_directions_count_together() -> None:
    table = scots({"Mar": "Campbell", "Angus": "Douglas, Graham"})
    text = "MOVE Mar: Campbell > Angus\nMOVE Angus: Douglas, Graham > Mar"
    assert "(rule 4.3)" in table.refused(text)


def test_4_3_both_players_may_move_two_blocks_across_the_same_red_border() -> None:
    table = Table({"Garmoran": "Edward, Hobelars", "Dunbar": "Dunbar"}, {"Lochaber": "Wallace, Keith"})
    table.turn("Move 2", "Move 2").order("MOVE Garmoran: Edward, Hobelars > Ross")
    table.order("MOVE Lochaber: Wallace, Keith > Garmoran")
    table = Table({"Ross": "Edward, Hobelars", "Dunbar": "Dunbar"}, {"Garmoran": "Ross", "Lochaber": "Wallace, Keith"})
    table.turn("Move 2", "Move 2").order("MOVE Ross: Edward, Hobelars > Garmoran")
    # two more blocks over the other red border of Garmoran, though the English have used up theirs
    table.order("MOVE Lochaber: Wallace, Keith > Garmoran")
    assert table.board.crossed == (("Garmoran", "Lochaber", SCOTTISH, 2), ("Ross", "Garmoran", ENGLISH, 2))


def test_4_4_a_2_card_lets_two_blocks_cross_and_attack_together() -> None:
    """Border Movement Example: into Annan, vacant, and on into Galloway, both in round 1."""
    table = Table({"England": "York Knights, Hobelars, Durham Knights"}, {"Galloway": "Galloway"}).turn(
        "Move 2", "Move 1"
    )
    assert "(rule 4.4)" in table.refused("MOVE England: York Knights, Hobelars, Durham Knights > Annan")
    table.order("MOVE England: York Knights, Hobelars > Annan > Galloway").order("PASS")
    (battle,) = table.facts("battle")
    assert (battle["english"], battle.get("english_reserve", 0)) == (2, 0)


def test_4_4_separate_group_moves_still_fight_as_one_group() -> None:
    table = Table({"England": "York Knights, Hobelars"}, {"Galloway": "Galloway"}).turn("Move 2", "Move 1")
    table.order("MOVE England: York Knights > Annan > Galloway\nMOVE England: Hobelars > Annan > Galloway").order(
        "PASS"
    )
    (battle,) = table.facts("battle")
    assert (battle["english"], battle.get("english_reserve", 0)) == (2, 0)


def test_4_4_crossing_activates_nobody_else() -> None:
    table = scots({"Annan": "Wallace, Douglas"}, card="Move 2")
    table.order("MOVE Annan: Wallace > England\nMOVE Annan: Douglas > Carrick")
    one = Table(HOME, {"Annan": "Wallace, Douglas"}).turn("Truce", "Move 1").order("PASS")
    assert "(rule 4.2)" in one.refused("MOVE Annan: Wallace > England\nMOVE Annan: Douglas > Carrick")


def test_4_4_blocks_that_enter_england_or_teviot_stop() -> None:
    assert "(rule 4.4)" in scots({"Annan": "Wallace"}).refused("MOVE Annan: Wallace > England > Dunbar")
    table = english({"England": "Hobelars"})
    assert "red border" in table.refused("MOVE England: Hobelars > Teviot > Selkirk")
    table.order("MOVE England: Hobelars > Dunbar > Lothian > Mentieth")


def test_4_6_six_blocks_pinned_by_five() -> None:
    """Attacked by 3 from Angus and 2 from Strathspey, one of six may leave Buchan, by Badenoch or Mar only."""

    def table() -> Table:
        found = Table(
            {"Angus": "Angus, York Knights, York Infantry", "Strathspey": "Hobelars, Edward"},
            {"Buchan": "Buchan, Wallace, Douglas, Campbell, Graham, Fraser"},
        ).turn("Move 2", "Move 2")
        return found.order("MOVE Angus: ALL > Buchan MAIN\nMOVE Strathspey: ALL > Buchan")

    assert table().board.marks == (("Buchan", "Angus", ENGLISH), ("Strathspey", "Buchan", ENGLISH))
    for closed in ("Angus", "Strathspey"):
        assert "(rule 4.6)" in table().refused(f"MOVE Buchan: Wallace > {closed}")
    assert "5 of your 6 blocks in Buchan are pinned" in table().refused("MOVE Buchan: Wallace, Douglas > Mar")
    for free in ("Badenoch", "Mar"):
        assert table().order(f"MOVE Buchan: Wallace > {free}").at("Wallace") == free


def test_4_6_reinforcements_do_not_unpin() -> None:
    table = Table({"Angus": "Angus"}, {"Buchan": "Buchan", "Mar": "Wallace, Douglas"}).turn("Move 3", "Move 3")
    table.order("MOVE Angus: Angus > Buchan")
    said = table.refused("MOVE Mar: Wallace, Douglas > Buchan\nMOVE Buchan: Buchan > Badenoch")
    assert "line 2" in said
    assert "(rule 4.6)" in said


def test_4_6_the_norse_can_be_pinned() -> None:
    table = (
        Table({"Moray": "Hobelars"}, {"Ross": "Norse"}).turn("Move 1", "Move 1").order("MOVE Moray: Hobelars > Ross")
    )
    assert "(rule 4.6)" in table.refused("MOVE Norse > Carrick")


def test_4_6_an_unpinned_block_may_attack_over_a_border_not_controlled() -> None:
    table = Table(
        {"Angus": "Angus", "Badenoch": "York Knights"}, {"Buchan": "Buchan, Wallace"}
    ).turn("Move 2", "Move 1").order("MOVE Angus: Angus > Buchan").order("MOVE Buchan: Wallace > Badenoch")  # fmt: skip
    assert table.asked == (ENGLISH, "next battle")
    assert table.options() == ["NEXT Buchan", "NEXT Badenoch"]


def test_4_7_the_norse_sail_from_coast_to_coast_for_one_group_move() -> None:
    table = scots({"Ross": "Norse, Ross"}, card="Move 2")
    assert "(rule 4.7)" in table.refused("MOVE Norse > Lanark")
    assert "(rule 4.7)" in table.refused("MOVE Norse > England")
    assert "(rule 4.7)" in table.refused("MOVE Ross: Ross, Norse > Moray")
    table.order("MOVE Norse > Dunbar\nMOVE Ross: Ross > Moray").order("PASS")
    assert table.at("Norse") == "Dunbar"
    # sidebar Closing Borders: the Norse close none
    assert table.board.marks == ()
    # a Norse move is declared
    assert table.facts("move")[0]["norse"] is True
    assert table.board.crossed == (("Ross", "Moray", SCOTTISH, 1),)


def test_4_7_the_norse_cost_a_group_move() -> None:
    table = Table(HOME, {"Ross": "Norse, Ross"}).turn("Truce", "Move 1").order("PASS")
    assert "(rule 4.2)" in table.refused("MOVE Norse > Argyll\nMOVE Ross: Ross > Moray")


def test_5_32_the_main_attack_is_one_start_and_one_border() -> None:
    table = Table({"Angus": "York Knights, York Infantry", "Mar": "Mar"}, {"Buchan": "Buchan"}).turn("Move 3", "Move 1")
    said = table.refused("MOVE Angus: York Knights > Buchan MAIN\nMOVE Mar: Mar > Buchan MAIN")
    assert "line 2" in said
    assert "(rule 5.32)" in said
    assert "(rule 5.32)" in table.refused("MOVE Angus: York Knights > Fife MAIN")
    table.order("MOVE Angus: York Knights, York Infantry > Buchan\nMOVE Mar: Mar > Buchan MAIN").order("PASS")
    (battle,) = table.facts("battle")
    assert (battle["english"], battle["english_reserve"]) == (1, 2)


def test_5_32_by_default_the_first_group_listed_is_the_main_attack() -> None:
    table = Table({"Angus": "York Knights, York Infantry", "Mar": "Mar"}, {"Buchan": "Buchan"}).turn("Move 3", "Move 1")
    table.order("MOVE Angus: York Knights > Buchan\nMOVE Mar: Mar > Buchan\nMOVE Angus: York Infantry > Buchan")
    assert table.facts("main attack") == [{
        "f": "main attack", "area": "Buchan", "start": "Angus", "via": "Angus", "n": 2, "reserve": 1,
    }]  # fmt: skip


def test_5_32_a_detour_does_not_buy_a_place_in_reserve() -> None:
    """Same start and same last border is one group, whatever the route."""
    table = Table({"Fife": "York Infantry"}, {"Lennox": "Wallace, Keith"}).turn("Move 1", "Move 3")
    table.order("MOVE Lennox: Wallace > Mentieth > Fife MAIN\nMOVE Lennox: Keith > Lanark > Mentieth > Fife").order(
        "PASS"
    )
    (battle,) = table.facts("battle")
    assert (battle["scottish"], battle.get("scottish_reserve", 0)) == (2, 0)


def test_5_5_closing_borders_example() -> None:
    """A move that starts no battle closes no border; the English who attack then do."""
    table = Table({"Strathspey": "Edward, Hobelars"}, {"Badenoch": "Wallace, Douglas"}).turn("Move 1", "Move 2")
    table.order("MOVE Badenoch: Wallace, Douglas > Atholl")
    assert not table.board.marks
    table.order("MOVE Strathspey: Edward, Hobelars > Badenoch > Atholl")
    assert table.board.marks == (("Badenoch", "Atholl", ENGLISH),)


def test_4_3_moves_are_told_as_counts_and_to_their_owner_by_name() -> None:
    table = scots({"Fife": "Wallace, Douglas"}).order("MOVE Fife: Wallace, Douglas > Angus > Buchan")
    (public,) = table.facts("move")
    assert public["route"] == ["Fife", "Angus", "Buchan"]
    assert public["n"] == 2
    assert "blocks" not in public
    assert table.facts("move", ENGLISH) == [public]
    assert table.facts("move", SCOTTISH) == [{**public, "blocks": ["Wallace", "Douglas"]}]


@pytest.mark.parametrize("text", ["MOVE Norse > Carrick", "move ross: norse > carr", "Mov  NORSE>Carrick"])
def test_orders_the_norse_are_found_however_typed(text: str) -> None:
    table = scots({"Ross": "Norse"})
    assert table.order(text).at("Norse") == "Carrick"


def test_orders_all_names_the_whole_group_but_the_norse() -> None:
    table = scots({"Ross": "Norse, Ross, Wallace"})
    table.order("MOVE Ross: ALL > Moray")
    assert table.board.blocks_in("Moray", SCOTTISH) == ("Wallace", "Ross")
    assert table.at("Norse") == "Ross"


def test_4_7_the_norse_are_the_main_attack_alone_or_join_as_a_reserve() -> None:
    def table() -> Table:
        return Table({"Angus": "Angus"}, {"Ross": "Norse", "Fife": "Wallace, Douglas"}).turn("Move 1", "Move 3")

    main = table().order("MOVE Norse > Angus MAIN\nMOVE Fife: ALL > Angus").order("PASS")
    (battle,) = main.facts("battle")
    assert (battle["scottish"], battle["scottish_reserve"]) == (1, 2)
    reserve = table().order("MOVE Norse > Angus\nMOVE Fife: ALL > Angus MAIN").order("PASS")
    (battle,) = reserve.facts("battle")
    assert (battle["scottish"], battle["scottish_reserve"]) == (2, 1)


def test_4_7_unpinned_norse_may_leave_a_contested_area_by_sea() -> None:
    table = Table({"Moray": "Hobelars"}, {"Ross": "Norse, Ross"}).turn("Move 1", "Move 1")
    table.order("MOVE Moray: Hobelars > Ross").order("MOVE Norse > Carrick")
    assert table.at("Norse") == "Carrick"
    assert table.blocks("Ross") == {"Hobelars": 3, "Ross": 3}


def test_4_6_pinning_counts_the_attackers_reserves() -> None:
    table = Table({"Angus": "Angus", "Mar": "Mar"}, {"Buchan": "Buchan, Wallace"}).turn("Move 2", "Move 1")
    table.order("MOVE Angus: Angus > Buchan MAIN\nMOVE Mar: Mar > Buchan")
    said = table.refused("MOVE Buchan: Wallace > Strathspey")
    assert "2 of your 2 blocks in Buchan are pinned (rule 4.6)" in said
