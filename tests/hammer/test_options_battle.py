"""The options that change battles: schiltroms, Andrew de Moray, one target, no regroup after a defection, the Norse's coast."""

from __future__ import annotations

import pytest

from pbem.games.hammer.rules.facts import ENGLISH, SCOTTISH
from pbem.games.hammer.rules.retreat_law import exits_seen
from tests.hammer.builder import Table

SCHILTROMS, ANDREW, ONE = ("schiltroms",), ("andrew_de_moray",), ("one_target",)


def fought(english: str, scots: str, variants: tuple[str, ...], reserve: str = "", area: str = "Lanark") -> Table:
    """Begin a battle in which the English attack an area, with a reserve if it is named."""
    there = ", ".join(filter(None, (english, reserve)))
    table = Table({area: there}, {area: scots}, variants=variants)
    board = table.start
    for blocks, start in ((english, "Lothian"), (reserve, "Mentieth")):
        for name in filter(None, (word.rstrip(" 1234") for word in blocks.split(", "))):
            board = board.put(board[name]._replace(start=start, via=start))
    table.start = board
    return table.battles((area, ENGLISH, "Lothian", "Lothian"))


def ratings(table: Table) -> list[tuple[str, int]]:
    """Return who has fired, and at which rating."""
    return [(fact["block"], fact["rating"]) for fact in table.facts("fire")]


# Schiltroms: 4.0, sidebar


def test_schiltroms_scottish_infantry_fires_at_one_more_without_english_archers() -> None:
    table = fought("York Infantry", "Douglas, Barclay", SCHILTROMS)
    table.order("BATTLE Lanark: Douglas FIRE, Barclay FIRE").dice(4, 4, 5, 5)
    assert ratings(table) == [("Douglas", 4)]  # C3 = C4
    assert table.facts("fire")[0]["hits"] == 2
    assert table.facts("fire")[0]["schiltrom"] is True
    table.dice(4, 4, 4, 4)
    assert ratings(table)[-1] == ("Barclay", 3)  # all Scottish infantry gain one: C2 = C3


def test_schiltroms_not_while_english_archers_fight() -> None:
    table = fought("York Infantry, Wales Archers", "Douglas", SCHILTROMS).dice(1)  # Celtic unity: they stay
    table.order("BATTLE ALL PASS").order("BATTLE ALL FIRE").dice(4, 4, 4, 4)
    assert ratings(table) == [("Douglas", 3)]
    assert "schiltrom" not in table.facts("fire")[0]


def test_schiltroms_not_for_anybody_else() -> None:
    table = fought("York Infantry", "Wallace, Etterick", SCHILTROMS)
    table.order("BATTLE ALL FIRE").dice(6, 6, 6, 6).order("BATTLE ALL FIRE").dice(6, 6)
    table.order("BATTLE ALL FIRE").dice(6, 6, 6, 6)
    assert ratings(table) == [("Wallace", 3), ("Etterick", 2), ("York Infantry", 2)]


def test_schiltroms_archers_in_reserve_do_not_count_until_they_arrive() -> None:
    table = fought("York Infantry", "Douglas", SCHILTROMS, reserve="Lancaster Archers")
    table.order("BATTLE ALL FIRE").dice(6, 6, 6, 6).order("BATTLE ALL PASS")
    assert ratings(table) == [("Douglas", 4)]
    table.order("BATTLE ALL PASS").order("BATTLE ALL FIRE").dice(4, 6, 6, 6)
    assert ratings(table)[-1] == ("Douglas", 3)


def test_schiltroms_close_again_when_the_archers_are_gone() -> None:
    table = fought("York Infantry, Wales Archers", "Douglas", SCHILTROMS).dice(5)  # Celtic unity: they leave
    table.order("BATTLE ALL FIRE").dice(4, 4, 6, 6)
    assert ratings(table) == [("Douglas", 4)]
    table = fought("York Infantry, Lancaster Archers 1", "Etterick, Douglas", SCHILTROMS)
    table.order("BATTLE ALL FIRE").dice(6, 6).order("BATTLE ALL RETREAT Lothian")
    table.order("BATTLE ALL FIRE").dice(4, 6, 6, 6)
    assert ratings(table)[-1] == ("Douglas", 4)


