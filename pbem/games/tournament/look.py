"""The words of a tournament: bids, lots, pairings."""

from __future__ import annotations

from textwrap import wrap
from typing import cast

from pbem.kernel import Json, View
from pbem.reports.look import Look

from .game import GAME, TournamentView

WIDTH = 72


class TournamentLook(Look):
    """See pbem.reports.look.Look for what each of these owes."""

    def seat_name(self, seat: str) -> str:
        return seat.capitalize()

    def fact(self, fact: Json, seat: str | None) -> str:
        match fact["f"]:
            case "bids":
                return "\n".join(f"{self.seat_name(who)} bids {bid}." for who, bid in sorted(fact["bids"].items()))
            case "lots":
                return f"The lots are drawn in this order: {self._names(fact['order'])}."
            case "match":
                price = f"Bid {fact['bid']} is in force" if fact["bid"] else "no bid is in force"
                english, scottish = self.seat_name(fact["english"]), self.seat_name(fact["scottish"])
                return f"{english} plays the English against {scottish}: {price}."
        return ""

    def question(self, view: View) -> str:
        if not cast(TournamentView, view).is_asked:
            return ""
        text = (
            "Which side do you wish to play, and what does it cost you? E1 to E3: you play the English, and for so many years "
            "Edward lies face-up in your draw pool, counted but never drawn. S1 to S3: you play the Scots, and the English draw "
            "so many blocks more when the game begins. Opposite bids cancel each other; all bids are opened together."
        )
        return "\n".join(wrap(text, WIDTH))

    def template(self, view: View) -> str:
        if not cast(TournamentView, view).is_asked:
            return ""
        first, *others = map(str, GAME.options(view))
        return "\n".join([first, *(f"# {line}" for line in others)])

    def board(self, view: View) -> str:
        seen = cast(TournamentView, view)
        bids = [f"{self.seat_name(name):<20}{seen.bids.get(name, 'not opened')}" for name in seen.players]
        lots = wrap(f"Lots: {self._names(list(seen.lots))}.", WIDTH) if seen.lots else []
        return "\n".join([f"{len(seen.players)} players.", "", *bids, *lots])

    def hand(self, view: View) -> str:
        return ""

    def result(self, result: Json) -> str:
        pairs = (
            f"{self.seat_name(game['seats']['english'])} (English) and {self.seat_name(game['seats']['scottish'])} (Scots)"
            + (f", {game['options']['bid']}" if game["options"]["bid"] else "")
            for game in result["games"]
        )
        return "\n".join(wrap(f"All bids are matched: {'; '.join(pairs)}.", WIDTH))

    def _names(self, seats: list[str]) -> str:
        *most, last = [self.seat_name(seat) for seat in seats]
        return f"{', '.join(most)} and {last}"


LOOK: Look = TournamentLook()
