"""What one seat, or the public, may know of a game: the typed form of a view's JSON.

Blocks and areas that are keys of an object, and the ways by which blocks came, are written as slugs ("lancaster_archers", see
`facts.slug`). Elsewhere they are written by name. None values are left out of the JSON. In the public view `seat`, `hand` and
`blocks` are empty. Derived values are properties or methods, in the order of board and roster, whatever the order of the keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from pbem.kernel import View

from .names import (
    AreaKey,
    Bid,
    Block,
    BlockKey,
    BorderKey,
    Card,
    King,
    NobleKey,
    Nobody,
    Outcome,
    Particulars,
    Place,
    Procedures,
    Question,
    Scenario,
    Side,
    SideWay,
    Variant,
    Way,
)
from .rules import (
    AREA_OF,
    AREAS,
    BLOCKS,
    CARDS_A_YEAR,
    ENGLISH,
    NESTING,
    ROSTER,
    SCOTTISH,
    SIDES,
    SLUG,
    Crossed,
    Fight,
    Mark,
    attack_group,
    closed_ways,
    enemy,
)


class _ViewPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class OwnBlock(_ViewPart):
    """One of the seat's own blocks: `at` is an area, "pool", "off" or "dead"; `came` says how it came there this turn.

    `came` is "start:via": the area where it started and the last one before it arrived ("sea": the Norse).
    """

    at: Place
    strength: int = 0
    came: Way | None = None

    @property
    def way(self) -> tuple[str, str]:
        """The area where it started this turn and the last one before it arrived; both "" if it did not move."""
        return _way(self.came) if self.came else ("", "")


class FaceUp(_ViewPart):
    """A block outside the front lines that everybody sees: a captured noble, the Norse, or a noble just returned home.

    Only where it is in battle its strength is seen, too.
    """

    at: Place
    strength: int | None = None


class Cards(NamedTuple):
    """A side's cards: how many are left in its hand, and what it has played this year, in order (3.0: public)."""

    left: int
    played: tuple[str, ...]


class Revealed(NamedTuple):
    """A block that everybody sees: in battle (with its strength), or a noble just returned home (without: 0)."""

    side: str
    at: str
    strength: int


class Arrival(NamedTuple):
    """Blocks of one side that entered an area this turn from the same start over the same last border ("sea": the Norse)."""

    area: str
    side: str
    start: str
    via: str
    blocks: int
    main: bool
    """Is it the main attack (5.32)?"""


