"""Positions in words: what they mean, that canonical text comes back, and what is refused."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from pbem.errors import FormError, OrderError, UsageError
from pbem.games import find, positions
from pbem.games.hammer import GAME
from pbem.games.hammer.rules.board import State
from pbem.games.hammer.rules.printed import CARD_NAME, ROSTER
from pbem.games.hammer.rules.variants import chosen
from pbem.games.hammer.setting_up import POSITIONS
from pbem.kernel import Ask, Chance
from tests.conformance import play
from tests.hammer.builder import Table
from tests.hammer.setting_up import PUZZLE, YEAR
from tests.project.source import ROOT


def read(text: str) -> State:
    return POSITIONS.read(text)[1]


def complaint(text: str) -> str:
    with pytest.raises(OrderError) as caught:
        read(text)
    return str(caught.value)


def test_a_text_says_who_stands_where_and_how_strong() -> None:
    board = read(PUZZLE).board
    assert (board.scenario, board.year, board.turn, board.deal) == ("braveheart", 1299, 2, 3)
    shown = {name: board[name][1:4] for name in ("Steward", "York Infantry", "Hobelars", "Edward", "Douglas", "Norse")}
    assert shown == {
        "Steward": ("english", "Lanark", 3),
        "York Infantry": ("english", "Lanark", 2),
        "Hobelars": ("english", "Lanark", 3),
        "Edward": ("english", "England", 4),
        "Douglas": ("scottish", "Fife", 3),
        "Norse": ("scottish", "dead", 0),
    }


def test_who_is_not_named_is_in_the_pool_or_not_in_the_game() -> None:
    board = read(PUZZLE).board
    assert {board[name].at for name in ("Wales Archers", "Campbell", "Moray")} == {"pool"}
    assert {board[name].at for name in ("King", "French Knights")} == {"off"}
    assert read(YEAR + "CROWNED Bruce\n").board["King"].at == "pool"
    bruce = read("HAMMER 2 bruce\nYEAR 1307\n").board
    assert {bruce[name].at for name in ("Wallace", "Moray")} == {"dead"}


def test_nobles_who_are_not_named_are_at_home_with_whoever_holds_it() -> None:
    scots = {"Mar": "Fraser 1", "Carrick": "Keith 1", "Badenoch": "Grant", "Lochaber": "Barclay"}
    board = read(YEAR + "\n".join(f"SCOTTISH {area}: {block}" for area, block in scots.items())).board
    assert board["Mar"][1:4] == ("scottish", "Mar", 3)
    assert board["Ross"][1:4] == ("english", "Ross", 3)
    assert board["Bruce"][1:4] == ("english", "Annan", 4), "7.12: the home that is not the enemy's"
    assert board["Comyn"][1:4] == ("scottish", "Lochaber", 4), "both are taken"
    assert read(YEAR).board["Comyn"].at == "Badenoch"
    assert sum(len(board.nobles(side)) for side in ("english", "scottish")) == 13


@pytest.mark.parametrize("place", ["pool", "off", "dead"])
def test_a_noble_is_never_beside_the_map(place: str) -> None:
    assert "“Mentieth”: Mentieth is always on the map. Possible: Mentieth" in complaint(
        YEAR + f"ENGLISH {place}: Mentieth"
    )
    position = GAME.dump(read(YEAR))
    position["board"]["pieces"]["mentieth"] = ["english", place, 0]
    with pytest.raises(FormError, match=f"Mentieth is always on the map, not in “{place}”"):
        positions.read(json.dumps(position), find("hammer"))


@pytest.mark.parametrize(("at", "strength"), [("Lanark", 0), ("pool", 1), ("Lanark", 5)])
def test_a_block_has_strength_on_the_map_and_nowhere_else(at: str, strength: int) -> None:
    position = GAME.dump(read(YEAR))
    position["board"]["pieces"]["hobelars"] = ["english", at, strength]
    with pytest.raises(FormError, match=f"Hobelars cannot be english with strength {strength}"):
        positions.read(json.dumps(position), find("hammer"))


def test_both_sides_are_asked_for_a_card_out_of_those_left() -> None:
    state = read(PUZZLE)
    wanted = GAME.wants(state)
    assert isinstance(wanted, Ask)
    assert wanted.what == "card"
    assert GAME.view(state, "english")["hand"] == ["Move 3", "Move 1", "Truce", "Move 2"]
    assert GAME.view(state, None)["played"] == {"english": ["Herald"], "scottish": ["Move 2"]}
    assert len({CARD_NAME[card] for card in state.board.dealt}) == 7
    assert len(set(state.board.dealt)) == 10, "“Move 3” twice means two cards"


def test_without_cards_the_year_begins() -> None:
    wanted = GAME.wants(read(YEAR))
    assert isinstance(wanted, Chance)
    assert wanted.label == "deal:4"


def test_king_and_edward_have_lines_of_their_own() -> None:
    board = read(YEAR + "CROWNED bruce\nEDWARD 2\nWINTERED 1299\nSCOTTISH Fife: King 2").board
    assert (board.king, board.edward, board.wintered, board["King"].strength) == ("Bruce", 2, 1299, 2)


def test_options_stand_in_the_first_line() -> None:
    options, state = POSITIONS.read("hammer 2 bruce schiltroms same_coast\nYEAR 1307\n")
    assert state.board.variants == ("schiltroms", "same_coast")
    assert {name for name, value in options.items() if value is True} == {"schiltroms", "same_coast"}
    assert POSITIONS.write(state).startswith("HAMMER 2 bruce schiltroms same_coast\n")
    assert "there is no option “shiltroms”" in complaint("hammer 2 bruce shiltroms\nYEAR 1307\n")


def test_the_edition_stands_in_the_first_line_before_the_options_that_it_does_not_hold() -> None:
    options, state = POSITIONS.read("hammer 2 bruce schiltroms 2.3 same_coast\nYEAR 1307\n")
    assert state.board.variants == chosen(("schiltroms",), "2.3")
    assert options["edition"] == "2.3"
    assert POSITIONS.write(state).startswith("HAMMER 2 bruce 2.3 schiltroms\n")
    assert read(POSITIONS.write(state)) == state


@pytest.mark.parametrize("text", [PUZZLE, YEAR, YEAR + "CROWNED Comyn\nEDWARD 2\nWINTERED 1299\n"])
def test_canonical_text_comes_back_as_it_is(text: str) -> None:
    canonical = POSITIONS.write(read(text))
    assert read(canonical) == read(text)
    assert POSITIONS.write(read(canonical)) == canonical
    assert all(len(line) <= 72 for line in canonical.splitlines())
    assert all(name in canonical for name in ROSTER)


@pytest.mark.slow
def test_every_turn_of_a_game_has_a_text() -> None:
    seen = 0
    for seed in range(3):
        for stop in play(GAME, {}, seed).stops:
            at_cards = isinstance(stop.wants, Ask) and stop.wants.what == "card"
            if at_cards:
                assert read(POSITIONS.write(stop.state)) == stop.state
                seen += 1
    assert seen > 20


def test_in_the_middle_of_a_procedure_there_are_no_words() -> None:
    table = Table({"Dunbar": "Dunbar", "Mentieth": "York Infantry"}, {"Lanark": "Wallace 2", "Ross": "Ross"})
    table.turn("Move 1", "Move 1").order("MOVE Mentieth: York Infantry > Lanark").order("PASS")
    with pytest.raises(UsageError, match=r"battle: .*has a JSON form only"):
        POSITIONS.write(table.stop.state)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("hammer 2", "chess 1", "line 1: “chess 1 Braveheart”: a position begins with the game"),
        ("hammer 2", "hammer 7", "line 1: “hammer 7 Braveheart”: a position begins with the game"),
        ("Braveheart", "Bannockburn", "there is no such scenario. Possible: HAMMER 2 and one of braveheart"),
        ("YEAR 1299 TURN 2\n", "", "the year is missing. Possible: YEAR 1297 TURN 1"),
        ("TURN 2", "TURN 6", "line 2: “TURN 6”: this is not a number you can use here. Possible: 1 to 5"),
        ("YEAR 1299", "YEAR 1296", "the scenario begins later"),
        ("ENGLISH england", "FRENCH england", "line 5: “FRENCH”: there is no such line here"),
        ("england:", "Wonderland:", "line 5: “Wonderland”: there is no such place here. Possible: England, dead"),
        ("england: Edward", "england Edward", "line 5: “ENGLISH england Edward”: place and blocks are parted"),
        ("england: Edward", "england: Lancelot", "“Lancelot”: there is no such block here"),
        ("england: Edward", "england: Graham", "line 5: “Graham”: Graham is never english"),
        ("england: Edward", "england: Edward 5", "line 5: “Edward 5”: Edward has not that strength. Possible: 1 to 4"),
        ("england: Edward", "england: Edward 0", "Edward has not that strength"),
        ("england: Edward", "pool: Edward 4", "beside the map a block has no strength. Possible: Edward"),
        ("Douglas 3", "Wallace", "line 6: “Wallace”: Wallace stands in Fife already"),
        ("Douglas 3\n", "Douglas\nSCOTTISH England: Graham\n", "“England”: both sides stand there"),
        ("Herald (1)", "Herald", "in turn 2 the cards played in the turns before are marked: (1)"),
        ("Herald (1)", "Herald (2)", "in turn 2 the cards played"),
        ("Truce", "Truce (1)", "in turn 2 the cards played"),
        ("Truce, ", "", "that are 4 cards; each side is dealt 5 a year (rule 3.0)"),
        ("Truce", "Joker", "line 8: “Joker”: there is no such card here"),
        ("Pillage", "Truce", "line 9: “Truce”: there are not so many of these cards"),
        ("CARDS english", "CARDS french", "there is no such side here. Possible: english, scottish"),
        ("CARDS english: Move 3, Herald (1), Move 1, Truce, Move 2\n", "", "turn and cards belong together"),
        ("TURN 2", "", "turn and cards belong together"),
        ("SCOTTISH dead", "CROWNED Douglas\nSCOTTISH dead", "there is no such king here. Possible: Balliol"),
        (
            "SCOTTISH dead",
            "EDWARD 3\nSCOTTISH dead",
            "line 7: “EDWARD 3”: this is not a number you can use here. Possible: 1 to 2",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line(old: str, new: str, says: str) -> None:
    assert old in PUZZLE
    assert says in complaint(PUZZLE.replace(old, new))


def test_all_that_is_wrong_is_said_at_once() -> None:
    said = complaint(PUZZLE.replace("Stewart", "Stewart 9").replace("Douglas", "Nobody").replace("Truce", "Joker"))
    assert re.findall(r"^line (\d+)", said, re.MULTILINE) == ["3", "6", "8"]


def test_nothing_is_no_position() -> None:
    assert complaint("# nothing\n").startswith("a position begins with the game")


def test_the_example_of_the_page_is_a_position() -> None:
    page = (ROOT / "docs" / "reference" / "positions.md").read_text("utf-8")
    (example,) = re.findall(r"^```position\n(HAMMER.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert read(example).board["Douglas"].strength == 2
    wrong = example.replace("Steward 3", "Steward 4").replace("Douglas 2\n", "Douglas 2\nENGLISH Ross: Graham\n")
    assert f"\npbem: {complaint(wrong)}\n" in page


def test_the_schema_names_every_field_of_a_position() -> None:
    schema: Any = POSITIONS.schema()
    for seed in range(2):
        for stop in play(GAME, {}, seed, limit=120).stops:
            position = GAME.dump(stop.state)
            assert set(position["board"]) == set(schema["properties"]["board"]["properties"])
            kinds = {k["properties"]["at"]["const"]: k for k in schema["properties"]["stack"]["items"]["oneOf"]}
            for frame in position["stack"]:
                assert set(frame) == set(kinds[frame["at"]]["properties"])
