"""Border raids: Scots in England at the end of a Game Turn cost the English one block. Rule 5.9."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.kernel import Ask, Order, Refusal, Run

from .. import orders
from . import told
from .asked import Asked
from .board import Board
from .frame import Procedure, answer
from .printed import AREAS, BLOCKS, ENGLAND, ENGLISH, SCOTTISH
from .said import _


def raid_refusal(view: Asked, name: str) -> Refusal | None:
    """Return why the English may not disband this block for a raid."""
    if name in BLOCKS and BLOCKS[name].is_noble:
        return Refusal(_("English nobles may not be chosen"), "5.9")
    if name not in raided(view):
        return Refusal(_("{name} is not one of your blocks on the map", name=name), "5.9")
    return None


def raided(view: Asked) -> tuple[str, ...]:
    """Return the blocks that the English may disband: any but nobles, anywhere on the map (ruling 5.9)."""
    return tuple(
        name for place, names in view.groups.items() if place in AREAS for name in names if not BLOCKS[name].is_noble
    )


@dataclass(frozen=True, slots=True)
class Raid(Procedure, at="raid"):
    """A border raid: one English block, not a noble, is disbanded, however many raiders there are."""

    def do_begin(self, run: Run[Board]) -> None:
        there = [p.name for p in run.board.pieces if p.side == ENGLISH and p.on_map and not BLOCKS[p.name].is_noble]
        if len(there) > 1:
            run.goto("block")
        else:
            # Nobles are counted in public: that there is one block or none to lose is plain to everybody.
            self._disband(run, *there)

    def want_block(self, board: Board) -> Ask:
        return Ask((ENGLISH,), "raid", "until end")

    def take_block(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        self._disband(run, answer(given, orders.Raid).block)

    def _disband(self, run: Run[Board], *names: str) -> None:
        board = run.board
        raiders = len(board.blocks_in(ENGLAND, SCOTTISH))
        run.done()
        if not names:
            run.tell(told.Raid(raiders))
            return
        piece = board[names[0]]
        run.tell(told.Raid(raiders, piece.at, piece.name), ENGLISH)
        run.board = board.put(piece.gone())
