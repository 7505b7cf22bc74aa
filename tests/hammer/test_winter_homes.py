"""Nobles go home, Moray and the Scottish King go where they like: 7.1, 7.12, 7.2."""

from __future__ import annotations

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.rules.printed import ENGLISH, NOBLES, SCOTTISH
from tests.hammer.winter_builder import HOMES, WinterTable

NO_MORAY = "Moray"
"""Dead, and without a crowned King, the Scots have nothing to choose in 7.1 and 7.2 but for Bruce and Comyn."""


def test_7_1_all_nobles_return_home_whatever_the_distance() -> None:
    table = WinterTable(
        {"England": "Ross, Angus", "Lothian": "Mentieth 1", "Annan": "Bruce", "Badenoch": "Comyn"},
        {"dead": NO_MORAY, "Fife": "Dunbar, Mar 2", "Garmoran": "Steward"},
    ).winter()
    table.silence()
    for name in NOBLES:
        assert table.at(name) in (HOMES[name], *(["Carrick", "Lochaber"] if name in ("Bruce", "Comyn") else []))
    assert table.strength("Mentieth") == 1
    assert table.side("Dunbar") == table.side("Mar") == table.side("Steward") == SCOTTISH
    (english,) = [f for f in table.facts("homes") if f["side"] == ENGLISH and len(f["nobles"]) > 2]
    assert {"noble": "Angus", "area": "Angus"} in english["nobles"]
    (scots,) = [f for f in table.facts("homes") if f["side"] == SCOTTISH]
    assert [n["noble"] for n in scots["nobles"]] == ["Mar", "Dunbar", "Steward"]


def test_7_1_a_noble_just_home_is_known_by_place_not_by_strength() -> None:
    table = WinterTable({"Lothian": "Angus 2"}, {"dead": NO_MORAY, "Fife": "Mar 1"}).winter().silence()
    shown = table.view(SCOTTISH).revealed
    assert shown["angus"].at == "Angus"
    assert shown["angus"].strength == 0
    assert table.view(ENGLISH).revealed["mar"].at == "Mar"
    assert not table.view(None).arrivals


def test_7_1_an_english_noble_whose_home_is_occupied_comes_over_at_current_strength() -> None:
    table = WinterTable({"Lothian": "Angus 2"}, {"dead": NO_MORAY, "Angus": "Douglas"}).winter()
    assert (table.side("Angus"), table.at("Angus"), table.strength("Angus")) == (SCOTTISH, "Angus", 2)
    public = {"f": "turned", "noble": "Angus", "to": SCOTTISH, "area": "Angus"}
    assert table.facts("turned") == [public]
    assert table.facts("turned", ENGLISH) == table.facts("turned", SCOTTISH) == [{**public, "strength": 2}]


def test_7_1_a_scottish_noble_whose_home_is_occupied_goes_over_to_the_english() -> None:
    table = WinterTable({"Mar": "York Infantry"}, {"dead": NO_MORAY, "Fife": "Mar 3"}).winter().silence()
    assert (table.side("Mar"), table.at("Mar"), table.strength("Mar")) == (ENGLISH, "Mar", 3)


def test_7_1_the_english_go_first_so_a_scottish_noble_in_an_enemys_home_turns_him() -> None:
    """Dunbar stands in Mar, and Mar, English, in Dunbar: Mar comes over, then Dunbar finds his home free."""
    table = WinterTable({"Dunbar": "Mar"}, {"dead": NO_MORAY, "Mar": "Dunbar"}).winter().silence()
    assert (table.side("Mar"), table.at("Mar")) == (SCOTTISH, "Mar")
    assert (table.side("Dunbar"), table.at("Dunbar")) == (SCOTTISH, "Dunbar")


def test_7_1_who_changed_sides_in_the_english_half_does_not_move_in_the_scottish_half() -> None:
    """Bruce comes over and is placed once, though as a Scottish noble with two homes he would have a choice again."""
    table = WinterTable(
        {"Fife": "Bruce 3", "Mentieth": "Angus", "Badenoch": "Comyn", "Lochaber": "Ulster Infantry"},
        {"dead": NO_MORAY, "Annan": "Fraser", "Carrick": "Grant", "Angus": "Douglas"},
    ).winter()
    table.order("HOME Comyn > Badenoch").order("HOME Bruce > Carrick")
    assert table.asked == (ENGLISH, "disband")
    assert table.side("Angus") == table.side("Bruce") == SCOTTISH
    assert [f["nobles"] for f in table.facts("homes") if f["side"] == SCOTTISH] == [
        [{"noble": "Bruce", "area": "Carrick"}]
    ]


# 7.12


