"""Whole random games, with what must always be true looked at after every step."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.rules.board import Board
from pbem.games.hammer.rules.facts import (
    AREAS,
    BLOCKS,
    BORDER,
    DEAD,
    ENGLISH,
    NOBLES,
    NORSE,
    NORSE_COAST,
    OFF,
    POOL,
    ROSTER,
    SCOTTISH,
)
from pbem.games.hammer.rules.facts_told import KINDS
from pbem.games.hammer.rules.frame import Procedure
from pbem.kernel import Ask, End, Fact, Stop
from tests.conformance import answers

STEPS = 5_000


def check_board(board: Board) -> None:
    """Every block in exactly one place, of its own side, with a strength that it can have."""
    assert tuple(p.name for p in board.pieces) == ROSTER
    for piece in board.pieces:
        block = BLOCKS[piece.name]
        assert piece.at in AREAS or piece.at in (POOL, OFF, DEAD), piece
        assert block.owner in ("", piece.side), piece
        assert 1 <= piece.strength <= block.max if piece.on_map else piece.strength == 0, piece
    # 2.22: each of the thirteen nobles is on the map, on one side, and never dies
    assert all(board[name].on_map for name in NOBLES)
    assert len([n for n in board.nobles(ENGLISH) if n in NOBLES]) + len(
        [n for n in board.nobles(SCOTTISH) if n in NOBLES]
    ) == len(NOBLES)
    assert board[NORSE].at in (*NORSE_COAST, POOL, DEAD)
    # 4.3: border limits, in movement and in the retreats of one round
    for used in (board.crossed, board.retreated):
        assert len({(a, b, side) for a, b, side, _ in used}) == len(used)
        assert all(n <= BORDER[a, b].limit for a, b, _, n in used)
    hands = board.hand(ENGLISH) + board.hand(SCOTTISH)
    assert len(set(hands)) == len(hands)


def check_stack(board: Board, stack: tuple[Procedure, ...]) -> None:
    """No area is contested but where a battle is being fought or is still to come."""
    names = [frame.at for frame in stack]
    fighting = "battles" in names or (names[-1] == "turn" and stack[-1].step in ("second", "battles"))
    if not fighting and names[-1] != "pillage":
        assert board.contested() == ()


@pytest.mark.parametrize("seed", range(6))
def test_random_games_keep_the_invariants(seed: int) -> None:
    rng = random.Random(f"hammer {seed}")
    stop: Stop = GAME.start({})
    asked: Counter[tuple[str, str]] = Counter()
    turns = 0
    for _ in range(STEPS):
        if isinstance(stop.wants, End):
            break
        board = stop.state.board
        if isinstance(stop.wants, Ask):
            asked.update((seat, stop.wants.what) for seat in stop.wants.seats if stop.wants.mark)
            turns += stop.wants.what == "card"
        stop = GAME.step(stop.state, answers(GAME, stop, rng))
        board = stop.state.board
        check_board(board)
        assert all(event.public["f"] in KINDS for event in stop.events if isinstance(event, Fact) and event.public)
        if stop.state.stack:
            check_stack(board, stop.state.stack)
        assert GAME.load(GAME.dump(stop.state)) == stop.state
    assert isinstance(stop.wants, End)
    # one card and one act a turn for either, but for the turn in which the game may end
    for seat in (ENGLISH, SCOTTISH):
        assert asked[seat, "card"] == turns
        assert asked[seat, "act"] in (turns, turns - 1)


@pytest.mark.parametrize("seed", range(2))
def test_a_guessed_position_gives_the_same_view(seed: int) -> None:
    rng = random.Random(f"twins {seed}")
    stop: Stop = GAME.start({})
    while not isinstance(stop.wants, End):
        for seat in (ENGLISH, SCOTTISH):
            view = GAME.view(stop.state, seat)
            twin = GAME.determinise(GAME.read_view(view), rng)
            check_board(twin.board)
            assert GAME.view(twin, seat) == view
        stop = GAME.step(stop.state, answers(GAME, stop, rng))
