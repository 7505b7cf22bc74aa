"""The command host rounds: the games of an event's next round, opened now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _

from . import screen
from .common import end, now
from .host import HERE, Dir, host_in

if TYPE_CHECKING:
    from pbem.host import Office


def rounds(dir: Dir = HERE) -> None:  # noqa: A002
    """Open the games of each event round that can be paired, and invite the players. “pbem host run” does so by itself."""
    with host_in(dir) as office:
        if office.settings.events is None:
            raise UsageError(
                _("{file} has no part [events]: write one, with the files of the events.", file=dir / "host.toml")
            )
        opened, waiting = _opened(office)
        troubles = office.send(now())
    for event, number in opened:
        screen.echo(_("{event}: game {number} is open.", event=event, number=number))
    if waiting is not None:
        raise waiting
    if not opened:
        screen.echo(_("There is nothing to open: games are not decided, or the events are over."))
    end(troubles)


def _opened(office: Office) -> tuple[list[tuple[str, int]], UsageError | None]:
    """Open what can be opened; return it, and what keeps others from being opened."""
    from pbem.club.rounds import RoundsWaitError

    try:
        return office.for_events(now()), None
    except RoundsWaitError as error:
        return error.opened, error
