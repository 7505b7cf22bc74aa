"""How orders are read: forgiving in form, all bad lines at once, each answer with rule and remedy."""

from __future__ import annotations

import pytest

from pbem.errors import OrderError
from pbem.games.hammer import GAME
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from tests.hammer.builder import Table

ENGLISH_SIDE = {"Dunbar": "Dunbar", "Mentieth": "Northumber Infantry, Lancaster Archers, Lancaster Infantry"}
SCOTS = {"Fife": "Wallace, Douglas, Barclay", "Ross": "Norse, Ross", "Lanark": "Steward"}


def scots() -> Table:
    return Table(ENGLISH_SIDE, SCOTS).turn("Move 1", "Move 3")


@pytest.mark.parametrize(
    "text",
    [
        "MOVE Fife: Wallace, Douglas > Angus > Buchan MAIN",
        "move  fife : WAL , doug>ang>buc main",
        "MOVE Fife: Wallace, Douglas, > Angus → Buchan (MAIN)  # across the green borders",
        "Mov FIFE:wallace,douglas > angus > buchan  main\r\nEND\r\nBest wishes",
    ],
)
def test_moves_are_read_however_typed(text: str) -> None:
    table = Table({**ENGLISH_SIDE, "Buchan": "Buchan"}, SCOTS).turn("Move 1", "Move 3")
    order = GAME.parse(table.view(SCOTTISH), text)
    assert str(order) == "MOVE Fife: Wallace, Douglas > Angus > Buchan MAIN"


def test_the_start_may_be_left_out_where_it_is_clear() -> None:
    order = GAME.parse(scots().view(SCOTTISH), "MOVE Wallace, Douglas > Angus")
    assert str(order) == "MOVE Fife: Wallace, Douglas > Angus"
    assert "not clear where these blocks start" in scots().refused("MOVE Wallace, Ross > Angus")


def test_stewart_is_steward() -> None:
    assert str(GAME.parse(scots().view(SCOTTISH), "MOVE Lanark: Stewart > Carrick")) == "MOVE Lanark: Steward > Carrick"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("MOVE Nordiques > Buchan", "MOVE Norse > Buchan"),
        ("MOVE nord > Buchan", "MOVE Norse > Buchan"),
    ],
)
def test_a_block_is_understood_by_its_french_name(text: str, meant: str) -> None:
    assert str(GAME.parse(scots().view(SCOTTISH), text)) == meant


def test_what_a_french_report_names_can_be_typed() -> None:
    view = Table({"England": "York Infantry, York Knights"}, SCOTS).turn("Move 3", "Move 1").view(ENGLISH)
    order = "MOVE England: York Infantry, York Knights > Dunbar"
    assert str(GAME.parse(view, "MOVE Angleterre: Infanterie d’York, chevaliers d'york > Dunbar")) == order
    assert str(GAME.parse(view, "MOVE anglet: York Inf, York Kn > Dunbar")) == order


def test_all_bad_lines_are_answered_at_once() -> None:
    said = (
        scots()
        .refused(
            "MOVE Fife: Wallace > Narnia\n\nMOVE Fife: Robin > Angus\nMOVE Fife: Douglas > Ross\nMARCH Fife: Barclay > Angus"
        )
        .splitlines()
    )
    assert [line.split(":")[0] for line in said] == ["line 1", "line 3", "line 4", "line 5"]
    assert "there is no such area here" in said[0]
    assert "there is no such block here" in said[1]
    assert "there is no border between Fife and Ross (rule 1.1)" in said[2]
    assert "Possible: MOVE Fife: Douglas > Angus, or " in said[2]
    assert "there is no such order here" in said[3]


def test_an_ambiguous_name_names_the_choices() -> None:
    table = Table(ENGLISH_SIDE, SCOTS).turn("Move 3", "Move 1")
    assert "could be any of Lancaster Archers, Lancaster Infantry" in table.refused("MOVE Mentieth: Lancaster > Fife")
    table.order("MOVE Mentieth: lancaster a > Atholl")
    assert table.at("Lancaster Archers") == "Atholl"


