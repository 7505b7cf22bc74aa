"""What a player settles for a game with a host until he says otherwise: his address, when time counts for him, what comes by mail.

Each is signed in a letter to the host, with a number of its own, and is in no log.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from pbem.i18n import _

if TYPE_CHECKING:
    from pbem.mail.hours import Hours
    from pbem.referee import Envelope

    from .saying import HostSpeaker


def move(speaker: HostSpeaker, address: str, number: int | None, at: str) -> str:
    """Sign that the letters of a game go to another address, and write the letter; return that in a sentence."""
    sign, said = partial(speaker.seat.pen.address, address), f"My letters go to {address}."
    told = {"new": address, "no": _settled(speaker, "address", "moves", number, sign, said, at)}
    return _("{game} ({title}): your letters shall go to {new} (change {no}).", **_which(speaker), **told)


def set_clock(speaker: HostSpeaker, hours: Hours, number: int | None, at: str) -> str:
    """Sign when time counts for this player in a game, and write the letter; return that in a sentence."""
    sign = partial(speaker.seat.pen.time, hours.zone, hours.quiet, hours.weekends)
    said = f"Time counts for me by the clock of {hours.zone}, quiet {hours.quiet or 'off'}, weekends {hours.weekends or 'on'}."
    told = {"hours": hours, "no": _settled(speaker, "time", "clocks", number, sign, said, at)}
    return _("{game} ({title}): your clock is now {hours} (number {no}).", **_which(speaker), **told)


def choose_mail(speaker: HostSpeaker, mail: str, number: int | None, at: str) -> str:
    """Sign what comes by mail beside the door (“all”, “short”, “none”), and write the letter; return that in a sentence."""
    sign, said = partial(speaker.seat.pen.post, mail), f"Letters by mail, beside the door: {mail}."
    told = {"mail": mail, "no": _settled(speaker, "post", "mails", number, sign, said, at)}
    return _("{game} ({title}): by mail comes from now on: {mail} (number {no}).", **_which(speaker), **told)


def _which(speaker: HostSpeaker) -> dict[str, str]:
    return {"game": speaker.notes.game[:8], "title": speaker.notes.title}


def _settled(
    speaker: HostSpeaker,
    what: str,
    counter: str,
    number: int | None,
    sign: Callable[[int], Envelope],
    said: str,
    at: str,
) -> int:
    """Sign one of the statements that a player numbers, for all that follows; note its number in `counter`, and return it."""
    number = number or getattr(speaker.notes, counter) + 1
    speaker.tray.write(speaker.notes, f"{what}.{number}", sign(number), said, at)
    setattr(speaker.notes, counter, number)
    speaker.seat.keep()
    return number
