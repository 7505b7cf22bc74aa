"""What law knows of a seat that is asked: a small part of what that seat sees, told in the rules' own terms.

What is legal is decided from this alone (`move_law`, `battle_law`, `retreat_law`, `events`, `crown`, `raids`, `winter_*`), so law
knows neither states nor how a view is written as JSON. A view of the game (`..views.HammerView`) is such a seat's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from .printed import ENGLISH, acting_side


class OwnPiece(Protocol):
    """One of the seat's own blocks: where it stands, how strong, and from where it came this turn ("" if it did not move)."""

    @property
    def at(self) -> str:
        """Where it stands: an area, "pool", "off" or "dead"."""

    @property
    def strength(self) -> int:
        """Its steps."""

    @property
    def way(self) -> tuple[str, str]:
        """The area where it started this turn and the last one before it arrived; both "" if it did not move."""


class Crossed(NamedTuple):
    """How many blocks of a side crossed a border, both directions together (4.3)."""

    between: tuple[str, str]
    side: str
    blocks: int


class Fight(NamedTuple):
    """The battle being fought, as the seat sees the procedure "battle".

    `turn` counts the six combat turns of a round (5.31): defender A, attacker A, defender B … ; `english` and `scottish`
    are the two front lines, `leaving` those who have chosen to retreat in this combat turn, all with their strengths; `places`
    says where, to their owner alone. Everybody else of a side in the area is in its reserve.
    """

    step: str
    area: str
    attacker: str
    round: int
    turn: int
    english: Mapping[str, int]
    scottish: Mapping[str, int]
    leaving: Mapping[str, int]
    acted: tuple[str, ...]
    hits: int
    lost: Mapping[str, int]
    places: tuple[tuple[str, str], ...]

    @property
    def side(self) -> str:
        """Whose combat turn it is."""
        return acting_side(self.attacker, self.turn)

    def strengths(self, side: str) -> Mapping[str, int]:
        """Return the front line of a side, with its strengths."""
        return self.english if side == ENGLISH else self.scottish

    def front(self, side: str) -> tuple[str, ...]:
        """Return the front line of a side."""
        return tuple(self.strengths(side))


class Asked(Protocol):
    """A seat that is asked; what it is asked stands in `ask`."""

    @property
    def seat(self) -> str:
        """Its side."""

    @property
    def enemy(self) -> str:
        """The other side."""

    @property
    def ask(self) -> dict[str, Any] | None:
        """What it is asked: `what`, the `area` of it, and the particulars; None if nothing."""

    @property
    def frames(self) -> Mapping[str, Mapping[str, Any]]:
        """The procedures under way, by name, each with its locals."""

    # the board

    @property
    def variants(self) -> tuple[str, ...]:
        """The rules that are played differently."""

    @property
    def year(self) -> int:
        """The year."""

    @property
    def truce(self) -> str:
        """The side that may not attack this turn, or ""."""

    @property
    def king(self) -> str:
        """Who was crowned, or ""."""

    @property
    def edward(self) -> int:
        """Which Edward is king of England: 1 or 2."""

    @property
    def wintered(self) -> int:
        """The last year whose winter Edward I spent in Scotland, 0 for none."""

    @property
    def dead(self) -> Sequence[str]:
        """The blocks that are out of the game."""

    @property
    def nobles(self) -> Mapping[str, str]:
        """Whom each noble follows, by slug."""

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """The seat's own blocks by place, by name."""

    @property
    def occupancy(self) -> Mapping[str, Mapping[str, int]]:
        """Blocks by area and side, as `Board.occupancy` has them."""

    def count(self, area: str, side: str) -> int:
        """Return how many blocks of a side stand in an area."""

    def own(self, name: str) -> OwnPiece | None:
        """Return the seat's own block of that name, or None if it has none."""

    def strengths(self, area: str) -> dict[str, int]:
        """Return the seat's own blocks in an area with their strengths."""

    # what the turn has left behind

    @property
    def controlled(self) -> Mapping[tuple[str, str], str]:
        """By way, from an area to its neighbour, the side that closes it to its enemy (5.5)."""

    @property
    def retreats(self) -> Sequence[Crossed]:
        """The borders used by retreats in the present combat round (5.5)."""

    @property
    def battle(self) -> Fight | None:
        """The battle being fought, if any."""

    @property
    def fight(self) -> Fight:
        """The battle about which the seat is asked."""
