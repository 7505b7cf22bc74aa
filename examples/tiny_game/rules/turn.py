"""The procedures of Tiny (rules 1.2 to 4, and 6): each says what it wants from outside, and goes on with what it is given.

Nothing here knows of mail, keys or dice, nor which orders are allowed: an order that comes here is legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pbem.kernel import Ask, Chance, Draw, Frame, Outcome, Roll, Run

from ..orders import Act, Keep, PlayCard
from . import told
from .board import Board, Card, worth

HAND = 2  # 1.2
BANKED = 3  # 4.1
DRAWN = 2  # 4.2


@dataclass(frozen=True, slots=True)
class Refill(Frame):
    """1.2: hands are filled up from the pile; when it runs out, the discards are shuffled into a new one."""

    step: Literal["deal", "shuffle"]

    def do_deal(self, run: Run[Board]) -> None:
        short = [seat for seat, side in run.board.sides.items() if len(side.hand) < HAND]
        if not short:
            run.done()
        elif not run.board.pile:
            run.goto("shuffle")
        else:
            seat = min(short, key=lambda s: len(run.board.sides[s].hand))  # one card each, in seat order
            card, *pile = run.board.pile
            run.board = replace(run.board, pile=tuple(pile)).change(seat, hand=(*run.board.sides[seat].hand, card))
            run.show(seat, card.label, card.place)
            run.tell(told.Dealt(seat, card.name), seat)

    def want_shuffle(self, board: Board) -> Chance:
        return Chance(f"deal:{board.deals + 1}", (Draw(len(board.discards), board.discards),))

    def take_shuffle(self, run: Run[Board], given: Outcome) -> None:
        deal = run.board.deals + 1
        pile = tuple(Card(name, deal, place) for place, name in enumerate(given[0]))
        run.board = replace(run.board, pile=pile, discards=(), deals=deal)
        run.tell(told.Shuffled(len(pile)))
        run.goto("deal")


@dataclass(frozen=True, slots=True)
class Turn(Frame):
    """2 to 4: hands are filled, all play a card in secret, all roll, the winner banks or digs; then the next turn."""

    step: Literal["refill", "card", "roll", "act", "next"]

    def do_refill(self, run: Run[Board]) -> None:
        run.call(Refill("deal"), then="card")

    def want_card(self, board: Board) -> Ask:  # 2.1: everybody is asked every turn, so this question bears the mark
        return Ask(tuple(board.sides), "card", "until resolved", mark=True)

    def take_card(self, run: Run[Board], given: Mapping[str, PlayCard]) -> None:
        hidden_before = run.board.unseen()
        for seat in run.board.sides:
            hand = run.board.sides[seat].hand
            played = next(card for card in hand if card.name == given[seat].card)
            run.board = run.board.change(seat, hand=tuple(card for card in hand if card != played))
            run.open(played.label, played.place)
            run.tell(told.Played(seat, played.name))
        run.board = replace(run.board, table={seat: given[seat].card for seat in run.board.sides})
        for label in sorted(hidden_before.keys() - run.board.unseen().keys()):
            run.release(label)  # every card of that deal has been turned up
        run.goto("roll")

    def want_roll(self, board: Board) -> Chance:
        return Chance("pub", (Roll(len(board.sides)),))

    def take_roll(self, run: Run[Board], given: Outcome) -> None:
        table = run.board.table
        dice = dict(zip(run.board.sides, given[0], strict=True))  # in seat order
        winner = max(table, key=lambda seat: (worth(table[seat]) + dice[seat], worth(table[seat])))  # 3.1, 3.2
        run.board = replace(run.board, winner=winner, discards=(*run.board.discards, *table.values()))
        run.tell(told.Rolled(dict(table), dice, winner))
        if len(run.board.sides[winner].chest) < DRAWN:  # 4.3: one legal answer to an open question is not asked
            _bank(run, winner)
            run.goto("next")
        else:
            run.goto("act")

    def want_act(self, board: Board) -> Ask:
        return Ask((board.winner,), "act", "no")

    def take_act(self, run: Run[Board], given: Mapping[str, Act]) -> None:
        ((seat, order),) = given.items()
        if order.act == "BANK":
            _bank(run, seat)
            run.goto("next")
        else:
            run.tell(told.Dug(seat))
            run.call(Dig("draw", seat), then="next")

    def do_next(self, run: Run[Board]) -> None:
        if run.board.turn == run.board.turns:
            _finish(run)
        else:
            run.board = replace(run.board, turn=run.board.turn + 1, table={}, winner="")
            run.goto("refill")


@dataclass(frozen=True, slots=True)
class Dig(Frame):
    """4.2: a seat draws two tokens from its chest in secret and keeps one of them, in secret to the end."""

    step: Literal["draw", "keep"]
    seat: str
    drawn: tuple[str, ...] = ()

    def want_draw(self, board: Board) -> Chance:
        return Chance(f"priv:{self.seat}", (Draw(DRAWN, board.sides[self.seat].chest),))

    def take_draw(self, run: Run[Board], given: Outcome) -> None:
        run.tell(None, **{self.seat: told.Drawn(given[0]).json(knows=True)})
        run.goto("keep", drawn=given[0])

    def want_keep(self, board: Board) -> Ask:
        return Ask((self.seat,), "keep", "until end")

    def take_keep(self, run: Run[Board], given: Mapping[str, Keep]) -> None:
        token, side = given[self.seat].keep, run.board.sides[self.seat]
        chest = tuple(other for other in side.chest if other != token)
        run.board = run.board.change(self.seat, chest=chest, kept=(*side.kept, token))
        run.tell(told.Kept(self.seat, token), self.seat)
        run.done()


def _bank(run: Run[Board], seat: str) -> None:
    run.board = run.board.change(seat, score=run.board.sides[seat].score + BANKED)  # 4.1
    run.tell(told.Banked(seat, BANKED))


def _finish(run: Run[Board]) -> None:
    """6: all tokens are turned up and counted; nothing is hidden any longer."""
    score = {}
    for seat, side in run.board.sides.items():
        score[seat] = side.score + sum(map(worth, side.kept))
        run.tell(told.Counted(seat, side.kept, score[seat]))
    for label in sorted(run.board.unseen()):
        run.release(label)
    best = [seat for seat in score if score[seat] == max(score.values())]
    run.end({"winner": best[0] if len(best) == 1 else "", "why": "points" if len(best) == 1 else "tie", "score": score})


@dataclass(frozen=True, slots=True)
class State:
    """A position: the board, the procedures under way with the innermost last, and the result once there is one."""

    board: Board
    stack: tuple[Turn | Refill | Dig, ...]
    result: dict[str, Any] | None = None
