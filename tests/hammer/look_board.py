"""What several tests need of look board: _attack, _page."""

from __future__ import annotations

from pbem.games.hammer.look import LOOK
from tests.hammer.builder import Table


def _attack() -> Table:
    """The English are about to fight for Lanark, which they have entered from two areas; the Scots have reinforced it."""
    table = Table(
        {"Ross": "Ross", "Mentieth": "York Knights 3, Hobelars, Wales Infantry", "Carrick": "Durham Infantry",
         "England": "Edward, Lancaster Archers"},
        {"Lanark": "Wallace 3, Bruce 2, Grant", "Mar": "Mar, Moray", "Lennox": "Norse 2", "Selkirk": "Keith",
         "dead": "Barclay"},
    )  # fmt: skip
    table.turn("Move 3", "Move 2")
    table.order("MOVE Mentieth: ALL > Lanark MAIN\nMOVE Carrick: Durham > Lanark\nMOVE England: Edward > Annan")
    return table.order("MOVE Selkirk: Keith > Lanark\nMOVE Norse > Fife")


def _page(table: Table, seat: str | None) -> str:
    view = table.view(seat)
    parts = (LOOK.question(view), LOOK.template(view), LOOK.board(view), LOOK.hand(view))
    return "\n\n----\n\n".join(part for part in parts if part)
