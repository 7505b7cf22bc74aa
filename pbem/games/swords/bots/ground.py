"""The worth of a number of cubes in a region: the evaluation behind all. It uses only numbers, no table.

In peace a region scores its token at the end of the round for the seat with most cubes there. The further away that is, the less a
single cube decides it. In war its token goes to the winner of the battle; the chance of that follows from the number of cubes it
lacks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from .duel import Commander, Duel, Stake, duel

POINT = 10
"""The unit of all values: a tenth of a point."""
FLIPS = 12
CUBE, LAST_CUBE = 14, 5
"""The worth of a cube on the map, now and when only the last scoring is left."""


class Times(NamedTuple):
    """How many flips are left in the round, and how many rounds come after it."""

    flips: int
    rounds: int

    @property
    def cube(self) -> int:
        """The worth of a cube on the map, wherever it is."""
        return CUBE if self.rounds else LAST_CUBE + min(CUBE - LAST_CUBE, self.flips)


class Region(NamedTuple):
    """A region as one seat sees it: its token, and the cubes and the castles of each seat there, its own first."""

    token: int
    cubes: tuple[int, ...]
    castles: tuple[int, ...]

    @property
    def rivalry(self) -> int:
        """How much of what one other gains we lose by it, in a hundred."""
        return 100 // (len(self.cubes) - 1)


@lru_cache(maxsize=1 << 15)
def worth(region: Region, times: Times) -> int:
    """Return the worth of a region to a seat."""
    there = [n for n in region.cubes if n]
    peace = _peace(region, times)
    if len(there) < 2:
        return peace
    gap = region.token - sum(there)
    if gap <= 0:
        return _war(region, times)
    likely = 100 * times.flips // (times.flips + 3 * gap)
    return (peace * (100 - likely) + _war(region, times) * likely) // 100


def _peace(region: Region, times: Times) -> int:
    mine, others = region.cubes[0], sorted(region.cubes[1:], reverse=True)
    second = others[1] if len(others) > 1 else 0
    ours = _holds(mine, others[0], times)
    theirs = _holds(others[0], max(mine, second), times)
    return POINT * region.token * (100 * ours - region.rivalry * theirs) // 10_000


def _holds(cubes: int, against: int, times: Times) -> int:
    """Return the chance, in percent, that a seat with that number of cubes keeps the majority. A lone seat is joined late."""
    if not cubes:
        return 0
    reach = times.flips // 3
    ahead = cubes - against + (reach // 2 if not against else 0)
    return 100 * max(0, min(ahead + reach, 2 * reach + 1)) // (2 * reach + 1)


def _war(region: Region, times: Times) -> int:
    if not region.cubes[0]:
        return -POINT * region.token * region.rivalry // 100
    return fought(region, times).worth


def fought(region: Region, times: Times, least: tuple[int, int] = (0, 0)) -> Duel:
    """Return how a battle is fought there once the castles have spoken; `least` is what we, and they, must commit."""
    mine, theirs = after_castles(region)
    ground = POINT * region.token * (FLIPS - times.flips) // (2 * FLIPS)
    stake = Stake(POINT * region.token, ground, region.rivalry)
    ours, others = (
        Commander(min(least[0], mine), mine, times.cube),
        Commander(min(least[1], theirs), theirs, times.cube),
    )
    return duel(ours, others, stake)


def after_castles(region: Region) -> tuple[int, int]:
    """Return how many cubes we have, and the strongest of the others has, when the castles have spoken."""
    against_us = sum(n for n, cubes in zip(region.castles[1:], region.cubes[1:], strict=True) if cubes)
    return max(0, region.cubes[0] - against_us), max(0, max(region.cubes[1:]) - region.castles[0])
