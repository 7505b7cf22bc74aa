"""The program: its description of itself, and the options that every command has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from pbem.errors import UsageError
from pbem.i18n import _

from . import screen
from .commands import AllCommands
from .helping import texts
from .language import ask_for, of_whoever_asks

app = typer.Typer(
    name="pbem",
    cls=AllCommands,
    help="Play board games of hidden information by e-mail, on a host that cannot bend dice, cards, rules or the "
    "record without being found out.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="“pbem” alone says where to begin. “pbem help COMMAND” tells more about one command.",
)


def _version(wanted: bool) -> None:
    if wanted:
        from pbem import __version__

        screen.echo(f"pbem {__version__}")
        raise typer.Exit


def help_(
    context: typer.Context,
    command: Annotated[list[str] | None, typer.Argument(metavar="[COMMAND]...", help="The command to explain.")] = None,
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
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
    language: Annotated[
        str | None,
        typer.Option(
            envvar="PBEM_LANGUAGE",
            callback=ask_for,
            is_eager=True,
            help="The language of the answers: en or fr. Default: your own, or the machine's.",
        ),
    ] = None,
) -> None:
    """Play board games of hidden information by e-mail, on a host that cannot bend dice, cards, rules or the record without being
    found out."""
    of_whoever_asks(context)
    if context.invoked_subcommand is None:
        screen.echo(_where_to_begin())


def _where_to_begin() -> str:
    """Return what most people want from pbem, and the command for each."""
    wants = {
        _("Play now"): {
            "pbem web": _("in your browser, alone or by mail"),
            "pbem play": _("in this terminal, against a built-in player"),
        },
        _("Join or host a game"): {
            "pbem setup": _("enter your mail account, once"),
            "pbem turn": _("find your invitation, and take your turns"),
            "pbem with bob@example.org": _("start a game with one friend, without a host"),
            "pbem host init": _("run a host for other players"),
        },
        _("Check a file"): {
            "pbem audit FILE": _("was the game played by the rules? Who is at fault?"),
            "pbem replay FILE": _("the story of the game"),
        },
    }
    parts = [
        f"{want}\n" + "\n".join(f"  {typed:<28}{does}" for typed, does in ways.items()) for want, ways in wants.items()
    ]
    return "\n\n".join([*parts, _("“pbem --help” lists all commands.")])


def all_texts() -> Iterator[str]:
    """Go through all messages in the help of pbem."""
    yield from texts(typer.main.get_command(app))
