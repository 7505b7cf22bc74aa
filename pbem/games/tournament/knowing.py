"""Who can work out each step of the bids: nothing is hidden but bids until all have bid, and the lots are drawn for all to see.

So every seat can work every step out.
"""

from __future__ import annotations

from pbem.kernel.knowing import Knowing

from .game import GAME


class BiddingKnowing(Knowing):
    """Who knows what while bids are made: everybody everything, but bids that are not opened."""

    hides_nothing = True


KNOWING = BiddingKnowing(GAME)
