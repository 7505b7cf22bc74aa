"""How bids are matched: the sidebar Tournament Play of the rule book.

A bid is a side and a price: E1-E3 to play the English, S1-S3 to play the Scots. Where the rule leaves a choice between bidders, the
lots decide (their order is handed in). It says nothing of two who bid for one side: nobody bid against the higher bidder, so he
plays it and bears his bid whole. Nothing here draws lots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import told

BIDS = ("E1", "E2", "E3", "S1", "S2", "S3")
LEVELS = (3, 2, 1)


def match(bids: Mapping[str, str], lots: Sequence[str]) -> tuple[told.Pairing, ...]:
    """Return the pairings of an even number of bidders, in the order in which they are found.

    `bids` maps each bidder to a bid, `lots` holds the bidders in the order drawn.

    >>> match({"ann": "E2", "bob": "S1"}, ["ann", "bob"])
    (Pairing(english='ann', scottish='bob', bid='E1'),)
    >>> match({"ann": "E3", "bob": "E1", "cat": "S3", "dan": "E1"}, ["dan", "cat", "bob", "ann"])
    (Pairing(english='ann', scottish='cat', bid=''), Pairing(english='dan', scottish='bob', bid='E1'))
    """
    prices = {bidder: int(bid[1]) if bid[0] == "E" else -int(bid[1]) for bidder, bid in bids.items()}
    left = list(lots)
    found = []

    def pair(a: str, b: str, net: int) -> None:
        english, scottish = (a, b) if prices[a] > 0 else (b, a)
        found.append(told.Pairing(english, scottish, f"{'E' if net > 0 else 'S'}{abs(net)}" if net else ""))

    # opposite bids cancel each other out, and the higher bidder bears the difference; the others are matched as closely as possible
    for apart in range(len(LEVELS)):
        for bidder in lots:
            price = prices[bidder]
            other = next((b for b in left if price * prices[b] < 0 and abs(price + prices[b]) == apart), None)
            if bidder in left and other is not None:
                left.remove(bidder)
                left.remove(other)
                pair(bidder, other, price + prices[other])
    # who is left bid for one side: the nearest together, from the highest bid down; the higher bears his own bid whole
    left.sort(key=lambda bidder: -abs(prices[bidder]))
    for higher, lower in zip(left[::2], left[1::2], strict=True):
        pair(higher, lower, prices[higher])
    return tuple(found)
