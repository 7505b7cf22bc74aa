"""The words of a tournament: bids, lots, pairings."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import cast

from pbem.i18n import _, _n
from pbem.kernel import Json, Order, View
from pbem.look import Look
from pbem.look.touches import Touch, listed

from . import told
from .game import GAME, TournamentView
from .told import Bids, Lots, TournamentFact

WIDTH = 72


class TournamentLook(Look):
    """See pbem.look.Look for the duties of each."""

    facts = TournamentFact

    def seat_name(self, seat: str) -> str:
        return seat.capitalize()

    def fact(self, fact: Json, seat: str | None) -> str:
        match TournamentFact.read(fact):
            case Bids(bids):
                return "\n".join(
                    _("{who} bids {bid}.", who=self.seat_name(who), bid=bid) for who, bid in sorted(bids.items())
                )
            case Lots(order):
                return _("The lots are drawn in this order: {names}.", names=_names(order))
            case told.Pairing(english, scottish, bid):
                sides = {"english": self.seat_name(english), "scottish": self.seat_name(scottish)}
                if bid:
                    return _("{english} plays the English against {scottish}: Bid {bid} is in force.", **sides, bid=bid)
                return _("{english} plays the English against {scottish}: no bid is in force.", **sides)
        raise LookupError(fact["f"])

    def question(self, view: View) -> str:
        if not cast(TournamentView, view).is_asked:
            return ""
        text = _(
            "Which side do you wish to play, and what does it cost you? E1 to E3: you play the English, and for so many years "
            "Edward lies face-up in your draw pool, counted but never drawn. S1 to S3: you play the Scots, and the English draw "
            "so many blocks more when the game begins. Opposite bids cancel each other; all bids are opened together."
        )
        return "\n".join(wrap(text, WIDTH))

    def advice(self, view: View) -> Order | None:
        return GAME.default(view) if cast(TournamentView, view).is_asked else None

    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        return listed(GAME.options(view), draft, label=_bid)

    def board(self, view: View) -> str:
        seen = cast(TournamentView, view)
        bids = [self.seat_name(name).ljust(20) + (seen.bids.get(name) or _("not opened")) for name in seen.players]
        lots = wrap(_("Lots: {names}.", names=_names(seen.lots)), WIDTH) if seen.lots else []
        return "\n".join([_n("{n} player.", "{n} players.", len(seen.players)), "", *bids, *lots])

    def hand(self, view: View) -> str:
        return ""

    def result(self, result: Json) -> str:
        pairs = []
        for game in result["games"]:
            sides = {side: self.seat_name(seat) for side, seat in game["seats"].items()}
            pair = _("{english} (English) and {scottish} (Scots)", **sides)
            pairs.append(f"{pair}, {game['options']['bid']}" if game["options"]["bid"] else pair)
        return "\n".join(wrap(_("All bids are matched: {pairs}.", pairs=_("; ").join(pairs)), WIDTH))


def _names(seats: Sequence[str]) -> str:
    *most, last = map(LOOK.seat_name, seats)
    return _("{most} and {last}", most=", ".join(most), last=last)


def _bid(bid: str) -> str:
    """Return the name of a bid: "E2: play the English, at a price of 2"."""
    if bid.startswith("E"):
        return _("{bid}: play the English, at a price of {n}", bid=bid, n=bid[1:])
    return _("{bid}: play the Scots, at a price of {n}", bid=bid, n=bid[1:])


LOOK: Look = TournamentLook()
