"""The English Feudal Levy: half the draw pool, at full strength, in England. Rule 7.7."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kernel import Chance, Draw, Outcome, Run

from . import told
from .bids import drawable, lay_face_down
from .board import Board
from .frame import Procedure
from .printed import BLOCKS, ENGLAND, ENGLISH, POOL


def levy_size(pool: int) -> int:
    """Return how many blocks of a pool are drawn: one half, rounded up.

    >>> levy_size(0), levy_size(1), levy_size(7)
    (0, 1, 4)
    """
    return (pool + 1) // 2


@dataclass(frozen=True, slots=True)
class Levy(Procedure, at="levy"):
    """The levy after the winter: none when Edward I has just wintered in Scotland."""

    def do_begin(self, run: Run[Board]) -> None:
        board = run.board = lay_face_down(run.board, run.board.year + 1)
        if board.wintered == board.year:
            run.tell(told.NoLevy())
            run.done()
        elif not drawable(board, board.year + 1):
            run.tell(told.Levy(0))
            run.done()
        else:
            run.goto("draw")

    def want_draw(self, board: Board) -> Chance:
        pool = board.blocks_in(POOL, ENGLISH)
        able = drawable(board, board.year + 1)
        # Tournament Play: Edward face-up counts, but is not drawn
        return Chance(f"priv:{ENGLISH}", (Draw(min(levy_size(len(pool)), len(able)), able),))

    def take_draw(self, run: Run[Board], outcome: Outcome) -> None:
        drawn = outcome[0]
        board = run.board
        run.board = board.put(*(board[name]._replace(at=ENGLAND, strength=BLOCKS[name].max, known=0) for name in drawn))
        run.tell(told.Levy(len(drawn), drawn), ENGLISH)
        run.done()
