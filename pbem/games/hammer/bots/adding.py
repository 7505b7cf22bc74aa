"""Floats added one after the other: so the sum is the same whichever Python adds them.

`sum` rounds floats otherwise from Python 3.12 on. A player would answer otherwise there, and who plays his moves again with another
Python would take them for somebody else's.
"""

from __future__ import annotations

from collections.abc import Iterable


def added(values: Iterable[float]) -> float:
    """Return the sum of the values, each added to those before it."""
    total = 0.0
    for value in values:
        total += value
    return total
