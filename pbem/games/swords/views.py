"""What one seat, or the public, may know of a game: the typed form of a view's JSON.

The whole table is open; only others' pending answers are sealed, and no view has them. So `table` is everything on the table, and
`frame` the innermost procedure under way, with its locals. Names of regions and castles may be strangers' (option `parts`): they
are texts of a narrow form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from pbem.kernel import View

from .rules.battles import Battle
from .rules.board import Board
from .rules.flip import Deploying
from .rules.names import Seat, SeatOrNone
from .rules.position import MOST_PROCEDURES, AnyProcedure, BoardLaid, Count, Points

P = TypeVar("P")
Question = Literal[
    "setup", "place", "deploy", "merchant", "battle", "sword", "castles", "commit", "druid", "retreat", "cardinal", "wall",
    "tapestry",
]  # fmt: skip


@with_config(ConfigDict(extra="forbid"))
class EndResult(TypedDict):
    """The end of the game: the sole winner or "", the reason, everybody's points and cubes on the board, shared winners."""

    winner: SeatOrNone
    why: Literal["points", "crown", "cubes", "shared"]
    points: dict[Seat, Points]
    cubes: dict[Seat, Count]
    shared: list[Seat]


def innermost(stack: Sequence[Any], kind: type[P]) -> P | None:
    """Return the innermost procedure of a kind that is under way, if one is."""
    return next((frame for frame in reversed(stack) if isinstance(frame, kind)), None)


class SwordsView(View):
    """All that a seat ("" is the public) may know."""

    seat: SeatOrNone
    board: BoardLaid
    stack: Annotated[list[AnyProcedure], Field(max_length=MOST_PROCEDURES)]
    waiting: dict[Seat, Question]
    """The asked seats and their questions."""
    result: EndResult | None = None

    @property
    def question(self) -> str:
        """The present question to this seat, or ""."""
        return self.waiting.get(self.seat, "")

    @property
    def table(self) -> Board:
        """The whole table."""
        return self.board.table

    @property
    def frame(self) -> Any:
        """The innermost procedure; None when the game is over."""
        return self.stack[-1] if self.stack else None

    @property
    def battle(self) -> Battle | None:
        """The battle that is fought, if one is."""
        return innermost(self.stack, Battle)

    @property
    def deploying(self) -> Deploying | None:
        """The deployment under way, if one is."""
        return innermost(self.stack, Deploying)
