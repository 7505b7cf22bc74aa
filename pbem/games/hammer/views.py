"""What one seat, or the public, may know of a game: the typed form of a view's JSON.

Blocks and areas that are keys of an object are written as slugs ("lancaster_archers", see `facts.slug`), everywhere else by
their names. Every field stands in the JSON, but those that are None here. In the public view `seat`, `hand` and `blocks` are empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pbem.kernel import View

from .rules.facts import AREA_OF, BLOCK_OF, ENGLISH, SCOTTISH, SLUG, enemy

Side = Literal["english", "scottish"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Cards(_Part):
    """A side's cards: how many are left in its hand, and what it has played this year, in order (3.0: public)."""

    left: int
    played: tuple[str, ...] = ()


class Count(_Part):
    """How many blocks of each side stand in an area."""

    english: int = 0
    scottish: int = 0

    def of(self, side: str) -> int:
        """Return the number of a side's blocks."""
        return self.english if side == ENGLISH else self.scottish


class OwnBlock(_Part):
    """One of the seat's own blocks: `at` is an area, "pool", "off" or "dead"; `start` and `via` say how it came this turn."""

    at: str
    strength: int = 0
    start: str | None = None
    via: str | None = None


class Revealed(_Part):
    """A block that everybody sees: in battle (with its strength), or a noble just returned home (without: 0)."""

    side: Side
    at: str
    strength: int = 0


class Arrival(_Part):
    """Blocks of one side that entered an area this turn from the same start over the same last border ("sea": the Norse)."""

    area: str
    side: Side
    start: str
    via: str
    blocks: int


class Attack(_Part):
    """The main attack declared into an area: the arrival with this side, start and via (5.32)."""

    area: str
    side: Side
    start: str
    via: str


class Crossed(_Part):
    """How many blocks of a side crossed a border, both directions together (4.3).

    `crossed` counts this turn's movement, `retreated` the retreats of the present combat round.
    """

    between: tuple[str, str]
    side: Side
    blocks: int


class Mark(_Part):
    """Who controls a border: the side that last used it to enter a battle (5.5)."""

    between: tuple[str, str]
    side: Side


class Wait(_Part):
    """Who is asked what, and what the answer gives away."""

    what: str
    seats: tuple[Side, ...]
    secret: str


class Battle(_Part):
    """The battle being fought: the typed form of the procedure "battle" on the stack.

    `turn` counts the six combat turns of a round (5.31): defender A, attacker A, defender B … ; `english` and `scottish`
    are the two front lines, by name (their strengths stand in `revealed`); `leaving` blocks have chosen to retreat in this
    combat turn and wait for their places; `revealing` blocks roll for Celtic unity. Everybody else of a side in the area is
    in its reserve.
    """

    step: str
    area: str
    attacker: Side
    round: int
    turn: int
    english: tuple[str, ...]
    scottish: tuple[str, ...]
    acted: tuple[str, ...]
    leaving: tuple[str, ...]
    revealing: tuple[str, ...]
    block: str
    hits: int
    event: bool

    def front(self, side: str) -> tuple[str, ...]:
        """Return the front line of a side."""
        return self.english if side == ENGLISH else self.scottish


class HammerView(View):
    """All that a seat may know.

    `procedures` names what is under way, outermost first, and `frames` holds the step and the locals of each (see `stack`).
    """

    scenario: str
    year: int
    turn: int
    first: str = ""
    truce: str = ""
    king: str = ""
    edward: int = 1
    wintered: int = 0
    cards: dict[Side, Cards]
    nobles: dict[str, Side]
    pools: dict[Side, int]
    dead: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    areas: dict[str, Count]
    revealed: dict[str, Revealed] = Field(default_factory=dict)
    arrivals: tuple[Arrival, ...] = ()
    attacks: tuple[Attack, ...] = ()
    crossed: tuple[Crossed, ...] = ()
    marks: tuple[Mark, ...] = ()
    retreated: tuple[Crossed, ...] = ()
    battles: tuple[str, ...] = ()
    procedures: tuple[str, ...] = ()
    frames: dict[str, dict[str, Any]] = Field(default_factory=dict)
    wait: Wait | None = None
    result: dict[str, str] | None = None
    seat: str = ""
    hand: tuple[str, ...] = ()
    blocks: dict[str, OwnBlock] = Field(default_factory=dict)
    ask: dict[str, Any] | None = None

    @property
    def enemy(self) -> str:
        """The other side."""
        return enemy(self.seat)

    def count(self, area: str, side: str) -> int:
        """Return how many blocks of a side stand in an area."""
        found = self.areas.get(SLUG[area])
        return found.of(side) if found else 0

    def own(self, name: str) -> OwnBlock | None:
        """Return the seat's own block of that name, or None if it has none."""
        return self.blocks.get(SLUG.get(name, ""))

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The seat's own blocks by place (areas, "pool", "off", "dead"), by name."""
        found: dict[str, list[str]] = {}
        for key, block in self.blocks.items():
            found.setdefault(block.at, []).append(BLOCK_OF[key])
        return {place: tuple(names) for place, names in found.items()}

    @property
    def stack(self) -> tuple[dict[str, Any], ...]:
        """The procedures under way, outermost first, each with its name (`at`), step and locals."""
        return tuple({"at": name, **self.frames[name]} for name in self.procedures)

    @property
    def battle(self) -> Battle | None:
        """The battle being fought, if any."""
        found = self.frames.get("battle")
        return Battle.model_validate(found) if found else None

    def occupied(self) -> Iterator[tuple[str, Count]]:
        """Go through the occupied areas, by name."""
        for key, count in self.areas.items():
            yield AREA_OF[key], count

    def occupancy(self) -> dict[str, dict[str, int]]:
        """Return blocks by area and side, as `Board.occupancy` does."""
        return {area: {ENGLISH: count.english, SCOTTISH: count.scottish} for area, count in self.occupied()}
