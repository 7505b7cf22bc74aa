"""Who can work out each step of Swords Over Scotland: nothing on the board is hidden, and chance is everybody's.

What is hidden are answers alone, until all have given theirs: so every seat can work every step out.
"""

from __future__ import annotations

from pbem.kernel.knowing import Knowing

from .game import GAME


class SwordsKnowing(Knowing):
    """Who knows what in Swords Over Scotland: everybody everything."""

    hides_nothing = True


KNOWING = SwordsKnowing(GAME)
