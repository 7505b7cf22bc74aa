"""The holders of the glory cards, updated at once whenever a cube is put on a card or removed ("Glory Cards").

The effects of control are applied here: the Picts come and go. The seat that gets the Cardinal, the wall or the Tapestry sets its
piece, and may move it with each further cube.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pbem.kernel import Ask, Frame, Order, Run, changed

from ..orders import PutCardinal, PutTapestry, PutWall
from .board import Board
from .names import BANNER, CARDINAL, CROWN, GLORY, PICTS, TAPESTRY, WALL, Cards, Seat
from .settling_law import QUESTIONS
from .told import CardHeld, CardinalStands, IconWild, PictsCome, PictsGo, WallStands


@dataclass(frozen=True, slots=True)
class Settling(Frame):
    """The cards are looked at. `bidder` has put cubes on those of `added`; `due` are the cards that let their holders place
    something."""

    step: Literal["look", "next", "ask"]
    bidder: Seat | Literal[""] = ""
    added: Cards = ()
    due: Cards = ()
    at: Literal["settling"] = "settling"

    def do_look(self, run: Run[Board]) -> None:
        before, now = dict(run.board.held), run.board.holders()
        run.board = changed(run.board, held=now)
        passed = [card for card in (CROWN, *GLORY) if before.get(card, "") != now.get(card, "")]
        for card in dict.fromkeys(passed):
            run.tell(CardHeld(card, now.get(card, ""), before.get(card, "")))
        if BANNER in passed:
            _picts(run, before.get(BANNER, ""), now.get(BANNER, ""))
        if TAPESTRY in passed:
            run.board = changed(run.board, wild="")
        run.goto("next", due=tuple(card for card in QUESTIONS if self._is_due(run.board, card)))

    def _is_due(self, board: Board, card: str) -> bool:
        """Has the holder of a card to set its piece for the first time, or may it move it?"""
        holder = board.held.get(card, "")
        stands = {CARDINAL: board.cardinal, WALL: board.wall, TAPESTRY: board.wild}[card]
        return bool(holder) and (not stands or (holder == self.bidder and card in self.added))

    def do_next(self, run: Run[Board]) -> None:
        if self.due:
            run.goto("ask")
        else:
            run.done()

    def want_ask(self, board: Board) -> Ask:
        return Ask((board.held[self.due[0]],), QUESTIONS[self.due[0]], "no")

    def take_ask(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        ((seat, order),) = given.items()
        match order:
            case PutCardinal(region=region) if region:
                run.board = changed(run.board, cardinal=region)
                run.tell(CardinalStands(seat, region))
            case PutWall(border=(one, other)):
                run.board = changed(run.board, wall=(one, other))
                run.tell(WallStands(seat, (one, other)))
            case PutTapestry(icon=icon) if icon:
                run.board = changed(run.board, wild=icon)
                run.tell(IconWild(seat, icon))
        run.goto("next", due=self.due[1:])


def _picts(run: Run[Board], before: str, now: str) -> None:
    """The Picts on the player board and in the supply of who controlled them go aside, and come to who controls them now."""
    board = run.board
    if before:
        covered = [square for square in board.parts.squares if board.boards[before].get(square) == PICTS]
        gone = board.picts + len(covered)
        for square in covered:
            board = board.cover(before, square, "")
        board = changed(board, picts=0, aside=board.aside + gone)
        run.tell(PictsGo(before, gone))
    if now:
        run.tell(PictsCome(now, board.aside))
        board = changed(board, picts=board.aside, aside=0)
    run.board = board
