"""What blocks are worth in a fight: steps and expected hits, and the odds of one force against another.

An estimate by expectation: up to three rounds, letter by letter, the defender first, hits spread evenly over all blocks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..rules import ratings

LETTERS = "ABC"
ROUNDS = 3


class Force(NamedTuple):
    """Blocks taken together: their steps, and the hits they may expect in a round, by letter."""

    steps: float = 0.0
    a: float = 0.0
    b: float = 0.0
    c: float = 0.0

    def __add__(self, other: object) -> Force:
        if not isinstance(other, Force):
            return NotImplemented
        return Force(self.steps + other.steps, self.a + other.a, self.b + other.b, self.c + other.c)

    def times(self, n: float) -> Force:
        """Return `n` such forces."""
        return Force(self.steps * n, self.a * n, self.b * n, self.c * n)


NOTHING = Force()


def block_force(name: str, strength: float, variants: tuple[str, ...] = (), plus: float = 0.0) -> Force:
    """Return the force of one block; `plus` is added to its rating."""
    rated = ratings(variants)[name]
    hits = strength * (rated.most + plus) / 6
    return Force(strength, *(hits if rated.letter == letter else 0.0 for letter in LETTERS))


def together(forces: Iterable[Force]) -> Force:
    """Return the sum of some forces."""
    total = NOTHING
    for force in forces:
        total += force
    return total


class Odds(NamedTuple):
    """How a battle may be expected to go: the attacker's chance to win, and the share of its steps each side keeps."""

    wins: float
    attacker: float
    defender: float


def odds(attacker: Force, defender: Force, late: Force = NOTHING, later: Force = NOTHING, rounds: int = ROUNDS) -> Odds:
    """Return how `attacker` fares against `defender`; their reserves, `late` and `later`, arrive in round 2."""
    att, dfn = attacker, defender
    a = d = 1.0  # the share of each that stands
    for n in range(rounds):
        if n == 1:
            att, a = _joined(att, a, late)
            dfn, d = _joined(dfn, d, later)
        for letter in (1, 2, 3):
            if dfn[letter] and att.steps:
                a = max(0.0, a - d * dfn[letter] / att.steps)
            if att[letter] and dfn.steps:
                d = max(0.0, d - a * att[letter] / dfn.steps)
        if not a or not d:
            if rounds > 1 and n == 0 and (late.steps or later.steps):
                continue
            break
    left, held = a * att.steps, d * dfn.steps
    total = (attacker.steps + late.steps + defender.steps + later.steps) or 1.0
    margin = (left - held) / total
    # After round 3 the attacker must go: what still stands then has held the field.
    chance = 0.5 + 1.5 * margin - (0.15 if held > 0.2 * dfn.steps else 0.0)
    return Odds(
        min(0.97, max(0.03, chance)),
        left / ((attacker.steps + late.steps) or 1.0),
        held / ((defender.steps + later.steps) or 1.0),
    )


def _joined(force: Force, share: float, reserve: Force) -> tuple[Force, float]:
    if not reserve.steps:
        return force, share
    return force.times(share) + reserve, 1.0
