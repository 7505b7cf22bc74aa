"""Which battle is fought next, and how each begins: the attacker, the front lines, the reserves.

Rules 5.1, 5.32 (main attack), 5.33, sidebars Combat Reserves and Defection Battles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.kernel import Ask, Order, Run, changed

from .. import orders
from . import told
from .battle import Battle
from .board import Board
from .frame import Procedure, answer
from .groups import attack_group
from .printed import ENGLISH, SCOTTISH, enemy


@dataclass(frozen=True, slots=True)
class Battles(Procedure, at="battles"):
    """All battles there are, one by one; `event` is the attacker of battles that an event causes, "" in the Battle Phase.

    `regroups` is false where the victors have to stay.
    """

    event: str = ""
    regroups: bool = True

    def do_begin(self, run: Run[Board]) -> None:
        if areas := run.board.contested():
            run.tell(told.Battles(areas))
        run.goto("choose")

    def do_choose(self, run: Run[Board]) -> None:
        areas = run.board.contested()
        if not areas:
            run.done()
        elif len(areas) == 1:
            self._fight(run, areas[0])
        else:
            run.goto("ask")

    def want_ask(self, board: Board) -> Ask:
        return Ask((board.first,), "next battle", "no")  # 5.1: Player 1 determines which battle is fought first

    def take_ask(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        self._fight(run, answer(given, orders.NextBattle).area)

    def _fight(self, run: Run[Board], area: str) -> None:
        run.call(changed(muster(run.board, area, self.event), regroups=self.regroups), "choose")


def muster(board: Board, area: str, event: str) -> Battle:
    """Return the battle in an area, its front lines drawn up."""
    if event:
        # ruling 6.21/6.22: all defectors form one front, nobody is in reserve
        front = {side: board.blocks_in(area, side) for side in (ENGLISH, SCOTTISH)}
        return Battle("begin", area, event, front[ENGLISH], front[SCOTTISH], event=True)
    attacker, start, via = next((side, s, v) for a, side, s, v in board.attacks if a == area)
    main = attack_group(board.variants, start, via, area)
    front = {
        # 5.32: the main attack group stands in front, all other attackers in reserve
        attacker: tuple(
            n
            for n in board.blocks_in(area, attacker)
            if attack_group(board.variants, board[n].start, board[n].via, area) == main
        ),
        # 5.33: what Player 2 moved to an area that Player 1 attacks is in reserve; a defender who is Player 1 was there before
        enemy(attacker): tuple(
            n for n in board.blocks_in(area, enemy(attacker)) if not board[n].start or enemy(attacker) == board.first
        ),
    }
    return Battle("begin", area, attacker, front[ENGLISH], front[SCOTTISH])
