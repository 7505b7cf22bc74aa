"""The strength of a player as a number with its uncertainty, and how a game changes it.

The model is that of Weng and Lin (Plackett-Luce), as openskill computes it, with the numbers below. Results are rounded to whole
ten-thousandths after each game, and later games use only the rounded values. So floating-point differences in the last digit
between machines cannot add up. It knows no games and no logs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pbem.errors import UsageError, installing
from pbem.i18n import _
from pbem.records import dataclass

UNIT = 10_000
MEAN, SPREAD = 25 * UNIT, 25 * UNIT // 3
"""Of whom nothing is known."""
BETA, TAU, KAPPA = SPREAD // 2, SPREAD // 100, 1
"""The deviation of one game from a player's ability; the growth of uncertainty per game; the minimum spread."""
MIDDLE, SCALE = 1_500, 42
"""The rating shown for a mean of 25, and for a difference of 1: so the first spread is shown as 350."""


@dataclass(frozen=True, slots=True)
class Strength:
    """The estimate of a player's strength: its mean and its spread (one standard deviation), in ten-thousandths."""

    mean: int = MEAN
    spread: int = SPREAD

    @property
    def rating(self) -> int:
        """The mean as it is shown."""
        return MIDDLE + _shown(self.mean - MEAN)

    @property
    def deviation(self) -> int:
        """The spread as shown: in 19 of 20 cases the true strength is within twice this value."""
        return _shown(self.spread)


def _shown(part: int) -> int:
    return (2 * SCALE * part + UNIT) // (2 * UNIT)


def after_game(before: Mapping[str, Strength], places: Mapping[str, int]) -> dict[str, Strength]:
    """Return the players' strengths after a game; `places` has 1 for the best, and the same number for equals.

    Raises UsageError where openskill is not installed.
    """
    model, names = _model(), sorted(before, key=lambda name: (places[name], name))
    teams = [[model.rating(before[name].mean / UNIT, before[name].spread / UNIT)] for name in names]
    rated = model.rate(teams, ranks=[float(places[name]) for name in names])
    return {
        name: Strength(round(team[0].mu * UNIT), round(team[0].sigma * UNIT))
        for name, team in zip(names, rated, strict=True)
    }


@cache
def _model() -> Any:
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise UsageError(_("Ratings need a library that is not installed. {how}", how=installing("club"))) from None
    return PlackettLuce(
        mu=MEAN / UNIT, sigma=SPREAD / UNIT, beta=BETA / UNIT, tau=TAU / UNIT, kappa=KAPPA / UNIT, limit_sigma=False
    )
