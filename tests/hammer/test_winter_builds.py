"""Replacement points: steps, draws, the French Knights: 7.6-7.63."""

from __future__ import annotations

from itertools import islice

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.games.hammer.rules.variants import EDITIONS, chosen
from pbem.games.hammer.rules.winter import Winter
from pbem.kernel import Chance
from tests.hammer.builder import altered
from tests.hammer.winter_builder import WinterTable

ALL_AT_HOME_SCOTS = {
    "Angus": "Angus", "Argyll": "Argyll", "Buchan": "Buchan", "Ross": "Ross", "Galloway": "Galloway", "Atholl": "Atholl",
}  # fmt: skip


def _scots(scots: dict[str, str], english: dict[str, str] | None = None) -> WinterTable:
    return WinterTable(english or {}, {"dead": "Moray", **scots}).builds()


def _pool_of(table: WinterTable) -> set[str]:
    wanted = table.stop.wants
    assert isinstance(wanted, Chance)
    (request,) = wanted.requests
    return set(request.json()["of"])


def _points(table: WinterTable, seat: str = SCOTTISH) -> dict[str, int]:
    ask = table.view(seat).ask
    assert ask
    return {entry["area"]: entry["points"] for entry in ask["points"]}


# 7.6


def test_7_6_a_friendly_area_gives_its_castle_limit_a_cathedral_one_more_for_the_scots() -> None:
    table = _scots({"Angus": "Douglas 1, Angus", "Fife": "Barclay 1", "Garmoran": "Norse 1"})
    assert table.asked == (SCOTTISH, "build")
    assert table.secret == "until end"
    assert _points(table) == {"Angus": 2, "Fife": 3}


def test_7_6_a_cathedral_gives_the_english_nothing_more_and_england_nothing_at_all() -> None:
    table = WinterTable({"Fife": "York Infantry 1", "England": "Edward"}, {}).builds(ENGLISH)
    points = _points(table, ENGLISH)
    assert points["Fife"] == points["Lennox"] + 1 == 2
    assert "England" not in points
    assert points["Mentieth"] == 3


def test_7_6_vacant_areas_give_nothing_and_points_are_not_carried_over() -> None:
    table = _scots({"Fife": "Barclay 1"})
    assert "Lothian gives you no replacement points (rule 7.6)." in table.refused("BUILD Lothian: Barclay 1")
    table.order("DONE")
    assert table.strength("Barclay") == 1
    assert table.asked != (SCOTTISH, "build")


def test_7_6_nobody_is_asked_who_has_no_points() -> None:
    assert WinterTable({}, {"Garmoran": "Norse 1", "dead": "Moray"}).builds(ENGLISH).asked == (ENGLISH, "build")


