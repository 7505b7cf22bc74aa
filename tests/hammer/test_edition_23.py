"""Edition 2.3: each rule in which it differs from 4.0, alone; the same position under 4.0 beside it.

The page docs/reference/edition-2.3.md compares both books; `test_edition_23_page` holds it against the code.
"""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.look.board import board as board_text
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.games.hammer.rules.variants import (
    ARCHERS_MOVE_2,
    BORDER_ONE_GROUP,
    BORDERS_BY_BATTLE,
    DIFFERENCES,
    EDITIONS,
    FRENCH_IN_POOL,
    NORSE_IN_GROUP,
    NORSE_SEA_MOVE,
    OPTIONS,
    RAID_IN_TRUCE,
    UNITY_BEFORE_BATTLE,
    chosen,
    edition_of,
)
from pbem.referee.audit import audit
from pbem.referee.table import Table as Played
from tests.hammer.builder import Places, Table

HOME = {"Dunbar": "Dunbar"}
NORTH = {"Ross": "Ross"}
BOTH = pytest.mark.parametrize("older", [True, False], ids=["2.3", "4.0"])


def table(variant: str, english: Places, scots: Places, *, older: bool = True) -> Table:
    """Return a table at which one variant is in force, or none."""
    return Table(english, scots, variants=(variant,) if older else ())


def fronts(found: Table) -> tuple[int, int]:
    """Return how many attack in front, and how many in reserve, in the battle told last."""
    battle = found.facts("battle")[-1]
    side = battle["attacker"]
    return battle[side], battle.get(f"{side}_reserve", 0)


# the edition


def test_the_edition_is_known_by_its_names_and_holds_every_difference() -> None:
    assert set(EDITIONS["2.3"]) >= set(DIFFERENCES)
    assert set(EDITIONS["2.3"]) <= {*DIFFERENCES, *OPTIONS}
    assert not set(DIFFERENCES) & set(OPTIONS)
    assert edition_of(chosen((), "2.3")) == "2.3"
    assert edition_of(chosen(OPTIONS)) == edition_of(EDITIONS["2.3"][1:]) == "4.0"


def test_the_board_says_which_edition_is_played() -> None:
    view = GAME.read_view(GAME.view(GAME.start({"edition": "2.3"}).state, SCOTTISH))
    assert "Edition 2.3 of the rules is played." in board_text(view)  # type: ignore[arg-type]
    assert "Options" not in board_text(view)  # type: ignore[arg-type]
    assert "Edition" not in board_text(GAME.read_view(GAME.view(GAME.start({}).state, SCOTTISH)))  # type: ignore[arg-type]


# 2.2 the table of blocks


@BOTH
def test_2_2_of_2_3_the_scottish_archers_move_two_areas(older: bool) -> None:
    found = table(ARCHERS_MOVE_2, HOME, {"Lennox": "Etterick, Keith"}, older=older).turn("Move 1", "Move 2")
    far = "MOVE Lennox: Etterick > Mentieth > Fife > Angus"
    if older:
        assert "Etterick moves at most 2 areas (rule 2.13)" in found.refused(far)
        offered = [str(order) for order in islice(GAME.options(found.view(SCOTTISH)), 400)]
        assert any("Keith > Mentieth > Fife > Angus" in order for order in offered)
        assert not any("Etterick > Mentieth > Fife > Angus" in order for order in offered)
        found.order("MOVE Lennox: Keith > Mentieth > Fife > Angus\nMOVE Lennox: Etterick > Mentieth > Fife")
    else:
        assert found.order(far).at("Etterick") == "Angus"


# 4.4, 5.32 groups that attack


@BOTH
def test_4_4_of_2_3_all_who_attack_across_the_border_are_one_group(older: bool) -> None:
    """From Annan and from Teviot into England: 5.32 does not divide them."""
    found = table(
        BORDER_ONE_GROUP, {"Mar": "Mar", "England": "Edward"}, {"Annan": "Bruce", "Teviot": "Keith"}, older=older
    )
    found.turn("Move 1", "Move 2").order("MOVE Annan: Bruce > England\nMOVE Teviot: Keith > England").order("PASS")
    assert fronts(found) == ((2, 0) if older else (1, 1))
    said = " ".join(LOOK.fact(fact, None) for fact in found.facts("main attack"))
    assert ("2 blocks from Annan and from Teviot (5.32)" in said) == older
    assert ("1 block from Annan; 1 block of other groups in reserve" in said) == (not older)
    main = [arrival.start for arrival in found.view(ENGLISH).came if arrival.main]
    assert main == (["Annan", "Teviot"] if older else ["Annan"])