def test_7_12_with_one_home_free_he_goes_there_unasked() -> None:
    table = WinterTable(
        {"Fife": "Bruce", "Mentieth": "Comyn"}, {"dead": NO_MORAY, "Annan": "Fraser", "Lochaber": "Grant"}
    ).winter()
    assert (table.side("Bruce"), table.at("Bruce")) == (ENGLISH, "Carrick")
    assert (table.side("Comyn"), table.at("Comyn")) == (ENGLISH, "Badenoch")
    assert not table.facts("turned")


def test_7_12_with_both_free_his_side_chooses_openly_even_from_one_home_to_the_other() -> None:
    table = WinterTable({"Annan": "Bruce", "Fife": "Comyn"}, {"dead": NO_MORAY}).winter()
    assert table.asked == (ENGLISH, "home")
    assert table.secret == "no"
    assert len(table.options()) == 4
    table.order("HOME Bruce > Carrick\nHOME Comyn > Badenoch")
    assert table.at("Bruce") == "Carrick"
    assert table.at("Comyn") == "Badenoch"
    assert {"f": "homes", "side": ENGLISH, "nobles": [
        {"noble": "Comyn", "area": "Badenoch"}, {"noble": "Bruce", "area": "Carrick"}
    ]} in table.facts("homes")  # fmt: skip


@pytest.mark.parametrize("place", ["Annan", "Carrick", "Fife"])
def test_7_12_until_it_is_chosen_he_stands_where_he_was(place: str) -> None:
    """His own side sees him there; the enemy sees one block there, as before, and who it is only when he has gone home."""
    table = WinterTable({place: "Bruce", "Lochaber": "Comyn"}, {"dead": NO_MORAY}).winter()
    own = table.view(ENGLISH).own("Bruce")
    assert own is not None
    assert own.at == place
    seen = table.view(SCOTTISH)
    assert "bruce" not in seen.revealed
    assert {area: seen.count(area, ENGLISH) for area in ("Annan", "Carrick", "Fife")} == {
        area: int(area == place) for area in ("Annan", "Carrick", "Fife")
    }
    table.order("HOME Bruce > Carrick\nHOME Comyn > Lochaber")
    assert table.view(SCOTTISH).revealed["bruce"].at == "Carrick"


@pytest.mark.parametrize("home", ["Annan", "Carrick"])
def test_7_12_he_may_stay_in_either_of_his_homes(home: str) -> None:
    table = WinterTable({home: "Bruce", "Badenoch": "Comyn"}, {"dead": NO_MORAY}).winter()
    order = GAME.parse(table.view(ENGLISH), "HOME Bruce STAY\nHOME Comyn stays")
    assert str(order) == f"HOME Comyn > Badenoch\nHOME Bruce > {home}"
    table.order("HOME Bruce STAY\nHOME Comyn STAY")
    assert table.at("Bruce") == home
    assert table.view(SCOTTISH).revealed["bruce"].at == home


def test_7_1_the_english_half_is_over_before_the_scottish_one_begins() -> None:
    """Bruce stands in Mar's home until he has chosen one of his own; then Mar finds it free."""
    table = WinterTable({"Mar": "Bruce"}, {"dead": NO_MORAY, "Fife": "Mar"}).winter()
    assert table.asked == (ENGLISH, "home")
    assert not [f for f in table.facts("homes") if f["side"] == SCOTTISH]
    table.order("HOME Bruce > Annan\nHOME Comyn > Badenoch")
    assert (table.side("Mar"), table.at("Mar")) == (SCOTTISH, "Mar")
    assert not table.facts("turned")


def test_7_12_with_both_taken_he_comes_over_and_his_new_owner_chooses() -> None:
    table = WinterTable(
        {"Fife": "Bruce 3", "Badenoch": "Comyn", "Lochaber": "Ulster Infantry"},
        {"dead": NO_MORAY, "Annan": "Fraser", "Carrick": "Grant"},
    ).winter()
    assert table.side("Bruce") == SCOTTISH
    assert table.facts("turned") == [{"f": "turned", "noble": "Bruce", "to": SCOTTISH}]
    assert table.asked == (ENGLISH, "home")  # Comyn first: the English choose theirs
    table.order("HOME Comyn > Lochaber")
    assert table.asked == (SCOTTISH, "home")
    assert table.secret == "no"
    table.order("HOME Bruce > Annan")
    assert (table.at("Bruce"), table.strength("Bruce")) == ("Annan", 3)