def _both(year: int = 1297, variants: tuple[str, ...] = ()) -> WinterTable:
    """Return the builds of a winter: points for the Scots in Fife, for the English in Lothian."""
    scots = {"Fife": "Barclay 1", "dead": "Moray"}
    table = WinterTable({"Lothian": "York Infantry 1"}, scots, year, variants=variants)
    table.start = altered(table.start, deal=year - 1296)
    return table.begin(Winter("disbanded"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_7_6_both_sides_build_at_the_same_time(edition: str) -> None:
    table = _both(variants=chosen((), edition))
    assert table.asked == ("english+scottish", "build")
    assert "Lothian" in _points(table, ENGLISH)
    table.both("BUILD Lothian: York Infantry 2", "BUILD Fife: Barclay 1\nDRAW Fife")
    assert (table.strength("York Infantry"), table.strength("Barclay")) == (3, 2)
    # 7.62: a draw is seen before the next choice, which is the Scots' alone
    table.draw("Keith")
    assert table.asked == (SCOTTISH, "build")
    table.order("BUILD Fife: Keith 1\nDONE")
    assert table.strength("Keith") == 2
    assert table.asked[0] == "chance"  # 7.7: the levy; the English have built
    assert [fact["side"] for fact in table.facts("build")] == [ENGLISH, SCOTTISH, SCOTTISH]


IN_ORDER = ("builds_in_order",)


def test_builds_in_order_the_english_are_asked_when_the_scots_have_done() -> None:
    """By the option 7.62 is played before 7.63, draws and all."""
    table = _both(variants=IN_ORDER)
    assert table.asked == (SCOTTISH, "build")
    table.order("BUILD Fife: Barclay 1\nDRAW Fife").draw("Keith")
    assert table.asked == (SCOTTISH, "build")
    table.order("BUILD Fife: Keith 1\nDONE")
    assert table.asked == (ENGLISH, "build")
    assert {"f": "draw", "side": SCOTTISH, "area": "Fife"} in [fact.heard_by(ENGLISH) for fact in table.told]
    table.order("BUILD Lothian: York Infantry 2")
    assert [fact["side"] for fact in table.facts("build")] == [SCOTTISH, SCOTTISH, ENGLISH]
    assert table.asked[0] == "chance"


def test_builds_in_order_the_english_are_asked_though_the_scots_have_no_points() -> None:
    table = WinterTable({"Lothian": "York Infantry 1"}, {"dead": "Moray"}, variants=IN_ORDER).builds(ENGLISH)
    assert table.asked == (ENGLISH, "build")
    table.order("BUILD Lothian: York Infantry 2")
    assert table.asked[0] == "chance"


def test_builds_in_order_after_the_last_year_only_the_scots_build() -> None:
    scots = {"Fife": "Barclay 1", "dead": "Moray"}
    table = WinterTable({"Lothian": "York Infantry 1"}, scots, variants=IN_ORDER).builds()
    assert table.asked == (SCOTTISH, "build")
    table.order("DONE")
    assert table.asked[0] == "chance"


def test_builds_in_order_is_off_by_default() -> None:
    assert _both().asked == ("english+scottish", "build")


def test_7_6_what_one_side_builds_changes_nothing_that_the_other_may_build() -> None:
    nothing, much = _both().both("DONE", "DRAW Fife"), _both().both("BUILD Lothian: York Infantry 2", "DRAW Fife")
    found = nothing.draw("Keith").options()
    assert "BUILD Fife: Barclay 1, Keith 1\nDONE" in found
    assert found == much.draw("Keith").options()


def test_7_6_each_side_hears_only_of_its_own_blocks() -> None:
    table = _both().both("BUILD Lothian: York Infantry 2", "BUILD Fife: Barclay 1\nDONE")
    english, scottish = table.facts("build", ENGLISH)
    assert "gains" in english["areas"][0]
    assert "gains" not in scottish["areas"][0]


def test_7_6_after_the_last_year_only_the_scots_build() -> None:
    assert _both(1305).asked == (SCOTTISH, "build")


# 7.61


def test_7_61_with_eight_nobles_the_french_knights_come_into_the_pool() -> None:
    seven = {**ALL_AT_HOME_SCOTS, "Mar": "Mar"}
    table = _scots({**seven, "Dunbar": "Dunbar"})
    assert table.at("French Knights") == "pool"
    assert table.facts("french") == [{"f": "french"}]
    assert _scots(seven).at("French Knights") == "off"


def test_7_61_moray_on_the_map_counts() -> None:
    seven = {**ALL_AT_HOME_SCOTS, "Mar": "Mar"}
    assert WinterTable({}, {**seven, "Fife": "Moray"}).builds().at("French Knights") == "pool"
    assert WinterTable({}, {**seven, "pool": "Moray"}).builds().at("French Knights") == "off"


def test_7_61_once_added_they_stay_and_once_dead_they_do_not_come_back() -> None:
    assert _scots({"pool": "French Knights", "Mar": "Mar"}).at("French Knights") == "pool"
    eight = {**ALL_AT_HOME_SCOTS, "Mar": "Mar", "Dunbar": "Dunbar", "dead": "Moray, French Knights"}
    table = _scots(eight)
    assert table.at("French Knights") == "dead"
    assert not table.facts("french")


# 7.62


def test_7_62_steps_are_built_on_blocks_of_the_area_several_on_one_if_wanted() -> None:
    table = _scots({"Fife": "Barclay 1, Douglas 2", "Mar": "Mar 1"})
    table.order("BUILD Fife: Barclay 2, Douglas\nBUILD Mar: Mar 1")
    assert table.blocks("Fife") == {"Barclay": 3, "Douglas": 3}
    assert table.strength("Mar") == 2
    public = {"f": "build", "side": SCOTTISH, "areas": [{"area": "Mar", "steps": 1}, {"area": "Fife", "steps": 3}]}
    assert table.facts("build") == table.facts("build", ENGLISH) == [public]
    (told,) = table.facts("build", SCOTTISH)
    gains = [{"block": "Douglas", "strength": 3}, {"block": "Barclay", "strength": 3}]
    assert told["areas"][1] == {"area": "Fife", "steps": 3, "gains": gains}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("BUILD Fife: Barclay 2, Douglas 2", "these are 4 steps, and Fife has 3 points left (rule 7.6)"),
        ("BUILD Fife: Barclay 3\nBUILD Fife: Douglas 1", "these are 4 steps"),
        ("BUILD Fife: Keith 1", "Keith has strength 3 of 3 (rule 7.62)"),
        ("BUILD Fife: Douglas 3", "Douglas has strength 2 of 4"),
        ("BUILD Fife: Douglas 1, Douglas 2", "Douglas has strength 2 of 4"),
        ("BUILD Fife: Fraser 1", "Fraser is not one of your blocks in Fife (rule 7.62)"),
        ("BUILD Fife: York Infantry 1", "York Infantry is not one of your blocks"),
        ("BUILD Fife: Douglas 0", "at least one step"),
        ("BUILD Fife", "it does not say where and what"),
        ("DRAW Fife", "Fife holds as many blocks as its Castle Limit of 3 allows (rule 7.62)"),
        ("DRAW Lothian", "Lothian gives you no replacement points"),
        ("DRAW Mar, Mar", "Mar holds as many blocks as its Castle Limit of 1"),
        ("DONE now", "DONE stands alone"),
        ("WINTER Edward", "there is no such order here"),
    ],
)
def test_7_62_what_does_not_fit_is_refused_with_the_rule(text: str, why: str) -> None:
    table = _scots({"Fife": "Barclay 1, Douglas 2, Keith", "Mar": "Mar 1"})
    assert why in table.refused(text)


