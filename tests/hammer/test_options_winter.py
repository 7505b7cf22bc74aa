"""The options that change the winter: Andrew de Moray at home, Angus Og's quarters, blocks that land on a coast."""

from __future__ import annotations

from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.kernel import Chance, Draw
from tests.hammer.builder import Table
from tests.hammer.winter_builder import WinterTable

ANDREW = ("andrew_de_moray",)


# Andrew de Moray: the summary of 2.3


def with_moray(place: str, strength: int, variants: tuple[str, ...] = ANDREW) -> WinterTable:
    homes = {"Annan": "Bruce", "Badenoch": "Comyn"}
    table = WinterTable(homes, {place: f"Moray {strength}"}, variants=variants).winter()
    return table.order("HOME Comyn > Badenoch\nHOME Bruce > Annan")


def test_7_1_andrew_de_moray_gains_two_steps_when_he_goes_home() -> None:
    table = with_moray("Fife", 1).order("HOME Moray")
    assert (table.at("Moray"), table.strength("Moray")) == ("Moray", 3)
    public = {"f": "winter move", "side": SCOTTISH, "start": "Fife", "to": "Moray"}
    assert table.facts("winter move", ENGLISH) == [public]
    assert table.facts("winter move", SCOTTISH) == [{**public, "block": "Moray", "strength": 3}]


def test_7_1_andrew_de_moray_gains_no_more_than_he_has_room_for() -> None:
    assert with_moray("Fife", 2).order("HOME Moray").strength("Moray") == 3


def test_7_1_andrew_de_moray_gains_them_at_home_also_when_he_is_there_already() -> None:
    table = with_moray("Moray", 1).order("HOME Moray STAY")
    assert (table.at("Moray"), table.strength("Moray")) == ("Moray", 3)
    assert len(table.facts("winter move")) == 1


def test_7_1_andrew_de_moray_gains_nothing_elsewhere() -> None:
    table = with_moray("Fife", 1).order("HOME Moray STAY")
    assert (table.at("Moray"), table.strength("Moray")) == ("Fife", 1)
    assert table.facts("winter move") == []


def test_7_1_moray_gains_nothing_without_the_option() -> None:
    assert with_moray("Fife", 1, ()).order("HOME Moray").strength("Moray") == 1


# Angus Og: the summary of 2.3

ANGUS_OG = ("angus_og",)


def test_4_7_angus_og_sails_the_irish_sea_only() -> None:
    table = Table({"Dunbar": "Dunbar"}, {"Ross": "Norse"}, variants=ANGUS_OG).turn("Move 1", "Move 2")
    assert "on the Irish Sea, never to Fife (rule 4.7)" in table.refused("MOVE Norse > Fife")
    assert "never to England" in table.refused("MOVE Norse > England")
    assert table.order("MOVE Norse > Annan").at("Norse") == "Annan"


def test_4_7_without_the_option_the_norse_sail_both_seas() -> None:
    table = Table({"Dunbar": "Dunbar"}, {"Ross": "Norse"}).turn("Move 1", "Move 2")
    assert table.order("MOVE Norse > Fife").at("Norse") == "Fife"


def test_4_7_angus_og_retreats_to_the_irish_sea_only() -> None:
    scots = {"Annan": "Norse", "Fife": "Grant", "Carrick": "Fraser"}
    table = Table({"Annan": "York Infantry"}, scots, variants=ANGUS_OG)
    table.start = table.start.put(table.start["Norse"]._replace(start="Ross", via="sea"))
    table.battles(("Annan", SCOTTISH, "Ross", "sea"), first=SCOTTISH)
    assert "no friendly coast" in table.refused("BATTLE ALL RETREAT Fife")
    assert table.order("BATTLE ALL RETREAT Carrick").at("Norse") == "Carrick"


def test_7_5_angus_og_winters_where_there_is_no_castle() -> None:
    table = WinterTable(scots={"Garmoran": "Norse"}, variants=ANGUS_OG).disbanding("scots")
    assert table.asked == (SCOTTISH, "disband")
    assert set(table.options()) >= {"DONE", "DISBAND Norse"}
    assert table.order("DONE").at("Norse") == "Garmoran"
    assert WinterTable(scots={"Garmoran": "Norse"}).disbanding("scots").silence().at("Norse") == "pool"


def test_7_5_no_castle_limit_counts_angus_og() -> None:
    table = WinterTable(scots={"Argyll": "Norse, Wallace, Douglas", "Atholl": "Argyll"}, variants=ANGUS_OG)
    table.disbanding("scots").order("DONE")
    assert table.blocks("Argyll").keys() >= {"Norse", "Wallace", "Douglas"}


def test_7_5_angus_og_may_disband_all_the_same() -> None:
    table = WinterTable(scots={"Garmoran": "Norse"}, variants=ANGUS_OG).disbanding("scots").order("DISBAND Norse")
    assert table.at("Norse") == "pool"


def test_7_62_a_draw_has_room_beside_angus_og() -> None:
    table = WinterTable(scots={"Lennox": "Norse, Lennox"}, variants=ANGUS_OG).builds()
    table.order("DRAW Lennox").draw("Grant")  # the limit is two, with the cathedral
    assert table.blocks("Lennox").keys() == {"Norse", "Lennox", "Grant"}
    full = WinterTable(scots={"Lennox": "Norse, Lennox"}).builds()
    assert "Castle Limit of 2" in full.refused("DRAW Lennox")


