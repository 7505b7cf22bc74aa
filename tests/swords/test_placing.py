"""Play, and 1 Place Cubes: the flip, the squares, an empty supply."""

from __future__ import annotations

import pytest

from pbem.games.swords.game import GAME
from pbem.games.swords.rules.parts import STANDARD
from pbem.kernel import Ask, Chance, Roll, choose
from tests.swords.set_up import start
from tests.swords.table import Table, lay, table

HOME = {"Isles": "pink 21"}


def begun(**options: object) -> Table:
    """A game of two in which the first cubes lie in Moray and Fife."""
    game = start(players=2, glory=["Drums", "Bagpipes", "Druid"], first="pink", **options)
    return game.order(*["CUBE Moray", "CUBE Fife"] * 4)


def test_play_the_number_on_top_is_seen_before_the_flip_and_the_icon_after_it() -> None:
    game = begun()
    assert game.stop.wants == Chance("pub", (Roll(1, 12),))
    game.go_on(((5,),))  # the fifth card: sword 2
    assert (game.board.top, game.board.icon) == (2, "")
    assert game.told("round") == [{"f": "round", "round": 1, "top": 2, "leader": "pink"}]
    # four cards bear a 2; then one of eleven comes to lie on top
    assert game.stop.wants == Chance("pub", (Roll(1, 4), Roll(1, 11)))
    game.go_on(((3,), (1,)))
    assert (game.board.icon, game.board.number, game.board.top) == ("stag", 1, 1)
    assert len(game.board.deck) == 11


def test_play_the_number_is_that_of_the_next_card_the_icon_that_of_the_flipped_one() -> None:
    game = begun().go_on(((1,),)).go_on(((1,), (11,)))
    assert game.told("flip") == [{"f": "flip", "flip": 1, "icon": "thistle", "number": 3}]


def flip_on(game: Table) -> Table:
    """Go on to the next flip, with all that is asked by default and the lowest of all dice."""
    while True:
        wants = game.stop.wants
        if isinstance(wants, Chance):
            game.go_on(tuple((1,) * request.n for request in wants.requests))
        else:
            assert isinstance(wants, Ask)
            game.order(**{seat: str(GAME.default(game.view(seat))) for seat in wants.seats})
        if game.what == "place":
            return game


def test_play_twelve_flips_each_card_once_and_a_four_with_the_last() -> None:
    game = begun()
    for _flip in range(12):
        flip_on(game)
    flips = game.told("flip")
    assert [flip["flip"] for flip in flips] == list(range(1, 13))
    assert sorted(flip["icon"] for flip in flips) == sorted(card.icon for card in STANDARD.deployment_cards)
    assert flips[-1]["number"] == 4
    assert game.board.deck == ()


def test_place_all_at_once_and_nobody_knows_before_all_have() -> None:
    game = table(players=3)
    assert game.stop.wants == Ask(("pink", "yellow", "black"), "place", "until resolved", mark=True)
    game.order(pink="PLACE C2", yellow="PLACE A1", black="PLACE E1")
    assert [dict(game.board.boards[seat]) for seat in game.board.seats] == [
        {"C2": "pink"}, {"A1": "yellow"}, {"E1": "black"}
    ]  # fmt: skip
    assert game.board.supply["pink"] == 20


def test_place_on_a_matching_symbol_that_is_free() -> None:
    game = table(boards={"pink": "A1"})
    game.refused("PLACE A1", "A1 is covered", "pink")
    game.refused("PLACE B1", "B1 shows sword, and thistle was flipped", "pink")
    game.refused("PLACE H8", "no square H8", "pink")
    game.refused("NOTHING", "you must place a cube", "pink")
    game.refused("PLACE I1", "a letter and a number", "pink")
    assert game.legal("pink") == ["PLACE E1", "PLACE C2", "PLACE B3", "PLACE F3", "PLACE D4"]


def test_place_nothing_where_no_such_symbol_is_uncovered() -> None:
    thistles = " ".join(square for square, icon in STANDARD.squares.items() if icon == "thistle")
    game = table(boards={"pink": thistles})
    assert game.legal("pink") == ["NOTHING"]
    game.refused("PLACE B1", "no free square with thistle", "pink")
    assert game.asked == ("pink", "yellow"), "all are asked at every flip"
    game.place(pink="NOTHING")
    assert game.told("nothing") == [{"f": "nothing", "seat": "pink"}]


@pytest.mark.parametrize(
    ("cubes", "castles", "glory", "source", "gone"),
    [
        ({"Isles": "pink 20", "Fife": "pink 1"}, {}, {}, "Fife", "the board"),
        ({"Isles": "pink 20"}, {"Perth": "pink"}, {}, "Perth", "castles you control"),
        ({"Isles": "pink 20"}, {}, {"Drums": "pink 1"}, "Drums", "glory cards"),
    ],
)
def test_place_with_an_empty_supply_a_cube_is_pulled(
    cubes: dict[str, str], castles: dict[str, str], glory: dict[str, str], source: str, gone: str
) -> None:
    game = table(cubes=cubes, castles_=castles, glory=glory)
    game.refused("PLACE A1", "your supply is empty", "pink")
    game.refused("PLACE A1 FROM Moray", "no such cube on Moray", "pink")
    game.place(pink=f"PLACE A1 FROM {source}")
    board = game.board
    assert (board.count("Fife", "pink"), board.castles.get("Perth"), board.glory.get("Drums", {})) == (0, None, {}), (
        gone
    )
    assert board.boards["pink"] == {"A1": "pink"}


def test_place_from_the_board_only_when_the_supply_is_empty() -> None:
    table(cubes={"Isles": "pink 20"}).refused("PLACE A1 FROM Isles", "your supply is not empty", "pink")


def test_place_never_from_the_player_board() -> None:
    squares = [square for square, icon in STANDARD.squares.items() if icon != "thistle"]
    own = {"pink": " ".join([*squares, "A1", "E1", "C2"][:21])}
    assert len(own["pink"].split()) == 21
    game = table(boards=own)
    assert game.legal("pink") == ["NOTHING"]
    game.refused("PLACE B3", "all your cubes are on your player board", "pink")


def test_place_may_be_sent_ahead_and_the_first_line_that_fits_speaks() -> None:
    game = table(icon="stag")
    view = game.view("pink")
    fit = choose(GAME, view, "PLACE A1\nPLACE C1\nPLACE A2")
    assert fit.line == "PLACE C1"  # type: ignore[union-attr]
    assert GAME.read_ahead(view, "place", "place c2 from supply") == "PLACE C2"


def test_place_the_silent_place_on_the_first_square() -> None:
    game = table(boards={"pink": "A1"}).place()
    assert game.board.boards["pink"] == {"A1": "pink", "E1": "pink"}


def test_a_position_holds_every_cube_once() -> None:
    board = lay(cubes=HOME, players=2)
    assert board.supply["pink"] == 0
