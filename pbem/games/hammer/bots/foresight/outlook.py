"""How a position between two turns is thought to end: the hope of a player who looks further than the next winter.

What is to be seen of it (`features`) is weighed, and turned into a share of certainty. The weights (`weights`) were found
from whole games, played by the rules (ADR 101). The lead in nobles (`worth`) counts as much: where the weights are sure already, it
is still worth something to have one more.
"""

from __future__ import annotations

from math import sqrt

from ...rules import CARDS_A_YEAR
from .features import NAMES, features
from .model import SmallGame
from .weights import AT_FIRST, WEIGHTS
from .worth import CERTAIN, FAR_OFF, english_hope

STEEPNESS = 0.6
"""A square root in place of the exponential of the regression: the same on every machine."""

_WEIGHED = tuple(WEIGHTS[name] for name in NAMES)


def hope(model: SmallGame) -> int:
    """Return how likely the English are to win, from 0 to `CERTAIN`, with `model.left` turns of this year still to come."""
    if model.winner >= 0:
        return CERTAIN * (1 - model.winner)
    turns, years = model.left / CARDS_A_YEAR, max(0, min(FAR_OFF, model.last - model.year)) / FAR_OFF
    always, by_turns, by_years = AT_FIRST
    x = always + by_turns * turns + by_years * years
    for value, (always, by_turns, by_years) in zip(features(model), _WEIGHED, strict=True):
        if value:
            x += value * (always + by_turns * turns + by_years * years)
    x *= STEEPNESS
    return (int(CERTAIN * (0.5 + 0.5 * x / sqrt(1.0 + x * x))) + english_hope(model)) // 2
