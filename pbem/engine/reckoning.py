"""The figures of a match between two players: a share of the points with its interval, and a difference in Elo.

All computations use integers and fractions with one way of rounding, so the same games give the same figures on every machine.
"""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from math import ceil, floor, isqrt

from pbem.records import dataclass

Z = Fraction(196, 100)
"""The number of standard deviations to each side that leaves 5 in 100 outside."""
FINE = 10**12
"""Roots are precise to one part in this number."""
ELO = 400
"""The difference in points at which the better player is expected to score ten points to one."""
_DECIMALS = Context(prec=28)


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the points in thousandths, rounded to the nearest (a half to the even one); its interval outwards."""

    per_mille: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class EloGap:
    """By how many points of Elo one player is better; None where that is without bound."""

    gap: int | None
    low: int | None
    high: int | None


def interval(points: Fraction, games: int) -> tuple[Fraction, Fraction]:
    """Return Wilson's 95 % interval for the share of `points` in `games` (a draw is half a point)."""
    share = points / games
    spread = share * (1 - share) / games + Z**2 / (4 * games**2)
    root = Fraction(isqrt(floor(spread * FINE**2)), FINE)
    middle, below = share + Z**2 / (2 * games), 1 + Z**2 / games
    return max(Fraction(0), (middle - Z * root) / below), min(Fraction(1), (middle + Z * root) / below)


def share(points: Fraction, games: int) -> Share:
    """Return the share that points are of games, with its interval.

    >>> share(Fraction(150), 200)
    Share(per_mille=750, low=685, high=805)
    """
    low, high = interval(points, games)
    return Share(round(1000 * points / games), floor(1000 * low), ceil(1000 * high))


def elo_gap(points: Fraction, games: int) -> EloGap:
    """Return the difference in Elo that goes with such a share, with its interval.

    >>> elo_gap(Fraction(150), 200)
    EloGap(gap=191, low=135, high=246)
    >>> elo_gap(Fraction(4), 4).gap is None
    True
    """
    low, high = interval(points, games)
    return EloGap(_elo(points / games), _elo(low), _elo(high))


def _elo(part: Fraction) -> int | None:
    if not 0 < part < 1:
        return None
    odds = part / (1 - part)
    ratio = _DECIMALS.divide(Decimal(odds.numerator), Decimal(odds.denominator))
    return int(_DECIMALS.multiply(ratio.log10(_DECIMALS), Decimal(ELO)).to_integral_value())
