"""What commands do at relays, by which letters to friends go, before and after what they do at hosts' doors.

A relay that fails is said, and stops nothing: the letter waits here, and can go by mail.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

import typer

from pbem.errors import PbemError, UsageError
from pbem.i18n import _

from . import doors, screen
from .desk import SENDS, each_mail

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.mail import Saved
    from pbem.player import Desk
    from pbem.player.asking import Errand


def has_none(desk: Desk) -> bool:
    """Do letters of all games here need mail, as none has a host's door or a relay?"""
    return not any(notes.door for notes in desk.games()) and not any(one.notes.relay for one in desk.friends())


def fetch(desk: Desk) -> Iterator[bytes]:
    """Go through the letters that lie at doors and relays. Each counts as read when the next is asked for."""
    yield from doors.fetch(desk)
    if desk.friends():
        for notes in desk.relays.with_one():
            yield from _told(desk.relays.fetches(notes))


def bring(desk: Desk, but: Collection[Path] = ()) -> Iterator[bytes]:
    """Send what waits to doors and relays, `but` for some; go through the letters that lie at the doors since."""
    yield from doors.bring(desk, but)
    _post(desk, [path for path in _waiting(desk) if path not in but])


def not_by_mail(desk: Desk, others: Collection[Path]) -> list[Path]:
    """Return the letters that do not go by mail now: `others`, and those that wait for a relay."""
    return [*others, *_waiting(desk)]


def check_goes_by_hand(desk: Desk, letter: Path) -> None:
    """Raise UsageError if a letter is an invitation that waits for a relay."""
    if desk.friends():
        desk.relays.check_goes_by_hand(letter)


def kept_back(desk: Desk, others: Collection[Path]) -> list[Path]:
    """Return the letters that do not go by mail: `others`, and those for a relay alone. Say what can be done with these."""
    left = desk.relays.not_by_mail() if desk.friends() else {}
    for said in filter(None, dict.fromkeys(left.values())):
        screen.say(said)
    return [*others, *left]


def each(desk: Desk, places: Sequence[str] | None, do: Callable[[Saved], None]) -> int:
    """Do something with the mails at some places, as `each_mail`; a link is a place, too. Without places: with what waits at
    doors and relays."""
    from pbem.mail import Saved
    from pbem.mail.relay import is_link

    if places and len(places) == 1 and is_link(places[0]):
        from pbem.player.door import DoorLine

        do(Saved(places[0], DoorLine().said(desk.relays.invitation(places[0]))))
        return 1
    if places:
        return each_mail(places, do)
    wrong = False
    for raw in fetch(desk):
        try:
            do(Saved("", raw))
        except PbemError as error:  # the other letters are read all the same
            screen.say(_("A letter was left alone: {why}", why=error), err=True)
            wrong = True
    if wrong:
        raise typer.Exit(1)
    return 1


def link_of(saved: Saved) -> str:
    """Return the link by which a mail came, or ""."""
    from pbem.mail.relay import is_link

    return saved.name.strip() if is_link(saved.name) else ""


def answers(desk: Desk, link: str) -> str:
    """Send the answer to an invitation that came by a link; return the line that says how it goes otherwise."""
    if link:
        _post(desk, _waiting(desk))
    return "" if link and not _waiting(desk) else "\n" + _("“pbem send” sends the answer.")


def new_link(relay: str, out: Path | None) -> str:
    """Return the link of a new game at a relay; "" without one. Raises UsageError for another address."""
    from pbem.mail.relay import SECRET, RelayLink, relay_address

    if relay and out is not None:
        raise UsageError(_("With --relay the link is the invitation: leave --out away."))
    return str(RelayLink(relay_address(relay), secrets.token_bytes(SECRET))) if relay else ""


def invite(desk: Desk, link: str) -> None:
    """Post the invitation of a new game, and say what to do with its link; without a link, say how the invitation is sent."""
    if not link:
        screen.echo(_(SENDS))
        return
    (game,) = (one.notes.game for one in desk.friends() if one.notes.relay == link)
    _post(desk, _waiting(desk, game))
    if _waiting(desk, game):
        screen.say(_("Your game is made all the same. The next “pbem turn” or “pbem send” posts the invitation."))
    screen.say(_("1. Copy this link into a chat or a mail to your friend. Show it to no other person:"))
    screen.echo(f"   {link}")
    screen.say(_("2. Wait. When your friend has joined, “pbem turn” begins the game."))


def _waiting(desk: Desk, game: str = "") -> list[Path]:
    return desk.relays.waiting(game) if desk.friends(game) else []


def _post(desk: Desk, letters: Collection[Path]) -> None:
    if letters:
        for _letter in _told(desk.relays.brings(letters)):
            raise AssertionError  # posting fetches nothing


def _told(errand: Errand) -> Iterator[bytes]:
    """Carry an errand and report its results. Yield the letters that it finds."""
    from pbem.player.asking import AtTheDoor, Brought, Found, NotBrought
    from pbem.player.door import DoorLine

    everything: Iterator[Found] = DoorLine().carried(errand)
    for found in everything:
        match found:
            case AtTheDoor(raw=raw):
                yield raw
            case Brought(path):
                screen.say(_("Sent by the relay: {name}", name=_name(path)))
            case NotBrought(path, why):
                screen.say(_("{name} was not sent by the relay, and waits here: {why}", name=_name(path), why=why))
            case _:
                screen.say(_("{title}: {why}", title=found.title, why=found.why))


def _name(path: Path) -> str:
    return path.stem.partition(".")[2]
