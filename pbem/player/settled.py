"""What a player settles for a game with a host until he says otherwise: his address, when time counts for him, what comes by mail.

Each is signed in a letter to the host, with a number of its own, and is in no log.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pbem.i18n import _

if TYPE_CHECKING:
    from pbem.mail.hours import Hours
    from pbem.referee import Envelope

    from .desk import Desk
    from .saying import HostSpeaker


def move(speaker: HostSpeaker, address: str, number: int | None, at: str) -> str:
    """Sign that the letters of a game go to another address, and write the letter; return that in a sentence."""
    pen, said = speaker.seat.pen, f"My letters go to {address}."
    told = _settled(speaker, "address", "moves", number, lambda no: pen.address(address, no), said, at)
    return _("{game} ({title}): your letters shall go to {new} (change {no}).", new=address, **told)


def move_own(desk: Desk, address: str) -> str:
    """Let letters of games of two come from another address from now on, also those that wait; return that in a sentence."""
    desk.change_settings(address=address)
    for one in desk.friends():
        one.readdress()
    return (
        _(
            "Your letters to friends, in all games of two, come from {new} from now on. Tell each of your friends: he types "
            "“pbem address --friend {new}”, or names it on his page.",
            new=address,
        )
        if desk.friends()
        else _("Your letters come from {new} from now on.", new=address)
    )


def set_clock(speaker: HostSpeaker, hours: Hours, number: int | None, at: str) -> str:
    """Sign when time counts for this player in a game, and write the letter; return that in a sentence."""
    said = f"Time counts for me by the clock of {hours.zone}, quiet {hours.quiet or 'off'}, weekends {hours.weekends or 'on'}."
    pen, own = speaker.seat.pen, (hours.zone, hours.quiet, hours.weekends)
    told = _settled(speaker, "time", "clocks", number, lambda no: pen.time(*own, no), said, at)
    return _("{game} ({title}): your clock is now {hours} (number {no}).", hours=hours, **told)


def choose_mail(speaker: HostSpeaker, mail: str, number: int | None, at: str) -> str:
    """Sign what comes by mail beside the door (“all”, “short”, “none”), and write the letter; return that in a sentence."""
    pen, said = speaker.seat.pen, f"Letters by mail, beside the door: {mail}."
    told = _settled(speaker, "post", "mails", number, lambda no: pen.post(mail, no), said, at)
    return _("{game} ({title}): by mail comes from now on: {mail} (number {no}).", mail=mail, **told)


def _settled(
    speaker: HostSpeaker,
    what: str,
    counter: str,
    number: int | None,
    sign: Callable[[int], Envelope],
    said: str,
    at: str,
) -> dict[str, object]:
    """Sign one of the statements that a player numbers, for all that follows; note its number in `counter`.

    Return the number, the game and its title, as a sentence names them.
    """
    number = number or getattr(speaker.notes, counter) + 1
    speaker.tray.write(speaker.notes, f"{what}.{number}", sign(number), said, at)
    setattr(speaker.notes, counter, number)
    speaker.seat.keep()
    return {"game": speaker.notes.game[:8], "title": speaker.notes.title, "no": number}
