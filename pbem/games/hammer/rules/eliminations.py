"""The fate of a block that is killed in battle or cannot retreat: captured, drawn again, or gone for good.

Rules 5.7, 5.8, 6.1, 9.1 and rulings 5.7, 5.8/6.1.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.kernel import Run, changed

from . import told, victory
from .board import Board
from .printed import BLOCKS, DEAD, EDWARD, KING, MORAY, POOL, enemy


def eliminate(run: Run[Board], names: Iterable[str], how: str) -> None:
    """Take blocks out of a battle, the leaders last: their death may end the game on the spot. `how`: killed, or no retreat."""
    for name in sorted(names, key=lambda name: name in (KING, EDWARD)):
        _eliminate(run, name, how)


def _eliminate(run: Run[Board], name: str, how: str) -> None:
    board = run.board
    piece = board[name]
    if BLOCKS[name].is_noble and name != MORAY:
        # 5.7: a noble changes sides at strength 1, and stands in the reserve of his captor
        run.board = board.put(piece.upright()._replace(side=enemy(piece.side), strength=1, known=2))
        run.tell(told.Captured(piece.at, name, enemy(piece.side), how))
        return
    succeeded = name == EDWARD and board.edward == 1
    # 5.8: a black cross is out of the game, others go to the draw pool; 6.1: so does Edward, the first time
    fate = DEAD if BLOCKS[name].cross and not succeeded else POOL
    if name == KING:
        fate = DEAD
    run.board = board.put(piece.gone(fate))
    run.tell(told.Killed(piece.at, piece.side, name, fate))
    if name == KING:
        victory.declare(run, victory.king_killed())  # 9.1
    elif succeeded:
        run.board = changed(run.board, edward=2)
        run.tell(told.EdwardDead(piece.at))
    elif name == EDWARD:
        victory.declare(run, victory.edward_ii_killed())  # 9.1