class HammerView(View):
    """All that a seat may know.

    - `frames` holds the procedures under way: each by its name, with its step and the locals that differ from their defaults
      (`stack` has them in order).
    - `wait` names the question put to each asked seat, `particulars` the facts that the seat is told with it.
    - `years` is the option, absent if it is not set. `again` counts the discarded deals (option 1-2-3), absent if there were none.
    - `played` are the cards played this year, absent when none are dealt.
    - `attacks`, `crossed`, `marks` and `retreated` are the traces of the turn: by area the main attack (a key of its `arrivals`),
      by border the blocks that crossed it, the side that controls it (by edition 2.3 in the direction in which it was crossed),
      and the blocks that retreated over it in this combat round.
    """

    scenario: Scenario
    variants: tuple[Variant, ...] = ()
    bid: Bid = ""
    years: int | None = None
    year: int
    turn: int
    first: Side | Nobody = ""
    truce: Side | Nobody = ""
    king: King = ""
    edward: Literal[1, 2] = 1
    wintered: int = 0
    again: int | None = None
    played: dict[Side, tuple[Card, ...]] | None = None
    nobles: dict[NobleKey, Side]
    pools: dict[Side, int]
    dead: tuple[Block, ...] = ()
    off: tuple[Block, ...] = ()
    areas: dict[AreaKey, dict[Side, int]]
    face_up: dict[BlockKey, FaceUp] | None = None
    arrivals: dict[AreaKey, dict[SideWay, int]] | None = None
    attacks: dict[AreaKey, SideWay] | None = None
    crossed: dict[BorderKey, dict[Side, int]] | None = None
    marks: dict[BorderKey, Side] | None = None
    retreated: dict[BorderKey, dict[Side, int]] | None = None
    frames: Procedures = Field(default_factory=dict)
    wait: dict[Side, Question] | None = None
    result: Outcome | None = None
    seat: Side | Nobody = ""
    hand: tuple[Card, ...] = ()
    blocks: dict[BlockKey, OwnBlock] = Field(default_factory=dict)
    particulars: Particulars | None = None

    @cached_property
    def enemy(self) -> str:
        """The other side."""
        return enemy(self.seat)

    # blocks and areas

    def count(self, area: str, side: str) -> int:
        """Return the number of blocks of a side in an area."""
        return self.areas.get(SLUG[area], {}).get(side, 0)  # type: ignore[call-overload, no-any-return]

    def own(self, name: str) -> OwnBlock | None:
        """Return the seat's own block of that name, or None if it has none."""
        return self.blocks.get(SLUG.get(name, ""))

    def strengths(self, area: str) -> dict[str, int]:
        """Return the seat's own blocks in an area with their strengths."""
        return {name: self.blocks[SLUG[name]].strength for name in self.groups.get(area, ()) if area in AREAS}

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The seat's own blocks by place (areas, "pool", "off", "dead"), by name."""
        found: dict[str, list[str]] = {}
        for name in ROSTER:
            if block := self.blocks.get(SLUG[name]):
                found.setdefault(block.at, []).append(name)
        return {place: tuple(names) for place, names in found.items()}

    @cached_property
    def revealed(self) -> dict[str, Revealed]:
        """The blocks that everybody sees, by slug: those in battle, and those face-up elsewhere."""
        found: dict[str, Revealed] = {}
        battle, shown = self.battle, self.face_up or {}
        leaves = battle.side if battle else ""
        for name in ROSTER:
            key = SLUG[name]
            if key in shown:
                side = self.nobles[key] if key in self.nobles else BLOCKS[name].owner
                found[key] = Revealed(side, shown[key].at, shown[key].strength or 0)
            elif battle:
                lines = ((ENGLISH, battle.english), (SCOTTISH, battle.scottish), (leaves, battle.leaving))
                found.update((key, Revealed(side, battle.area, line[name])) for side, line in lines if name in line)
        return found

    @cached_property
    def occupancy(self) -> Mapping[str, Mapping[str, int]]:
        """Blocks by area and side, as `Board.occupancy` has them, in the order of the board."""
        there = ((area, self.areas.get(SLUG[area])) for area in AREAS)
        return {area: {side: counts.get(side, 0) for side in SIDES} for area, counts in there if counts}  # type: ignore[call-overload]

    @cached_property
    def contested(self) -> tuple[str, ...]:
        """The areas with blocks of both sides (4.5)."""
        return tuple(area for area, counts in self.occupancy.items() if all(counts.values()))

    # what the turn has left behind

    @cached_property
    def came(self) -> tuple[Arrival, ...]:
        """Who entered which area this turn, and how."""
        group = partial(attack_group, self.variants)
        main = {area: (side, group(start, via, area)) for area, side, start, via in self.main_attacks}
        found = []
        for area in AREAS:
            for key, n in sorted((self.arrivals or {}).get(SLUG[area], {}).items()):
                side, _, way = key.partition(":")
                start, via = _way(way)
                is_main = main.get(area) == (side, group(start, via, area))
                found.append(Arrival(area, side, start, via, n, is_main))
        return tuple(found)

    @property
    def main_attacks(self) -> tuple[tuple[str, str, str, str], ...]:
        """The main attacks: area, side, start, via (5.32)."""
        found = ((area, (self.attacks or {}).get(SLUG[area], "").partition(":")) for area in AREAS)
        return tuple((area, side, *_way(way)) for area, (side, _, way) in found if side)

    @property
    def marked(self) -> tuple[Mark, ...]:
        """The borders with the side that last used them to enter a battle (5.5), in the board's form."""
        return tuple((*_between(key), side) for key, side in sorted((self.marks or {}).items()))

    @cached_property
    def controlled(self) -> dict[tuple[str, str], str]:
        """By way, from an area to its neighbour, the side that closes it to its enemy (5.5)."""
        return closed_ways(self.variants, self.marked)

    @property
    def crossings(self) -> tuple[Crossed, ...]:
        """The borders used in this turn's movement (4.3)."""
        return tuple(_crossed(self.crossed))

    @cached_property
    def retreats(self) -> tuple[Crossed, ...]:
        """The borders used by retreats in the present combat round (5.5)."""
        return tuple(_crossed(self.retreated))

    # cards, procedures, the question

    @cached_property
    def cards(self) -> dict[str, Cards]:
        """The cards of both sides."""
        if self.played is None:
            return {side: Cards(0, ()) for side in SIDES}
        return {side: Cards(CARDS_A_YEAR - len(self.played[side]), self.played[side]) for side in SIDES}  # type: ignore[index]

    @property
    def stack(self) -> tuple[dict[str, Any], ...]:
        """The procedures under way, outermost first, each with its name (`at`), step and locals."""
        return tuple({"at": name, **self.frames[name]} for name in NESTING if name in self.frames)

    @cached_property
    def battle(self) -> Fight | None:
        """The battle being fought, if any."""
        found = self.frames.get("battle")
        if not found:
            return None
        english, scottish, leaving = (_by_name(found.get(part, {})) for part in (ENGLISH, SCOTTISH, "leaving"))
        return Fight(
            found["step"], found["area"], found["attacker"], found.get("round", 1), found.get("turn", 0), english, scottish,
            leaving, tuple(found.get("acted", ())), found.get("hits", 0),
            dict(zip(SIDES, found.get("lost", (0, 0)), strict=True)),
            tuple((name, to) for name, to in found.get("places", ())),
        )  # fmt: skip

    @property
    def fight(self) -> Fight:
        """The battle about which the seat is asked."""
        assert self.battle is not None  # noqa: S101 - the question is put inside a battle
        return self.battle

    @property
    def ask(self) -> dict[str, Any] | None:
        """The question to the seat: `what`, the `area` of the procedure that asks, and the particulars."""
        what = self.wait.get(self.seat) if self.wait and self.seat else None
        if what is None:
            return None
        innermost = next((self.frames[name] for name in reversed(NESTING) if name in self.frames), {})
        area = {"area": innermost["area"]} if "area" in innermost else {}
        return {"what": what, **area, **(self.particulars or {})}


def _way(key: str) -> tuple[str, str]:
    start, _, via = key.partition(":")
    return AREA_OF.get(start, start), AREA_OF.get(via, via)


def _between(key: str) -> tuple[str, str]:
    a, _, b = key.partition(":")
    return AREA_OF[a], AREA_OF[b]


def _crossed(borders: Mapping[str, Mapping[Side, int]] | None) -> Iterable[Crossed]:
    for key, used in sorted((borders or {}).items()):
        for side, n in sorted(used.items()):
            yield Crossed(_between(key), side, n)


def _by_name(blocks: Mapping[str, int]) -> dict[str, int]:
    return {name: blocks[SLUG[name]] for name in ROSTER if SLUG[name] in blocks}
