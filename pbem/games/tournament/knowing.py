"""Who can work out each step of the bids. Only bids are hidden, until all have bid; the lots are drawn openly.

So every seat can work every step out.
"""

from __future__ import annotations

from pbem.kernel.knowing import Knowing

from .game import GAME


class BiddingKnowing(Knowing):
    """Who knows what while bids are made: everybody everything, but bids that are not opened."""

    hides_nothing = True


KNOWING = BiddingKnowing(GAME)
