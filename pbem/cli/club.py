"""The command club: a player's letters to a club, by its host's web address if it has one, otherwise by mail."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import PbemError, UsageError
from pbem.i18n import _

from . import screen
from .common import HOME, check_address, now
from .desk import SENDS, Home, desk_in

if TYPE_CHECKING:
    from pbem.player import Desk
    from pbem.player.club import KnownClub


def club(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="WORD...",
            help="games; register NAME zone=Europe/Berlin quiet=22-08 weekends=off language=fr; confirm CODE; "
            "new GAME option=value hours=72 side=SEAT; join 12, join 12 SEAT; withdraw 12; watch 7; leave.",
        ),
    ],
    at: Annotated[
        str, typer.Option("--at", metavar="ADDRESS", help="The club's address (default: the last one).")
    ] = "",
    door: Annotated[
        str,
        typer.Option("--door", metavar="URL", help="Where its host has a door; it is remembered. “none”: it has none."),
    ] = "",
    by_mail: Annotated[bool, typer.Option("--by-mail", help="Lay a letter ready, though a door is known.")] = False,
    home: Home = HOME,
) -> None:
    """Find people to play with: ask a club which tables wait, open one, sit down, become a member, leave.

    At its door a club answers at once and knows you by your key. By mail, the answer comes as a letter. Nothing here
    changes a game.
    """
    from pbem.player import club as clubs

    if at:
        check_address(at)
    desk = desk_in(home)
    said = clubs.line(words, desk.key)
    known = clubs.chosen(home, at, "" if door == "none" else door)
    if door == "none":
        known = replace(known, door="", host="")
    raw = clubs.letter(desk.settings.address, known.address, said, os.urandom(16).hex(), now()).raw()
    if known.door and not by_mail:
        _at_the_door(desk, known, raw)
        return
    clubs.keep(home, known)
    name = said.split()[0].lower()
    desk.tray.write_to_club(name, raw)
    screen.echo(_("A letter to {address} is ready: {said}", address=known.address, said=said.partition(" key=")[0]))
    screen.echo(_(SENDS))


def _at_the_door(desk: Desk, known: KnownClub, raw: bytes) -> None:
    """Bring a letter to a club's web address, and print the reply."""
    from pbem.ledger.aloud import to_compare
    from pbem.mail.door import BECAME, OF_THE_CLUB
    from pbem.player import club as clubs
    from pbem.player.asking import greeting_at
    from pbem.player.door import DoorLine, HostsDoor

    host = known.host
    if not host:
        told = DoorLine().said(greeting_at(known.door))
        host = told.host
        screen.say(_("This host's key, remembered from now on:") + f"\n  {to_compare(host)}")
    for notes in desk.games():
        if notes.host.lower() == known.address.lower() and desk.lying(notes).course.host not in ("", host):
            raise UsageError(
                _("The door at {door} is another host's than that of {title}.", door=known.door, title=notes.title)
            )
    clubs.keep(desk.home, replace(known, host=host))
    try:
        answer = HostsDoor(known.door, host, *OF_THE_CLUB, desk.key, now).to_club(raw)
    except PbemError as error:
        raise UsageError(
            _("{why} Say the same with --by-mail, and it goes as a letter.", why=str(error).rstrip(".") + ".")
        ) from error
    screen.echo(answer.said or _("The host has noted: {became}.", became=answer.became))
    if answer.became in BECAME and answer.became != "taken":
        raise typer.Exit(1)
