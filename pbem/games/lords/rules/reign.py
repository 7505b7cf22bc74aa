"""The whole game: who goes first, the first hands, round after round until the throne is claimed; and the position format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pbem.kernel import Chance, Frame, Outcome, Roll, Run, changed

from .board import Board
from .cards import HAND
from .drawing import Drawing
from .skirmish import Claims, Skirmish
from .told import Dealt, First, HandShown
from .turn import Turn


@dataclass(frozen=True, slots=True)
class Reign(Frame):
    """ "Setting up the game", the rounds, "The end of the game"; `next` counts the hands that were dealt."""

    step: Literal["first", "hands", "round", "end"]
    next: int = 0
    at: Literal["reign"] = "reign"

    def want_first(self, board: Board) -> Chance:
        return Chance("pub", (Roll(1, len(board.seats)),))

    def take_first(self, run: Run[Board], given: Outcome) -> None:
        run.board = changed(run.board, victor=run.board.seats[given[0][0] - 1])
        run.tell(First(run.board.victor, given[0][0]))
        run.goto("hands")

    def do_hands(self, run: Run[Board]) -> None:
        seats = run.board.seats
        if self.next:
            seat = seats[self.next - 1]
            run.tell(Dealt(seat, HAND, run.board.hands[seat]), seat)
        if self.next < len(seats):
            run.call(Drawing("card", "deal", HAND, seat=seats[self.next]), then="hands", next=self.next + 1)
        else:
            run.goto("round")

    def do_round(self, run: Run[Board]) -> None:
        run.call(Skirmish("recruits"), then="end")

    def do_end(self, run: Run[Board]) -> None:
        board = run.board
        points = {seat: board.points(seat) for seat in board.seats}
        throne = max(points.values()) >= board.terms.goal
        if throne or board.round == board.terms.rounds:
            _finish(run, points, "throne" if throne else "rounds")
        else:
            run.goto("round")


def _finish(run: Run[Board], points: dict[str, int], why: str) -> None:
    """The most strength wins; of equals who placed higher in the final round."""
    board = run.board
    best = [seat for seat in board.seats if points[seat] == max(points.values())]
    placed = [seat for seat in board.placing if seat in best]
    winner = best[0] if len(best) == 1 else placed[0] if placed else ""
    for seat in board.seats:
        run.tell(HandShown(seat, board.hands[seat]))
    for deal in range(1, board.deals + 1):
        run.release(f"deal:{deal}")
    run.end({"winner": winner, "why": why, "points": points})


Procedure: TypeAlias = Reign | Skirmish | Claims | Turn | Drawing


@dataclass(frozen=True, slots=True)
class State:
    """A position: the table, the procedures under way with the innermost last, and the result once there is one."""

    board: Board
    stack: tuple[Procedure, ...]
    result: dict[str, Any] | None = None
