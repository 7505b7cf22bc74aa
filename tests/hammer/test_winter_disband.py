"""Who winters where he stands and who disbands: 7.3-7.5, with Edward and Wallace."""

from __future__ import annotations

import pytest

from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from tests.hammer.winter_builder import WinterTable


def _english(places: dict[str, str], year: int = 1297, **board: int) -> WinterTable:
    return WinterTable(places, {"dead": "Moray"}, year, **board).disbanding()


def _scots(scots: dict[str, str], english: dict[str, str] | None = None) -> WinterTable:
    return WinterTable(english or {}, scots).disbanding("scots")


# 7.3


def test_7_3_all_english_blocks_in_england_disband() -> None:
    table = _english({"England": "Edward, York Knights, York Infantry 2", "Lothian": "Cumbria Infantry"}).order("DONE")
    assert table.on_map(ENGLISH) == {"Cumbria Infantry": "Lothian"}
    assert (table.at("York Infantry"), table.strength("York Infantry")) == ("pool", 0)
    public = {"f": "disband", "side": ENGLISH, "areas": [{"area": "England", "n": 3}]}
    assert table.facts("disband") == table.facts("disband", SCOTTISH) == [public]
    (told,) = table.facts("disband", ENGLISH)
    assert told["areas"] == [{"area": "England", "n": 3, "blocks": ["Edward", "York Knights", "York Infantry"]}]


def test_7_3_nobody_is_asked_when_no_english_block_is_in_scotland_but_nobles() -> None:
    table = _english({"England": "York Knights, Edward"})
    assert table.at("Edward") == "pool"
    assert table.asked[1] != "disband"


def test_7_3_nobody_is_asked_when_edward_cannot_winter_and_no_infantry_could_stay() -> None:
    """Everybody can count that: Selkirk holds nobody, Mar and Atholl their nobles."""
    places = {"Selkirk": "York Infantry, Hobelars", "Mar": "Mar, Cumbria Infantry"}
    assert _english(places, edward=2).on_map(ENGLISH) == {}
    assert _english(places).asked == (ENGLISH, "disband")  # any of them could be Edward


def test_7_31_archers_knights_and_hobelars_disband() -> None:
    table = _english({"Mentieth": "York Knights, Hobelars", "Fife": "Wales Archers, Durham Infantry"})
    assert table.secret == "until end"
    table.order("DONE")
    assert table.on_map(ENGLISH) == {"Durham Infantry": "Fife"}
    for name in ("York Knights", "Hobelars", "Wales Archers"):
        assert table.at(name) == "pool"  # 5.8: the black cross too


def test_7_32_infantry_with_wales_and_ulster_stays_up_to_the_castle_limit_the_owner_choosing() -> None:
    table = _english({"Lothian": "Wales Infantry, Ulster Infantry, York Infantry"})
    said = table.refused("DONE")
    assert "2 may winter in Lothian beside the nobles, so 1 more must disband (rule 7.32)" in said
    table.order("DISBAND York")
    assert table.on_map(ENGLISH) == {"Wales Infantry": "Lothian", "Ulster Infantry": "Lothian"}


def test_7_32_infantry_may_disband_though_there_is_room() -> None:
    assert _english({"Lothian": "York Infantry"}).order("DISBAND York Infantry").on_map(ENGLISH) == {}


def test_7_32_nobles_count_first_and_stay() -> None:
    table = _english(
        {"Mentieth": "Mentieth, York Infantry, Durham Infantry, Cumbria Infantry", "Mar": "Mar, Ulster Infantry"}
    )
    assert "2 may winter in Mentieth beside the nobles, so 1 more must disband" in table.refused("DONE")
    table.order("DISBAND Cumbria Infantry")
    assert table.on_map(ENGLISH) == {"York Infantry": "Mentieth", "Durham Infantry": "Mentieth"}
    assert table.at("Mar") == "Mar"


def test_7_32_a_cathedral_adds_nothing_for_the_english() -> None:
    table = _english({"Fife": "York Infantry, Durham Infantry, Cumbria Infantry"})
    assert "2 may winter in Fife" in table.refused("DONE")


