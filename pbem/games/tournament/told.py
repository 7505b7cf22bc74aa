"""Every kind of fact that the rules tell: bids, lots, pairings."""

from __future__ import annotations

from pbem.kernel import Happening


class TournamentFact(Happening):
    """The base of them all."""


class Bids(TournamentFact, kind="bids"):
    """All bids are opened, by bidder."""

    bids: dict[str, str]


class Lots(TournamentFact, kind="lots"):
    """Lots are drawn."""

    order: tuple[str, ...]


class Pairing(TournamentFact, kind="match"):
    """Who plays which side, and the net bid that is in force ("" for none)."""

    english: str
    scottish: str
    bid: str
