"""Who is ahead, for viewers of a finished game: estimated from what both sides see, so from the whole position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from pbem.kernel import Chooser, View

from ...rules import ENGLISH, SCOTTISH
from ...views import HammerView
from .guessing import whole
from .model import SmallGame
from .turns import to_the_end
from .worth import CERTAIN, english_hope

TRIALS = 32
PER_MILLE = CERTAIN // 1000


def opinion(views: Sequence[View], chooser: Chooser) -> Mapping[str, int]:
    """Return each side's chance to win, in thousandths: the mean of a number of years played to their end in the small model."""
    position = whole([view for view in views if isinstance(view, HammerView)])
    hopes = [_one(position.copy(), Random(chooser.randrange(1 << 30))) for _trial in range(TRIALS)]  # noqa: S311 - no dice of a game
    english = sum(hopes) // (TRIALS * PER_MILLE)
    return {ENGLISH: english, SCOTTISH: 1000 - english}


def _one(model: SmallGame, dice: Random) -> int:
    if model.winner < 0:
        to_the_end(model, dice)
    return english_hope(model)