def test_schiltroms_are_off_by_default() -> None:
    table = fought("York Infantry", "Douglas", ())
    table.order("BATTLE ALL FIRE").dice(4, 4, 4, 4)
    assert ratings(table) == [("Douglas", 3)]


# Andrew de Moray: the summary of 2.3


def test_2_12_andrew_de_moray_acts_with_the_a_blocks_and_hits_at_three() -> None:
    table = fought("Hobelars", "Moray, Wallace", ANDREW)
    assert table.waiting == ("Wallace", "Moray")
    table.order("BATTLE Lanark: Moray FIRE").dice(3, 4, 5)
    assert table.facts("fire") == [
        {"f": "fire", "block": "Moray", "rating": 3, "letter": "A", "dice": [3, 4, 5], "hits": 1}
    ]
    assert table.facts("reveal")[0]["ratings"] == {"moray": "A3"}


def test_1_4_andrew_de_moray_has_nothing_more_at_home() -> None:
    table = fought("Hobelars", "Moray", ANDREW, area="Moray").order("BATTLE ALL FIRE").dice(4, 4, 4)
    assert ratings(table) == [("Moray", 3)]
    assert "home" not in table.facts("fire")[0]


def test_2_12_moray_is_b2_without_the_option() -> None:
    table = fought("Hobelars", "Moray", ())
    assert table.waiting == ("Hobelars",)
    table.order("BATTLE ALL PASS").order("BATTLE ALL FIRE").dice(3, 3, 3)
    assert ratings(table) == [("Moray", 2)]


def test_5_5_andrew_de_moray_retreats_with_the_a_blocks() -> None:
    table = Table(
        {"Lanark": "York Infantry"},
        {"Lanark": "Moray, Douglas", "Lennox": "Grant", "Carrick": "Fraser"},
        variants=ANDREW,
    )
    board = table.start
    for name in ("Moray", "Douglas"):
        board = board.put(board[name]._replace(start="Annan", via="Annan"))
    table.start = board
    table.battles(("Lanark", "scottish", "Annan", "Annan"), first="scottish").fought()
    assert table.asked == ("scottish", "retreats")
    assert table.view("scottish").frames["retreat"]["blocks"] == ["Moray"]


# All hits on one target: the summary of 2.3


def test_5_41_one_target_all_hits_of_a_block_fall_on_the_strongest() -> None:
    table = fought("York Infantry 4, Hobelars 3", "Wallace", ONE).order("BATTLE ALL FIRE").dice(1, 1, 1, 6)
    assert table.blocks("Lanark") == {"York Infantry": 1, "Hobelars": 3, "Wallace": 4}


def test_5_41_one_target_hits_beyond_his_steps_are_lost() -> None:
    table = fought("Hobelars 2, Durham Infantry 1", "Wallace", ONE).order("BATTLE ALL FIRE").dice(1, 1, 1, 1)
    assert table.blocks("Lanark") == {"Durham Infantry": 1, "Wallace": 4}
    assert table.dead() == ("Hobelars",)


def test_5_41_one_target_the_owner_breaks_a_tie_for_all_hits() -> None:
    table = fought("York Infantry 4, Lancaster Infantry 4", "Wallace", ONE).order("BATTLE ALL FIRE").dice(1, 1, 1, 6)
    assert table.asked == (ENGLISH, "hits")
    assert table.options() == ["HITS Lanark: York Infantry", "HITS Lanark: Lancaster Infantry"]
    assert "one block is to be named" in table.refused("HITS Lanark: York Infantry, Lancaster Infantry")
    table.order("HITS Lanark: Lancaster")
    assert table.blocks("Lanark") == {"York Infantry": 4, "Lancaster Infantry": 1, "Wallace": 4}


def test_5_41_one_target_the_next_block_takes_aim_anew() -> None:
    table = fought("York Infantry 4, Hobelars 3", "Wallace, Norse", ONE)
    table.order("BATTLE Lanark: Wallace FIRE, Norse FIRE").dice(1, 1, 6, 6).dice(1, 6, 6)
    assert table.blocks("Lanark")["York Infantry"] == 2
    assert table.blocks("Lanark")["Hobelars"] == 2


