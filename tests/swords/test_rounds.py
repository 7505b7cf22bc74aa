"""Round and game end: the scoring of regions, three rounds, who wins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.games.swords.rules.board import Board
from pbem.games.swords.rules.war import Season, State, War
from pbem.kernel import advance
from tests.swords.table import Table, lay, table


def scored(board: Board) -> Table:
    """The last flip of a round is over."""
    return Table(advance(State(board, (War("round", placed=99), Season("score")))))


def test_round_each_territory_scores_its_token_for_the_majority() -> None:
    game = scored(lay(cubes={"Moray": "pink 3, yellow 2", "Isles": "yellow 1"}))
    assert dict(game.board.points) == {"pink": 7, "yellow": 4}
    moray = next(region for region in game.told("score")[0]["regions"] if region["region"] == "Moray")
    assert moray == {"region": "Moray", "seat": "pink", "points": 7}


def test_round_a_tie_scores_nothing() -> None:
    game = scored(lay(cubes={"Moray": "pink 2, yellow 2"}))
    assert dict(game.board.points) == {"pink": 0, "yellow": 0}


def test_round_a_third_who_is_not_tied_scores_with_at_least_one_cube() -> None:
    game = scored(lay(players=3, cubes={"Moray": "pink 2, yellow 2, black 1"}))
    assert dict(game.board.points) == {"pink": 0, "yellow": 0, "black": 7}


def test_round_what_lies_on_the_table_stays_and_the_deck_is_shuffled() -> None:
    board = lay(cubes={"Moray": "pink 3"}, boards={"yellow": "A1 B1"}, castles_={"Perth": "yellow"}, deck="")
    game = scored(board)
    assert (game.board.cubes, game.board.boards, game.board.castles) == (board.cubes, board.boards, board.castles)
    game.go_on(((1,),))
    assert len(game.board.deck) == 12
    assert game.board.round == 2


def last(**laid: object) -> Table:
    return scored(lay(round_=3, **laid))  # type: ignore[arg-type]


def test_end_after_three_rounds_the_most_points_win() -> None:
    game = last(points={"pink": 5, "yellow": 9})
    assert game.result["winner"] == "yellow"
    assert (game.result["why"], game.result["points"]) == ("points", {"pink": 5, "yellow": 9})
    assert scored(lay(round_=2)).what == "Chance", "not before"


def test_end_a_tie_is_won_by_the_most_cubes_on_the_board() -> None:
    game = last(points={"pink": 14, "yellow": 7}, cubes={"Moray": "yellow 3"}, castles_={"Perth": "pink"})
    assert (game.result["winner"], game.result["why"]) == ("yellow", "cubes")
    assert game.result["cubes"] == {"pink": 1, "yellow": 3}
    game = last(
        points={"pink": 4, "yellow": 0}, cubes={"Isles": "yellow 1"}, castles_={"Perth": "pink", "Blair": "pink"}
    )
    assert game.result["winner"] == "pink", "castles are on the board"


def test_end_glory_cards_count_only_where_that_is_agreed() -> None:
    laid = {"points": {"pink": 4}, "cubes": {"Isles": "yellow 1"}, "glory": {"Drums": "pink 3"}}
    assert last(**laid).result["winner"] == "yellow"
    assert last(**laid, tie="all").result["winner"] == "pink"


def test_end_the_crown_wins_a_tie_before_cubes_are_counted() -> None:
    game = last(points={"pink": 4}, cubes={"Isles": "yellow 1"}, glory={"The Crown": "pink"})
    assert (game.result["winner"], game.result["why"]) == ("pink", "crown")


def test_end_who_is_tied_in_everything_shares_the_victory() -> None:
    game = last(points={"pink": 5, "yellow": 5})
    assert (game.result["winner"], game.result["why"], game.result["shared"]) == ("", "shared", ["pink", "yellow"])


@pytest.mark.parametrize("number", [1, 4])
def test_end_the_twelfth_card_is_paired_with_the_printed_number(number: int) -> None:
    board = replace(lay(deck="stag1"), top=1)
    game = Table(advance(State(board, (War("round", placed=99), Season("next")))))
    assert (game.what, game.board.icon, game.board.number) == ("place", "stag", 4)
    assert game.board.deck == ()
    assert table(number=number).board.number == number