def test_4_4_of_2_3_the_group_across_the_border_is_the_main_attack_or_in_reserve_as_a_whole() -> None:
    def attack(main: str) -> Table:
        found = table(
            BORDER_ONE_GROUP, {"England": "Edward, Hobelars", "Lothian": "York Infantry"}, {"Selkirk": "Wallace"}
        )
        lines = {
            "Annan": "MOVE England: Edward > Annan > Selkirk",
            "Dunbar": "MOVE England: Hobelars > Dunbar > Selkirk",
            "Lothian": "MOVE Lothian: York Infantry > Selkirk",
        }
        order = "\n".join(f"{line} MAIN" if start == main else line for start, line in lines.items())
        return found.turn("Move 3", "Move 1").order(order).order("PASS")

    assert fronts(attack("Dunbar")) == (2, 1)
    assert fronts(attack("Lothian")) == (1, 2)


def test_4_4_of_2_3_main_may_stand_on_several_lines_of_the_group_across_the_border() -> None:
    lines = "MOVE Annan: Bruce > England MAIN\nMOVE Teviot: Keith > England MAIN"
    places = {"England": "Edward"}, {"Annan": "Bruce", "Teviot": "Keith"}
    table(BORDER_ONE_GROUP, *places).turn("Move 1", "Move 2").order(lines)
    new = table(BORDER_ONE_GROUP, *places, older=False).turn("Move 1", "Move 2")
    assert "(rule 5.32)" in new.refused(lines)


@BOTH
def test_5_32_of_2_3_the_norse_fight_with_those_who_come_from_the_same_area(older: bool) -> None:
    def attack(start: str, main: str) -> tuple[int, int]:
        scots = {"Fife": "Wallace, Norse"} if start == "Fife" else {"Fife": "Wallace", start: "Norse"}
        found = table(NORSE_IN_GROUP, {"Angus": "Angus"}, scots, older=older)
        norse, foot = "MOVE Norse > Angus", "MOVE Fife: Wallace > Angus"
        lines = f"{norse} MAIN\n{foot}" if main == "Norse" else f"{norse}\n{foot} MAIN"
        return fronts(found.turn("Move 1", "Move 2").order(lines).order("PASS"))

    for main in ("Norse", "Wallace"):
        assert attack("Fife", main) == ((2, 0) if older else (1, 1))
        assert attack("Ross", main) == (1, 1)


# 4.7 the Norse


@BOTH
def test_4_7_of_2_3_the_norse_may_use_the_sea_move_but_not_to_england(older: bool) -> None:
    found = table(
        NORSE_SEA_MOVE, {"Mar": "Mar"}, {"Ross": "Norse, Ross", "Fife": "Barclay", "England": "Keith"}, older=older
    )
    found.turn("Move 1", "Sea Move")
    assert "(rule 4.7)" in found.refused("SEA Norse: Ross > England")
    assert ("SEA Norse, Ross: Ross > Fife" in found.options()) == older
    if older:
        found.order("SEA Norse, Ross: Ross > Fife")
        assert {found.at("Norse"), found.at("Ross")} == {"Fife"}
        assert "blocks" not in found.facts("sea move", ENGLISH)[0]
        assert "norse" not in found.view(ENGLISH).revealed
    else:
        assert "the Norse never use the Sea Move (rule 4.7)" in found.refused("SEA Norse, Ross: Ross > Fife")


# 4.6, 5.5 borders