def test_pillage_falls_as_ever_with_one_target() -> None:
    table = Table({"Dunbar": "Dunbar", "Annan": "York Infantry 4, Hobelars 3"}, {"Lanark": "Wallace 2"}, variants=ONE)
    table.turn("Move 1", "Pillage").order("PILLAGE Annan FROM Lanark")
    assert table.options() == ["HITS Annan: York Infantry, Hobelars", "HITS Annan: York Infantry, York Infantry"]


# No regroup after a defection: the summary of 2.3

NO_REGROUP = ("no_regroup_after_defection",)


@pytest.mark.parametrize("variants", [(), NO_REGROUP])
def test_5_6_nobody_regroups_after_a_battle_that_a_herald_caused(variants: tuple[str, ...]) -> None:
    table = Table({"Mar": "Mar"}, {"Angus": "Angus 1, Wallace"}, variants=variants)
    table.turn("Herald", "Move 1").order("HERALD Angus").dice(1)
    table.order("BATTLE ALL FIRE").dice(1, 6, 6, 6)  # he is captured again
    table.fought()
    assert table.facts("battle over")[0].get("stay", False) is bool(variants)
    assert table.asked == (SCOTTISH, "act" if variants else "regroup")


@pytest.mark.parametrize("variants", [(), NO_REGROUP])
def test_5_6_nobody_regroups_after_the_battle_of_a_coronation(variants: tuple[str, ...]) -> None:
    table = Table({"Dunbar": "Dunbar"}, {"Fife": "Bruce", "dead": "Wallace", "Mar": "Ross 1, Norse"}, variants=variants)
    table.turn("Move 1", "Truce").order("CORONATION Bruce")
    table.order("BATTLE ALL FIRE").dice(1, 6, 6)
    table.fought()
    assert table.asked == ((ENGLISH, "act") if variants else (SCOTTISH, "regroup"))


def test_5_6_after_a_pillage_the_victors_regroup_as_ever() -> None:
    english = {"Dunbar": "Dunbar", "Annan": "Angus 2, York Infantry 1"}
    table = Table(english, {"Lanark": "Wallace 2"}, variants=NO_REGROUP)
    table.turn("Move 1", "Pillage").orders("PILLAGE Annan FROM Lanark", "HITS Annan: Angus, Angus", "PASS")
    table.order("BATTLE ALL FIRE").dice(1)  # the captive wins
    assert table.asked == (SCOTTISH, "regroup")


# The Norse on their own coast: the summary of 2.3

SAME = ("same_coast",)


@pytest.mark.parametrize(
    ("area", "open_to"),
    [
        ("Lennox", ["Argyll", "Carrick", "Ross"]),  # the Irish Sea
        ("Angus", ["Fife", "Ross"]),  # the North Sea; Ross lies on both
        ("Ross", ["Argyll", "Carrick", "Fife"]),
    ],
)
def test_4_7_the_norse_regroup_along_the_same_coast_only(area: str, open_to: list[str]) -> None:
    friends = {"Ross": "Fraser", "Argyll": "Grant", "Carrick": "Barclay", "Fife": "Douglas"}
    scots = {**friends, area: "Norse"}
    table = Table({area: "Durham Infantry 1"}, scots, variants=SAME)
    table.start = table.start.put(table.start["Norse"]._replace(start="Garmoran", via="sea"))
    table.battles((area, SCOTTISH, "Garmoran", "sea"), first=SCOTTISH).order("BATTLE ALL FIRE").dice(1, 6, 6)
    exits = exits_seen(table.view(SCOTTISH), area, regroup=True)
    assert sorted(exits.coasts) == open_to
    refused = {"Lennox": "Fife", "Angus": "Argyll"}.get(area)
    if refused:
        assert "no friendly coast" in table.refused(f"REGROUP {area}: Norse > {refused}")
    table.order(f"REGROUP {area}: Norse > {open_to[0]}")
    assert table.at("Norse") == open_to[0]


def test_4_7_the_norse_retreat_to_any_coast_as_ever() -> None:
    table = Table({"Angus": "York Infantry"}, {"Angus": "Norse", "Carrick": "Grant"}, variants=SAME)
    table.start = table.start.put(table.start["Norse"]._replace(start="Ross", via="sea"))
    table.battles(("Angus", SCOTTISH, "Ross", "sea"), first=SCOTTISH).order("BATTLE ALL RETREAT Carrick")
    assert table.at("Norse") == "Carrick"
