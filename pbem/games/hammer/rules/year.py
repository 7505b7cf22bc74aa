"""A year and its game turns: the deal, one to five turns, the winter; and a turn's phases: cards, moves, battles.

Every game turn asks every seat exactly one `card` and one `act`, whatever anyone chooses: the fairness of the dice rests on it.
Rules 3.0, 3.1, 4.1, 5.9 (when), 7.0 (when), 9.1 (when).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.kernel import Ask, Chance, Draw, Json, Order, Outcome, Run, changed

from .. import orders
from . import told, victory
from .acts import act
from .battles import Battles
from .board import Board
from .deal_123 import is_dealt_again
from .frame import Procedure, answer
from .moves import forget_moves
from .printed import CARDS_A_YEAR, DECK, ENGLAND, ENGLISH, SCOTTISH, SIDES, card_value, enemy, is_event
from .raids import Raid
from .winter import Winter


def year_is_over(board: Board) -> bool:
    """Has the year ended: after five turns, or as soon as both play an event (7.0)?"""
    if board.turn == CARDS_A_YEAR:
        return True
    return board.turn > 0 and all(is_event(board.last_card(side)) for side in SIDES)


@dataclass(frozen=True, slots=True)
class Year(Procedure, at="year"):
    """One year: the deal, the game turns, the Winter Turn."""

    def want_deal(self, board: Board) -> Chance:
        return Chance(f"deal:{board.deal + 1}", (Draw(2 * CARDS_A_YEAR, DECK),))

    def take_deal(self, run: Run[Board], outcome: Outcome) -> None:
        counted = changed(run.board, deal=run.board.deal + 1)
        if is_dealt_again(counted, outcome[0]):
            run.board = counted
            run.tell(told.DealtAgain(counted.year))
            run.goto("deal")
            return
        # 3.0: five cards each; places 0-4 are English, 5-9 Scottish
        board = run.board = changed(counted, dealt=outcome[0], played=((), ()), turn=0)
        run.tell(told.Year(board.year))
        for i, side in enumerate(SIDES):
            for place in range(CARDS_A_YEAR * i, CARDS_A_YEAR * (i + 1)):
                run.show(side, f"deal:{board.deal}", place)
        run.goto("turns")

    def do_turns(self, run: Run[Board]) -> None:
        if year_is_over(run.board):
            run.goto("winter")
        else:
            run.call(GameTurn("begin"), "turns")

    def do_winter(self, run: Run[Board]) -> None:
        board = run.board
        early = board.turn < CARDS_A_YEAR
        run.tell(told.YearEnds(board.year, early))
        if not early:
            run.release(f"deal:{board.deal}")  # ruling 7.0: cards left over return unseen
        run.call(Winter("begin"), "next")

    def do_next(self, run: Run[Board]) -> None:
        # the winter of the last year has ended the game before it comes to this (ruling 9.0)
        run.board = changed(run.board, year=run.board.year + 1, turn=0, dealt=(), played=((), ()))
        run.goto("deal")


@dataclass(frozen=True, slots=True)
class GameTurn(Procedure, at="turn"):
    """One game turn: both cards, the acts of Player 1 and Player 2, the battles, the raid."""

    def do_begin(self, run: Run[Board]) -> None:
        board = run.board = forget_moves(run.board, turn=run.board.turn + 1, first="", truce="")
        run.tell(told.Turn(board.year, board.turn))
        run.goto("cards")

    def want_cards(self, board: Board) -> Ask:
        return Ask(SIDES, "card", "until resolved", mark=True)

    def take_cards(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        board = run.board
        played, names = [], {}
        for i, side in enumerate(SIDES):
            name = answer({side: given[side]}, orders.PlayCard).card
            place = next(p for p in board.hand(side) if board.card(p) == name)
            run.open(f"deal:{board.deal}", place)
            played.append((*board.played[i], place))
            names[side] = name
        first = self._player_1(names)
        run.board = changed(board, played=(played[0], played[1]), first=first)
        run.tell(told.Cards(**names, first=first))
        run.goto("first")

    @staticmethod
    def _player_1(names: dict[str, str]) -> str:
        english, scottish = names[ENGLISH], names[SCOTTISH]
        if is_event(english):
            return ENGLISH  # 3.12: of two events the English one comes first
        if is_event(scottish):
            return SCOTTISH  # 3.12: the player of an event card is Player 1
        return ENGLISH if card_value(english) >= card_value(scottish) else SCOTTISH  # 4.1: English win ties

    @staticmethod
    def _ask(board: Board, side: str) -> Ask:
        # everything about a Herald or a Truce is public
        open_to_all = board.last_card(side) in ("Herald", "Truce")
        return Ask((side,), "act", "no" if open_to_all else "until end", mark=True)

    def want_first(self, board: Board) -> Ask:
        return self._ask(board, board.first)

    def take_first(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        side = run.board.first
        run.goto("second")
        act(run, side, run.board.last_card(side), given[side])

    def want_second(self, board: Board) -> Ask:
        return self._ask(board, enemy(board.first))

    def take_second(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        side = enemy(run.board.first)
        run.goto("battles")
        act(run, side, run.board.last_card(side), given[side])

    def particulars(self, board: Board, seat: str) -> dict[str, Json]:
        if self.step == "cards":
            return {}
        return {"card": board.last_card(seat), "player": 1 if seat == board.first else 2}

    def do_battles(self, run: Run[Board]) -> None:
        run.call(Battles("begin"), "raid")  # 5.1

    def do_raid(self, run: Run[Board]) -> None:
        if run.board.blocks_in(ENGLAND, SCOTTISH):
            run.call(Raid("begin"), "finish")  # 5.9, ruling 5.9: after all battles, before 9.1
        else:
            run.goto("finish")

    def do_finish(self, run: Run[Board]) -> None:
        run.done()
        if result := victory.sudden_death(run.board):
            victory.declare(run, result)
