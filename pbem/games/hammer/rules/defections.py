"""Nobles who change sides on the spot, by a Herald or a coronation, and fight at once if they are not alone.

Sidebar Defection Battles, 6.21, 6.22, rulings Herald and 6.21/6.22: the defectors attack, all in front, without home bonus.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel import Run

from . import told
from .battles import Battles
from .board import Board
from .printed import SIDES
from .variants import NO_REGROUP_AFTER_DEFECTION


def defect(run: Run[Board], nobles: Sequence[str], to: str, why: str) -> None:
    """Turn the nobles over to the side `to` at their current strength; the battles this causes come next."""
    board = run.board
    for name in nobles:
        piece = board[name]
        run.tell(told.Defection(name, to, piece.at, piece.strength, why), *SIDES)
        board = board.put(piece._replace(side=to, known=1))
    run.board = board
    if board.contested():
        # 5.6, and the option that takes it away
        regroups = NO_REGROUP_AFTER_DEFECTION not in board.variants
        run.stack.append(Battles("begin", event=to, regroups=regroups))
