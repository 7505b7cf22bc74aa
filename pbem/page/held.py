"""An open game on a page, of any mode: its seat's view, and the contents of its log.

There are two implementations. `OfLog` is for games with a host, solo games, viewed logs and single positions. `OfTwo` (in `pair`,
which is loaded later) is for games without a host.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pbem.games import GamePack
from pbem.ledger import Log
from pbem.player.copy import sense
from pbem.records import dataclass
from pbem.reports.entries import Reader
from pbem.reports.replay import opened, page

from . import further_calls, playing
from .alone import Solo
from .chair import Chair, second_opinion


class Held(Protocol):
    """A game that is open on a page."""

    def chair(self) -> Chair:
        """Return the current view of the seat."""

    def then(self, n: int) -> Chair:
        """Return the seat as a position after entry `n` is shown from it."""

    def closing(self) -> playing.Ended:
        """Return how the game ended and went."""

    def opinion(self) -> playing.ClosingShown:
        """Return who stood better, turn by turn."""

    def data(self) -> bytes:
        """Return the known part of the log."""

    def lines(self) -> tuple[str, ...]:
        """Return what the entries say, a sentence each."""

    def replay(self) -> str:
        """Return the page that steps through it."""

    def compare(self, head: str, *, anyway: bool) -> further_calls.HeadCompared:
        """Compare the copy with what another says of his."""


@dataclass(frozen=True, slots=True)
class OfLog:
    """What a log tells. `seat`: as it is stepped through; "": as all see it. Where there is no log, what wants one says so."""

    sits: Callable[[], Chair]
    opens: Callable[[], tuple[Log, GamePack]]
    compares: Callable[[str, bool], further_calls.HeadCompared]
    seat: str = ""
    solo: Solo | None = None

    def chair(self) -> Chair:
        """Return the current view of the seat."""
        return self.sits()

    def then(self, _n: int) -> Chair:
        """Return the same: its tells hold all positions."""
        return self.sits()

    def closing(self) -> playing.Ended:
        """Return how the game ended and went."""
        chair = self.sits()
        return chair.closing(None if chair.result is None else opened(self.opens()[0]), self.solo)

    def opinion(self) -> playing.ClosingShown:
        """Return who stood better, turn by turn."""
        return second_opinion(*self.opens())

    def data(self) -> bytes:
        """Return the known part of the log."""
        return self.opens()[0].dump()

    def lines(self) -> tuple[str, ...]:
        """Return what the entries say, a sentence each."""
        log, pack = self.opens()
        reader = Reader(log, pack)
        with sense():
            return tuple(reader.line(entry) for entry in log.entries)

    def replay(self) -> str:
        """Return the replay page, as the seat saw the game, or ("") as all seats with open reports did."""
        log, pack = self.opens()
        with sense():
            return page(log, pack, self.seat or None)

    def compare(self, head: str, *, anyway: bool) -> further_calls.HeadCompared:
        """Compare the copy with what another says of his."""
        return self.compares(head, anyway)
