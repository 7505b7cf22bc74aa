"""Logs opened only for viewing: read from a file, kept in memory, shown like the player's own games, and gone with the program.

It shows what the log reveals to one seat, or to all. It verifies nothing (`judging` does), and does not check the rules.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from pbem.errors import UsageError
from pbem.games import GamePack, find
from pbem.i18n import _
from pbem.ledger import Log, repaired, sha256_hex
from pbem.player.copy import sense
from pbem.reports.told import told

from . import calls, further_calls
from .chair import Chair

BEFORE = "log-"
"""So the name of such a log begins; the id of no game does."""
_MOST = 4
"""The maximum number of open logs; the one opened first is closed."""


class _Open(NamedTuple):
    log: Log
    pack: GamePack
    seat: str


class Watching:
    """The logs that are open."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, _Open] = OrderedDict()

    def open(self, data: bytes, seat: str) -> further_calls.Watched:
        """Open a log, as one seat or ("") as the public saw it.

        Raises FormError for an invalid log, and UsageError for an unknown seat.
        """
        log = Log.parse(repaired(data)[0])
        pack = find(str(log.entries[0].fields["rules"]["id"])) if log.entries else _nothing()
        seats = tuple(log.entries[0].fields["seats"])
        if seat and seat not in seats:
            raise UsageError(
                _("There is no seat “{seat}”; the seats are {seats}.", seat=seat[:40], seats=", ".join(seats))
            )
        opened = [one for one in ("", *seats) if told(log, one or None)]
        name = f"{BEFORE}{sha256_hex(data)[:12]}-{seat or 'all'}"
        self._open[name] = _Open(log, pack, seat)
        while len(self._open) > _MOST:
            self._open.popitem(last=False)
        shown = tuple(
            calls.SeatName(seat=one, name=pack.look.seat_name(one) if one else _("what all could see"))
            for one in opened
        )
        return further_calls.Watched(game=name, title=pack.rules.title, seat=seat, seats=shown)

    def chair(self, name: str) -> Chair:
        """Return a log as a chair. Raises UsageError where it is not open."""
        found = self._get(name)
        with sense():
            return Chair.of_log(name, *found)

    def log_of(self, name: str) -> tuple[Log, GamePack]:
        """Return a log and its game. Raises UsageError as `chair`."""
        found = self._get(name)
        return found.log, found.pack

    def seat_of(self, name: str) -> str:
        """Return the seat for which a log is open; "" means the public view."""
        return self._get(name).seat

    def _get(self, name: str) -> _Open:
        if name not in self._open:
            raise UsageError(_("The log “{name}” is not open any more: choose its file again.", name=name[:40]))
        return self._open[name]


def is_watched(game: str) -> bool:
    """Is that the name of a log that is only looked at?"""
    return game.startswith(BEFORE)


def _nothing() -> GamePack:
    raise UsageError(_("This log is empty: it names no game."))
