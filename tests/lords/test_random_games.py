"""Random whole games of two to five, and what holds at every step of them."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.games.lords import GAME
from pbem.games.lords.rules.board import Board
from pbem.games.lords.rules.cards import LIMIT
from pbem.games.lords.rules.drawing import DEALS
from pbem.games.lords.rules.sound import flaws
from pbem.kernel import End, Json
from tests.conformance import play

GAMES = 3
ALL = {"bruce": True, "claims": "in turn"}


def check(board: Board, before: Board) -> None:
    assert Counter(board.every_card()) == Counter(board.terms.cards)
    assert max(map(len, board.hands.values())) <= LIMIT
    assert not set(board.old) & set(board.pile)
    assert not list(flaws(board))
    for seat in board.seats:
        assert set(board.won[seat]) >= set(before.won[seat])
        hidden = {f.card for army in board.armies.values() for f in army if not f.up}
        assert set(board.taken[seat]) <= {*board.hands[seat], *hidden}
    if board.round == before.round:
        assert board.turn >= before.turn or not board.turn


@pytest.mark.parametrize("options", [{}, ALL], ids=["usual", "Bruce"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_keep_every_card_in_one_place(players: int, options: Json) -> None:
    for seed in range(GAMES):
        record = play(GAME, {"players": players, **options}, seed)
        for before, stop in zip(record.stops, record.stops[1:], strict=False):
            check(stop.state.board, before.state.board)
        last = record.stops[-1]
        assert isinstance(last.wants, End)
        points = last.wants.result["points"]
        assert max(points.values()) >= 40
        assert points[last.wants.result["winner"]] == max(points.values())


def test_random_games_need_far_fewer_deals_than_a_game_has() -> None:
    most = max(play(GAME, {"players": 5}, seed).stops[-1].state.board.deals for seed in range(GAMES))
    assert most < DEALS // 4