def test_7_62_angus_og_is_drawn_again_off_the_irish_sea() -> None:
    table = WinterTable(scots={"Fife": "Wallace", "Carrick": "Bruce"}, variants=ANGUS_OG).builds().order("DRAW Fife")
    assert "Norse" not in drawn_from(table)
    table = WinterTable(scots={"Annan": "Bruce"}, variants=ANGUS_OG).builds().order("DRAW Annan")
    assert "Norse" in drawn_from(table)


# Norse and French drawn inland: the sidebar of the French edition

LANDING = ("inland_landing",)
INLAND = {"Lanark": "Steward", "Carrick": "Bruce", "Lennox": "Lennox", "pool": "French Knights, Norse, Grant"}


def drawn_from(table: WinterTable) -> tuple[str, ...]:
    wanted = table.stop.wants
    assert isinstance(wanted, Chance)
    assert isinstance(wanted.requests[0], Draw)
    return wanted.requests[0].of


def inland(scots: dict[str, str] | None = None, variants: tuple[str, ...] = LANDING) -> WinterTable:
    return WinterTable(scots=scots or INLAND, variants=variants).builds()


def test_7_62_the_french_land_on_a_friendly_coast_beside() -> None:
    table = inland().order("DRAW Lanark\nLAND Lanark > Carrick").draw("French Knights")
    assert (table.at("French Knights"), table.strength("French Knights")) == ("Carrick", 1)
    public = {"f": "draw", "side": SCOTTISH, "area": "Lanark", "to": "Carrick"}
    assert table.facts("draw", ENGLISH) == [public]
    assert table.facts("draw", SCOTTISH) == [{**public, "block": "French Knights"}]


def test_7_62_the_report_offers_the_coasts_beside() -> None:
    view = inland().view(SCOTTISH)
    assert "Norse or French drawn inland land on a coast of yours beside it" in " ".join(LOOK.question(view).split())
    order, _, others = LOOK.template(view).partition("\n#")
    assert "DRAW Lanark" in order
    assert others.split("\n# ") == [" DONE", "LAND Lanark > Lennox", "LAND Lanark > Carrick"]
    for line in others.split("\n# "):
        GAME.parse(view, f"{order}\n{line}")


def test_7_62_unsaid_they_land_on_the_first_coast() -> None:
    assert inland().order("DRAW Lanark").draw("Norse").at("Norse") == "Lennox"


def test_7_62_another_block_stays_inland_and_where_it_would_have_landed_stays_hidden() -> None:
    table = inland().order("DRAW Lanark\nLAND Lanark > Carrick").draw("Grant")
    assert table.at("Grant") == "Lanark"
    assert table.facts("draw", ENGLISH) == [{"f": "draw", "side": SCOTTISH, "area": "Lanark"}]
    assert "landing" not in table.view(None).frames["builds"]


def test_7_62_where_there_is_no_friendly_coast_beside_another_block_is_drawn() -> None:
    table = inland({"Lanark": "Steward", "pool": "French Knights, Norse, Grant"}).order("DRAW Lanark")
    assert not {"French Knights", "Norse"} & set(drawn_from(table))
    without = inland(variants=()).order("DRAW Lanark")
    assert not {"French Knights", "Norse"} & set(drawn_from(without))


def test_7_62_only_where_they_land_can_be_said() -> None:
    table = inland()
    assert "no friendly coast beside it (rule 7.62)" in table.refused("DRAW Lanark\nLAND Lanark > Annan")
    assert "no friendly coast beside it" in table.refused("DRAW Lanark\nLAND Lanark > Fife")
    assert "no block is drawn for Lanark" in table.refused("DRAW Carrick\nLAND Lanark > Carrick")
    assert "said already" in table.refused("DRAW Lanark\nLAND Lanark > Carrick\nLAND Lanark > Lennox")
    assert "there is no such order here" in inland(variants=()).refused("DRAW Lanark\nLAND Lanark > Carrick")


def test_7_62_a_landed_block_does_not_count_where_it_lands() -> None:
    table = inland({"Lanark": "Steward", "Lennox": "Lennox", "pool": "French Knights, Grant"})
    table.order("DRAW Lanark").draw("French Knights")
    table.order("DRAW Lennox").draw("Grant")  # the limit of two is not used up by the French
    assert table.blocks("Lennox").keys() == {"Lennox", "French Knights", "Grant"}
    assert "Castle Limit of 2" in table.refused("DRAW Lennox")


def test_7_62_a_landed_block_grows_by_the_points_of_where_it_was_drawn() -> None:
    table = inland().order("DRAW Lanark\nLAND Lanark > Carrick").draw("French Knights")
    refused = table.refused("BUILD Carrick: French Knights 1")
    assert "gains steps from the points of Lanark only (rule 7.62)" in refused
    table.order("BUILD Lanark: French Knights 1\nDONE")
    assert table.strength("French Knights") == 2


def test_7_62_angus_og_drawn_inland_is_drawn_again_though_the_french_land() -> None:
    table = inland(variants=("angus_og", "inland_landing")).order("DRAW Lanark")
    assert "Norse" not in drawn_from(table)
    assert "French Knights" in drawn_from(table)