@BOTH
def test_5_5_of_2_3_a_border_is_closed_in_its_own_battle_alone(older: bool) -> None:
    """The English attack Ross from Moray and lose; then Wallace, who attacked Moray, may go on to Ross, or may not."""
    found = table(
        BORDERS_BY_BATTLE,
        {**HOME, "Moray": "Hobelars 1, York Infantry"},
        {"Ross": "Ross", "Strathspey": "Wallace"},
        older=older,
    )
    found.turn("Move 1", "Move 1").order("MOVE Moray: Hobelars > Ross").order("MOVE Strathspey: Wallace > Moray")
    found.order("NEXT Ross").order("BATTLE Ross: Hobelars PASS").order("BATTLE Ross: Ross FIRE").dice(1, 1, 1)
    found.order("PASS")  # no regroup
    assert found.asked == (SCOTTISH, "battle action")
    if older:
        assert found.order("BATTLE Moray: Wallace RETREAT Ross").at("Wallace") == "Ross"
    else:
        assert "the enemy controls that border (rule 5.5)" in found.refused("BATTLE Moray: Wallace RETREAT Ross")


def test_5_5_of_2_3_in_its_own_battle_a_border_is_closed_as_ever_and_the_board_says_so() -> None:
    found = table(BORDERS_BY_BATTLE, {**HOME, "Mentieth": "York Infantry"}, {**NORTH, "Lanark": "Douglas"})
    found.turn("Move 1", "Move 1").order("MOVE Mentieth: York Infantry > Lanark").order("PASS")
    assert found.board.marks == (("Mentieth", "Lanark", ENGLISH),)
    assert "Mentieth 1; no retreat for the Scots from Lanark" not in board_text(found.view(None))
    assert "English 1; no retreat for the Scots from Lanark" in " ".join(board_text(found.view(None)).split())
    assert "the enemy controls that border" in found.refused("BATTLE Lanark: Douglas RETREAT Mentieth")


def test_5_5_of_2_3_if_both_used_a_border_the_last_to_enter_may_retreat_over_it() -> None:
    found = table(
        BORDERS_BY_BATTLE,
        {**HOME, "Annan": "York Infantry"},
        {**NORTH, "Lanark": "Douglas", "Carrick": "Campbell"},
    )
    found.turn("Move 1", "Move 1").order("MOVE Annan: York Infantry > Lanark")
    found.order("MOVE Carrick: Campbell > Annan > Lanark")
    assert found.board.marks == (("Annan", "Lanark", SCOTTISH),)
    found.order("BATTLE Lanark: Douglas RETREAT Annan")


@BOTH
def test_4_6_of_2_3_the_unpinned_keep_off_the_borders_of_their_own_battle_only(older: bool) -> None:
    found = table(
        BORDERS_BY_BATTLE,
        {"Angus": "Angus", "Strathspey": "Edward"},
        {"Buchan": "Buchan, Wallace", "Moray": "Moray"},
        older=older,
    )
    found.turn("Move 3", "Move 1").order("MOVE Angus: Angus > Buchan\nMOVE Strathspey: Edward > Moray")
    assert "(rule 4.6)" in found.refused("MOVE Buchan: Wallace > Angus")
    farther = "MOVE Buchan: Wallace > Strathspey > Moray"
    if older:
        assert found.order(farther).board.blocks_in("Moray", SCOTTISH) == ("Wallace", "Moray")
    else:
        assert "controls the border between Strathspey and Moray (rule 4.6)" in found.refused(farther)


# 5.2 Celtic unity


@BOTH
def test_5_2_of_2_3_reserves_roll_before_the_battle_and_not_again(older: bool) -> None:
    found = table(
        UNITY_BEFORE_BATTLE,
        {"Mentieth": "York Infantry", "Lothian": "Wales Infantry, Ulster Infantry", **HOME},
        {**NORTH, "Lanark": "Douglas"},
        older=older,
    ).turn("Move 2", "Move 1")
    found.order("MOVE Mentieth: York Infantry > Lanark MAIN\nMOVE Lothian: ALL > Lanark").order("PASS")
    if older:
        found.dice(6, 1)
        assert [fact["block"] for fact in found.facts("unity")] == ["Wales Infantry", "Ulster Infantry"]
        assert found.at("Wales Infantry") == "pool"
        # he has been seen, and stays in reserve
        assert found.view(SCOTTISH).revealed["ulster_infantry"].strength == 0
        assert found.view(SCOTTISH).battle.english == {"York Infantry": 4}  # type: ignore[union-attr]
        check_guess(found)
    found.order("BATTLE Lanark: Douglas PASS").order("BATTLE Lanark: York Infantry PASS")
    assert found.asked == ((SCOTTISH, "battle action") if older else ("chance", "pub"))
    if older:
        assert found.view(SCOTTISH).battle.english == {"York Infantry": 4, "Ulster Infantry": 3}  # type: ignore[union-attr]