def test_7_62_a_draw_comes_at_strength_1_and_is_seen_before_the_next_choice() -> None:
    table = _scots({"Fife": "Barclay 4", "Mar": "Mar 3"})
    table.order("DRAW Fife")
    assert table.asked == ("chance", "priv:scottish")
    table.draw("Graham")
    assert table.blocks("Fife") == {"Barclay": 4, "Graham": 1}
    assert table.asked == (SCOTTISH, "build")
    assert _points(table) == {"Mar": 1, "Fife": 2}
    public = {"f": "draw", "side": SCOTTISH, "area": "Fife"}
    assert table.facts("draw") == table.facts("draw", ENGLISH) == [public]
    assert table.facts("draw", SCOTTISH) == [{**public, "block": "Graham"}]


def test_7_62_steps_may_be_added_to_blocks_just_drawn() -> None:
    table = _scots({"Fife": "Barclay 4"}).order("DRAW Fife").draw("Graham").order("BUILD Fife: Graham 2")
    assert table.strength("Graham") == 3
    assert table.asked != (SCOTTISH, "build")  # all points are used


def test_7_62_steps_and_a_draw_in_one_order() -> None:
    table = _scots({"Fife": "Barclay 2"}).order("BUILD Fife: Barclay 1\nDRAW Fife")
    assert table.strength("Barclay") == 3
    table.draw("Wallace")
    assert _points(table) == {"Fife": 1}


