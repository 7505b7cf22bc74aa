"""The law's knowledge of an asked seat: a small part of that seat's view, in the rules' own terms.

What is legal is decided from this alone (`move_law`, `battle_law`, `retreat_law`, `events`, `crown`, `raids`, `winter_*`). So law
knows neither states nor the JSON form of a view. A view of the game (`..views.HammerView`) implements it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from .printed import ENGLISH, acting_side


class OwnPiece(Protocol):
    """One of the seat's own blocks: its place, its strength, and from where it came this turn ("" if it did not move)."""

    @property
    def at(self) -> str:
        """The place of the block: an area, "pool", "off" or "dead"."""

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
    """The current battle, as the seat sees the procedure "battle".

    `turn` counts the six combat turns of a round (5.31): defender A, attacker A, defender B … `english` and `scottish` are the two
    front lines. `leaving` are the blocks that have chosen to retreat in this combat turn. All have their strengths. `places` says
    where they go, to their owner alone. All other blocks of a side in the area are in its reserve.
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
        """The side and letter of the current combat turn."""
        return acting_side(self.attacker, self.turn)

    def strengths(self, side: str) -> Mapping[str, int]:
        """Return the front line of a side, with its strengths."""
        return self.english if side == ENGLISH else self.scottish

    def front(self, side: str) -> tuple[str, ...]:
        """Return the front line of a side."""
        return tuple(self.strengths(side))


class Asked(Protocol):
    """An asked seat; its question is in `ask`."""

    @property
    def seat(self) -> str:
        """Its side."""

    @property
    def enemy(self) -> str:
        """The other side."""

    @property
    def ask(self) -> dict[str, Any] | None:
        """The question to the seat: `what`, its `area`, and the particulars; None without a question."""

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
        """The last year in which Edward I spent the winter in Scotland, 0 for none."""

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
        """Return the number of blocks of a side in an area."""

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
