"""Making legal moves: blocks go, borders are counted and marked, main attacks declared, and the counts told.

Rules 4.0-4.7, 5.32 (main attack), 5.5 with the sidebar Closing Borders.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.kernel import Run

from ..orders import March
from . import told
from .board import Board, mark
from .groups import SEA, attack_group, origin
from .printed import BORDER, NORSE, POOL, enemy


def forget_moves(board: Board, **changes: Any) -> Board:
    """Return the board at the start of a turn: no block has moved, no border is controlled, every block is upright.

    Other fields change as named.
    """
    fallen = (piece for piece in board.pieces if (piece.known or piece.start) and piece.at != POOL)
    return board.put(*(piece.upright() for piece in fallen), attacks=(), crossed=(), marks=(), **changes)


def make_moves(run: Run[Board], side: str, marches: Sequence[March]) -> None:
    """Move a side's blocks as ordered."""
    board, foe = run.board, enemy(side)
    before = board.occupancy()
    crossed = {(a, b): n for a, b, who, n in board.crossed if who == side}
    marks = {(a, b): who for a, b, who in board.marks}
    moved = []
    main: dict[str, tuple[str, str]] = {}
    attackers: dict[str, dict[tuple[str, str], int]] = {}
    for march in marches:
        start = march.start or board[NORSE].at
        end = march.route[-1]
        group = origin(march, start)
        moved += [board[name].moved(end, *group, known=int(name == NORSE)) for name in march.blocks]
        here = start
        for there in march.route if march.start else ():
            border = BORDER[here, there]
            crossed[border.a, border.b] = crossed.get((border.a, border.b), 0) + len(march.blocks)
            here = there
        counts = before.get(end, {})
        meets, reinforces = counts.get(foe, 0) > 0, counts.get(foe, 0) > 0 and counts.get(side, 0) > 0
        if meets and group[1] != SEA:
            # 5.5: the last user of a border controls it, and only attacks and reinforcements close it; the Norse close none
            border = BORDER[group[1], end]
            a, b, _ = mark(board.variants, group[1], end, (border.a, border.b), side)
            marks[a, b] = side
        if meets and not reinforces:
            ways = attackers.setdefault(end, {})
            ways[group] = ways.get(group, 0) + len(march.blocks)
            if march.main:
                main[end] = group
        _tell_move(run, side, march, start, meets, reinforces)
    others = [entry for entry in board.crossed if entry[2] != side]
    attacks = list(board.attacks)
    for area, ways in attackers.items():
        start, via = main.get(area, next(iter(ways)))  # ruling 5.32: by default the first group listed
        attacks.append((area, side, start, via))
        group = attack_group(board.variants, start, via, area)
        together = {way: n for way, n in ways.items() if attack_group(board.variants, *way, area) == group}
        n = sum(together.values())
        others_of_group = tuple(told.Way(*way) for way in together if way != (start, via))
        run.tell(told.MainAttack(area, start, via, n, others_of_group, sum(ways.values()) - n))
    run.board = board.put(
        *moved,
        crossed=tuple(sorted([*others, *((a, b, side, n) for (a, b), n in crossed.items())])),
        marks=tuple(sorted((a, b, who) for (a, b), who in marks.items())),
        attacks=tuple(attacks),
    )


def _tell_move(run: Run[Board], side: str, march: March, start: str, meets: bool, reinforces: bool) -> None:
    run.tell(
        told.Move(
            side,
            (start, *march.route),
            len(march.blocks),
            attack=meets and not reinforces,
            reinforce=meets and reinforces,
            rally=bool(march.rally),  # to which leader is not told
            norse=not march.start,  # 4.7: a Norse move is declared
            blocks=march.blocks if march.start else None,
        ),
        *([side] if march.start else []),
    )
