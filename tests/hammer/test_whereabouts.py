"""Who stands where is reckoned by what changes, and comes to what counting all pieces anew comes to."""

from __future__ import annotations

import copy

import pytest

from pbem.games.hammer.game import GAME
from pbem.games.hammer.rules import AREAS, SIDES, Board
from pbem.games.hammer.rules.board import Whereabouts
from tests.conformance import play


def _counted(board: Board) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for piece in board.pieces:
        if piece.at in AREAS:
            found.setdefault(piece.at, dict.fromkeys(SIDES, 0))[piece.side] += 1
    return found


@pytest.mark.parametrize("scenario", ["braveheart", "bruce"])
def test_a_whole_game_keeps_count(scenario: str) -> None:
    record = play(GAME, {"scenario": scenario}, 3, limit=400)
    for index, stop in enumerate(record.stops):
        board = stop.state.board
        assert board.whereabouts == Whereabouts.of(board.pieces), record.at(index)
        assert board.occupancy() == _counted(board), record.at(index)
        both = tuple(area for area in AREAS if all(_counted(board).get(area, {"": 0}).values()))
        assert board.contested() == both, record.at(index)


def test_a_copy_knows_as_much() -> None:
    board = play(GAME, {}, 3, limit=20).stops[-1].state.board
    again = copy.copy(board)
    assert again == board
    assert again.whereabouts == board.whereabouts
