"""Retreats and regroups: exits, border control, limits, England, the Norse. Rules 5.5, 5.6, 4.7."""

from __future__ import annotations

from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.games.hammer.rules.retreat_law import exits_seen
from tests.hammer.builder import Table
from tests.hammer.retreats import HOME, NORTH, battle, victory


def exits(table: Table) -> dict[str, int]:
    """Return the exits that the asked seat sees."""
    view = table.view(table.asked[0])
    assert view.ask
    return dict(exits_seen(view, view.ask["area"], regroup=view.ask["what"] == "regroup").room)


def test_5_5_to_friendly_or_neutral_neighbours_only() -> None:
    table = battle(
        {"Lanark": "York Infantry", "Lennox": "Lennox"}, {"Lanark": "Wallace", "Annan": "Campbell"}, "Lanark"
    )
    assert exits(table) == {"Mentieth": 6, "Carrick": 6, "Lothian": 6, "Selkirk": 2, "Annan": 2}
    assert "(rule 5.5)" in table.refused("BATTLE Lanark: Wallace RETREAT Lennox")
    assert "where Wallace retreats to is missing (rule 5.5)" in table.refused("BATTLE Lanark: Wallace RETREAT")
    table.order("BATTLE Lanark: Wallace RETREAT Annan")
    assert table.at("Wallace") == "Annan"


def test_5_5_a_retreat_is_told_by_number_and_place() -> None:
    table = battle({"Lanark": "York Infantry"}, {"Lanark": "Wallace, King"}, "Lanark")
    table.order("BATTLE Lanark: Wallace RETREAT Lennox, King RETREAT Annan")
    (public,) = table.facts("retreat", ENGLISH)
    assert public["to"] == {"annan": 1, "lennox": 1}
    (own,) = table.facts("retreat", SCOTTISH)
    assert own["to"] == {"annan": ["King"], "lennox": ["Wallace"]}


def test_5_5_the_enemys_last_border_is_closed() -> None:
    table = Table({**HOME, "Mentieth": "York Infantry"}, {**NORTH, "Lanark": "Douglas"}).turn("Move 1", "Move 1")
    table.order("MOVE Mentieth: York Infantry > Lanark").order("PASS")
    assert "Mentieth" not in exits(table)
    table.order("BATTLE Lanark: Douglas RETREAT Annan")
    assert table.asked == (ENGLISH, "regroup")


def test_5_5_if_both_used_a_border_only_player_2_may_retreat_over_it() -> None:
    found = Table({**HOME, "Annan": "York Infantry"}, {**NORTH, "Lanark": "Douglas", "Carrick": "Campbell"})
    found.turn("Move 1", "Move 1").order("MOVE Annan: York Infantry > Lanark")
    found.order("MOVE Carrick: Campbell > Annan > Lanark")
    # Player 2 used the border from Annan last: it is his
    assert found.board.marks == (("Lanark", "Annan", SCOTTISH),)
    assert "Annan" in exits(found)
    found.order("BATTLE Lanark: Douglas RETREAT Annan")
    assert "Annan" not in exits(found)


def test_4_3_border_limits_hold_in_each_round_and_are_fresh_in_the_next() -> None:
    table = Table(
        {**HOME, "Moray": "York Infantry, York Knights, Durham Knights", "Strathspey": "Angus"},
        {"Moray": "Ross, Wallace, Norse", "Lochaber": "Campbell", "Ross": "Grant"},
    ).battles(("Moray", SCOTTISH, "", ""))  # fmt: skip
    # English defend; open to them: Garmoran and Badenoch (red, 2 each) and Strathspey (green, 6)
    table.order("BATTLE Moray: Wallace PASS").order("BATTLE Moray: Norse PASS")
    assert exits(table) == {"Garmoran": 2, "Badenoch": 2, "Strathspey": 6}
    table.order("BATTLE Moray: York Knights, Durham Knights RETREAT Garmoran").order("BATTLE Moray: Ross PASS")
    assert exits(table) == {"Badenoch": 2, "Strathspey": 6}


