"""A turn of a seat: the Victor's Initiative turns up a recruit, then the seat recruits or musters; the powers used at once.

"On your turn" and "Immediate powers". A turn is one order. It includes the use of a power, since nothing comes to light in between;
the card of Forsyth is drawn last. Orders here are legal. Powers of the end of a round are only noted; `skirmish` counts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pbem.kernel import Ask, Frame, Order, Run, changed

from ..orders import Muster, Play, TakeRecruit
from .board import Board, Follower, Recruit
from .cards import COCKBURN, FERGUSON, FORSYTH, LASTING, WEMYSS, clan
from .drawing import Drawing
from .follower import every
from .told import Mustered, Passed, PowerUsed, Recruited, TurnedUp


@dataclass(frozen=True, slots=True)
class Turn(Frame):
    """One of the five turns of one seat."""

    step: Literal["initiative", "act", "drawn"]
    seat: str
    at: Literal["turn"] = "turn"

    def do_initiative(self, run: Run[Board]) -> None:
        board = run.board
        down = [i for i, recruit in enumerate(board.recruits) if not recruit.up]
        if self.seat == board.victor and down:
            place = down[0]  # nobody knows one of them from another: the first of the row
            recruit = board.recruits[place]
            run.open(recruit.label, recruit.place)
            row = (*board.recruits[:place], Recruit(recruit.card, up=True), *board.recruits[place + 1 :])
            run.board = changed(board, recruits=row).show((recruit.card,))
            run.tell(TurnedUp(place + 1, recruit.card))
        run.goto("act")

    def want_act(self, board: Board) -> Ask:
        # every seat has five turns a round, whatever anyone does: the mark of this game (PROTOCOL 5, fair 2)
        return Ask((self.seat,), "turn", "until end", mark=True)

    def take_act(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        order = given[self.seat]
        run.goto("drawn")
        match order:
            case TakeRecruit(place=place):
                self._recruit(run, place - 1)
            case Muster(plays=plays):
                for play in plays:
                    self._muster(run, play)
            case _:
                run.tell(Passed(self.seat))

    def do_drawn(self, run: Run[Board]) -> None:
        run.done()

    # A. Recruit a card

    def _recruit(self, run: Run[Board], place: int) -> None:
        board, seat = run.board, self.seat
        recruit = board.recruits[place]
        board = board.hold(seat, (*board.hands[seat], recruit.card))
        row = board.recruits[:place] + board.recruits[place + 1 :]
        taken = Recruited(seat, place + 1, recruit.card)
        if recruit.up:
            board = changed(board, taken={**board.taken, seat: (*board.taken[seat], recruit.card)})
            run.tell(taken)
        else:
            run.show(seat, recruit.label, recruit.place)
            run.tell(taken, seat)
        run.board = changed(board, recruits=row)
        run.call(Drawing("card", "recruits", 1, place=place, up=recruit.up), then="drawn")

    # B. Muster a Follower

    def _muster(self, run: Run[Board], play: Play) -> None:
        board, seat, card = run.board, self.seat, play.card
        board = board.hold(seat, (other for other in board.hands[seat] if other != card))
        if play.down:
            run.board = board.field(seat, (*board.armies[seat], Follower(card, up=False, seen=(seat,))))
            run.tell(Mustered(seat, card), seat)
            return
        run.board = board.show((card,)).field(seat, (*board.armies[seat], Follower(card)))
        run.tell(Mustered(seat, card, up=True))
        if play.use:
            self._use(run, play)

    def _use(self, run: Run[Board], play: Play) -> None:
        power = play.copy_of or clan(play.card)
        said = PowerUsed(self.seat, play.card, power, play.target)
        if power in (FERGUSON, WEMYSS):
            owner, place = every(run.board.armies, run.board.seats)[play.target]
            work = self._exchange if power == FERGUSON else self._discard
            work(run, changed(said, from_=owner), owner, place)
            return
        run.tell(said)
        if power == COCKBURN:  # it becomes a supporter, and a supporter a follower; who comes so does not activate
            row = tuple(play.card if card == play.target else card for card in run.board.supporters)
            run.board = changed(run.board, supporters=row)
            self._replace(run, play.card, Follower(play.target))
        elif power == FORSYTH:
            run.call(Drawing("card", "hand", 1, seat=self.seat), then="drawn")
        elif power in LASTING:
            self._replace(run, play.card, Follower(play.card, power=power))

    def _replace(self, run: Run[Board], card: str, follower: Follower) -> None:
        army = run.board.armies[self.seat]
        run.board = run.board.field(self.seat, (follower if f.card == card else f for f in army))

    def _exchange(self, run: Run[Board], said: PowerUsed, owner: str, place: int) -> None:
        """Exchange the card for an opponent's follower (Ferguson), which stays face-up or face-down, and active if it was."""
        theirs = list(run.board.armies[owner])
        taken, theirs[place] = theirs[place], Follower(said.card)
        if taken.up:
            run.tell(said)
        else:
            taken = changed(taken, seen=tuple(dict.fromkeys((*taken.seen, self.seat))))
            run.tell(changed(said, took=taken.card), *taken.seen)
        run.board = run.board.field(owner, theirs)
        self._replace(run, said.card, taken)

    def _discard(self, run: Run[Board], said: PowerUsed, owner: str, place: int) -> None:
        """Wemyss: a follower of any army goes to the discards, which lie face-up, so everybody sees who it was."""
        army = list(run.board.armies[owner])
        gone = army.pop(place).card
        run.board = run.board.show((gone,)).field(owner, army).discard((gone,))
        run.tell(changed(said, gone=gone))