def test_7_1_nobles_cannot_disband() -> None:
    table = _english({"Mentieth": "Mentieth, York Infantry"})
    assert "Mentieth is a noble, and nobles cannot disband (rule 7.1)" in table.refused("DISBAND Mentieth")


def test_7_32_who_is_not_on_the_map_cannot_disband() -> None:
    table = _english({"Mentieth": "Mentieth, York Infantry"})
    said = table.refused("DISBAND Hobelars\nDISBAND Douglas, Atholl")
    assert "line 1: “DISBAND Hobelars”: Hobelars is not one of your blocks on the map (rule 7.32)" in said
    assert "Douglas is not one of your blocks" in said
    assert "Atholl is a noble" in said


# 7.4


def test_7_4_edward_i_may_winter_in_scotland_with_all_red_blocks_of_his_area() -> None:
    table = _english({"Teviot": "Edward, York Knights, Wales Archers, York Infantry, Durham Infantry"})
    table.order("EDWARD STAYS")
    assert set(table.on_map(ENGLISH).values()) == {"Teviot"}
    assert len(table.on_map(ENGLISH)) == 5
    assert table.board.wintered == 1297
    assert table.facts("edward winters") == [{"f": "edward winters"}]
    assert table.facts("edward winters", ENGLISH) == [{"f": "edward winters", "area": "Teviot"}]


def test_7_4_only_blocks_in_his_own_area_profit() -> None:
    table = _english({"Teviot": "Edward, Hobelars", "Dunbar": "York Knights, York Infantry, Durham Infantry"})
    assert "so 1 more must disband" in table.refused("EDWARD STAYS")
    table.order("EDWARD STAYS\nDISBAND York Infantry")
    assert table.on_map(ENGLISH) == {"Edward": "Teviot", "Hobelars": "Teviot", "Durham Infantry": "Dunbar"}


def test_7_4_who_could_winter_with_edward_may_disband() -> None:
    table = _english({"Teviot": "Edward, Hobelars, York Knights"}).order("WINTER Edward\nDISBAND Hobelars")
    assert table.on_map(ENGLISH) == {"Edward": "Teviot", "York Knights": "Teviot"}


@pytest.mark.parametrize("text", ["DONE", "EDWARD DISBANDS", "DISBAND Edward"])
def test_7_4_edward_may_disband_instead_and_is_still_edward_i(text: str) -> None:
    table = _english({"Teviot": "Edward, Hobelars"}).order(text)
    assert table.on_map(ENGLISH) == {}
    assert (table.board.edward, table.board.wintered) == (1, 0)


def test_7_4_not_two_winters_in_a_row() -> None:
    table = _english({"Lothian": "Edward, York Infantry"}, 1299, wintered=1298)
    assert "two winters in a row in Scotland (rule 7.4)" in table.refused("EDWARD STAYS")
    assert _english({"Lothian": "Edward"}, 1299, wintered=1297).order("EDWARD STAYS").board.wintered == 1299


def test_7_4_not_in_1306_and_never_as_edward_ii() -> None:
    table = _english({"Lothian": "Edward, York Infantry"}, 1306)
    assert "may not winter in Scotland in 1306 (rule 7.4)" in table.refused("EDWARD STAYS")
    table = _english({"Lothian": "Edward, York Infantry"}, 1299, edward=2)
    assert "Edward II may not winter" in table.refused("EDWARD STAYS")


def test_7_4_not_in_england() -> None:
    table = _english({"England": "Edward", "Lothian": "York Infantry"})
    assert "Edward is not in Scotland (rule 7.4)" in table.refused("EDWARD STAYS")


def test_7_4_he_cannot_both_stay_and_disband() -> None:
    table = _english({"Lothian": "Edward, York Infantry"})
    assert "not both" in table.refused("EDWARD STAYS\nDISBAND Edward")
    assert "only Edward's wintering" in table.refused("WINTER York Knights")


