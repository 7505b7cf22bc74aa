"""The content of one seat's report: only that seat's view and facts.

The host makes it for the mail, and the player's program makes it from its copy; both get the same bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.i18n import moments
from pbem.ledger import cj, read_line
from pbem.records import dataclass

if TYPE_CHECKING:
    from pbem.games.pack import GamePack
    from pbem.kernel import Json, View


class Ways(NamedTuple):
    """How what a mail asks can be answered: the host's `page`, if he has one; what comes of silence, “default”, “claim” or ""."""

    page: str = ""
    late: str = ""
    by_reply: bool = False
    """Does a plain reply count, as the host keeps the key?"""
    again: bool = False
    """Does AGAIN count when the game is over?"""


@dataclass(frozen=True, slots=True)
class Report:
    """The content of a report.

    `told` contains the facts of each tell since the last report, `earlier` the facts before, and `view` the seat's current view.
    The report is `complete` if both together are all the facts the seat has ever heard. `due` is the time limit of its question. It
    is shown in the time zone `zone`, and relative to `clock`, the log's latest moment.
    """

    game_id: str
    seat: str
    view: Json
    told: tuple[tuple[Json, ...], ...]
    asked: tuple[str, ...]
    entry: int
    head: str
    due: str = ""
    result: Json = None
    earlier: tuple[Json, ...] = ()
    complete: bool = False
    unused: tuple[str, ...] = ()
    """Why the seat's premoves do not answer the question; the log does not contain this."""
    by_plan: bool = False
    """Was it a plan that does not answer it?"""
    zone: str = "UTC"
    clock: str = ""
    marked: bool = False
    """Does the question bear a mark, so that a share in the dice comes with its answer?"""
    register: tuple[int, str] | None = None
    """Number and hash of the last line of the host's register of rated games; None if its letter does not give them."""
    ends_untold: bool = False
    """Can the game have ended without a fact about its end? Without a host, a word of a player ends it."""
    reply: str = ""
    """The line above which a player writes who answers by a reply; "" where that is not read."""
    ways: Ways | None = None
    """How it can be answered; none where that need not be said, as in a program that asks next."""

    @property
    def until(self) -> str:
        """The deadline in words, "" without one."""
        return moments.told(self.due, self.zone, self.clock) if self.due else ""

    def typed(self, pack: GamePack) -> View:
        """Return the view as the game reads it, with its keys in one order, whether it comes from a state or a copy."""
        return pack.rules.read_view(read_line(cj(self.view)))

    def heard(self) -> list[Json]:
        """Return all facts, those told earlier and those since."""
        return [*self.earlier, *(fact for facts in self.told for fact in facts)]
