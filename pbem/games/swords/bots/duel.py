"""How many cubes are committed when nobody knows how many the other will: two players who have learnt of each other.

Each in turn gives the best answer to all numbers of the other so far, again and again. The final counts show how often each number
is worth committing. With three or more in a battle, the others are treated as one, as strong as the strongest.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

ROUNDS = 60
"""So often do they answer each other."""
MOST = 14
"""More cubes than that are not thought of; nobody has them in one region."""


class Commander(NamedTuple):
    """One of two in a battle: the fewest and the most cubes it can commit, and the worth of each cube to it."""

    least: int
    most: int
    cube: int


class Stake(NamedTuple):
    """The winner's gain, and his further gain if a cube of his stays there, in tenths of a point.

    `rivalry` is how much of one side's gain the other loses by it, in percent: all of it between two, less among more.
    """

    token: int
    ground: int
    rivalry: int


class Duel(NamedTuple):
    """How often of `ROUNDS` each number is worth committing, by number from 0 on, and the worth of the battle to us."""

    weights: tuple[int, ...]
    worth: int


@lru_cache(maxsize=1 << 14)
def duel(ours: Commander, theirs: Commander, stake: Stake) -> Duel:
    """Return how a battle is fought that both know how to fight."""
    mine, other = _choices(ours), _choices(theirs)
    gains = [[_gain(ours, theirs, x, y, stake) for y in other] for x in mine]
    losses = [[_gain(theirs, ours, y, x, stake) for x in mine] for y in other]
    said_by_us, said_by_them = [0] * len(mine), [0] * len(other)
    hopes, fears = [0] * len(mine), [0] * len(other)
    x, y = len(mine) - 1, len(other) - 1
    for _round in range(ROUNDS):
        said_by_us[x] += 1
        said_by_them[y] += 1
        hopes = [hope + row[y] for hope, row in zip(hopes, gains, strict=True)]
        fears = [fear + row[x] for fear, row in zip(fears, losses, strict=True)]
        x, y = hopes.index(max(hopes)), fears.index(max(fears))
    worth = sum(n * m * gains[i][j] for i, n in enumerate(said_by_us) for j, m in enumerate(said_by_them))
    return Duel((*([0] * ours.least), *said_by_us), worth // ROUNDS**2)


def _choices(side: Commander) -> range:
    return range(min(side.least, side.most), min(side.most, MOST) + 1)


def _gain(ours: Commander, theirs: Commander, x: int, y: int, stake: Stake) -> int:
    """Return what a side gains that commits `x` cubes against `y`, less what the other does."""
    return _own(ours, x, y, stake) - _own(theirs, y, x, stake) * stake.rivalry // 100


def _own(side: Commander, said: int, against: int, stake: Stake) -> int:
    won = stake.token + (stake.ground if said < side.most else 0) if said > against else 0
    return won - said * side.cube