def test_7_3_silence_keeps_the_strongest_infantry_and_sends_edward_home() -> None:
    table = _english({"Lothian": "Edward, York Infantry 1, Durham Infantry 3, Wales Infantry 2"}).silence()
    assert set(table.on_map(ENGLISH)) == {"Durham Infantry", "Wales Infantry"}


# 7.5


def test_7_5_scots_stay_up_to_the_castle_limit_a_cathedral_adding_one() -> None:
    table = _scots({"Fife": "Douglas, Barclay, Keith, Norse", "Lothian": "Fraser, Grant"})
    assert table.asked == (SCOTTISH, "disband")
    assert table.secret == "until end"
    said = table.refused("DONE")
    assert "3 may winter in Fife beside the nobles, so 1 more must disband (rule 7.5)" in said
    table.order("DISBAND Norse")
    assert set(table.on_map(SCOTTISH)) == {"Douglas", "Barclay", "Keith", "Fraser", "Grant"}
    assert table.at("Norse") == "pool"  # 5.8: disbanding is no death


def test_7_5_the_owner_chooses_and_may_disband_more() -> None:
    assert _scots({"Fife": "Douglas, Barclay"}).order("DISBAND Barclay, Douglas").on_map(SCOTTISH) == {}


def test_7_5_in_areas_without_a_castle_everybody_disbands() -> None:
    table = _scots({"dead": "Wallace", "Garmoran": "Douglas, Keith", "Fife": "Fraser"}).order("DONE")
    assert table.on_map(SCOTTISH) == {"Fraser": "Fife"}


def test_7_5_nobles_count_first_and_stay() -> None:
    table = _scots({"Mar": "Mar, Douglas", "Angus": "Angus, Fraser, Grant"})
    assert "1 may winter in Angus beside the nobles, so 1 more must disband" in table.refused("DONE")
    table.order("DISBAND Grant")
    assert table.on_map(SCOTTISH) == {"Fraser": "Angus"}
    assert table.at("Mar") == "Mar"


def test_7_5_moray_and_the_king_count_and_their_owner_may_disband_either() -> None:
    places = {"Lothian": "Moray, King, Douglas"}
    assert "so 1 more must disband" in _scots(places).refused("DONE")
    for name in ("Moray", "King", "Douglas"):
        table = _scots(places).order(f"DISBAND {name}")
        assert table.at(name) == "pool"
        assert len(table.on_map(SCOTTISH)) == 2


def test_7_5_moray_beside_a_noble_has_no_place_where_the_limit_is_one() -> None:
    table = _scots({"Mar": "Mar, Moray", "Fife": "Douglas"}).order("DONE")
    assert (table.at("Moray"), table.at("Mar")) == ("pool", "Mar")


def test_7_5_scots_left_in_england_disband() -> None:
    table = _scots({"England": "Douglas, King, Wallace", "Fife": "Barclay"}).order("DONE")
    assert table.on_map(SCOTTISH) == {"Barclay": "Fife"}


def test_7_5_wallace_goes_to_selkirk_and_gains_two_steps() -> None:
    table = _scots({"Fife": "Wallace 1, Douglas"}).order("WALLACE > Selkirk")
    assert (table.at("Wallace"), table.strength("Wallace"), table.at("Douglas")) == ("Selkirk", 3, "Fife")
    public = {"f": "winter move", "side": SCOTTISH, "start": "Fife", "to": "Selkirk"}
    assert table.facts("winter move") == table.facts("winter move", ENGLISH) == [public]
    assert table.facts("winter move", SCOTTISH) == [{**public, "block": "Wallace", "strength": 3}]


def test_7_5_wallace_gains_no_more_than_his_strength_allows() -> None:
    assert _scots({"Fife": "Wallace 3"}).order("wallace selkirk").strength("Wallace") == 4


def test_7_5_wallace_goes_to_selkirk_from_england_too() -> None:
    table = _scots({"England": "Wallace 2, Douglas"}).order("WALLACE > Selkirk")
    assert table.on_map(SCOTTISH) == {"Wallace": "Selkirk"}
    assert table.strength("Wallace") == 4


