"""The Winter Turn, its actions in their exact order. Rules 7.0-7.8, 9.0 (when the last year is decided), 6.1 (Edward II).

==============  ==========================================
winter_homes    7.1, 7.2: nobles, Moray, the Scottish King
winter_disband  7.3, 7.4, 7.5
winter_builds   7.6
levy            7.7
winter_limits   castle limits, for all of them
==============  ==========================================
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kernel import Run, changed

from . import told, victory
from .board import Board
from .frame import Procedure
from .levy import Levy
from .moves import forget_moves
from .scenarios import last_year
from .winter_builds import Builds
from .winter_disband import LAST_YEAR_OF_EDWARD_I, Disbanding
from .winter_homes import NoblesGoHome


def is_last_winter(board: Board) -> bool:
    """Is this the winter after which nobles are counted (9.0)? In a campaign without the option `years` none is (8.3)."""
    return board.year == last_year(board.scenario, board.years)


@dataclass(frozen=True, slots=True)
class Winter(Procedure, at="winter"):
    """The whole Winter Turn, called once at the end of each year; done when the next year may be dealt."""

    def do_begin(self, run: Run[Board]) -> None:
        run.board = forget_moves(run.board)
        run.call(NoblesGoHome("english"), "homes")

    def do_homes(self, run: Run[Board]) -> None:
        # ruling 9.0: the last winter is played until the result is certain
        if result := victory.settled(run.board) if is_last_winter(run.board) else None:
            victory.declare(run, result)
        else:
            run.call(Disbanding("english"), "disbanded")

    def do_disbanded(self, run: Run[Board]) -> None:
        # ruling 9.0: after the last year nothing that the English build can change the result, so they are not asked
        run.call(Builds("begin", english=not is_last_winter(run.board)), "built")

    def do_built(self, run: Run[Board]) -> None:
        if is_last_winter(run.board):
            victory.declare(run, victory.final(run.board))
        else:
            run.call(Levy("begin"), "levied")

    def do_levied(self, run: Run[Board]) -> None:
        board = run.board
        if board.year == LAST_YEAR_OF_EDWARD_I and board.edward == 1:
            run.board = changed(board, edward=2)  # 6.1: Edward I lives until the end of 1306
            run.tell(told.EdwardII())
        run.done()
