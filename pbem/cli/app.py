"""All commands, gathered in the order in which help lists them.

Each module imports what it needs when it runs, so that start-up is quick.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from pbem.errors import UsageError
from pbem.i18n import _

from . import (
    besides,
    board,
    engine,
    files,
    games,
    host,
    housekeeping,
    keys,
    letters,
    match,
    opening,
    orders,
    page,
    rules,
    screen,
    setup,
    show,
    turn,
    vanished,
    web,
)
from .helping import ToldCommand, ToldGroup
from .language import ask_for

app = typer.Typer(
    name="pbem",
    cls=ToldGroup,
    help="Play board games of hidden information by e-mail, on a host that nobody has to trust.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="To begin: “pbem play” is a game at once, against the program; “pbem web” is the same in a browser. By mail: "
    "“pbem setup” once, then “pbem turn”.",
)
OF_A_PLAYER: tuple[Callable[..., None], ...] = (
    web.web, setup.setup, turn.turn, games.games,
    keys.key, keys.rekey, keys.language, letters.join, letters.read, orders.order, orders.plan, orders.say, vanished.welcome,
    besides.address, besides.time, besides.letters, besides.press, besides.copy, besides.resend, letters.check, letters.send,
)  # fmt: skip
OF_ALL: tuple[Callable[..., None], ...] = (
    files.verify, files.audit, files.merge, files.export_sig, files.complain,
    rules.rules, show.show, show.replay, show.demo, show.play, board.board, engine.engine, match.match,
)  # fmt: skip
OF_A_HOST: tuple[Callable[..., None], ...] = (
    host.init, host.check, opening.new, opening.follow, host.run, host.take, host.tick, host.retry, host.status,
    vanished.invite, vanished.replace, vanished.adopt, opening.cancel, host.export,
    housekeeping.games, housekeeping.extend, housekeeping.observe, housekeeping.templates, housekeeping.tidy,
    housekeeping.backup, housekeeping.restore, housekeeping.catch_up, housekeeping.go_on,
)  # fmt: skip

for command in OF_A_PLAYER + OF_ALL:
    app.command(cls=ToldCommand)(command)
for command in OF_A_HOST:
    host.app.command(cls=ToldCommand)(command)
app.add_typer(host.app, name="host", cls=ToldGroup)
app.add_typer(page.app, name="page", cls=ToldGroup)


def _version(wanted: bool) -> None:
    if wanted:
        from pbem import __version__

        screen.echo(f"pbem {__version__}")
        raise typer.Exit


@app.command(name="help", hidden=True, cls=ToldCommand)
def help_(
    context: typer.Context,
    command: Annotated[list[str] | None, typer.Argument(metavar="[COMMAND]...", help="Of which command.")] = None,
) -> None:
    """Say what pbem can do, or what one command does."""
    asked = context.parent
    for word in command or ():
        found = asked and getattr(asked.command, "commands", {}).get(word)
        if not found:
            raise UsageError(_("There is no command “{name}”. “pbem help” lists them all.", name=word[:40]))
        asked = type(context)(found, info_name=word, parent=asked)
    screen.echo(asked.get_help() if asked else "")


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
    language: Annotated[
        str | None,
        typer.Option(
            envvar="PBEM_LANGUAGE",
            callback=ask_for,
            is_eager=True,
            help="The language of the answers: en or fr; else your own, or the machine's.",
        ),
    ] = None,
) -> None:
    """Play board games of hidden information by e-mail, on a host that nobody has to trust."""