def test_7_5_wallace_in_selkirk_already_stays_there_and_gains_them_too() -> None:
    for text in ("DONE", "WALLACE > Selkirk"):
        table = _scots({"Selkirk": "Wallace 2"}).order(text)
        assert (table.at("Wallace"), table.strength("Wallace")) == ("Selkirk", 4)
    assert _scots({"Selkirk": "Wallace 2"}).order("DISBAND Wallace").at("Wallace") == "pool"


def test_7_5_only_wallace_is_exempt_from_selkirks_limit_of_0() -> None:
    table = _scots({"Selkirk": "Wallace 2, Douglas"}).order("DONE")
    assert table.on_map(SCOTTISH) == {"Wallace": "Selkirk"}


def test_7_5_wallace_may_stay_where_he_is_within_the_limit() -> None:
    table = _scots({"Fife": "Wallace 2"}).order("DONE")
    assert (table.at("Wallace"), table.strength("Wallace")) == ("Fife", 2)


def test_7_5_not_to_selkirk_when_it_is_enemy_occupied() -> None:
    table = _scots({"Fife": "Wallace 2"}, {"Selkirk": "Edward, York Knights"})
    assert "Selkirk is occupied by the enemy (rule 7.5)" in table.refused("WALLACE > Selkirk")


def test_7_5_selkirk_is_judged_after_the_english_have_disbanded() -> None:
    table = WinterTable({"Selkirk": "York Infantry"}, {"Fife": "Wallace 2", "dead": "Moray"}).disbanding()
    table.order("DONE").order("WALLACE > Selkirk")
    assert table.at("Wallace") == "Selkirk"


def test_7_5_wallace_can_go_nowhere_else_nor_go_and_disband() -> None:
    table = _scots({"Fife": "Wallace, Douglas"})
    assert "Wallace may move to Selkirk only (rule 7.5)" in table.refused("WALLACE > Lanark")
    assert "not both" in table.refused("WALLACE > Selkirk\nDISBAND Wallace")
    assert "Edward is not yours" in table.refused("EDWARD STAYS")
    pool = _scots({"Fife": "Douglas"})
    assert "Wallace is not on the map" in pool.refused("WALLACE > Selkirk")


def test_7_5_nobody_is_asked_when_only_nobles_are_on_the_map() -> None:
    table = _scots({"Mar": "Mar"})
    assert table.asked != (SCOTTISH, "disband")


def test_7_5_nobody_is_asked_when_nobody_could_stay_and_wallace_is_dead() -> None:
    assert _scots({"dead": "Wallace", "Garmoran": "Douglas", "Mar": "Mar, Fraser"}).on_map(SCOTTISH) == {}
    # while Wallace may be anywhere, they are
    assert _scots({"pool": "Wallace", "Garmoran": "Douglas"}).asked == (SCOTTISH, "disband")


def test_7_5_silence_keeps_all_it_can_the_king_and_moray_first() -> None:
    table = _scots({"Lothian": "King 1, Moray 1, Douglas, Fraser", "Garmoran": "Wallace 1"}).silence()
    assert table.on_map(SCOTTISH) == {"King": "Lothian", "Moray": "Lothian", "Wallace": "Selkirk"}
    assert table.strength("Wallace") == 3


def test_7_5_silence_leaves_wallace_where_there_is_room() -> None:
    assert _scots({"Fife": "Wallace 2, Douglas"}).silence().at("Wallace") == "Fife"


# the questions' own laws


def test_disband_every_order_offered_is_legal_and_said_once() -> None:
    table = _english({"Lothian": "Edward, York Infantry, Durham Infantry, Wales Infantry", "Teviot": "Ulster Infantry"})
    offered = table.options()
    # with Edward: any of three may go, and Ulster or not; without: at least one of three goes
    assert len(offered) == len(set(offered)) == 8 * 2 + 7 * 2
    wallace = _scots({"Selkirk": "Wallace", "Fife": "Douglas"}).options()
    assert set(wallace) == {"DONE", "DISBAND Douglas", "DISBAND Wallace", "DISBAND Wallace, Douglas"}
