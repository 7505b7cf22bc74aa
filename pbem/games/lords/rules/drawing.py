"""Drawing cards from the pile: to hands, recruits and supporters; the discards are shuffled into a new pile when it runs out.

Rules clarification: "if the draw pile runs out". That is when its last card is taken (ADR 24). If there are no discards then, they
are shuffled when the next card is to be drawn. If there are still none, the missing cards are not drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pbem.kernel import Chance, Draw, Frame, Outcome, Run, changed

from . import told
from .board import Board, Recruit
from .told import NewRecruit, NoCards, Shuffled


@dataclass(frozen=True, slots=True)
class Drawing(Frame):
    """A number of cards to draw: to a seat's hand, to the supporters, or to the recruits from a place on.

    The first hands are a "deal": their fact is told when they are complete.
    """

    step: Literal["card", "shuffle"]
    to: Literal["deal", "hand", "recruits", "supporters"]
    left: int
    seat: str = ""
    place: int = 0
    up: bool = False
    at: Literal["drawing"] = "drawing"

    def do_card(self, run: Run[Board]) -> None:
        board = run.board
        if not board.pile and board.discards:
            run.goto("shuffle")
        elif not self.left:
            run.done()
        elif board.pile:
            self._draw(run)
        else:
            run.tell(NoCards())
            run.done()

    def _draw(self, run: Run[Board]) -> None:
        board = run.board
        card, label, place = board.pile[0], f"deal:{board.deals}", board.top
        board = changed(board, pile=board.pile[1:])
        if self.to in ("deal", "hand"):
            board = board.hold(self.seat, (*board.hands[self.seat], card))
            run.show(self.seat, label, place)
            if self.to == "hand":
                run.tell(told.Drawn(self.seat, card), self.seat)
        elif self.to == "supporters":
            board = changed(board.show((card,)), supporters=(*board.supporters, card))
            run.open(label, place)
        else:
            lying = Recruit(card, up=False, deal=board.deals, place=place)
            if self.up:
                lying, board = Recruit(card, up=True), board.show((card,))
                run.open(label, place)
                run.tell(NewRecruit(self.place + 1, card))
            board = changed(board, recruits=(*board.recruits[: self.place], lying, *board.recruits[self.place :]))
        run.board = board
        run.goto("card", left=self.left - 1, place=self.place + 1)

    def want_shuffle(self, board: Board) -> Chance:
        return Chance(f"deal:{board.deals + 1}", (Draw(len(board.discards), board.discards),))

    def take_shuffle(self, run: Run[Board], given: Outcome) -> None:
        run.board = run.board.shuffled(given[0])
        run.tell(Shuffled(run.board.dealt))
        run.goto("card")