def check_guess(found: Table) -> None:
    """A position made up from what the Scots see gives them the same view."""
    seen = GAME.view(found.stop.state, SCOTTISH)
    assert GAME.view(GAME.determinise(GAME.read_view(seen), Random(1)), SCOTTISH) == seen


def test_5_2_of_2_3_a_front_that_goes_home_leaves_the_battle_to_its_reserve() -> None:
    found = table(
        UNITY_BEFORE_BATTLE,
        {"Mentieth": "Wales Infantry", "Lothian": "York Infantry", **HOME},
        {**NORTH, "Lanark": "Douglas"},
    ).turn("Move 2", "Move 1")
    found.order("MOVE Mentieth: Wales Infantry > Lanark MAIN\nMOVE Lothian: York Infantry > Lanark").order("PASS")
    found.dice(5)
    assert found.view(SCOTTISH).battle.english == {}  # type: ignore[union-attr]
    found.order("BATTLE Lanark: Douglas PASS")
    assert found.view(SCOTTISH).battle.english == {"York Infantry": 4}  # type: ignore[union-attr]


# 5.9, Truce


@BOTH
def test_5_9_of_2_3_a_truce_does_not_keep_the_scots_out_of_an_empty_england(older: bool) -> None:
    found = table(RAID_IN_TRUCE, HOME, {"Annan": "Wallace"}, older=older).turn("Truce", "Move 1").order("TRUCE")
    view = found.view("scottish")
    for text in (LOOK.question(view), LOOK.board(view)):
        said = " ".join(text.split())
        assert "may move, but not attack this turn" in said
        assert ("nor enter England (5.9)" in said) == (not older)
    if older:
        found.order("MOVE Annan: Wallace > England")
        assert found.facts("raid")
    else:
        assert "(rule 5.9)" in found.refused("MOVE Annan: Wallace > England")


def test_5_9_of_2_3_a_truce_still_keeps_them_from_attacking() -> None:
    found = table(RAID_IN_TRUCE, {**HOME, "England": "Hobelars"}, {"Annan": "Wallace"}).turn("Truce", "Move 1")
    found.order("TRUCE")
    assert "(rule Truce)" in found.refused("MOVE Annan: Wallace > England")


@BOTH
def test_5_9_of_2_3_nor_from_a_sea_move_there(older: bool) -> None:
    found = table(RAID_IN_TRUCE, HOME, {"Annan": "Douglas", "England": "Wallace"}, older=older).turn(
        "Truce", "Sea Move"
    )
    found.order("TRUCE")
    if older:
        assert found.order("SEA Douglas: Annan > England").at("Douglas") == "England"
    else:
        assert "(rule 5.9)" in found.refused("SEA Douglas: Annan > England")


# 8.2 The Bruce


def test_8_2_of_2_3_the_french_begin_in_the_draw_pool_of_the_bruce() -> None:
    def french(scenario: str, edition: str) -> str:
        where: str = GAME.start({"scenario": scenario, "edition": edition}).state.board["French Knights"].at
        return where

    assert FRENCH_IN_POOL in EDITIONS["2.3"]
    assert {scenario: french(scenario, "2.3") for scenario in ("braveheart", "bruce", "campaign")} == {
        "braveheart": "off", "bruce": "pool", "campaign": "off",
    }  # fmt: skip
    assert french("bruce", "4.0") == "off"


# the whole


@pytest.mark.slow
def test_a_game_of_this_edition_is_audited_clean() -> None:
    rng = Random(23)
    played = Played(GAME, {"edition": "2.3", "scenario": "bruce"}, "edition 2.3")
    played.play(lambda _, view: str(GAME.options(view).sample(rng)), most=90)  # into the third year
    assert played.referee.state.board.year > 1306
    assert audit(played.whole(), lambda _: (GAME, "0" * 64)).verdict.verdict in ("clean", "unfinished")