def test_7_12_a_scottish_bruce_with_both_homes_taken_goes_to_the_english_who_choose() -> None:
    table = WinterTable(
        {"Annan": "York Infantry", "Carrick": "Wales Infantry", "Badenoch": "Comyn"},
        {"dead": NO_MORAY, "Fife": "Bruce 1"},
    ).winter()
    assert table.asked == (ENGLISH, "home")
    ask = table.view(ENGLISH).ask
    assert ask is not None
    assert ask["nobles"] == ["Comyn"]
    table.order("home comyn > loch")
    assert table.asked == (ENGLISH, "home")
    assert "Possible: HOME Bruce > Carrick, or Annan" in table.refused("HOME Bruce > Fife")
    table.order("home bruce > annan")
    assert (table.side("Bruce"), table.at("Bruce"), table.strength("Bruce")) == (ENGLISH, "Annan", 1)


def test_7_12_choices_keep_the_order_of_the_halves() -> None:
    """English Comyn comes over, so the Scots place him; then Scottish Bruce goes over, and the English place him."""
    table = WinterTable(
        {"Fife": "Comyn", "Annan": "York Infantry", "Carrick": "Wales Infantry"},
        {"dead": NO_MORAY, "Badenoch": "Fraser", "Lochaber": "Grant", "Lennox": "Bruce"},
    ).winter()
    assert table.asked == (SCOTTISH, "home")
    table.order("HOME Comyn > Lochaber")
    assert table.asked == (ENGLISH, "home")
    table.order("HOME Bruce > Carrick")
    assert (table.side("Comyn"), table.at("Comyn")) == (SCOTTISH, "Lochaber")
    assert (table.side("Bruce"), table.at("Bruce")) == (ENGLISH, "Carrick")


def test_7_12_scottish_choices_are_asked_together_with_moray_and_the_king() -> None:
    table = WinterTable(
        {"Badenoch": "Comyn", "Lochaber": "York Infantry"}, {"Fife": "Bruce, King", "Lennox": "Moray"}, king="Bruce"
    ).winter()
    table.order("HOME Comyn > Badenoch")
    assert table.asked == (SCOTTISH, "home")
    assert table.secret == "until end"
    table.order("HOME Bruce > Carrick\nKING > Strathspey\nHOME Moray")
    assert (table.at("Bruce"), table.at("King"), table.at("Moray")) == ("Carrick", "Strathspey", "Moray")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("HOME Bruce > Fife\nHOME Comyn > Badenoch", "line 1: “HOME Bruce > Fife”: Fife is not his home (rule 7.12)."),
        ("HOME Bruce DISBAND\nHOME Comyn > Badenoch", "Bruce cannot disband"),
        (
            "HOME Bruce > Annan\nHOME Comyn STAY",
            "Comyn stands in Fife, which is not a home of his: he goes to Lochaber or Badenoch (rule 7.12). Possible: HOME ",
        ),
        ("HOME Bruce > Annan", "Comyn needs a place (rule 7.12)"),
        ("HOME Bruce > Annan\nHOME Bruce > Carrick\nHOME Comyn > Badenoch", "line 2: “HOME Bruce > Carrick”: Bruce is named twice"),
        ("HOME Angus > Angus", "there is no such block with a choice here"),
    ],
)  # fmt: skip
def test_7_12_orders_that_do_not_fit_are_refused_with_the_rule(text: str, why: str) -> None:
    table = WinterTable({"Annan": "Bruce", "Fife": "Comyn"}, {"dead": NO_MORAY}).winter()
    assert why in table.refused(text)


def test_7_1_all_bad_lines_are_answered_at_once() -> None:
    table = WinterTable({"Annan": "Bruce", "Fife": "Comyn"}, {"dead": NO_MORAY}).winter()
    said = table.refused("HOME Bruce > Fife\nHOME Comyn > Ross")
    assert "line 1" in said
    assert "line 2" in said


# Moray


def _with_moray(place: str, **english: str) -> WinterTable:
    table = WinterTable({"Annan": "Bruce", "Badenoch": "Comyn", **english}, {place: "Moray"}).winter()
    return table.silence()


def test_7_1_moray_goes_home_stays_or_disbands() -> None:
    table = _with_moray("Fife")
    assert table.asked == (SCOTTISH, "home")
    assert table.secret == "until end"
    assert set(table.options()) == {"HOME Moray > Moray", "HOME Moray STAY", "HOME Moray DISBAND"}
    assert _with_moray("Fife").order("HOME Moray").at("Moray") == "Moray"
    assert _with_moray("Fife").order("DONE").on_map(SCOTTISH) == {"Moray": "Moray"}
    gone = _with_moray("Fife").order("DISBAND Moray")
    assert (gone.at("Moray"), gone.strength("Moray")) == ("pool", 0)


def test_7_1_moray_at_home_stays_or_disbands() -> None:
    table = _with_moray("Moray")
    assert set(table.options()) == {"HOME Moray STAY", "HOME Moray DISBAND"}
    table.order("HOME Moray > Moray")  # he is there: he stays
    assert table.at("Moray") == "Moray"
    assert not table.facts("winter move")


