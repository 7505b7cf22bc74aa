"""Positions in words: what they mean, that canonical text comes back, and what is refused."""

from __future__ import annotations

import json

import pytest

from pbem.errors import OrderError, UsageError
from pbem.games.swords.game import GAME
from pbem.games.swords.rules.war import State
from pbem.games.swords.setting_up import POSITIONS
from pbem.kernel import Ask
from tests.conformance import play
from tests.project.source import ROOT
from tests.swords.setting_up import BATTLES, PUZZLE


def read(text: str) -> State:
    return POSITIONS.read(text)[1]


def test_a_text_says_who_is_asked_and_what_lies_where() -> None:
    state = read(PUZZLE)
    board = state.board
    assert GAME.wants(state) == Ask(("pink", "yellow", "black"), "place", "until resolved", mark=True)
    assert (board.round, board.flip, board.icon, board.number, board.top, board.leader) == (
        2,
        5,
        "stag",
        3,
        3,
        "yellow",
    )
    assert dict(board.held) == {"The Crown": "yellow", "A Bloody Banner": "pink"}
    assert dict(board.supply) == {"pink": 21 - 3 - 1 - 2 - 2, "yellow": 21 - 2 - 2, "black": 21}
    assert (board.picts, board.aside) == (4, 0)


def test_battles_stand_and_the_leader_is_asked() -> None:
    state = read(BATTLES)
    assert GAME.wants(state) == Ask(("yellow",), "battle", "no")
    assert read(POSITIONS.write(state)) == state


@pytest.mark.parametrize("text", [PUZZLE, BATTLES])
def test_its_canonical_text_is_the_same_position(text: str) -> None:
    state = read(text)
    written = POSITIONS.write(state)
    assert read(written) == state
    assert POSITIONS.write(read(written)) == written
    assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state


@pytest.mark.slow
def test_every_flip_of_a_game_has_words() -> None:
    record = play(GAME, {"players": 4, "tokens": "drawn", "tie": "all"}, 1)
    words = 0
    for stop in record.stops:
        if isinstance(stop.wants, Ask) and stop.wants.what == "place":
            assert read(POSITIONS.write(stop.state)) == stop.state
            words += 1
    assert words == 36
    with pytest.raises(UsageError, match="JSON form only"):
        POSITIONS.write(record.stops[-1].state)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("CUBES Xyzzy: pink", "no such region"),
        ("CUBES Moray: mauve 2", "no such colour"),
        ("CUBES Isles: pink 30", "not so many cubes of this colour"),
        ("CASTLES: Xyzzy pink", "no such castle"),
        ("BOARD pink: Z9", "a letter and a number"),
        ("BOARD black: H8", "squares of the player board"),
        ("BOARD pink: A1 stag", "a square alone"),
        ("GLORY Xyzzy: pink", "no such glory card"),
        ("DECK: stag", "an icon and a number"),
        ("DECK: stag 1, stag 1", "not so many such cards"),
        ("WALL Fife - Isles", "have no border"),
        ("ROUND two", "cannot be read"),
        ("LEADER white", "no such seat"),
        ("PICTS many", "“PICTS many”: this is not a number you can use here. Possible: 0 to 7"),
        ("DECK: stag 9", "“stag 9”: this is not a number you can use here. Possible: 1 to 4"),
        ("ROUND 2 FLIP 5 stag 9 PLACE", "“stag 9”: this is not a number you can use here. Possible: 1 to 4"),
        ("OPTION castles=all", "Possible: "),
        ("OPTION xyzzy=1", "names no option"),
        ("OPTION tie=xyzzy", "does not fit"),
        ("OPTION parts={", "does not fit"),
        ("XYZZY", "no such line"),
    ],
)
def test_a_line_that_cannot_be_is_refused(line: str, why: str) -> None:
    with pytest.raises(OrderError, match=why):
        read(f"{PUZZLE}{line}\n")


def test_a_text_that_says_too_little_is_refused() -> None:
    for text, why in (
        ("", "begins with"),
        ("SWORDS 9 for 3", "begins with"),
        ("SWORDS 2 for 2\nLEADER pink", "which flip"),
    ):
        with pytest.raises(OrderError, match=why):
            read(text)


def test_the_page_on_positions_has_one_that_can_be_read() -> None:
    page = (ROOT / "docs" / "reference" / "positions.md").read_text("utf-8")
    text = next(part for part in page.split("```position\n")[1:] if part.startswith("SWORDS")).partition("```")[0]
    assert GAME.wants(read(text)) == Ask(("pink", "yellow", "black"), "place", "until resolved", mark=True)
