"""The winner, and when the victory is certain. Rules 9.0, 9.1, 5.8 (leaders), rulings 9.0 and 9.1."""

from __future__ import annotations

from typing import Any

from pbem.kernel import Run

from . import told
from .board import Board
from .printed import AREAS, DEAD, ENGLISH, MORAY, NOBLES, SCOTTISH, WALLACE

Result = dict[str, str]
"""`winner` is a side; `why` one of `WHY`."""
WHY = ("all nobles", "king killed", "edward ii killed", "majority", "tie wallace", "tie no wallace")

MAJORITY = 8


def declare(run: Run[Any], result: Result) -> None:
    """End the game with this result, from wherever in it."""
    run.tell(told.Victory(**result))
    run.end(result)


def king_killed() -> Result:
    """Return the result when the crowned Scottish King is eliminated in battle (9.1)."""
    return {"winner": ENGLISH, "why": "king killed"}


def edward_ii_killed() -> Result:
    """Return the result when Edward II is eliminated in battle (9.1)."""
    return {"winner": SCOTTISH, "why": "edward ii killed"}


def sudden_death(board: Board) -> Result | None:
    """Return the result if one side has every noble on the map at the end of a Game Turn (9.1)."""
    english = len(board.nobles(ENGLISH))
    if english == 0:
        return {"winner": SCOTTISH, "why": "all nobles"}
    if english == len(NOBLES) and not board.nobles(SCOTTISH):  # 9.1: Moray must be dead or in the pool
        return {"winner": ENGLISH, "why": "all nobles"}
    return None


def settled(board: Board) -> Result | None:
    """Return the result of the last year if the rest of its winter cannot change it (ruling 9.0), to be asked after 7.2.

    The thirteen are divided for good; only Moray, and Wallace in a tie, may still change anything.
    """
    english = len([name for name in NOBLES if board[name].side == ENGLISH])
    if english >= MAJORITY or english < MAJORITY - 1 or board[MORAY].at == DEAD:
        return final(board)
    return None


def final(board: Board) -> Result:
    """Return the result at the end of the last year: the majority of nobles on the map, a tie as 9.0 says."""
    english, scottish = len(board.nobles(ENGLISH)), len(board.nobles(SCOTTISH))
    if english != scottish:
        return {"winner": ENGLISH if english > scottish else SCOTTISH, "why": "majority"}
    # 9.0: the Scots win a tie if Wallace is on the map
    if board[WALLACE].at in AREAS:
        return {"winner": SCOTTISH, "why": "tie wallace"}
    return {"winner": ENGLISH, "why": "tie no wallace"}
