"""How the orders of winter are typed: forgivingly, with all bad lines answered, and one canonical text."""

from __future__ import annotations

import pytest

from pbem.errors import OrderError
from pbem.games.hammer import GAME
from pbem.games.hammer.orders import Pass
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from tests.hammer.winter_builder import WinterTable


def _court() -> WinterTable:
    english = {"Badenoch": "Comyn", "Lochaber": "York Infantry"}
    table = WinterTable(english, {"Garmoran": "Bruce, King", "Lennox": "Moray"}, king="Bruce").winter()
    return table.order("HOME Comyn > Badenoch")


def _disband(side: str) -> WinterTable:
    english = {"Lothian": "Edward, York Infantry, York Knights"}
    table = WinterTable(english, {"Fife": "Wallace, Douglas, Barclay, Grant"})
    return table.disbanding("english" if side == ENGLISH else "scots")


def _text(table: WinterTable, text: str) -> str:
    seat, _ = table.asked
    return str(GAME.parse(table.view(seat), text))


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("HOME Bruce > Annan\nHOME Moray STAY\nKING STAY", "HOME Bruce > Annan\nHOME Moray STAY\nKING STAY"),
        ("king strath\nhome bruce carr", "HOME Bruce > Carrick\nHOME Moray > Moray\nKING > Strathspey"),
        ("home king to fife\nhome br → ann", "HOME Bruce > Annan\nHOME Moray > Moray\nKING > Fife"),
        ("HOME Moray\nHOME Bruce Annan", "HOME Bruce > Annan\nHOME Moray > Moray\nKING > Fife"),
        ("HOME Bruce > Carrick; KING STAY", "HOME Bruce > Carrick\nHOME Moray > Moray\nKING STAY"),
        ("DISBAND Moray, King\nHOME Bruce>Annan\nDONE", "HOME Bruce > Annan\nHOME Moray DISBAND\nKING DISBAND"),
        ("KING disbands\nHOME Moray stays\nHOME Bruce > Annan", "HOME Bruce > Annan\nHOME Moray STAY\nKING DISBAND"),
        ("KING\nHOME Bruce > Annan", "HOME Bruce > Annan\nHOME Moray > Moray\nKING > Fife"),
    ],
)
def test_home_is_read_forgivingly(typed: str, canonical: str) -> None:
    table = _court()
    assert _text(table, typed) == canonical
    assert _text(table, canonical) == canonical


@pytest.mark.parametrize(
    ("side", "typed", "canonical"),
    [
        (ENGLISH, "winter edward", "EDWARD STAYS"),
        (ENGLISH, "Edward stays\ndisband york inf", "EDWARD STAYS\nDISBAND York Infantry"),
        (ENGLISH, "EDWARD disbands", "DISBAND Edward"),
        (ENGLISH, "done", "DONE"),
        (SCOTTISH, "wallace > selk", "WALLACE > Selkirk"),
        (SCOTTISH, "Disband gr\nDISBAND Barclay", "DISBAND Grant, Barclay"),
    ],
)
def test_disband_is_read_forgivingly(side: str, typed: str, canonical: str) -> None:
    table = _disband(side)
    assert _text(table, typed) == canonical
    assert _text(table, canonical) == canonical


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("build fife: doug +2, bar", "BUILD Fife: Douglas 2, Barclay 1\nDONE"),
        ("BUILD Fife: Barclay 1\nDONE", "BUILD Fife: Barclay 1\nDONE"),
        ("draw loth, fif", "DRAW Lothian\nDRAW Fife"),
        ("DRAW Lothian\nBUILD Fife: Barclay 1", "BUILD Fife: Barclay 1\nDRAW Lothian"),
        ("DONE\nDRAW Lothian", "DRAW Lothian\nDONE"),
    ],
)
def test_build_is_read_forgivingly(typed: str, canonical: str) -> None:
    table = WinterTable({}, {"dead": "Moray", "Fife": "Barclay 1, Douglas 1", "Lothian": "Grant"}).builds()
    assert _text(table, typed) == canonical
    assert _text(table, canonical) == canonical


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "there is no order in it. Possible: DONE, or EDWARD STAYS, DISBAND York Infantry"),
        ("DISBAND York", "“York”: this block could be any of York Infantry, York Knights"),
        ("DISBAND York Infantry,", "a name is missing"),
        ("DISBAND York Infantry, York Infantry", "York Infantry is named twice"),
        ("EDWARD sleeps", "Edward stays or disbands. Possible: EDWARD STAYS"),
        ("DONE with it", "DONE stands alone"),
        ("WALLACE > Selkirk", "Wallace is not yours (rule 7.5)"),
        ("DISBAND Edward\nXYZZY\nDISBAND Nobody", "line 2: “XYZZY”: there is no such order here"),
    ],
)
def test_disband_says_what_was_read_and_why_not(typed: str, why: str) -> None:
    assert why in _disband(ENGLISH).refused(typed)


def test_every_bad_line_is_answered() -> None:
    said = _disband(ENGLISH).refused("XYZZY\nDISBAND Nobody\nEDWARD sleeps").split("\n")
    assert [line.split(":")[0] for line in said] == ["line 1", "line 2", "line 3"]


def test_an_order_of_another_kind_is_refused() -> None:
    for table in (_court(), _disband(SCOTTISH), WinterTable({}, {"Fife": "Douglas 1"}).builds()):
        seat, _ = table.asked
        refusal = GAME.why_not(table.view(seat), Pass())
        assert refusal is not None
        assert refusal.rule.startswith("7.")


def test_silence_sends_bruce_and_comyn_to_the_stronger_castle_with_room() -> None:
    table = WinterTable({"Carrick": "Bruce", "Lochaber": "Comyn"}, {"dead": "Moray"}).winter().silence()
    assert (table.at("Bruce"), table.at("Comyn")) == ("Annan", "Badenoch")
    crowded = {"Carrick": "Bruce", "Annan": "York Infantry, Durham Infantry", "Badenoch": "Comyn"}
    assert WinterTable(crowded, {"dead": "Moray"}).winter().silence().at("Bruce") == "Carrick"


@pytest.mark.parametrize(
    ("side", "typed", "canonical"),
    [
        (ENGLISH, "York Infantry", "DISBAND York Infantry"),
        (ENGLISH, "York Infantry, Edward", "DISBAND York Infantry, Edward"),
        (SCOTTISH, "Douglas, Grant", "DISBAND Douglas, Grant"),
    ],
)
def test_who_disbands_without_its_verb(side: str, typed: str, canonical: str) -> None:
    assert _text(_disband(side), typed) == canonical


def test_where_a_noble_goes_without_its_verb() -> None:
    assert _text(_court(), "Bruce > Annan\nMoray stay") == "HOME Bruce > Annan\nHOME Moray STAY\nKING > Fife"
    seat, _what = _court().asked
    with pytest.raises(OrderError, match="“GO”: there is no such order here"):
        GAME.parse(_court().view(seat), "GO Bruce Annan")
    with pytest.raises(OrderError, match="did you mean Annan"):
        GAME.parse(_court().view(seat), "Bruce > Anan")
