"""Who can work out each step of Swords Over Scotland: nothing on the board is hidden, and chance is public.

Only answers are hidden, until all have given theirs. So every seat can work out every step.
"""

from __future__ import annotations

from pbem.kernel.knowing import Knowing

from .game import GAME


class SwordsKnowing(Knowing):
    """Who knows what in Swords Over Scotland: everybody everything."""

    hides_nothing = True


KNOWING = SwordsKnowing(GAME)
