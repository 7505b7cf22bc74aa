"""The commands that only games of two have, which have no host: `with` begins one, and `witness` keeps the letters of one."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import friends, screen
from pbem.cli.common import (
    HOME,
    Edition,
    GameId,
    Option,
    Scenario,
    check_address,
    chosen_game,
    end,
    game_options,
    moment,
    now,
    write_bytes,
)
from pbem.cli.desk import Home, desk_in, each_mail
from pbem.i18n import _

if TYPE_CHECKING:
    from pbem.mail import Saved
    from pbem.player.pair.witness import Witnessed

LONGEST = 24 * 366


def with_(
    friend: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="Your friend's e-mail address. With --relay you need none.")
    ] = "",
    game: GameId = None,
    scenario: Scenario = None,
    edition: Edition = None,
    option: Option = None,
    side: Annotated[str, typer.Option(metavar="SEAT", help="Your seat (default: the game's first).")] = "",
    hours: Annotated[
        int,
        typer.Option(min=0, max=LONGEST, help="How long an answer should take, as a courtesy; 0: as long as it takes."),
    ] = 0,
    odds: Annotated[
        bool, typer.Option("--odds/--no-odds", help="Whether your programs show chances while the game is on.")
    ] = True,
    witness: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Somebody who keeps copies of your letters and their times, and can read nothing hidden.",
        ),
    ] = "",
    relay: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="A relay for your letters: a mailbox that can read nothing. You get a link for your friend.",
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the invitation for your mail program to open."),
    ] = None,
    home: Home = HOME,
) -> None:
    """Start a game with one friend, without a host. Writes the invitation.

    His answer begins the game: two mails. “pbem turn” does the rest, or “pbem read”, “pbem order” and “pbem send” by hand.
    Neither of you can see the other's hand.
    """
    for address in filter(None, (friend, witness)):
        check_address(address)
    desk = desk_in(home)
    pack = chosen_game(game)
    options = game_options(scenario, edition, option or [])
    terms, link = {"hours": hours} | ({} if odds else {"odds": False}), friends.new_link(relay, out)
    screen.echo(
        desk.pair_joiner.begin(
            pack, options, side, friend, terms, secrets.token_hex(32), now(), witness=witness, relay=link
        )
    )
    if out is None:
        friends.invite(desk, link)
        return
    from pbem.mail import as_draft

    path = max(desk.tray.unsent(), key=lambda one: one.stat().st_mtime_ns)
    write_bytes(out, as_draft(path.read_bytes()))
    desk.tray.sent(path)
    screen.echo(_("Open it with your mail program and send it."))


def witness(
    mail: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MAIL]...",
            help="Letters that two friends copied to you, or their log. A folder, a zip, an mbox or - for "
            "standard input also works (default: show all games).",
        ),
    ] = None,
    folder: Annotated[Path, typer.Option("--folder", help="Where copies and times are kept.")] = Path("witness"),
) -> None:
    """Keep copies for two who play without a host, and when each letter came: you read nothing hidden, and decide nothing.

    Their logs lie in the folder, for “pbem verify” now and “pbem audit” at the end; a lost disk is mended from them, too.
    """
    from pbem.player.pair.witness import Witness

    keeper = Witness(folder)

    def take(saved: Saved) -> None:
        screen.say(keeper.read(saved.raw, now()))

    if mail:
        each_mail(mail, take)
        return
    troubles: list[str] = []
    games = list(keeper.games(troubles))
    for game in games:
        _show(game)
    end(troubles)
    if not games:
        screen.echo(
            _("There is no game in {folder}: “pbem witness MAIL” keeps the contents of a letter.", folder=folder)
        )


def _show(game: Witnessed) -> None:
    screen.say(f"{game.name}.")
    screen.say("  " + game.standing)
    for came in game.came[-1:]:
        screen.say("  " + _("What came last: entry {n}, {when}.", n=came.n, when=moment(came.at, "UTC")))
    for one in game.forks:
        screen.say("  " + _("Evidence of a signature that breaks the rules of the log: {path}", path=one))
    screen.say("  " + _("The log: {path}", path=game.table.path))
