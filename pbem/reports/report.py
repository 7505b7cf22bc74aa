"""What a report of one seat is made of: that seat's view and the facts told to it, and nothing else.

The host makes it for the mail and the player's program makes it from his copy, and both come to the same bytes.
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
    """What a report is made of.

    `told` holds the facts of each tell since the last report, `earlier` those told before, `view` the seat's view now; the report
    is `complete` when both together are all that the seat has ever heard. What it asks is to be answered by `due`, a moment that
    is told by the clock of `zone`, and how far it is from `clock`, the moment that its log has come to.
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
    """Why an order that the seat sent ahead does not answer what is asked: the log knows nothing of it."""
    by_plan: bool = False
    """Was it a plan that does not answer it?"""
    zone: str = "UTC"
    clock: str = ""
    marked: bool = False
    """Does the question bear a mark, so that a share in the dice comes with its answer?"""
    register: tuple[int, str] | None = None
    """Number and hash of the last line of the host's register of rated games; None where its letter says nothing of it."""
    of_two: bool = False
    """Is it of a game without a host? There a word of a player ends the game, of which no fact tells."""
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