def test_a_block_of_elsewhere_is_told_where_it_stands() -> None:
    assert "Ross stands in Ross, not in Fife (rule 4.2)" in scots().refused("MOVE Fife: Ross > Angus")


def test_one_order_is_wanted_not_two() -> None:
    assert "line 2" in scots().refused("PASS\nMOVE Fife: Wallace > Angus")


def test_a_seat_that_is_not_asked_is_told_so() -> None:
    with pytest.raises(OrderError, match="not asked anything"):
        GAME.parse(scots().view(ENGLISH), "PASS")


def test_an_empty_order_is_told_what_fits() -> None:
    assert "Possible: PASS, or MOVE Fife: " in scots().refused("# nothing at all")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("RETREAT Lanark: Wallace, King > Lennox", "RETREAT Lanark: Wallace > Lennox, King > Lennox"),
        ("retreat wal > len, ki > carrick", "RETREAT Lanark: Wallace > Lennox, King > Carrick"),
    ],
)
def test_retreats_are_read_however_typed(text: str, read: str) -> None:
    table = Table({"Dunbar": "Dunbar", "Lanark": "York Infantry"}, {"Lanark": "Wallace, King"})
    table.battles(("Lanark", SCOTTISH, "", "")).fought()
    assert str(GAME.parse(table.view(SCOTTISH), text)) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("BATTLE Lanark: Wallace FIRE, King RETREAT Carrick", "Wallace FIRE, King RETREAT Carrick"),
        ("battle king retr carr,\n  wal fire", "King RETREAT Carrick, Wallace FIRE"),
        ("BATTLE Lanark: King > Lennox\nBATTLE Lanark: Wallace PASS", "King RETREAT Lennox, Wallace PASS"),
        ("BATTLE Wallace, King RETREAT TO Annan", "Wallace RETREAT Annan, King RETREAT Annan"),
        ("BATTLE Lanark: ALL FIGHT", "Wallace FIRE, King FIRE"),
        ("BATTLE Lanark: Wallace FIRE, all pass", "Wallace FIRE, King PASS"),
    ],
)
def test_battle_actions_are_read_however_typed(text: str, read: str) -> None:
    table = Table({"Dunbar": "Dunbar", "Lanark": "York Infantry"}, {"Lanark": "Wallace, King"})
    table.battles(("Lanark", ENGLISH, "", ""))
    assert str(GAME.parse(table.view(SCOTTISH), text)) == f"BATTLE Lanark: {read}"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("BATTLE Lanark: Wallace", 1, "what Wallace does is missing"),
        ("BATTLE Lanark: Wallace FIRE, King", 1, "what King does is missing"),
        ("BATTLE Lanark:", 1, "a block and what it does are wanted"),
        ("BATTLE Lanark: Wallace FIRE\nBATTLE Lanark: Wallace PASS", 2, "Wallace is named twice (rule 5.31)"),
        ("BATTLE Lanark: Wallace FIRE\nBATTLE Fife: King PASS", 2, "the battle is in Lanark (rule 5.1)"),
        (
            "BATTLE Lanark: Wallace FIRE\nBATTLE Lanark: King RETREAT Fife",
            2,
            "there is no border between them (rule 5.5)",
        ),
        ("BATTLE Lanark: Wallace FIRE Annan", 1, "Wallace names a place and does not retreat (rule 5.31)"),
    ],
)
def test_bad_battle_actions_are_answered_line_by_line(text: str, line: int, says: str) -> None:
    table = Table({"Dunbar": "Dunbar", "Lanark": "York Infantry"}, {"Lanark": "Wallace, King"})
    said = table.battles(("Lanark", ENGLISH, "", "")).refused(text)
    assert said.startswith(f"line {line}: ")
    assert says in said