def test_5_5_no_more_may_choose_to_retreat_than_there_is_room_for() -> None:
    table = Table(
        {**HOME, "Ross": "York Infantry, Durham Infantry, Westmor Infantry", "Garmoran": "Angus"},
        {"Ross": "Wallace", "Moray": "Campbell"},
    ).battles(("Ross", SCOTTISH, "", ""))  # fmt: skip
    table.order("BATTLE Ross: Wallace PASS")
    assert "lets no more blocks through (rule 4.3)" in table.refused("BATTLE Ross: ALL RETREAT Garmoran")
    table.order("BATTLE Ross: York RETREAT")  # to the one place there is
    table.order("BATTLE Ross: Durham RETREAT Garmoran")
    # the third may neither retreat, nor does anybody know more than that there is no room
    assert table.options() == ["BATTLE Ross: Westmor Infantry FIRE", "BATTLE Ross: Westmor Infantry PASS"]
    table.order("BATTLE Ross: Westmor Infantry PASS")
    assert table.at("York Infantry") == table.at("Durham Infantry") == "Garmoran"


def test_5_5_who_cannot_retreat_when_required_is_lost() -> None:
    table = Table(
        {**HOME, "Ross": "York Infantry", "Garmoran": "Angus", "Lanark": "Steward"},
        {"Ross": "Wallace, Douglas, Campbell, Fraser"},
    ).battles(("Ross", SCOTTISH, "", ""))  # fmt: skip
    table.fought()
    # Moray is the one way out, for two: Wallace (A) goes first
    assert table.asked == (SCOTTISH, "retreats")
    assert table.at("Wallace") == "Moray"
    assert exits(table) == {"Moray": 1}
    assert "must retreat while there is an exit" in table.refused("RETREAT Ross:")
    table.order("RETREAT Ross: Campbell > Moray")
    assert table.at("Douglas") == table.at("Fraser") == "pool"
    assert table.facts("retreat")[-1]["lost"] == ["Douglas", "Fraser"]


def test_5_7_a_noble_who_cannot_retreat_is_captured() -> None:
    table = Table(
        {**HOME, "Ross": "York Infantry", "Garmoran": "Angus", "Moray": "Hobelars"}, {"Ross": "Ross", "Fife": "Mar"}
    ).battles(("Ross", SCOTTISH, "", ""))  # fmt: skip
    table.fought()
    assert (table.side("Ross"), table.at("Ross"), table.strength("Ross")) == (ENGLISH, "Ross", 1)
    assert table.facts("captured")[0]["how"] == "no retreat"
    assert table.facts("battle over")[0]["winner"] == ENGLISH


def test_5_3_fresh_captives_retreat_with_the_attackers_after_round_3() -> None:
    table = battle({"Lanark": "York Knights"}, {"Lanark": "Mar 1, Douglas 1"}, "Lanark")
    while table.view(table.asked[0]).battle.round < 3:  # type: ignore[union-attr]
        table.order(table.options()[-1])
    table.order("BATTLE Lanark: Mar PASS").order("BATTLE Lanark: York Knights FIRE").dice(1, 6, 6, 6)
    table.order("HITS Lanark: Mar").order("BATTLE Lanark: Douglas PASS")
    assert table.asked == (ENGLISH, "retreats")
    table.order("RETREAT Lanark: Mar > Selkirk, York Knights > Lothian")
    assert table.at("Mar") == "Selkirk"
    assert table.facts("battle over")[0]["winner"] == SCOTTISH


def test_5_5_scots_never_retreat_into_england_english_may() -> None:
    scots = battle({"Annan": "York Infantry"}, {"Annan": "Douglas"}, "Annan")
    assert "England" not in exits(scots)
    english = battle({"Annan": "York Infantry"}, {"Annan": "Douglas"}, "Annan", SCOTTISH)
    assert exits(english)["England"] == 6


def test_5_5_english_blocks_in_england_cannot_leave_it_scots_may() -> None:
    table = battle({"England": "York Infantry, Hobelars"}, {"England": "Douglas"}, "England")
    assert "RETREAT" not in "".join(table.options())
    table.order("BATTLE England: Hobelars PASS")
    assert exits(table) == {"Annan": 6, "Teviot": 2}  # Dunbar is the enemy's
    table.order("BATTLE England: Douglas RETREAT Teviot")
    # the victors cannot regroup into Scotland either: nobody is asked
    assert not table.facts("regroup")


