"""Board, blocks and dice as numbers, for the small model: areas, blocks and sides are indices of `AREAS`, `ROSTER` and `SIDES`.

It has only printed values; the rules' own tables are the source.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple, Protocol

from ...rules import AREAS, BLOCKS, BORDER, NEIGHBOURS, NOBLES, ROSTER, SIDES
from ...rules.printed import CATHEDRALS, CELTIC, NORSE_COAST

AREA_NAMES: tuple[str, ...] = tuple(AREAS)
AREA: dict[str, int] = {name: i for i, name in enumerate(AREA_NAMES)}
BLOCK: dict[str, int] = {name: i for i, name in enumerate(ROSTER)}
ENGLISH, SCOTS = range(len(SIDES))
ENGLAND = AREA["England"]
SELKIRK = AREA["Selkirk"]
POOL, OFF, DEAD = -1, -2, -3
"""The places of blocks outside the areas."""

EDWARD, WALLACE, KING = BLOCK["Edward"], BLOCK["Wallace"], BLOCK["King"]
MORAY, NORSE, FRENCH = BLOCK["Moray"], BLOCK["Norse"], BLOCK["French Knights"]

LETTER: tuple[int, ...] = tuple("ABC".index(block.letter) for block in BLOCKS.values())
RATING: tuple[int, ...] = tuple(block.rating for block in BLOCKS.values())
MOST: tuple[int, ...] = tuple(block.max for block in BLOCKS.values())
PACE: tuple[int, ...] = tuple(block.move for block in BLOCKS.values())
CROSS: tuple[bool, ...] = tuple(block.cross for block in BLOCKS.values())
CELTS: frozenset[int] = frozenset(BLOCK[name] for name in CELTIC)
TURNING: tuple[int, ...] = tuple(BLOCK[name] for name in NOBLES)
"""The thirteen nobles who can change sides."""
TURNS: tuple[bool, ...] = tuple(name in NOBLES for name in ROSTER)
INFANTRY: tuple[bool, ...] = tuple(block.type == "infantry" for block in BLOCKS.values())
HOMES: tuple[tuple[int, ...], ...] = tuple(tuple(AREA[a] for a in block.homes) for block in BLOCKS.values())
OWNERS: tuple[int, ...] = tuple(SIDES.index(block.owner) if block.owner else -1 for block in BLOCKS.values())
LIVES_IN: tuple[tuple[int, ...], ...] = tuple(
    tuple(n for n in TURNING if a in HOMES[n]) for a in range(len(AREA_NAMES))
)
"""The nobles at home in an area, who can change sides."""
FORCE: tuple[float, ...] = tuple(r * (1.2, 1.0, 0.85)[letter] for r, letter in zip(RATING, LETTER, strict=True))
"""What a step of a block counts for in a fight: early letters hit first."""
LIMITS: tuple[tuple[int, ...], tuple[int, ...]] = (
    tuple(area.limit for area in AREAS.values()),
    tuple(area.limit + area.cathedral for area in AREAS.values()),
)
"""Castle limits, by side."""
CHURCHES: tuple[int, ...] = tuple(AREA[name] for name in CATHEDRALS)
INLAND: frozenset[int] = frozenset(AREA[name] for name, area in AREAS.items() if not area.coastal)
COASTS: tuple[int, ...] = tuple(AREA[name] for name in NORSE_COAST)
NEAR: tuple[tuple[int, ...], ...] = tuple(tuple(AREA[b] for b in NEIGHBOURS[a]) for a in AREA_NAMES)
LIMIT: dict[tuple[int, int], int] = {(AREA[a], AREA[b]): border.limit for (a, b), border in BORDER.items()}


class Way(NamedTuple):
    """A way on foot: where it starts, the areas entered, how many blocks the narrowest border lets through."""

    start: int
    route: tuple[int, ...]
    limit: int
    end: int
    via: int


def way_of(start: int, route: tuple[int, ...]) -> Way:
    """Return the way from an area through others; `via` is the last before its end."""
    limit = min(LIMIT[pair] for pair in zip((start, *route), route, strict=False))
    return Way(start, route, limit, route[-1], route[-2] if len(route) > 1 else start)


def _ways(steps: int) -> tuple[Way, ...]:
    """Return all ways of that many areas without a red border or England before their end (4.3, 4.4)."""
    if steps == 1:
        return tuple(way_of(a, (b,)) for a in range(len(AREA_NAMES)) for b in NEAR[a])
    found = []
    for way in _ways(steps - 1):
        if LIMIT[way.via, way.end] > 2 and way.end != ENGLAND:
            found += [
                way_of(way.start, (*way.route, b)) for b in NEAR[way.end] if b != way.start and b not in way.route
            ]
    return tuple(found)


LONGEST = 3
_ALL_WAYS = tuple(way for steps in range(1, LONGEST + 1) for way in _ways(steps))
WAYS: tuple[tuple[Way, ...], ...] = tuple(
    tuple(way for way in _ALL_WAYS if way.start == a) for a in range(len(AREA_NAMES))
)
"""By start, the ways on foot, the shortest first."""
SHORT_WAYS: tuple[tuple[Way, ...], ...] = tuple(tuple(w for w in ways if len(w.route) < LONGEST) for ways in WAYS)
"""Those for blocks that move two areas."""


def _far() -> tuple[tuple[int, ...], ...]:
    """Return how many borders lie between two areas."""
    found = []
    for start in range(len(AREA_NAMES)):
        reached, edge = {start: 0}, [start]
        while edge:
            edge = [b for a in edge for b in NEAR[a] if b not in reached and reached.setdefault(b, reached[a] + 1)]
        found.append(tuple(reached[a] for a in range(len(AREA_NAMES))))
    return tuple(found)


FAR: tuple[tuple[int, ...], ...] = _far()

SIX = 6
DICE: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(sum(die <= rating for die in dice) for dice in product(range(1, SIX + 1), repeat=n)) for n in range(5))
    for rating in range(5)
)
"""By rating and number of dice, the hits of each way the dice can fall."""


MASK = (1 << 64) - 1


class Dice(Protocol):
    """What throws dice for trials."""

    def random(self) -> float:
        """Return a number from 0 up to, and without, 1."""


class Thrown:
    """Dice from a seed: SplitMix64."""

    __slots__ = ("at",)

    def __init__(self, seed: int) -> None:
        self.at = seed & MASK

    def random(self) -> float:
        """Return a number from 0 up to, and without, 1."""
        self.at = z = (self.at + 0x9E3779B97F4A7C15) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return ((z ^ (z >> 31)) >> 11) / 9007199254740992.0
