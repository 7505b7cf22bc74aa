"""Where the holder of a glory card may set what belongs to it: the Cardinal, Hadrian's Wall, the cube of the Tapestry."""

from __future__ import annotations

from pbem.i18n import _
from pbem.kernel import Order, Refusal

from ..orders import PutCardinal, PutTapestry, PutWall
from .board import Board
from .names import CARDINAL, TAPESTRY, WALL

QUESTIONS = {CARDINAL: "cardinal", WALL: "wall", TAPESTRY: "tapestry"}
"""Glory card -> the question to its holder."""


def settings(board: Board, card: str) -> list[Order]:
    """Return the possible orders for a card: leave its piece where it is, or put it in another place."""
    if card == CARDINAL:
        stands = [PutCardinal()] if board.cardinal else []
        return [*stands, *(PutCardinal(region=name) for name in board.parts.names if name != board.cardinal)]
    if card == WALL:
        others = [border for border in board.parts.borders if set(border) != set(board.wall)]
        return [*([PutWall()] if board.wall else []), *(PutWall(border=border) for border in others)]
    lies = [PutTapestry()] if board.wild else []
    return [*lies, *(PutTapestry(icon=icon) for icon in board.parts.icons if icon != board.wild)]


def why_not_set(board: Board, card: str, order: Order) -> Refusal | None:
    """Return why a card's piece cannot be set so, or None."""
    legal = settings(board, card)
    if order in legal:
        return None
    return Refusal(_("“{order}” sets nothing there", order=order), _(card), ", ".join(map(str, legal[:8])))
