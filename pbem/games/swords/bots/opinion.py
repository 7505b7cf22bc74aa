"""Who is ahead in Swords Over Scotland, for viewers of a finished game: the table is open, so nothing is guessed.

From that point the game is played to its end on the search's rough table, again and again. A flip that is under way continues with
its battles; seats that have not deployed in it do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from pbem.games.searching import WORTH, Urn, hopes
from pbem.kernel import Chooser, View

from ..rules.flip import Flip
from ..views import SwordsView, innermost
from .rough import Rough

TRIALS = 48


def opinion(views: Sequence[View], chooser: Chooser) -> Mapping[str, int]:
    """Return how likely each seat is to win, in thousandths, from the views of all seats; a shared victory counts in parts."""
    view = cast(SwordsView, views[0])
    seats = view.table.seats
    wins = [0 for _seat in seats]
    if view.result is not None:
        best = view.result["shared"] or [view.result["winner"]]
        return dict(zip(seats, _shared([seats.index(seat) for seat in best], len(seats)), strict=True))
    flip = innermost(view.stack, Flip)
    asked = "place" in view.waiting.values()
    start = Rough(view.table, flipped=asked)
    for _trial in range(TRIALS):
        table, urn = start.copy(), Urn.of(chooser)
        if flip is not None and not asked:
            table.end_flip(urn)
        while not table.over:
            table.flip(urn)
        for seat, share in enumerate(_shared(table.first, len(seats))):
            wins[seat] += share
    return dict(zip(seats, hopes(wins, TRIALS), strict=True))


def _shared(best: Sequence[int], seats: int) -> list[int]:
    """Return what each seat has of a victory of those that are best; what cannot be parted goes to the first of them."""
    shares = [WORTH // len(best) if seat in best else 0 for seat in range(seats)]
    shares[best[0]] += WORTH - sum(shares)
    return shares
