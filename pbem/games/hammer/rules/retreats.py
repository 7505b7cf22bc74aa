"""Retreating: blocks go to their places, all of one side and letter together; after round 3 they must. Rules 5.3, 5.5, 5.8."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbem.kernel import Ask, Order, Run

from .. import orders
from . import told
from .board import Board
from .eliminations import eliminate
from .frame import Procedure, answer
from .printed import BORDER, NORSE, SLUG
from .retreat_law import default_places, exits, only_answer


@dataclass(frozen=True, slots=True)
class Retreating(Procedure, at="retreat"):
    """After round 3 the blocks of one side and letter must retreat; who finds no exit is lost."""

    area: str
    side: str
    blocks: tuple[str, ...]

    def do_begin(self, run: Run[Board]) -> None:
        open_to = exits(run.board, self.area, self.side)
        if only_answer(open_to, self.blocks):
            self._go(run, default_places(open_to, self.blocks))
        else:
            run.goto("places")

    def want_places(self, board: Board) -> Ask:
        return Ask((self.side,), "retreats", "until end")

    def take_places(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        self._go(run, answer(given, orders.Retreat).places)

    def _go(self, run: Run[Board], places: Sequence[orders.Place]) -> None:
        went = {place.block for place in places}
        lost = [name for name in self.blocks if name not in went]
        run.board = go(run.board, self.area, self.side, places)
        run.tell(told.Retreat(self.area, self.side, gone_to(places), tuple(lost)), self.side)
        run.done()
        eliminate(run, lost, "no retreat")  # 5.5, 5.8


def go(board: Board, area: str, side: str, places: Iterable[orders.Place]) -> Board:
    """Return the board with blocks gone to their places, standing upright, and the borders they crossed counted."""
    used = {(a, b): n for a, b, who, n in board.retreated if who == side}
    for place in places:
        if place.block != NORSE:
            border = BORDER[area, place.to]
            used[border.a, border.b] = used.get((border.a, border.b), 0) + 1
    others = [entry for entry in board.retreated if entry[2] != side]
    moved = (board[p.block].upright(p.to) for p in places)
    retreated = tuple(sorted([*others, *((a, b, side, n) for (a, b), n in used.items())]))
    return board.put(*moved, retreated=retreated)


def gone_to(places: Iterable[orders.Place]) -> dict[str, tuple[str, ...] | int]:
    """Return who went where, by area: the order given would tell something."""
    to: dict[str, list[str]] = {}
    for place in places:
        to.setdefault(SLUG[place.to], []).append(place.block)
    return {area: tuple(to[area]) for area in sorted(to)}
