"""What commands do at the doors of hosts: letters are brought there where a door is known, and what lies there is fetched.

Where a door cannot be reached that is said, and the mail does it.
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


def bring(desk: Desk, but: Collection[Path] = ()) -> Iterator[bytes]:
    """Bring what waits to the doors that are known, `but` for some; go through the letters that lie there since."""
    from pbem.player.doors import Doors

    doors = Doors(desk, now)
    for path in desk.tray.unsent():
        if path in but or not path.exists() or not doors.is_for_one(path):  # reading a letter may have laid one aside
            continue
        name = path.stem.partition(".")[2]
        try:
            brought = doors.bring(path)
        except PbemError as error:
            screen.say(_("{name} was not brought to the host's door: {why}", name=name, why=error))
            continue
        screen.say(_("Brought to the host's door: {name}", name=name))
        if brought.became in ("waits", "failed"):
            screen.say(_("The host has stored it, and decides on it later."))
        yield from _as_far_as_it_goes(brought.title, brought.letters)


def fetch(desk: Desk, game: str = "") -> Iterator[bytes]:
    """Go through the letters that lie at the doors that are known; `game`: at that game's alone."""
    from pbem.player.doors import Doors

    doors = Doors(desk, now)
    for notes in doors.with_one():
        if not notes.game.startswith(game):
            continue
        yield from _as_far_as_it_goes(notes.title, doors.fetch(notes))


def _as_far_as_it_goes(title: str, letters: Iterator[bytes]) -> Iterator[bytes]:
    """Go through the letters of a game; where the door fails, that is said, and they end."""
    try:
        yield from letters
    except PbemError as error:
        screen.say(_("{title}: nothing could be fetched at the host's door: {why}", title=title, why=error))


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
