"""All commands, gathered. Each module imports what it needs when it runs, so that start-up is quick."""

from __future__ import annotations

from typing import Annotated

import typer

from . import board, engine, files, host, housekeeping, player, show
from .language import ask_for

app = typer.Typer(
    name="pbem",
    help="Play board games of hidden information by e-mail, on a host that nobody has to trust.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
housekeeping.add_to(host.app)
app.add_typer(host.app, name="host")
player.add_to(app)
files.add_to(app)
show.add_to(app)
board.add_to(app)
engine.add_to(app)


def _version(wanted: bool) -> None:
    if wanted:
        from pbem import __version__

        typer.echo(f"pbem {__version__}")
        raise typer.Exit


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
            help="The language of the answers: en or fr; else your own, or the machine's.",
        ),
    ] = None,
) -> None:
    """Play board games of hidden information by e-mail, on a host that nobody has to trust."""
