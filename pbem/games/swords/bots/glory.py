"""The worth of glory cards, the bids for them, and the places of their pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.kernel import Order

from ..orders import Bid, PutCardinal, PutTapestry, PutWall
from ..rules.names import (
    BAGPIPES,
    BANNER,
    CARDINAL,
    CROWN,
    DRUID,
    DRUMS,
    EDINBURGH,
    MERCHANT,
    QUAICH,
    SWORD,
    TAPESTRY,
    WALL,
)
from ..rules.settling_law import settings
from ..views import SwordsView
from .situation import Outlook

WORTH: Mapping[str, int] = {
    BANNER: 9, EDINBURGH: 9, BAGPIPES: 8, CARDINAL: 8, SWORD: 7, CROWN: 6, MERCHANT: 6, DRUMS: 5, DRUID: 5, TAPESTRY: 4,
    QUAICH: 4, WALL: 1,
}  # fmt: skip
"""The worth of a card for a round, in points: our judgement, as the book does not give one."""
SPARE = 2
"""The number of cubes that stay in the supply in any case."""


def bids(now: Outlook, cubes: int) -> tuple[Bid, ...]:
    """Return the bids with that number of committed cubes: for the best cards they win, while the supply has others."""
    return tuple(_bids(now, min(cubes, now.table.supply[now.seat] - min(SPARE, now.flips))))


def _bids(now: Outlook, cubes: int) -> Iterator[Bid]:
    for card in sorted(now.table.glory, key=lambda name: -WORTH[name]):
        on_it = now.table.glory[card]
        against = max((n for seat, n in on_it.items() if seat != now.seat), default=0)
        needed = against + 1 - on_it.get(now.seat, 0)
        pays = WORTH[card] * now.flips > 4 * needed
        if 0 < needed <= cubes and pays:
            cubes -= needed
            yield Bid(cubes=needed, card=card)


def put_cardinal(view: SwordsView) -> Order:
    """Return where the Cardinal goes: where most is fought for, and we with it."""
    now = Outlook(view)

    def crowd(name: str) -> int:
        region = now.regions[name]
        return region.token * min(region.cubes[0], max(region.cubes[1:]))

    best = max(now.regions, key=crowd)
    return PutCardinal(region="" if best == now.table.cardinal else best)


def put_wall(view: SwordsView) -> Order:
    """Return where the wall goes: between our strongest region and others."""
    now = Outlook(view)
    legal = [order for order in settings(now.table, WALL) if isinstance(order, PutWall)]
    return max(legal, key=lambda order: sum(now.regions[name].cubes[0] for name in order.border or now.table.wall))


def put_tapestry(view: SwordsView) -> Order:
    """Return which icon is wild: that of which we have the fewest squares free."""
    table = view.table
    free = [table.parts.squares[square] for square in table.free_squares(view.seat)]
    best = min(table.parts.icons, key=free.count)
    return PutTapestry(icon="" if best == table.wild else best)
