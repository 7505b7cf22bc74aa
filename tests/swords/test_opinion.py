"""Who stands better in Swords Over Scotland: the same each time, and right where the game is as good as won."""

from __future__ import annotations

import random
from typing import cast

import pytest

from pbem.games import find
from pbem.games.swords.bots.opinion import opinion
from pbem.games.swords.rules.board import Board
from pbem.games.swords.views import SwordsView
from pbem.kernel import Ask, Chance, End, Stop, changed
from tests.conformance import outcome

from .program import SHORT

SWORDS = find("swords")


def stops(players: int, seed: int) -> list[Stop]:
    """Return where a short game of random players stood."""
    chance, rules = random.Random(seed), SWORDS.rules
    found = [rules.start(SWORDS.complete({"players": players, "parts": SHORT}))]
    while not isinstance(found[-1].wants, End):
        stop = found[-1]
        if isinstance(stop.wants, Ask):
            views = {seat: rules.read_view(rules.view(stop.state, seat)) for seat in stop.wants.seats}
            found.append(
                rules.step(stop.state, {seat: rules.options(seen).sample(chance) for seat, seen in views.items()})
            )
        else:
            found.append(rules.step(stop.state, outcome(cast(Chance, stop.wants), chance)))
    return found


def views(stop: Stop, board: Board | None = None) -> list[SwordsView]:
    """Return what all seats see; of a board, where it is put in the place of theirs."""
    state = stop.state if board is None else changed(stop.state, board=board)
    rules = SWORDS.rules
    return [cast(SwordsView, rules.read_view(rules.view(state, seat))) for seat in state.board.seats]


@pytest.mark.parametrize("players", [2, 4])
def test_every_moment_of_a_game_can_be_judged(players: int) -> None:
    for stop in stops(players, players)[:: 3 * players]:
        shares = opinion(views(stop), random.Random(1))
        assert list(shares) == list(stop.state.board.seats)
        assert sum(shares.values()) == 1000
        assert shares == opinion(views(stop), random.Random(1))


def test_many_points_more_are_nearly_a_victory() -> None:
    for stop in stops(3, 7)[-12:-1:4]:
        board = stop.state.board
        seat = board.seats[1]
        ahead = changed(board, points={**board.points, seat: max(board.points.values()) + 60})
        shares = opinion(views(stop, ahead), random.Random(1))
        assert shares[seat] > 950


def test_at_the_end_those_have_won_who_have() -> None:
    stop = stops(2, 3)[-1]
    result = cast(End, stop.wants).result
    shares = opinion(views(stop), random.Random(1))
    best = result["shared"] or [result["winner"]]
    assert shares == {seat: 1000 // len(best) if seat in best else 0 for seat in stop.state.board.seats}
