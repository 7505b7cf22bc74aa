"""A round, that is a skirmish: set out, five turns of everybody, the armies counted, supporters claimed, the table cleared.

"How to play", "The end of the round" and the end-of-round powers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pbem.kernel import Ask, Frame, Order, Run, changed

from ..orders import Claim
from .board import Board, Follower
from .cards import MACDONNELL, RECRUITS, TURNS
from .drawing import Drawing
from .told import Armies, Army, Claimed, Flipped, Round, Same, Stayed, Supporters, Unclaimed
from .turn import Turn


@dataclass(frozen=True, slots=True)
class Skirmish(Frame):
    """One round; `next` counts the seats that have had the turn that is being played."""

    step: Literal["recruits", "supporters", "look", "turn", "count", "clear"]
    next: int = 0
    at: Literal["skirmish"] = "skirmish"

    def do_recruits(self, run: Run[Board]) -> None:
        run.board = changed(run.board, round=run.board.round + 1, turn=1)
        run.tell(Round(run.board.round, run.board.victor))
        run.call(Drawing("card", "recruits", RECRUITS), then="supporters")

    def do_supporters(self, run: Run[Board]) -> None:
        run.call(Drawing("card", "supporters", len(run.board.seats)), then="look")

    def do_look(self, run: Run[Board]) -> None:
        board = run.board
        run.tell(Supporters(board.supporters))
        strengths = {board.terms.strength(card) for card in board.supporters}
        others = any(board.terms.strength(card) not in strengths for card in board.pile + board.discards)
        # all of the same strength: discarded at once, unless none of another strength is left to come
        if len(board.supporters) > 1 and len(strengths) == 1 and others:
            run.tell(Same(board.supporters))
            run.board = changed(board, supporters=()).discard(board.supporters)
            run.goto("supporters")
        else:
            run.goto("turn")

    def do_turn(self, run: Run[Board]) -> None:
        board = run.board
        if self.next < len(board.seats):
            run.call(Turn("initiative", board.in_turn[self.next]), then="turn", next=self.next + 1)
        elif board.turn < TURNS:
            run.board = changed(board, turn=board.turn + 1)
            run.goto("turn", next=0)
        else:
            run.goto("count")

    def do_count(self, run: Run[Board]) -> None:
        """Turn up all followers and put the armies in order."""
        board = run.board
        for seat in board.seats:
            down = [f.card for f in board.armies[seat] if not f.up]
            army = tuple(changed(f, up=True, seen=()) for f in board.armies[seat])
            board = board.show(down).field(seat, army)
            if down:
                run.tell(Flipped(seat, tuple(down)))
        placing = board.placed()
        run.board = changed(board, placing=placing, victor=placing[0] if placing else board.victor)
        run.tell(Armies(tuple(Army(seat, *board.standing(seat)) for seat in placing)))
        run.call(Claims("next"), then="clear")

    def do_clear(self, run: Run[Board]) -> None:
        """Discard the remaining cards, except followers that stay another round by MacDonnell's power, which is then spent."""
        board = run.board  # by now all recruits are face-up: five turns have turned up five
        gone = [*board.supporters, *(recruit.card for recruit in board.recruits)]
        if board.supporters:
            run.tell(Unclaimed(board.supporters))
        for seat in board.seats:
            stay = [f.card for f in board.armies[seat] if f.power == MACDONNELL]
            gone += [f.card for f in board.armies[seat] if f.power != MACDONNELL]
            board = board.field(seat, map(Follower, stay))
            if stay:
                run.tell(Stayed(seat, tuple(stay)))
        run.board = changed(board, supporters=(), recruits=(), turn=0).discard(gone)
        run.done()


@dataclass(frozen=True, slots=True)
class Claims(Frame):
    """Supporters are claimed in the order of the armies; `next` counts the seats that have had their claim.

    - Together: all seats that have a choice list what they want at once, best first. Each, in order, gets the first that is left.
    - In turn: each is asked when it is its turn.

    A seat without a choice is not asked.
    """

    step: Literal["next", "ask"]
    next: int = 0
    at: Literal["claims"] = "claims"

    def do_next(self, run: Run[Board]) -> None:
        board = run.board
        if self.next >= len(board.placing) or not board.supporters:
            run.done()
        elif self.choosers(board):
            run.goto("ask")
        else:
            _claim(run, board.placing[self.next], ())
            run.goto("next", next=self.next + 1)

    def choosers(self, board: Board) -> tuple[str, ...]:
        """Return the seats to ask now, in seat order: those that will find more supporters than they may claim."""
        left, choosers = len(board.supporters), []
        for seat in board.placing[self.next :]:
            if left > board.claims(seat):
                choosers.append(seat)
            left -= board.claims(seat)
            if board.terms.claims == "in turn":
                break
        return tuple(seat for seat in board.seats if seat in choosers)

    def want_ask(self, board: Board) -> Ask:
        choosers = self.choosers(board)
        return Ask(choosers, "claim", "until resolved" if len(choosers) > 1 else "no")

    def take_ask(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        wishes = {seat: order.cards for seat, order in given.items() if isinstance(order, Claim)}
        together = run.board.terms.claims == "together"
        claiming = run.board.placing[self.next :] if together else run.board.placing[self.next : self.next + 1]
        for seat in claiming:
            _claim(run, seat, wishes.get(seat, ()))
        run.goto("next", next=self.next + len(claiming))


def _claim(run: Run[Board], seat: str, wishes: tuple[str, ...]) -> None:
    """Give a seat what it claims: the first of its wishes that are left, then the strongest."""
    strongest = sorted(run.board.supporters, key=run.board.terms.worth, reverse=True)
    got = [card for card in (*wishes, *(c for c in strongest if c not in wishes)) if card in strongest]
    got = got[: run.board.claims(seat)]
    for card in got:
        run.board = run.board.win(seat, card)
    if got:
        run.tell(Claimed(seat, tuple(got), run.board.points(seat)))
