"""What must always be true of a game of Lords of Scotland, whoever plays it, looked at after every step."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from pbem.games.lords.rules.board import Board
from pbem.games.lords.rules.cards import LIMIT, RECRUITS, TURNS
from pbem.games.lords.rules.sound import flaws
from pbem.kernel import Ask, End, Json, Stop
from tests.conformance.watching import Watch as AnyWatch


def check_board(board: Board) -> None:
    """Every card in one place, nothing known of it but what can be, and the table no fuller than the rules have it."""
    assert Counter(board.every_card()) == Counter(board.terms.cards)
    assert max(map(len, board.hands.values())) <= LIMIT
    assert len(board.recruits) <= RECRUITS
    assert len(board.supporters) <= len(board.seats)
    assert not set(board.old) & set(board.pile)
    assert not list(flaws(board))
    for army in board.armies.values():
        assert all(bool(follower.seen) != follower.up and not (follower.power and not follower.up) for follower in army)


def compare(before: Board, after: Board) -> None:
    """What is won stays won; rounds and turns go forward."""
    for seat in after.seats:
        assert set(after.won[seat]) >= set(before.won[seat])
    assert after.round in (before.round, before.round + 1)
    if after.round == before.round:
        assert after.turn >= before.turn or not after.turn


class Watch(AnyWatch):
    """Follows one game, and counts whom it asks."""

    revealing: ClassVar[frozenset[str]] = frozenset(
        ("recruit", "draw", "turn up", "new recruit", "supporters", "flip", "power", "hand", "claim", "show hand")
    )

    def __init__(self) -> None:
        super().__init__()
        self.turns: Counter[str] = Counter()
        self._before: Board | None = None

    @staticmethod
    def check(state: Any) -> None:
        check_board(state.board)

    def see(self, stop: Stop) -> None:
        super().see(stop)
        board: Board = stop.state.board
        if self._before is not None:
            compare(self._before, board)
        self._before = board
        if isinstance(stop.wants, Ask) and stop.wants.what == "turn":
            self.turns.update(stop.wants.seats)
        elif isinstance(stop.wants, End):
            _check_result(board, stop.wants.result)

    def finish(self) -> None:
        """Each seat was asked for five turns a round, whatever anyone did (the mark of the dice)."""
        assert self._before is not None
        assert self.turns == dict.fromkeys(self._before.seats, TURNS * self._before.round)


def _check_result(board: Board, result: Json) -> None:
    points = result["points"]
    assert points == {seat: board.points(seat) for seat in board.seats}
    if result["why"] == "throne":
        assert max(points.values()) >= board.terms.goal
    else:
        assert board.round == board.terms.rounds
    if result["winner"]:
        assert points[result["winner"]] == max(points.values())
