"""What must always be true of a game of Swords Over Scotland, whoever plays it, looked at after every step."""

from __future__ import annotations

from typing import Any, ClassVar

from pbem.games.swords.rules.battles import Battle
from pbem.games.swords.rules.board import Board
from pbem.games.swords.rules.names import PICTS
from pbem.games.swords.rules.position import flaws
from pbem.kernel import Ask, End, Json, Stop
from tests.conformance.watching import Watch as AnyWatch


def check_board(board: Board) -> None:
    """Every cube in one place; Picts only where who controls them may have them; mappings without what is not there."""
    assert not list(flaws(board))
    assert all(n > 0 for counts in (*board.cubes.values(), *board.glory.values()) for n in counts.values())
    assert all(board.cubes.values())
    assert min(board.supply.values()) >= 0
    holder = board.held.get("A Bloody Banner", "")
    assert not board.picts or holder
    assert not board.aside or not holder
    for seat, covered in board.boards.items():
        assert {*covered.values()} <= ({seat, PICTS} if seat == holder else {seat})
    assert set(board.held) <= set(board.glory)
    assert not board.wild or board.held.get("Tapestry")


def compare(before: Board, after: Board) -> None:
    """Points only grow; rounds and flips go forward."""
    assert all(after.points[seat] >= before.points[seat] for seat in after.seats)
    assert (after.round, after.flip) >= (before.round, before.flip)


class Watch(AnyWatch):
    """Follows one game, and counts whom it asks."""

    revealing: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        super().__init__()
        self.placings = 0
        self.battles = 0
        self._before: Board | None = None

    @staticmethod
    def check(state: Any) -> None:
        check_board(state.board)
        assert dict(state.board.held) == state.board.holders(), "settled at once"
        fights = [frame for frame in state.stack if isinstance(frame, Battle)]
        assert len(fights) <= 1

    def see(self, stop: Stop) -> None:
        super().see(stop)
        board: Board = stop.state.board
        if self._before is not None:
            compare(self._before, board)
        self._before = board
        if isinstance(stop.wants, Ask) and stop.wants.what == "place":
            self.placings += 1
            assert stop.wants.seats == board.seats
            assert not board.battles() or board.flip == 1, "all battles are fought before the next flip"
        elif isinstance(stop.wants, End):
            _check_result(board, stop.wants.result)

    def finish(self) -> None:
        """Each seat was asked at every flip, whatever anyone did (the mark of the dice)."""
        assert self._before is not None
        parts = self._before.parts
        assert self.placings == parts.rounds * len(parts.deployment_cards)


def _check_result(board: Board, result: Json) -> None:
    best = max(board.points.values())
    assert result["points"] == dict(board.points)
    if result["winner"]:
        assert board.points[result["winner"]] == best
    else:
        assert len(result["shared"]) > 1
        assert all(board.points[seat] == best for seat in result["shared"])
