"""A game that is open on a page, whatever it is: as its seat has it before it, and what its log tells.

There are two implementations: `OfLog` for games with a host, games alone, logs that are looked at and single positions; and `OfTwo`
(in `two`, which comes later) for games without a host.
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

from . import acts, playing
from .alone import Solo
from .chair import Chair, second_opinion


class Held(Protocol):
    """A game that is open on a page."""

    def chair(self) -> Chair:
        """Return the seat as it stands."""

    def then(self, n: int) -> Chair:
        """Return the seat as a position after entry `n` is shown from it."""

    def closing(self) -> playing.Ended:
        """Return how the game ended and went."""

    def opinion(self) -> playing.ClosingShown:
        """Return who stood better, turn by turn."""

    def data(self) -> bytes:
        """Return the log, as far as it is here."""

    def lines(self) -> tuple[str, ...]:
        """Return what the entries say, a sentence each."""

    def replay(self) -> str:
        """Return the page that steps through it."""

    def compare(self, head: str, *, anyway: bool) -> acts.HeadCompared:
        """Compare the copy with what another says of his."""


@dataclass(frozen=True, slots=True)
class OfLog:
    """What a log tells. `seat`: as it is stepped through; "": as all see it. Where there is no log, what wants one says so."""

    sits: Callable[[], Chair]
    opens: Callable[[], tuple[Log, GamePack]]
    compares: Callable[[str, bool], acts.HeadCompared]
    seat: str = ""
    solo: Solo | None = None

    def chair(self) -> Chair:
        """Return the seat as it stands."""
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
        """Return the log, as far as it is here."""
        return self.opens()[0].dump()

    def lines(self) -> tuple[str, ...]:
        """Return what the entries say, a sentence each."""
        log, pack = self.opens()
        reader = Reader(log, pack)
        with sense():
            return tuple(reader.line(entry) for entry in log.entries)

    def replay(self) -> str:
        """Return the page that steps through it, as the seat saw it, or ("") as all those whose reports are open."""
        log, pack = self.opens()
        with sense():
            return page(log, pack, self.seat or None)

    def compare(self, head: str, *, anyway: bool) -> acts.HeadCompared:
        """Compare the copy with what another says of his."""
        return self.compares(head, anyway)
