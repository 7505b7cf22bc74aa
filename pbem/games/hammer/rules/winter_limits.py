"""Castle limits in winter: the maximum number of blocks in an area, by side, and its yield. Rules 1.2, 1.3, 7.32, 7.5, 7.6."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.kernel import Run

from . import told
from .board import Board, Occupancy
from .norse import norse_coast
from .printed import AREAS, NOBLES, NORSE, SCOTTISH, enemy
from .variants import ANGUS_OG

_STAYING = frozenset(NOBLES)


def castle_limit(area: str, side: str) -> int:
    """Return the Castle Limit of an area; a cathedral adds one for the Scots, nothing for the English (1.3)."""
    found = AREAS[area]
    return found.limit + (1 if found.cathedral and side == SCOTTISH else 0)


def room(area: str, side: str, nobles: int) -> int:
    """Return how many blocks may winter beside the nobles, who count first and stay (7.3/7.5, sidebar Noble Home Areas)."""
    return max(0, castle_limit(area, side) - nobles)


def must_stay(name: str) -> bool:
    """Is this a noble who cannot disband: any but Moray (7.1)?"""
    return name in _STAYING


def wants_no_room(name: str, area: str, variants: tuple[str, ...]) -> bool:
    """Is this the Norse on the Irish Sea, whom by the option Angus Og no Castle Limit counts?"""
    return name == NORSE and ANGUS_OG in variants and area in norse_coast(variants)


def others_by_area(board: Board, side: str) -> dict[str, tuple[int, int]]:
    """Return what everybody can count when the nobles are home: area -> (nobles, other blocks) of a side."""
    found: dict[str, tuple[int, int]] = {}
    for area, counts in board.occupancy().items():
        if n := counts[side]:
            nobles = sum(map(must_stay, board.blocks_in(area, side)))
            found[area] = nobles, n - nobles
    return found


def yields(occupied: Occupancy, side: str) -> dict[str, int]:
    """Return the replacement points of each friendly area that has any (7.6)."""
    foe = enemy(side)
    friendly = [area for area in AREAS if area in occupied and occupied[area][side] and not occupied[area][foe]]
    return {area: limit for area in friendly if (limit := castle_limit(area, side))}


def disband(run: Run[Board], side: str, names: Iterable[str]) -> None:
    """Put blocks into their draw pool (5.8), and tell from where, by numbers; their owner hears their names."""
    board = run.board
    left: dict[str, list[str]] = {}
    for name in names:
        left.setdefault(board[name].at, []).append(name)
    if not left:
        return
    areas = (told.Disbanded(area, len(left[area]), tuple(left[area])) for area in AREAS if area in left)
    run.tell(told.Disband(side, tuple(areas)), side)
    gone = (board[name] for names in left.values() for name in names)
    run.board = board.put(*(p.gone() for p in gone))


def tell_winter_move(run: Run[Board], name: str, to: str, strength: int | None = None) -> None:
    """Tell that a block moves in winter, as one block from an area to another; its owner hears which, and a strength it gains."""
    piece = run.board[name]
    run.tell(told.WinterMove(piece.side, piece.at, to, name, strength), piece.side)
