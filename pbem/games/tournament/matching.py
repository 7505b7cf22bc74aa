"""How bids are matched: the sidebar Tournament Play of the rule book.

A bid is a side and a price: E1-E3 to play the English, S1-S3 to play the Scots. Where the rule leaves a choice between bidders, the
lots decide (their order is handed in); what it does not say, docs/adr/0011-bids-for-one-side.md does. Nothing here draws lots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

BIDS = ("E1", "E2", "E3", "S1", "S2", "S3")
LEVELS = (3, 2, 1)


class Pairing(NamedTuple):
    """Who plays which side, and the net bid that is in force ("" for none)."""

    english: str
    scottish: str
    bid: str


def match(bids: Mapping[str, str], lots: Sequence[str]) -> tuple[Pairing, ...]:
    """Return the pairings of an even number of bidders, in the order in which they are found.

    `bids` maps each bidder to a bid, `lots` holds the bidders in the order drawn.

    >>> match({"ann": "E2", "bob": "S1"}, ["ann", "bob"])
    (Pairing(english='ann', scottish='bob', bid='E1'),)
    >>> match({"ann": "E3", "bob": "E1", "cat": "S3", "dan": "E1"}, ["dan", "cat", "bob", "ann"])
    (Pairing(english='ann', scottish='cat', bid=''), Pairing(english='dan', scottish='bob', bid='E1'))
    """
    left = list(lots)
    found = []
    # opposite bids cancel each other out; the others are matched as closely as possible
    for apart in range(len(LEVELS)):
        for bidder in lots:
            other = next((b for b in left if _are_apart(bids[bidder], bids[b], apart)), None)
            if bidder in left and other is not None:
                left.remove(bidder)
                left.remove(other)
                found.append(_opposed(bids, bidder, other))
    # who is left bid for one side: the nearest together, from the highest bid down
    left.sort(key=lambda bidder: -_price(bids[bidder]))
    found += [_for_one_side(bids, *left[i : i + 2]) for i in range(0, len(left), 2)]
    return tuple(found)


def _price(bid: str) -> int:
    return int(bid[1])


def _are_apart(a: str, b: str, apart: int) -> bool:
    return a[0] != b[0] and abs(_price(a) - _price(b)) == apart


def _opposed(bids: Mapping[str, str], a: str, b: str) -> Pairing:
    """Each plays the side that he bid for; the higher bidder bears the difference."""
    english, scottish = (a, b) if bids[a][0] == "E" else (b, a)
    net = _price(bids[english]) - _price(bids[scottish])
    return Pairing(english, scottish, f"{'E' if net > 0 else 'S'}{abs(net)}" if net else "")


def _for_one_side(bids: Mapping[str, str], higher: str, lower: str) -> Pairing:
    """The higher bidder plays the side that both bid for, and bears his own bid whole (ADR 11)."""
    bid = bids[higher]
    return Pairing(higher, lower, bid) if bid[0] == "E" else Pairing(lower, higher, bid)
