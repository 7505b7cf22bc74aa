"""The effect of a tournament's bid on the game that follows. Sidebar Tournament Play.

An English bid (E1-E3) keeps Edward face-up in the draw pool for that number of years: he counts for the levy, but is not drawn. A
Scottish bid (S1-S3) gives the English that number of extra blocks when they draw their first ones. Another game matches the bids.
"""

from __future__ import annotations

from .board import Board
from .printed import EDWARD, ENGLISH, POOL
from .scenarios import SCENARIOS

BIDS = ("E1", "E2", "E3", "S1", "S2", "S3")


def more_blocks(bid: str) -> int:
    """Return how many blocks the English draw above the scenario's number.

    >>> more_blocks("S2"), more_blocks("E2"), more_blocks("")
    (2, 0, 0)
    """
    return int(bid[1]) if bid.startswith("S") else 0


def keeps_edward(board: Board, year: int) -> bool:
    """Does Edward lie face-up in the pool when blocks are drawn for that year?"""
    return board.bid.startswith("E") and year < SCENARIOS[board.scenario].first_year + int(board.bid[1])


def drawable(board: Board, year: int) -> tuple[str, ...]:
    """Return the blocks of the English pool that may be drawn for a year, in the roster's order."""
    pool = board.blocks_in(POOL, ENGLISH)
    return tuple(name for name in pool if name != EDWARD) if keeps_edward(board, year) else pool


def lay_face_down(board: Board, year: int) -> Board:
    """Return the board with Edward among the others of the pool again, once he may be drawn: 7.7 shuffles them face-down."""
    edward = board[EDWARD]
    if edward.at != POOL or keeps_edward(board, year):
        return board
    return board.put(edward.shown(0))
