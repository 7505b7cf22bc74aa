"""The one order there is: `BID E2`."""

from __future__ import annotations

from pbem.errors import OrderError, Problem
from pbem.i18n import N_, _
from pbem.kernel import Names, Order, read_orders

from .matching import BIDS

_BIDS = Names(BIDS, N_("bid"))


class Bid(Order, form="BID {bid}"):
    """BID E2: a bid for a side (E the English, S the Scots) and its price, 1 to 3."""

    bid: str


def read_bid(text: str) -> Bid:
    """Return the bid in a typed text. Raises OrderError with every bad line."""
    found: list[Bid] = []
    problems: list[Problem] = []
    for line in read_orders(text):
        verb, _blank, name = line.text.partition(" ")
        if verb.upper() != "BID":
            problems.append(Problem(line.no, line.text, _("that is not what is asked"), legal="BID E2"))
            continue
        try:
            found.append(Bid(bid=_BIDS.find(name, line)))
        except OrderError as error:
            problems.extend(error.problems)
    if not problems and len(found) != 1:
        why = _("one bid is enough") if found else _("there is no BID line in it")
        problems.append(Problem(0, "", why, legal="BID E2"))
    if problems:
        raise OrderError(*problems)
    return found[0]
