"""Sums of floats added one after the other, so that the result is the same in every Python.

From Python 3.12 on, `sum` rounds floats differently. A player would then answer differently there. Anyone who replays his moves
with another Python would not recognise them as his.
"""

from __future__ import annotations

from collections.abc import Iterable


def added(values: Iterable[float]) -> float:
    """Return the sum of the values, each added to those before it."""
    total = 0.0
    for value in values:
        total += value
    return total
