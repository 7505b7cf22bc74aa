"""A game in progress: its state, what it wants, and the view of an asked seat.

The description of a question uses only the view of the asked seat.
"""

from __future__ import annotations

from dataclasses import field

from pbem.games import GamePack
from pbem.i18n.misfits import cut
from pbem.kernel import Ask, Chance, End, Json, Stop, View, Wants
from pbem.records import dataclass

from .requests import Refused


@dataclass(frozen=True, slots=True)
class Playing:
    """A game on its way; every request that changes anything makes a new one. Views are read once."""

    pack: GamePack
    options: Json
    seats: tuple[str, ...]
    stop: Stop
    _views: dict[str, View] = field(default_factory=dict)

    def seat(self, seat: str) -> str:
        """Return a seat of the game. Raises Refused for another."""
        if seat not in self.seats:
            raise Refused("seat", f"There is no seat “{cut(seat)}”; the seats are {', '.join(self.seats)}.")
        return seat

    def asked(self, seat: str) -> View:
        """Return the view of an asked seat. Raises Refused for a seat that is not asked."""
        wanted = self.stop.wants
        if self.seat(seat) not in getattr(wanted, "seats", ()):
            raise Refused("wants", f"Nothing is asked of {seat} now; {_wanted(wanted)}.")
        if seat not in self._views:
            rules = self.pack.rules
            self._views[seat] = rules.read_view(rules.view(self.stop.state, seat))
        return self._views[seat]

    def wants(self) -> dict[str, Json]:
        """Return what is wanted; for a question, include its subject for each seat, in terms of that seat's view."""
        wanted = self.stop.wants
        said: dict[str, Json] = {"result": wanted.result} if isinstance(wanted, End) else wanted.json()
        if isinstance(wanted, Ask):
            said["about"] = {seat: dict(self.pack.look.matter(self.asked(seat))) for seat in wanted.seats}
        return {"k": type(wanted).__name__.lower(), **said}


def _wanted(wanted: Wants) -> str:
    """Describe what is wanted, for an order from a seat that is not asked."""
    match wanted:
        case Ask(seats=seats):
            return f"orders are wanted of {', '.join(seats)}"
        case Chance(label=label):
            return f"an outcome of chance is wanted, on the chain {label}"
    return "the game is over"
