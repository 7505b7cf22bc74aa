"""Regrouping: the victors of a battle may move on to adjacent friendly or neutral areas. Rule 5.6, ruling 5.6."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.kernel import Ask, Order, Run, changed

from .. import orders
from . import told
from .board import Board
from .frame import Procedure
from .printed import DEAD, NORSE, SCOTTISH
from .retreat_law import exits
from .retreats import go, gone_to


@dataclass(frozen=True, slots=True)
class Regrouping(Procedure, at="regroup"):
    """The victorious blocks in an area, reserves and captives included, may go to one area each; fresh border limits."""

    area: str
    side: str

    def do_begin(self, run: Run[Board]) -> None:
        board = run.board
        open_to = exits(board, self.area, self.side, regroup=True)
        # Nobody knows if the Norse are among blocks that stand upright: with coasts to go to, the question is always put.
        norse = self.side == SCOTTISH and board[NORSE].at != DEAD and bool(open_to.coasts)
        if open_to.room or norse:
            run.goto("places")
        else:
            run.done()

    def want_places(self, board: Board) -> Ask:
        return Ask((self.side,), "regroup", "until end")

    def take_places(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        (order,) = given.values()
        places = order.places if isinstance(order, orders.Regroup) else ()
        run.board = changed(go(run.board, self.area, self.side, places), retreated=())
        run.tell(told.Regroup(self.area, self.side, gone_to(places)), self.side)
        run.done()
