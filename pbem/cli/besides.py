"""Commands that tell the host something outside a game's log: address, time, press, resend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import UsageError
from pbem.i18n import _

from . import screen
from .common import HOME, Yes, check_address, now, read_text
from .desk import SENDS, Game, Home, desk_in

if TYPE_CHECKING:
    from pbem.player import Desk, Notes

GameOrAll = Annotated[str, typer.Option("--game", help="The first letters of a game's id; without it, all games.")]


def address(
    new: Annotated[str, typer.Argument(metavar="ADDRESS", help="Where the letters shall go from now on.")],
    number: Annotated[
        int | None, typer.Option(min=1, help="The number of the change, when the host asks for another.")
    ] = None,
    friend: Annotated[
        bool, typer.Option("--friend", help="It is your friend's address, in a game of two: your letters go there.")
    ] = False,
    witness: Annotated[
        bool,
        typer.Option(
            "--witness",
            help="It is that of a witness, in a game of two: copies of your letters go there, the whole log first; - ends "
            "that.",
        ),
    ] = False,
    yes: Yes = False,
    game: GameOrAll = "",
    home: Home = HOME,
) -> None:
    """Have the host's letters go to another address, by a signed mail to each game's host; or name a friend's, or a witness's."""
    from pbem.player import settled
    from pbem.player.meanings import means

    if friend and witness:
        raise UsageError(_("Give one of --friend and --witness: an address is the one's or the other's."))
    if not (witness and new == "-"):
        check_address(new)
    desk = desk_in(home)
    if friend or witness:
        speaker, where = desk.meant(game, with_friend=True), "" if new == "-" else new
        screen.echo(speaker.send_to("friend" if friend else "witness", where, now()))
        return
    hosted = any(desk.games())
    own = bool(desk.friends(game)) or not (game or hosted)
    chosen = [] if own and (game or not hosted) else _chosen(desk, game, _("There is no game on this desk."))
    if chosen:
        screen.sure(means("address", hosts=len(chosen), address=new), yes=yes, by_script=True)
    if own:
        screen.say(settled.move_own(desk, new))
    for notes in chosen:
        screen.echo(settled.move(desk.speaker(notes), new, number, now()))
    if chosen:
        screen.echo(_("“pbem send” sends it. The host asks at the new address; answer that letter as it says."))


def resend(
    since: Annotated[
        int, typer.Option(min=-1, metavar="ENTRY", help="The last entry that you have; without it, everything is sent.")
    ] = -1,
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Ask the host for your copy of a game again, in a signed letter. A plain mail with the line RESEND also works. But others can
    write that mail in your name and use up the host's answers for the day.

    In a game of two: lay your last letter to your friend ready once more, as it was signed.
    """
    screen.echo(desk_in(home).meant(game).ask_for_copy(since, now()))
    screen.echo(_(SENDS))


def copy(
    since: Annotated[
        int, typer.Option(min=-1, metavar="ENTRY", help="The last entry that the host has: only later ones go.")
    ] = -1,
    yes: Yes = False,
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Send the host your copy of a game, because he asks for it: he has gone back to a backup.

    In a game of two: send your friend the whole log, as he has lost his or lacks a letter.
    """
    speaker = desk_in(home).meant(game)
    if speaker.copy_means:
        screen.sure(speaker.copy_means, yes=yes, by_script=True)
    for said in speaker.hand_copy(since, now()):
        screen.echo(said)
    screen.echo(_(SENDS))


def time(
    zone: Annotated[str, typer.Option(help="Your time zone, as Europe/Paris.")],
    quiet: Annotated[
        str, typer.Option(metavar="FROM-TO", help="Hours of your day that do not count, as 22-08; or off.")
    ] = "off",
    weekends: Annotated[
        str, typer.Option(metavar="on|off|DAYS", help="“off”: Saturday and Sunday do not count; or days, as fri,sat.")
    ] = "on",
    number: Annotated[
        int | None, typer.Option(min=1, help="The number of the statement, when the host asks for another.")
    ] = None,
    game: GameOrAll = "",
    home: Home = HOME,
) -> None:
    """Set your clock, by a signed mail to each game's host. It applies from the next question on."""
    from pbem.mail.hours import Hours
    from pbem.player import settled

    hours = Hours.read(zone, quiet, weekends)
    desk = desk_in(home)
    for notes in _chosen(desk, game, _("There is no game on this desk.")):
        screen.echo(settled.set_clock(desk.speaker(notes), hours, number, now()))
    screen.echo(_(SENDS))


def letters(
    mail: Annotated[
        str,
        typer.Argument(
            metavar="all|short|none", help="All of them by mail, too; two lines and the door's address; or nothing."
        ),
    ],
    number: Annotated[
        int | None, typer.Option(min=1, help="The number of the statement, when the host asks for another.")
    ] = None,
    yes: Yes = False,
    game: GameOrAll = "",
    home: Home = HOME,
) -> None:
    """Say what comes by mail of the letters that lie at the host's door for you, by a signed mail to each game's host.

    Where the host has no door, short makes two lines of each report, and none changes nothing. The host answers mail by mail.
    """
    from pbem.player import settled

    if mail not in ("all", "short", "none"):
        raise UsageError(_("“{mail}” is not one of these: all, short, none.", mail=mail))
    desk = desk_in(home)
    chosen = _chosen(desk, game, _("There is no game on this desk."))
    if mail == "none":
        from pbem.player.meanings import means

        screen.sure(means("no letters"), yes=yes, by_script=True)
    for notes in chosen:
        screen.echo(settled.choose_mail(desk.speaker(notes), mail, number, now()))
        if mail == "none" and not notes.door:
            screen.echo(_("No door of this host is known here: see that you have its address before you send this."))
    screen.echo(_(SENDS))


def _chosen(desk: Desk, game: str, nothing: str) -> list[Notes]:
    """Return the named game, or all games. Raises UsageError with the message `nothing` if there are no games."""
    chosen = [desk.notes(game)] if game or (desk.friends() and not any(desk.games())) else list(desk.games())
    if not chosen:
        raise UsageError(nothing)
    return chosen


def press(
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="What you have to say.")] = None,
    file: Annotated[str, typer.Option(metavar="FILE", help="A file with the text, or - for standard input.")] = "",
    to: Annotated[str, typer.Option(metavar="SEAT", help="The seat that gets it (default: all others).")] = "",
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Write to the other players through the host, which hands it on without addresses, or to your friend in a game of two.

    It is in no log.
    """
    if (text is None) == (not file):
        raise UsageError(_('Write what you have to say, as “pbem press "A truce?"”, or name a file with --file.'))
    said = (text if text is not None else read_text(file)).strip()
    screen.echo(desk_in(home).meant(game).write(said, to.lower(), now()))
    screen.echo(_(SENDS))