def test_7_1_moray_never_enters_an_enemy_occupied_home() -> None:
    table = _with_moray("Fife", Moray="York Infantry")
    assert set(table.options()) == {"HOME Moray STAY", "HOME Moray DISBAND"}
    assert "Moray is occupied by the enemy (rule 7.1)" in table.refused("HOME Moray > Moray")


def test_7_1_from_england_moray_goes_home_or_disbands() -> None:
    table = _with_moray("England")
    assert set(table.options()) == {"HOME Moray > Moray", "HOME Moray DISBAND"}
    assert "Moray cannot stay in England for the winter (rule 7.1)" in table.refused("HOME Moray STAY")
    blocked = _with_moray("England", Moray="York Infantry")
    assert blocked.options() == ["HOME Moray DISBAND"]


def test_7_1_morays_going_is_told_by_numbers_alone() -> None:
    table = _with_moray("Fife").order("HOME Moray")
    public = {"f": "winter move", "side": SCOTTISH, "start": "Fife", "to": "Moray"}
    assert table.facts("winter move") == table.facts("winter move", ENGLISH) == [public]
    assert table.facts("winter move", SCOTTISH) == [{**public, "block": "Moray"}]
    assert "moray" not in table.view(ENGLISH).revealed


def test_7_1_the_scots_are_asked_also_when_moray_is_in_the_pool_for_nobody_may_know() -> None:
    table = _with_moray("pool")
    assert table.asked == (SCOTTISH, "home")
    assert table.options() == ["DONE"]
    assert "no block has a choice to make now" in table.refused("HOME Moray STAY")
    table.order("DONE")
    assert table.at("Moray") == "pool"


def test_7_1_nobody_is_asked_when_moray_is_dead_and_no_king_is_crowned() -> None:
    table = WinterTable(
        {"Annan": "Bruce", "Lochaber": "Comyn"}, {"dead": "Moray", "Carrick": "Grant", "Badenoch": "Fraser"}
    )
    table.winter()
    assert table.asked == (SCOTTISH, "disband")
    assert table.at("Comyn") == "Lochaber"


# 7.2


def _with_king(place: str, english: dict[str, str] | None = None, **scots: str) -> WinterTable:
    blocks = {"dead": "Moray", place: "King", **scots}
    table = WinterTable({"Annan": "Bruce", "Badenoch": "Comyn", **(english or {})}, blocks, king="Balliol").winter()
    return table.silence()


def test_7_2_the_king_moves_to_any_friendly_or_neutral_cathedral() -> None:
    table = _with_king("Garmoran", {"Lennox": "Lennox"}, Fife="Douglas")
    assert table.asked == (SCOTTISH, "home")
    assert table.secret == "until end"
    # Strathspey is neutral, Fife friendly, Lennox the enemy's
    assert set(table.options()) == {"KING > Strathspey", "KING > Fife", "KING STAY", "KING DISBAND"}
    assert "Lennox is occupied by the enemy (rule 7.2)" in table.refused("KING > Lennox")
    assert "Mentieth is not a cathedral (rule 7.2)" in table.refused("KING > Mentieth")
    assert table.order("KING > Fife").at("King") == "Fife"


def test_7_2_the_king_may_disband_and_comes_to_the_pool() -> None:
    table = _with_king("Fife").order("KING DISBAND")
    assert (table.at("King"), table.strength("King")) == ("pool", 0)
    assert table.facts("disband") == [{"f": "disband", "side": SCOTTISH, "areas": [{"area": "Fife", "n": 1}]}]


def test_7_2_from_england_the_king_goes_to_a_cathedral_or_disbands() -> None:
    table = _with_king("England")
    assert set(table.options()) == {"KING > Strathspey", "KING > Fife", "KING DISBAND"}
    assert "cannot stay" in table.refused("KING STAY")


def test_7_2_in_a_cathedral_he_can_go_to_another_one() -> None:
    assert _with_king("Fife").order("KING > Strathspey").at("King") == "Strathspey"
    assert _with_king("Fife").order("KING > Fife").at("King") == "Fife"


def test_7_2_the_cathedral_is_judged_before_the_english_disband() -> None:
    """English knights in Fife will have to disband; at 7.2 they still bar the King."""
    table = _with_king("Angus", {"Fife": "York Knights"})
    assert "KING > Fife" not in table.options()


def test_7_2_silence_leaves_the_king_where_there_is_room() -> None:
    assert _with_king("Fife").silence().at("King") == "Fife"
    crowded = _with_king("Garmoran", None, Fife="Douglas").silence()
    assert crowded.at("King") in ("Strathspey", "Fife")