def test_7_62_several_draws_may_be_ordered_at_once_and_come_one_by_one() -> None:
    table = _scots({"Fife": "Barclay 4", "Lothian": "Grant 3"}).order("DRAW Fife, Lothian\nDRAW Fife")
    table.draw("Graham")
    assert "Graham" not in _pool_of(table)
    table.draw("Keith").draw("Lindsay")
    assert set(table.blocks("Fife")) == {"Barclay", "Graham", "Lindsay"}
    assert set(table.blocks("Lothian")) == {"Grant", "Keith"}
    assert _points(table) == {"Fife": 1, "Lothian": 1}


def test_7_62_done_behind_draws_leaves_the_other_points_unused() -> None:
    table = _scots({"Fife": "Barclay 1"}).order("DRAW Fife\nDONE").draw("Graham")
    assert table.asked != (SCOTTISH, "build")


def test_7_62_draws_obey_castle_limits() -> None:
    """No blocks can be added to Buchan if two are already there."""
    table = _scots({"Buchan": "Buchan, Fraser 1"})
    assert "Buchan holds as many blocks as its Castle Limit of 2 allows" in table.refused("DRAW Buchan")
    assert "Castle Limit of 3" in _scots({"Fife": "Barclay"}).refused("DRAW Fife, Fife, Fife")


@pytest.mark.parametrize(("area", "noble"), [("Lanark", "Steward"), ("Badenoch", "Comyn")])
def test_7_62_norse_and_french_are_never_drawn_for_inland_areas(area: str, noble: str) -> None:
    """They are put back when another block has been drawn: that is a draw among the others."""
    table = _scots({area: f"{noble} 1", "pool": "French Knights"}).order(f"DRAW {area}")
    assert not {"Norse", "French Knights"} & _pool_of(table)
    assert {"Keith", "Wallace"} <= _pool_of(table)


def test_7_62_norse_and_french_are_drawn_for_any_coast() -> None:
    table = _scots({"Fife": "Barclay", "pool": "French Knights"}).order("DRAW Fife")
    assert {"Norse", "French Knights"} <= _pool_of(table)


def test_7_62_with_nothing_to_draw_points_go_to_steps_or_are_forfeit() -> None:
    out = "Wallace, Moray, Campbell, Graham, MacDonald, Lindsay, Fraser, Grant, Keith, Etterick, Barclay"
    table = _scots({"Lanark": "Steward 1", "Fife": "Douglas", "dead": out})
    assert "there is no block in the pool to draw for Lanark (rule 7.62)" in table.refused("DRAW Lanark")
    assert "the draws before may leave no block for Fife" in table.refused("DRAW Fife, Fife")
    table.order("DRAW Fife").draw("Norse")
    assert "there is no block in the pool" in table.refused("DRAW Fife")
    table.order("BUILD Lanark: Steward 2")
    assert table.strength("Steward") == 3


def test_7_62_draws_that_might_take_the_last_block_are_ordered_one_by_one() -> None:
    out = "Wallace, Moray, Campbell, Graham, MacDonald, Lindsay, Fraser, Grant, Etterick, Barclay"
    table = _scots({"Lanark": "Steward 1", "Fife": "Douglas", "dead": out})
    assert "may leave no block for Lanark" in table.refused("DRAW Fife, Lanark")
    table.order("DRAW Fife").draw("Norse").order("DRAW Lanark")
    assert _pool_of(table) == {"Keith"}


def test_7_62_the_king_moray_and_wallace_come_back_out_of_the_pool() -> None:
    table = (
        WinterTable({}, {"Fife": "Barclay", "pool": "King, Moray, Wallace"}, king="Bruce").builds().order("DRAW Fife")
    )
    assert {"King", "Moray", "Wallace"} <= _pool_of(table)
    table.draw("Moray")
    assert table.blocks("Fife") == {"Barclay": 4, "Moray": 1}


