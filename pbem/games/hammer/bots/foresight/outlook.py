"""The expected result of a position between two turns, for a player who looks further than the next winter.

Its features (`features`) are weighed, and turned into a probability. The weights (`weights`) were found from whole games, played by
the rules. The lead in nobles (`worth`) counts as much: even when the weights are sure, another noble is still worth something. In
the last year, half of the value is the result if the game ended now (9.0).
"""

from __future__ import annotations

from math import sqrt

from ...rules import CARDS_A_YEAR
from .features import NAMES, features
from .model import SmallGame
from .numbers import WALLACE
from .weights import AT_FIRST, WEIGHTS
from .worth import CERTAIN, FAR_OFF, english_hope

STEEPNESS = 0.6
"""A square root in place of the exponential of the regression: the same on every machine."""
COUNTED = 0.7
"""How much a noble more says in the last year, if they were counted now."""
TIE = 0.5
"""The worth of a tie, which Wallace decides, in nobles (9.0)."""

_ENGLISH_LOST, _SCOTTISH_LOST = map(NAMES.index, ("English lost", "Scottish lost"))
_WEIGHED = tuple(WEIGHTS[name] for name in NAMES)


def hope(model: SmallGame) -> int:
    """Return how likely the English are to win, from 0 to `CERTAIN`, with `model.left` turns of this year still to come."""
    if model.winner >= 0:
        return CERTAIN * (1 - model.winner)
    turns, years = model.left / CARDS_A_YEAR, max(0, min(FAR_OFF, model.last - model.year)) / FAR_OFF
    always, by_turns, by_years = AT_FIRST
    x = always + by_turns * turns + by_years * years
    seen = features(model)
    for value, (always, by_turns, by_years) in zip(seen, _WEIGHED, strict=True):
        if value:
            x += value * (always + by_turns * turns + by_years * years)
    coming = 2.0 * (seen[_SCOTTISH_LOST] - seen[_ENGLISH_LOST])
    found = (_share(x * STEEPNESS) + english_hope(model, coming)) // 2
    if model.year != model.last:
        return found
    lead = model.nobles() + coming
    return (found + _share(COUNTED * (lead or (-TIE if model.at[WALLACE] >= 0 else TIE)))) // 2


def _share(x: float) -> int:
    return int(CERTAIN * (0.5 + 0.5 * x / sqrt(1.0 + x * x)))
