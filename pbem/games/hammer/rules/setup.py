"""Setting up a game: the places of blocks, the draw pools (8.1-8.3), and the first blocks that the English draw."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kernel import Chance, Draw, Outcome, Run

from . import told
from .bids import drawable, keeps_edward, more_blocks
from .board import Board, Piece, State
from .frame import Procedure
from .printed import AREAS, BLOCKS, EDWARD, ENGLAND, ENGLISH, NOBLES, POOL, ROSTER, SCOTTISH
from .scenarios import SCENARIOS, Scenario, scenario


def set_up(name: str, variants: tuple[str, ...] = (), bid: str = "", years: int = 0) -> State:
    """Return the position of a scenario before the English have drawn their first blocks."""
    found = scenario(name, variants)
    pieces = tuple(_place(found, block) for block in ROSTER)
    from .year import Year  # setup opens the year, the year knows nothing of setup

    board = Board(name, found.first_year, 0, pieces, variants, bid, years, king=found.king)
    if keeps_edward(board, board.year):
        board = board.put(board[EDWARD].shown(1))
    return State(board, (Year("deal"), Setup("draw")))


def _place(printed: Scenario, name: str) -> Piece:
    block = BLOCKS[name]
    side = SCOTTISH if name in printed.scots else block.owner or ENGLISH
    at = {**printed.english, **printed.scots, **printed.beside}.get(name, POOL)
    if at == POOL and name in NOBLES:
        # 8.1, 8.2: the other nobles are English and at home; Comyn is deployed in Badenoch
        at = "Badenoch" if name == "Comyn" else block.homes[0]
    return Piece(name, side, at, block.max if at in AREAS else 0)


@dataclass(frozen=True, slots=True)
class Setup(Procedure, at="setup"):
    """The English draw their first blocks, four or (8.2) six, and deploy them in England at full strength."""

    def want_draw(self, board: Board) -> Chance:
        blocks = SCENARIOS[board.scenario].levy + more_blocks(board.bid)  # Tournament Play
        return Chance(f"priv:{ENGLISH}", (Draw(blocks, drawable(board, board.year)),))

    def take_draw(self, run: Run[Board], outcome: Outcome) -> None:
        drawn = outcome[0]
        run.board = run.board.put(*(Piece(name, ENGLISH, ENGLAND, BLOCKS[name].max) for name in drawn))
        run.tell(told.Levy(len(drawn), drawn), ENGLISH)
        run.done()