def test_7_62_silence_draws_where_there_is_room_and_strengthens_the_weakest() -> None:
    table = _scots({"Lothian": "Fraser 1", "Mar": "Mar 1"}).silence()
    assert table.strength("Mar") == 2
    table.draw("Graham")
    assert table.blocks("Lothian") == {"Fraser": 2, "Graham": 1}


def test_7_62_silence_after_a_draw_strengthens_the_drawn_block() -> None:
    table = _scots({"Angus": "Angus", "dead": "Moray"}).silence().draw("Graham")
    assert table.asked == (SCOTTISH, "build")
    table.silence()
    assert table.strength("Graham") == 2


# 7.63


def test_7_63_the_english_strengthen_infantry_and_nobles() -> None:
    table = WinterTable({"Lothian": "York Infantry 1, Ulster Infantry 2", "Angus": "Angus 1"}, {}).builds(ENGLISH)
    assert table.asked == (ENGLISH, "build")
    assert table.secret == "until end"
    table.order("BUILD Lothian: York Infantry, Ulster Infantry\nBUILD Angus: Angus 2")
    assert (table.strength("York Infantry"), table.strength("Ulster Infantry"), table.strength("Angus")) == (2, 3, 3)
    assert table.facts("build", SCOTTISH) == [
        {"f": "build", "side": ENGLISH, "areas": [{"area": "Angus", "steps": 2}, {"area": "Lothian", "steps": 2}]}
    ]


def test_7_63_nobody_else_and_no_draws() -> None:
    table = WinterTable({"Lothian": "York Knights 1, Edward 1, York Infantry 1"}, {}).builds(ENGLISH)
    said = table.refused("BUILD Lothian: York Knights 1\nBUILD Lothian: Edward 1\nDRAW Lothian")
    assert "only infantry and nobles are strengthened, and York Knights is neither (rule 7.63)" in said
    assert "Edward is neither" in said
    assert "the English cannot use replacement points to draw blocks (rule 7.63)" in said
    assert "DRAW" not in str(GAME.options(table.view(ENGLISH)))


def test_7_63_steps_from_one_area_are_for_blocks_located_there() -> None:
    table = WinterTable({"Lothian": "York Infantry 1", "Angus": "Angus 1"}, {}).builds(ENGLISH)
    assert "York Infantry is not one of your blocks in Angus" in table.refused("BUILD Angus: York Infantry")


def test_7_63_silence_spends_what_it_can() -> None:
    table = WinterTable({"Lothian": "York Infantry 1, Durham Infantry 2, York Knights 1"}, {}).builds(ENGLISH).silence()
    assert (table.strength("York Infantry"), table.strength("York Knights")) == (3, 1)


# the question's own laws


def test_build_every_order_offered_is_legal_and_said_once() -> None:
    table = _scots({"Mar": "Mar 1", "Fife": "Barclay 4, Douglas 4"})
    offered = table.options()
    assert set(offered) == {
        "DONE", "DRAW Fife", "DRAW Fife\nDONE",
        "BUILD Mar: Mar 1\nDONE", "BUILD Mar: Mar 1\nDRAW Fife", "BUILD Mar: Mar 1\nDRAW Fife\nDONE",
    }  # fmt: skip
    assert len(offered) == len(set(offered))
    view = _scots({"Angus": "Angus 1", "Mar": "Mar 1", "Fife": "Barclay 1"}).view(SCOTTISH)
    for order in islice(GAME.options(view), 400):
        assert GAME.why_not(view, order) is None
        assert GAME.parse(view, str(order)) == order


def test_7_62_a_line_that_is_one_too_many_is_refused_where_it_stands() -> None:
    table = _scots({"Fife": "Barclay 4, Douglas 2"})
    assert _points(table)["Fife"] == 3
    said = table.refused("DRAW Fife\nDRAW Fife")
    assert said.startswith("line 2: ")
    said = table.refused("BUILD Fife: Douglas 1\nBUILD Fife: Douglas 1\nBUILD Fife: Barclay 4")
    assert said.startswith("line 3: ")
