"""Setting up a game: who stands where, who is in the draw pools (8.1), and the first blocks that the English draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pbem.kernel import Chance, Draw, Outcome, Run

from .board import Board, Piece, State
from .facts import BLOCKS, ENGLAND, ENGLISH, FRENCH, KING, NOBLES, OFF, POOL, ROSTER, SCOTTISH
from .frame import Procedure

if TYPE_CHECKING:
    from collections.abc import Mapping


BRAVEHEART_ENGLISH: Mapping[str, str] = {"Cumbria Infantry": "Lothian", "Northumber Infantry": "Mentieth"}
BRAVEHEART_SCOTS: Mapping[str, str] = {
    "Bruce": "Annan", "Galloway": "Galloway", "Wallace": "Fife", "Douglas": "Fife", "Barclay": "Fife", "Moray": "Moray",
    "Fraser": "Moray", "Grant": "Strathspey",
}  # fmt: skip
FIRST_LEVY = 4


def braveheart() -> State:
    """Return the position of 1297 before the English have drawn their first blocks."""
    pieces = []
    for name in ROSTER:
        block = BLOCKS[name]
        if name in BRAVEHEART_SCOTS:
            pieces.append(Piece(name, SCOTTISH, BRAVEHEART_SCOTS[name], block.max))
        elif name in BRAVEHEART_ENGLISH:
            pieces.append(Piece(name, ENGLISH, BRAVEHEART_ENGLISH[name], block.max))
        elif name in NOBLES:
            # 8.1: the other nobles are English and at home; Comyn is deployed in Badenoch
            pieces.append(Piece(name, ENGLISH, "Badenoch" if name == "Comyn" else block.homes[0], block.max))
        else:
            pieces.append(Piece(name, block.owner, OFF if name in (KING, FRENCH) else POOL, 0))
    from .year import Year  # setup opens the year, the year knows nothing of setup

    return State(Board("braveheart", 1297, 0, tuple(pieces)), (Year("deal"), Setup("draw")))


@dataclass(frozen=True, slots=True)
class Setup(Procedure):
    """The English draw four blocks and deploy them in England at full strength (8.1)."""

    at: ClassVar[str] = "setup"

    def want_draw(self, board: Board) -> Chance:
        return Chance(f"priv:{ENGLISH}", (Draw(FIRST_LEVY, board.blocks_in(POOL, ENGLISH)),))

    def take_draw(self, run: Run[Board], outcome: Outcome) -> None:
        drawn = outcome[0]
        run.board = run.board.put(*(Piece(name, ENGLISH, ENGLAND, BLOCKS[name].max) for name in drawn))
        fact = {"f": "levy", "n": len(drawn)}
        run.tell(fact, english={**fact, "blocks": list(drawn)})
        run.done()
