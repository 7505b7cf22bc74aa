"""The command witness: keep the letters of two who play without a host, and when each came."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.i18n import _

from . import screen
from .common import end, now
from .desk import each_mail

if TYPE_CHECKING:
    from pbem.mail import Saved
    from pbem.player.pair.witness import Witnessed


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
    from .common import moment

    screen.say(f"{game.name}.")
    screen.say("  " + game.standing)
    for came in game.came[-1:]:
        screen.say("  " + _("What came last: entry {n}, {when}.", n=came.n, when=moment(came.at, "UTC")))
    for one in game.forks:
        screen.say("  " + _("Evidence of a signature that breaks the rules of the log: {path}", path=one))
    screen.say("  " + _("The log: {path}", path=game.table.path))
