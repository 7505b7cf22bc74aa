"""A turn of a seat: the Victor's Initiative turns up a recruit, then the seat recruits or musters; the powers used at once.

"On your turn" and "Immediate powers". A turn is one order: what a power does is said with it, since nothing comes to light in
between; the card of Forsyth is the last thing that happens. An order that comes here is legal. No powers of the end of a round are
worked here, only noted: `skirmish` counts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pbem.kernel import Ask, Frame, Json, Order, Run

from ..orders import Muster, Play, TakeRecruit
from .board import Board, Follower, Recruit
from .cards import COCKBURN, FERGUSON, FORSYTH, LASTING, WEMYSS, clan
from .drawing import Drawing
from .follower import find


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
            run.board = replace(board, recruits=row).show((recruit.card,))
            run.tell({"f": "turn up", "place": place + 1, "card": recruit.card})
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
                run.tell({"f": "pass", "seat": self.seat})

    def do_drawn(self, run: Run[Board]) -> None:
        run.done()

    # A. Recruit a card

    def _recruit(self, run: Run[Board], place: int) -> None:
        board, seat = run.board, self.seat
        recruit = board.recruits[place]
        board = board.hold(seat, (*board.hands[seat], recruit.card))
        row = board.recruits[:place] + board.recruits[place + 1 :]
        said: dict[str, Json] = {"f": "recruit", "seat": seat, "place": place + 1}
        seen = {**said, "card": recruit.card}
        if recruit.up:
            board = replace(board, taken={**board.taken, seat: (*board.taken[seat], recruit.card)})
            run.tell(seen)
        else:
            run.show(seat, recruit.label, recruit.place)
            run.tell(said, **{seat: seen})
        run.board = replace(board, recruits=row)
        run.call(Drawing("card", "recruits", 1, place=place, up=recruit.up), then="drawn")

    # B. Muster a Follower

    def _muster(self, run: Run[Board], play: Play) -> None:
        board, seat, card = run.board, self.seat, play.card
        board = board.hold(seat, (other for other in board.hands[seat] if other != card))
        said: dict[str, Json] = {"f": "muster", "seat": seat}
        if play.down:
            run.board = board.field(seat, (*board.armies[seat], Follower(card, up=False, seen=(seat,))))
            run.tell(said, **{seat: {**said, "card": card}})
            return
        run.board = board.show((card,)).field(seat, (*board.armies[seat], Follower(card)))
        run.tell({**said, "card": card, "up": True})
        if play.use:
            self._use(run, play)

    def _use(self, run: Run[Board], play: Play) -> None:
        power = play.copy_of or clan(play.card)
        said: dict[str, Json] = {"f": "power", "seat": self.seat, "card": play.card, "power": power}
        if power == FERGUSON:
            self._exchange(run, play, said)
        elif power == WEMYSS:
            self._discard(run, play, said)
        elif power == COCKBURN:
            run.tell({**said, "target": play.target})
            self._swap(run, play)
        elif power == FORSYTH:
            run.tell(said)
            run.call(Drawing("card", "hand", 1, seat=self.seat), then="drawn")
        else:
            run.tell(said)
            if power in LASTING:
                self._replace(run, play.card, Follower(play.card, power=power))

    def _replace(self, run: Run[Board], card: str, follower: Follower) -> None:
        army = run.board.armies[self.seat]
        run.board = run.board.field(self.seat, (follower if f.card == card else f for f in army))

    def _swap(self, run: Run[Board], play: Play) -> None:
        """Cockburn: it becomes a supporter, and a supporter a follower; who comes so does not activate."""
        row = tuple(play.card if card == play.target else card for card in run.board.supporters)
        run.board = replace(run.board, supporters=row)
        self._replace(run, play.card, Follower(play.target))

    def _exchange(self, run: Run[Board], play: Play, said: dict[str, Json]) -> None:
        """Ferguson: it goes to an opponent's army for one of his followers, which stays as it lies, and active if it was."""
        board, seat = run.board, self.seat
        owner, place = find(board.armies, board.seats, play.target)
        taken = board.armies[owner][place]
        theirs, mine = list(board.armies[owner]), list(board.armies[seat])
        theirs[place] = Follower(play.card)
        said |= {"from": owner, "target": play.target}
        if taken.up:
            run.tell(said)
        else:
            knows = {**said, "took": taken.card}
            taken = replace(taken, seen=taken.seen if seat in taken.seen else (*taken.seen, seat))
            run.tell(said, **dict.fromkeys(taken.seen, knows))
        mine[[f.card for f in mine].index(play.card)] = taken
        run.board = board.field(owner, theirs).field(seat, mine)

    def _discard(self, run: Run[Board], play: Play, said: dict[str, Json]) -> None:
        """Wemyss: a follower of any army goes to the discards, which lie face-up (docs/adr/0024)."""
        board = run.board
        owner, place = find(board.armies, board.seats, play.target)
        gone = board.armies[owner][place].card
        army = (*board.armies[owner][:place], *board.armies[owner][place + 1 :])
        run.board = board.show((gone,)).field(owner, army).discard((gone,))
        run.tell({**said, "from": owner, "target": play.target, "gone": gone})
