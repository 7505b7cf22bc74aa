"""What commands do at hosts' web addresses: bring letters there if an address is known, and fetch those that wait.

If an address cannot be reached, a message says so, and the mail is used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from pbem.errors import PbemError
from pbem.i18n import _
from pbem.i18n.visible import in_a_line

from . import screen
from .common import now

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.player import Desk
    from pbem.player.asking import Errand


def bring(desk: Desk, but: Collection[Path] = ()) -> Iterator[bytes]:
    """Bring what waits to the doors that are known, `but` for some; go through the letters that lie there since."""
    from pbem.player.doors import Doors

    doors = Doors(desk, now)
    yield from _told(doors.brings([path for path in doors.waiting() if path not in but]))


def fetch(desk: Desk, game: str = "") -> Iterator[bytes]:
    """Go through the letters that lie at the doors that are known; `game`: at that game's alone."""
    from pbem.player.doors import Doors

    doors = Doors(desk, now)
    for notes in doors.with_one():
        if notes.game.startswith(game):
            yield from _told(doors.fetches(notes))


def _told(errand: Errand) -> Iterator[bytes]:
    """Carry an errand and report its results. Yield the letters that it finds."""
    from pbem.player.asking import AtTheDoor, Brought, Found, NotBrought
    from pbem.player.door import DoorLine

    everything: Iterator[Found] = DoorLine().carried(errand)
    for found in everything:
        match found:
            case AtTheDoor(raw=raw):
                yield raw
            case Brought(path, became):
                screen.say(_("Brought to the host's door: {name}", name=_name(path)))
                if became in ("waits", "failed"):
                    screen.say(_("The host has stored it, and decides on it later."))
            case NotBrought(path, why):
                screen.say(_("{name} was not brought to the host's door: {why}", name=_name(path), why=why))
            case _:
                screen.say(
                    _("{title}: nothing could be fetched at the host's door: {why}", title=found.title, why=found.why)
                )


def _name(path: Path) -> str:
    return path.stem.partition(".")[2]


def show(desk: Desk, raw: bytes) -> None:
    """Read a letter from a door, and show what it says: made from the copy, or its words, behind a mark."""
    from pbem.mail import MAX_FROM_HOST, read_message

    try:
        reading = desk.read(raw)
    except PbemError as error:
        subject = in_a_line(read_message(raw, MAX_FROM_HOST).subject)
        screen.say(_("A letter from the host's door (“{subject}”) was left alone: {why}", subject=subject, why=error))
        return
    for warning in reading.warnings:
        screen.say(_("WARNING: {warning}", warning=warning))
    if reading.text:
        screen.echo(reading.text)
    elif reading.words:
        screen.quote(reading.words)
