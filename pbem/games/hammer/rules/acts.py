"""A side's use of the card it has played: an event, a crown instead of the event, a move, or nothing. Rules 3.1, 3.11, 3.12."""

from __future__ import annotations

from pbem.kernel import Order, Run

from .. import orders
from . import crown, events, told
from .board import Board
from .moves import make_moves


def act(run: Run[Board], side: str, card: str, order: Order) -> None:
    """Carry out a legal act; a procedure it sets off is pushed on the stack."""
    match order:
        case orders.Pass():
            run.tell(told.Pass(side, card))
        case orders.Move():
            make_moves(run, side, order.marches)
        case orders.Herald():
            events.herald(run, side, order.noble)
        case orders.Pillage():
            events.pillage(run, side, order.target, order.group)
        case orders.SeaMove():
            events.sea_move(run, side, order)
        case orders.Truce():
            events.truce(run, side)
        case orders.Victuals():
            events.victuals(run, side, order.area, order.steps)
        case orders.Coronation():
            crown.coronation(run, order.candidate)
        case orders.ReturnOfTheKing():
            crown.return_of_the_king(run)
        case _:
            raise AssertionError(order)
