"""Tournament Play: what a bid does to the game that follows."""

from __future__ import annotations

from random import Random

import pytest

from pbem.errors import OrderError
from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.rules.board import Board, State
from pbem.games.hammer.rules.levy import Levy
from pbem.games.hammer.rules.year import Year
from pbem.games.hammer.setting_up import POSITIONS
from pbem.games.hammer.views import HammerView
from pbem.kernel import Chance, Draw, Json, advance
from tests.conformance import play
from tests.hammer.builder import pieces

POOL = "Edward, Wales Archers, Lancaster Knights, Hobelars, York Infantry"


def first_draw(**options: Json) -> Draw:
    wanted = GAME.start(options).wants
    assert isinstance(wanted, Chance)
    (draw,) = wanted.requests
    assert isinstance(draw, Draw)
    return draw


def levy(bid: str, year: int, pool: str = POOL) -> Draw | None:
    """Return what is drawn in the winter of a year."""
    everybody = pieces({"pool": pool}, {})
    others = [p._replace(at="dead") for p in everybody if p.at == "pool" and p.name not in pool.split(", ")]
    board = Board("braveheart", year, 5, everybody, (), bid).put(*others)
    wanted = advance(State(board, (Year("next"), Levy("begin")))).wants
    assert isinstance(wanted, Chance)
    (draw,) = wanted.requests
    assert isinstance(draw, Draw)
    return draw if wanted.label == "priv:english" else None


@pytest.mark.parametrize(("bid", "blocks"), [("", 4), ("S1", 5), ("S2", 6), ("S3", 7), ("E3", 4)])
def test_a_scottish_bid_adds_blocks_to_the_first_levy(bid: str, blocks: int) -> None:
    assert first_draw(bid=bid).n == blocks


def test_a_scottish_bid_adds_to_the_six_of_the_bruce_too() -> None:
    assert first_draw(scenario="bruce", bid="S2").n == 8


@pytest.mark.parametrize("bid", ["E1", "E2", "E3"])
def test_under_an_english_bid_edward_is_not_among_the_first(bid: str) -> None:
    assert "Edward" not in first_draw(bid=bid).of
    assert "Edward" in first_draw(bid="S1").of


@pytest.mark.parametrize(("bid", "last"), [("E1", 1297), ("E2", 1298), ("E3", 1299)])
def test_edward_waits_as_many_years_as_were_bid(bid: str, last: int) -> None:
    for year in range(1297, 1301):
        drawn = levy(bid, year)
        assert drawn is not None
        assert ("Edward" in drawn.of) == (year + 1 > last)


def test_edward_counts_for_the_levy_though_he_is_not_drawn() -> None:
    drawn = levy("E3", 1297)
    assert drawn is not None
    assert (drawn.n, len(drawn.of)) == (3, 4)  # half of five, rounded up, out of the other four


def test_edward_alone_in_the_pool_draws_nobody() -> None:
    assert levy("E3", 1297, "Edward") is None


def test_edward_lies_face_up_for_both_sides() -> None:
    state = GAME.start({"bid": "E2"}).state
    for seat in (None, "english", "scottish"):
        assert GAME.view(state, seat)["face_up"] == {"edward": {"at": "pool"}}
    view = GAME.read_view(GAME.view(state, "scottish"))
    assert isinstance(view, HammerView)
    assert "Edward lies face-up in the draw pool until the levy for 1299" in " ".join(LOOK.board(view).split())


def test_the_report_says_which_bid_is_played() -> None:
    for bid, words in (("S2", "Bid S2: the English drew 2 blocks more"), ("E1", "Bid E1: Edward lies face-up")):
        view = GAME.read_view(GAME.view(GAME.start({"bid": bid}).state, "english"))
        assert words in " ".join(LOOK.board(view).split())


def test_a_position_in_words_holds_the_bid() -> None:
    options, state = POSITIONS.read("hammer 2 braveheart e2\nYEAR 1298\n")
    assert options["bid"] == "E2"
    assert state.board["Edward"].known
    assert POSITIONS.read(POSITIONS.write(state))[1] == state
    assert not POSITIONS.read("hammer 2 braveheart e2\nYEAR 1299\n")[1].board["Edward"].known
    assert POSITIONS.read("hammer 2 braveheart e2\nYEAR 1299\nENGLISH England: Edward\n")
    with pytest.raises(OrderError, match="by the bid E2 Edward lies in the draw pool in 1298"):
        POSITIONS.read("hammer 2 braveheart e2\nYEAR 1298\nENGLISH England: Edward\n")


@pytest.mark.slow
def test_edward_lies_face_up_until_he_may_be_drawn_and_no_longer() -> None:
    """Whether he was drawn then is nobody's business but the English: 7.7 shuffles the pool face-down."""
    not_drawn = 0
    for seed in range(1, 4):
        for stop in play(GAME, {"bid": "E1"}, seed).stops:
            board = stop.state.board
            if board["Edward"].at == "pool" and board.year != 1297:
                assert not board["Edward"].known
                not_drawn += board.year == 1298
                assert "edward" not in GAME.view(stop.state, "scottish").get("face_up", {})
            elif board.year == 1297 and "levy" not in {frame.at for frame in stop.state.stack}:
                assert board["Edward"][2:] == ("pool", 0, "", "", 1)
    assert not_drawn


def test_twins_know_that_edward_is_in_the_pool() -> None:
    record = play(GAME, {"bid": "E3"}, 1)
    chooser = Random(2)
    for stop in record.stops[:60:6]:
        view = GAME.read_view(GAME.view(stop.state, "scottish"))
        made = GAME.determinise(view, chooser)
        assert made.board["Edward"][2:4] == ("pool", 0)
        assert GAME.view(made, "scottish") == GAME.view(stop.state, "scottish")


def test_a_bid_is_told_in_words() -> None:
    told = {bid: GAME.read_options({"bid": bid}).in_words()["bid"] for bid in ("", "E1", "E2", "S2")}
    assert told == {
        "": "",
        "E1": "bid E1 is in force: for 1 year Edward lies in the draw pool and is not drawn",
        "E2": "bid E2 is in force: for 2 years Edward lies in the draw pool and is not drawn",
        "S2": "bid S2 is in force: the English draw 2 blocks more when the game begins",
    }