def test_5_5_attackers_left_in_england_after_round_3_are_lost() -> None:
    table = battle({"England": "York Infantry, Angus"}, {"England": "Douglas"}, "England")
    table.fought()
    assert table.at("York Infantry") == "pool"
    assert table.side("Angus") == SCOTTISH


def test_5_8_edward_unable_to_retreat_counts_as_killed() -> None:
    table = battle({"England": "Edward"}, {"England": "Douglas"}, "England")
    table.fought()
    assert table.at("Edward") == "pool"
    assert table.board.edward == 2


def test_4_7_the_norse_retreat_to_any_friendly_coast() -> None:
    table = battle({"Carrick": "York Infantry"}, {"Carrick": "Norse", "Fife": "Wallace"}, "Carrick")
    assert "(rule 4.7)" in table.refused("BATTLE Carrick: Norse RETREAT Lennox")  # vacant
    table.order("BATTLE Carrick: Norse RETREAT Fife")
    assert table.at("Norse") == "Fife"


def test_4_7_without_a_friendly_coast_the_norse_cannot_retreat_and_are_lost_if_they_must() -> None:
    table = Table({**HOME, "Carrick": "York Infantry"}, {"Carrick": "Norse", "Mar": "Mar"})
    table.battles(("Carrick", SCOTTISH, "", ""))
    assert "RETREAT" not in "".join(table.options())
    table.fought()
    assert table.dead() == ("Norse",)


def test_4_7_another_block_may_open_a_coast_to_the_norse() -> None:
    table = Table({**HOME, "Carrick": "York Infantry"}, {"Carrick": "Norse, Wallace", "Mar": "Mar"})
    table.battles(("Carrick", ENGLISH, "", ""))
    assert not [order for order in table.options() if order.startswith("BATTLE Carrick: Norse RETREAT")]
    assert "no friendly coast" in table.refused("BATTLE Carrick: Norse RETREAT Lennox, Wallace RETREAT Lennox")
    assert "no friendly coast" in table.refused("BATTLE Carrick: Wallace RETREAT Lanark, Norse RETREAT Lennox")
    table.order("BATTLE Carrick: Wallace RETREAT Lennox, Norse RETREAT Lennox")
    assert table.at("Norse") == table.at("Wallace") == "Lennox"


def test_5_6_the_victor_may_regroup_one_area_over_any_border() -> None:
    table = victory({"Lanark": "York Infantry, Hobelars"}, {"Carrick": "Wallace"}, "Lanark")
    assert "(rule 5.6)" in table.refused("REGROUP Lanark: Hobelars > Carrick")
    assert "(rule 5.6)" in table.refused("REGROUP Lanark: Hobelars > Dunbar")
    table.order("REGROUP Lanark: Hobelars > Annan")
    assert table.at("Hobelars") == "Annan"
    assert table.at("York Infantry") == "Lanark"


def test_5_6_border_limits_apply_to_regroups() -> None:
    table = victory({"Lanark": "York Infantry, Hobelars, Durham Infantry"}, {}, "Lanark")
    assert "(rule 4.3)" in table.refused("REGROUP Lanark: York Infantry, Hobelars, Durham Infantry > Annan")
    table.order("REGROUP Lanark: York Infantry, Hobelars > Annan, Durham Infantry > Selkirk")


def test_5_6_the_english_may_regroup_into_england() -> None:
    table = victory({"Annan": "York Infantry"}, {}, "Annan").order("REGROUP Annan: York Infantry > England")
    assert table.at("York Infantry") == "England"


def test_5_6_where_nobody_wins_nobody_regroups() -> None:
    """Both last blocks are in retreat or gone: the area is left empty."""
    table = battle({"Lanark": "Wales Archers"}, {"Lanark": "Wallace"}, "Lanark")
    table.dice(1).order("BATTLE Lanark: Wallace RETREAT Annan")
    assert table.facts("battle over") == [{"f": "battle over", "area": "Lanark", "winner": ENGLISH}]
