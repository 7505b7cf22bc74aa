"""A flip: all place a cube, then each that made a formation deploys, then there are battles ("Play", "1 Place Cubes", "2 Deploy").

Orders that come here are legal. A deployment that leaves no choice is not asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

from pbem.kernel import Ask, Frame, Order, Run

from ..orders import Add, Carry, Deploy, Move, Place, Special, Take
from . import shapes
from .battles import Battles
from .board import Board
from .deploy_law import FormationAt, acted, carryings, fours, pulled_to, sole, thrown_out
from .names import MERCHANT, PICTS, Seat, Square, Squares, Times
from .placing_law import taken
from .settling import Settling
from .told import CastleTaken, CubeCarried, CubeOnBoard, Deployed, NothingPlaced, Reinforced, Shifted


@dataclass(frozen=True, slots=True)
class Flip(Frame):
    """One flip; `placed` are the squares on which seats have placed, `next` counts those in turn that have deployed."""

    step: Literal["place", "deploy", "battles", "done"]
    placed: Mapping[Seat, Square] = field(default_factory=dict)
    next: Times = 0
    at: Literal["flip"] = "flip"

    def want_place(self, board: Board) -> Ask:
        # every seat is asked at every flip, whatever it can do: the mark of this game (PROTOCOL 5, fair 2)
        return Ask(board.seats, "place", "until resolved", mark=True)

    def take_place(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        placed = {}
        for seat in run.board.in_turn:
            order = given[seat]
            if isinstance(order, Place):
                _place(run, seat, order)
                placed[seat] = order.square
            else:
                run.tell(NothingPlaced(seat))
        run.call(Settling("look"), then="deploy", placed=placed)

    def do_deploy(self, run: Run[Board]) -> None:
        order = run.board.in_turn
        if self.next == len(order):
            run.goto("battles")
            return
        seat = order[self.next]
        square = self.placed.get(seat, "")
        members = shapes.group(run.board.boards[seat], square)
        run.goto("deploy", next=self.next + 1)
        if len(members) >= shapes.FOUR:
            run.call(Deploying("look", seat, square, members), then="deploy", next=self.next + 1)

    def do_battles(self, run: Run[Board]) -> None:
        run.call(Battles("look"), then="done", placed={}, next=0)

    def do_done(self, run: Run[Board]) -> None:
        run.done()


def _place(run: Run[Board], seat: str, order: Place) -> None:
    colour = PICTS if order.pict else seat
    run.board = taken(run.board, seat, order.source, pict=order.pict).cover(seat, order.square, colour)
    run.tell(CubeOnBoard(seat, order.square, order.source, order.pict))


@dataclass(frozen=True, slots=True)
class Deploying(Frame):
    """A seat deploys from the formations that the cube on `square` has made, one after the other.

    `group` are the squares that were connected with it, `used` the formations that have deployed. With `carried` it was the
    Merchant who brought the cube there.
    """

    step: Literal["look", "ask", "merchant", "carry"]
    seat: Seat
    square: Square
    group: Squares
    used: Annotated[tuple[Squares, ...], Field(max_length=64)] = ()
    carried: bool = False
    at: Literal["deploying"] = "deploying"

    @property
    def formation(self) -> FormationAt:
        return FormationAt(self.seat, self.square, self.group, self.used)

    def do_look(self, run: Run[Board]) -> None:
        if not fours(run.board, self.formation):
            run.done()
        elif order := sole(run.board, self.formation):
            self._deploy(run, order)
        else:
            run.goto("ask")

    def want_ask(self, board: Board) -> Ask:
        return Ask((self.seat,), "deploy", "no")

    def take_ask(self, run: Run[Board], given: Mapping[str, Deploy]) -> None:
        self._deploy(run, given[self.seat])

    def _deploy(self, run: Run[Board], order: Deploy) -> None:
        kind = shapes.shape(order.squares)
        picts = sum(run.board.boards[self.seat][square] == PICTS for square in order.pulled)
        run.board = pulled_to(run.board, self.seat, order.pulled, order.region)
        run.tell(Deployed(self.seat, order.squares, kind, order.pulled, order.region, picts))  # type: ignore[arg-type]
        if order.special:
            _act(run, self.seat, order.region, order.special)
        run.goto("merchant", used=(*self.used, order.squares))

    def do_merchant(self, run: Run[Board]) -> None:
        board = run.board
        may = board.has(self.seat, MERCHANT) and not (self.carried and board.terms.merchant == "once")
        run.goto("carry" if may and len(carryings(board, self.seat)) > 1 else "look")

    def want_carry(self, board: Board) -> Ask:
        return Ask((self.seat,), "merchant", "no")

    def take_carry(self, run: Run[Board], given: Mapping[str, Carry]) -> None:
        order = given[self.seat]
        run.goto("look")
        if order.start is None or order.goal is None:
            return
        board, seat = run.board, self.seat
        colour = board.boards[seat][order.start]
        run.board = board.cover(seat, order.start, "").cover(seat, order.goal, colour)
        run.tell(CubeCarried(seat, order.start, order.goal))
        members = shapes.group(run.board.boards[seat], order.goal)
        if len(members) >= shapes.FOUR:
            run.call(Deploying("look", seat, order.goal, members, carried=True), then="look")


def _act(run: Run[Board], seat: str, region: str, special: Special) -> None:
    out = thrown_out(run.board, special.castle)[1] if isinstance(special, Take) else ""
    run.board = acted(run.board, seat, region, special)
    match special:
        case Move(troops=troops, start=start, goal=goal):
            run.tell(Shifted(seat, start, goal, troops.total, troops.picts))
        case Add(region=goal, pict=pict):
            run.tell(Reinforced(seat, goal, pict))
        case Take(castle=castle, pict=pict):
            run.tell(CastleTaken(seat, castle, region, pict, out or None))