# as people write


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Fife: all > Angus", "MOVE Fife: Wallace, Douglas, Barclay > Angus"),
        ("Wallace > Angus", "MOVE Fife: Wallace > Angus"),
        ("MOVE Fife: Wallace -> Angus", "MOVE Fife: Wallace > Angus"),
        ("MOVE Fife: Wallace → Angus", "MOVE Fife: Wallace > Angus"),
        ("MOVE Fife: Wallace to Angus to Buchan", "MOVE Fife: Wallace > Angus > Buchan"),
        ("Fife: Wallace - Angus", "MOVE Fife: Wallace > Angus"),
    ],
)
def test_a_move_without_its_verb_and_with_any_arrow(typed: str, meant: str) -> None:
    """`->`, `→`, `to` and `-` mean `>`; `all` means all blocks there."""
    assert str(GAME.parse(scots().view(SCOTTISH), typed)) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Bruce fire", "BATTLE Lanark: Bruce FIRE"),
        ("fire", "BATTLE Lanark: Keith FIRE, Bruce FIRE, Mar FIRE"),
        ("Lanark: all fire", "BATTLE Lanark: Keith FIRE, Bruce FIRE, Mar FIRE"),
        ("Bruce retreat to Lennox, pass", "BATTLE Lanark: Bruce RETREAT Lennox, Keith PASS, Mar PASS"),
        ("Bruce to Lennox", "BATTLE Lanark: Bruce RETREAT Lennox"),
        ("FIRE\n", "BATTLE Lanark: Keith FIRE, Bruce FIRE, Mar FIRE"),
    ],
)
def test_what_blocks_do_without_its_verb(typed: str, meant: str) -> None:
    table = Table(
        {"Dunbar": "Dunbar", "Lanark": "York Knights"}, {"Ross": "Ross", "Lanark": "Mar, Keith, Bruce"}
    ).battles(("Lanark", ENGLISH, "", ""))
    assert str(GAME.parse(table.view(SCOTTISH), typed)) == meant


def test_a_card_and_a_noble_without_their_verbs() -> None:
    """`Move 2`, or `Argyll` for a Herald: a missing verb is the only possible one."""
    table = Table({"Dunbar": "Dunbar", "Angus": "Angus 2"}, {"Ross": "Ross"})
    table.turn("Move 1", "Herald")
    assert str(GAME.parse(table.view(SCOTTISH), "Angus")) == "HERALD Angus"
    assert "“MARCH”: there is no such order here" in table.refused("MARCH Fife: Wallace > Angus")


def test_who_can_be_meant_is_told_and_first_whoever_is_most_like_it() -> None:
    """“did you mean Annan?”"""
    said = scots().refused("MOVE Fife: Walace > Angus")
    assert "“Walace”: there is no such block here (did you mean Wallace?)" in said
    assert "“Agnus”: there is no such area here (did you mean Angus?)" in scots().refused("Fife: Wallace > Agnus")
    with pytest.raises(OrderError, match="Possible: Angus, ") as refused:
        GAME.parse(scots().view(SCOTTISH), "MOVE Fife: Wallace > Agnus")
    assert str(refused.value).count(", ") < 10


@pytest.mark.parametrize(
    ("card", "order"),
    [
        ("Move 1", "PASS"),
        ("Herald", "CORONATION Bruce"),
        ("Herald", "HERALD Angus"),
        ("Truce", "TRUCE"),
        ("Pillage", "PILLAGE Angus FROM Fife"),
        ("Sea Move", "SEA Bruce: Fife > Ross"),
        ("Victuals", "VICTUALS Fife: Bruce 1"),
    ],
)
def test_an_order_that_stands_twice_is_one_too_many(card: str, order: str) -> None:
    table = Table({"Dunbar": "Dunbar", "Angus": "Angus 2"}, {"Fife": "Bruce", "dead": "Wallace", "Ross": "Ross 1"})
    table.turn("Move 3", card)
    if table.asked[0] == ENGLISH:
        table.order("PASS")
    assert f"line 2: “{order}”: one order is wanted here" in table.refused(f"{order}\n{order}")
