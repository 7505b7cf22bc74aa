"""Rallying to a leader: the option "rassemblement" of the summary of 2.3."""

from __future__ import annotations

from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from tests.hammer.builder import Places, Table

HOME = {"Dunbar": "Dunbar"}


def scots(card: str = "Move 2", english: str = "Move 1", foes: Places | None = None, **places: str) -> Table:
    """The Scots are to move, as Player 1."""
    return Table(foes or HOME, places, variants=("rally",)).turn(english, card)


def test_rally_blocks_of_several_areas_go_to_the_king_for_one_group_move() -> None:
    table = scots(Atholl="King", Mar="Grant", Lennox="Fraser, Barclay", Fife="Douglas")
    table.order("MOVE Mar: Grant > Atholl RALLY\nMOVE Lennox: ALL > Atholl RALLY\nMOVE Fife: Douglas > Mentieth")
    assert table.blocks("Atholl").keys() == {"King", "Grant", "Fraser", "Barclay"}
    assert table.at("Douglas") == "Mentieth"  # the other Group Move


def test_rally_two_places_are_two_group_moves() -> None:
    text = "MOVE Mar: Grant > Atholl RALLY\nMOVE Carrick: Fraser > Lanark RALLY\nMOVE Fife: Douglas > Mentieth"
    table = scots(Atholl="Wallace", Lanark="Moray", Mar="Grant", Carrick="Fraser", Fife="Douglas")
    assert "this would be 3 Group Moves, and the card gives 2 (rule 4.2)" in table.refused(text)
    table.order(text.rpartition("\n")[0])
    assert (table.at("Grant"), table.at("Fraser")) == ("Atholl", "Lanark")


def test_rally_does_not_activate_the_area_it_leaves() -> None:
    table = scots(Atholl="King", Lennox="Fraser, Barclay", Fife="Douglas")
    refused = table.refused(
        "MOVE Lennox: Fraser > Atholl RALLY\nMOVE Lennox: Barclay > Carrick\nMOVE Fife: Douglas > Mentieth"
    )
    assert "3 Group Moves" in refused


def test_rally_border_limits_and_move_ratings_hold() -> None:
    table = scots(Atholl="King", Mar="Grant, Fraser, Barclay", Annan="Douglas")
    assert "only 2 blocks may cross" in table.refused("MOVE Mar: ALL > Atholl RALLY")
    assert "moves at most 2 areas" in table.refused("MOVE Annan: Douglas > Carrick > Lennox > Atholl RALLY")


def test_rally_to_wallace_or_moray_only_while_the_king_is_not_on_the_map() -> None:
    refused = scots(Atholl="King", Lanark="Wallace", Carrick="Grant").refused("MOVE Carrick: Grant > Lanark RALLY")
    assert "no leader to rally to stands in Lanark (rule Rally)" in refused
    assert "Possible: MOVE Carrick: Grant > Lanark" in refused
    table = scots(pool="King", Lanark="Wallace", Carrick="Grant")
    assert table.order("MOVE Carrick: Grant > Lanark RALLY").at("Grant") == "Lanark"


def test_rally_of_the_english_to_edward_or_else_to_a_knight() -> None:
    english = {"Lanark": "York Knights", "Lothian": "York Infantry", "Mentieth": "Hobelars"}
    text = "MOVE Lothian: York Infantry > Lanark RALLY\nMOVE Mentieth: Hobelars > Lanark RALLY"
    table = Table(english, {"Ross": "Ross"}, variants=("rally",)).turn("Move 2", "Move 1").order(text)
    assert table.blocks("Lanark").keys() == {"York Knights", "York Infantry", "Hobelars"}
    table = Table({**english, "Dunbar": "Edward"}, {"Ross": "Ross"}, variants=("rally",)).turn("Move 2", "Move 1")
    assert "no leader to rally to stands in Lanark" in table.refused(text)


def test_rally_the_leader_may_move_before_or_after_it_but_once() -> None:
    table = scots(Fife="King", Lothian="Grant")
    table.order("MOVE Fife: King > Mentieth\nMOVE Lothian: Grant > Mentieth RALLY")
    assert table.blocks("Mentieth").keys() == {"King", "Grant"}
    table = scots(Mentieth="King", Lothian="Grant")
    table.order("MOVE Lothian: Grant > Mentieth RALLY\nMOVE Mentieth: King > Fife")
    assert (table.at("Grant"), table.at("King")) == ("Mentieth", "Fife")
    again = "MOVE Fife: King > Mentieth\nMOVE Mentieth: King > Lanark"
    assert "moves only once" in scots(Fife="King", Lothian="Grant").refused(again)


def test_rally_not_where_the_leader_was_before_he_moved() -> None:
    refused = scots(Fife="King", Angus="Grant").refused("MOVE Fife: King > Mentieth\nMOVE Angus: Grant > Fife RALLY")
    assert "no leader to rally to stands in Fife" in refused


def test_rally_not_where_a_battle_will_be() -> None:
    foes = {"Lanark": "York Infantry", "Dunbar": "Dunbar"}
    table = scots(foes=foes, Carrick="King", Lennox="Grant")
    refused = table.refused("MOVE Carrick: King > Lanark\nMOVE Lennox: Grant > Lanark RALLY")
    assert "nobody rallies where a battle will be, as in Lanark (rule Rally)" in refused
    english = {"Lothian": "York Infantry"}
    table = Table(english, {"Lanark": "King", "Carrick": "Grant"}, variants=("rally",)).turn("Move 2", "Move 2")
    table.order("MOVE Lothian: York Infantry > Lanark")
    assert "where a battle will be" in table.refused("MOVE Carrick: Grant > Lanark RALLY")


def test_rally_not_across_the_anglo_scottish_border_nor_by_the_norse() -> None:
    table = scots("Move 3", Annan="King", England="Grant", Carrick="Norse")
    assert "crosses the Anglo-Scottish border" in table.refused("MOVE England: Grant > Annan RALLY")
    assert "the Norse move by themselves, and do not rally (rule 4.7)" in table.refused("MOVE Norse > Annan RALLY")


def test_rally_pinned_blocks_stay() -> None:
    foes = {"Lothian": "York Infantry"}
    table = Table(foes, {"Lanark": "Grant", "Lennox": "King"}, variants=("rally",)).turn("Move 2", "Move 2")
    table.order("MOVE Lothian: York Infantry > Lanark")
    assert "pinned (rule 4.6)" in table.refused("MOVE Lanark: Grant > Lennox RALLY")


def test_rally_is_told_without_the_leader() -> None:
    table = scots(Atholl="King", Mar="Grant").order("MOVE Mar: Grant > Atholl RALLY")
    fact = {"f": "move", "side": SCOTTISH, "route": ["Mar", "Atholl"], "n": 1, "rally": True}
    assert table.facts("move", ENGLISH) == [fact]
    assert table.facts("move", SCOTTISH) == [{**fact, "blocks": ["Grant"]}]


def test_rally_is_an_option() -> None:
    table = Table(HOME, {"Atholl": "King", "Mar": "Grant"}).turn("Move 1", "Move 2")
    assert "an option that is not played here" in table.refused("MOVE Mar: Grant > Atholl RALLY")
