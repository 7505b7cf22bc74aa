"""The help of the commands in the current language: each paragraph is a message in the catalogue of `pbem/cli`.

The texts are docstrings and `help=` values of the commands, translated when somebody asks for help. Typer's own texts around them
are translated here, too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from pbem.i18n import ENGLISH, N_, _, languages, speaking, spoken
from pbem.i18n.visible import in_a_line

from . import screen
from .language import is_settled, of_the_player
from .plain import read_plainly

_HEADS = {
    "Options:\n": N_("Options:"),
    "Commands:\n": N_("Commands:"),
    "More commands:\n": N_("More commands:"),
    "Arguments:\n": N_("Arguments:"),
}
_USAGE = "Usage: "
_WRONG_USE: Any = typer.BadParameter.__bases__[0]
"""What Typer raises for a line that it cannot read; it gives a name to few of its kinds."""
_NO_COMMAND = re.compile(r"No such command '(.*)'\.")
_MARKS = {"env var: ": N_("env var: "), "default: ": N_("default: "), "required": N_("required")}
_ALWAYS = (
    N_("Show this message and exit."),
    N_("Install completion for the current shell."),
    N_("Show completion for the current shell, to copy it or customize the installation."),
)
"""What Typer says of its own options."""


class ToldCommand(TyperCommand):
    """A command with its help and its usage errors in the user's language."""

    def parse_args(self, ctx: Any, args: Any) -> Any:
        """Read the arguments. Raises Typer's errors, which display in the user's language."""
        read_plainly(self.get_params(ctx))
        with _refusing(ctx):
            return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help into the formatter."""
        with spoken_to(ctx), _told(self, ctx):
            super().format_help(ctx, formatter)
            formatter.buffer[:] = map(_framed, formatter.buffer)


class ToldGroup(TyperGroup):
    """A group of commands, with its help and its usage errors in the user's language."""

    def parse_args(self, ctx: Any, args: Any) -> Any:
        """Read the arguments, as above."""
        read_plainly(self.get_params(ctx))
        with _refusing(ctx):
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: Any) -> Any:
        """Return the command that was typed, as above."""
        with _refusing(ctx):
            return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help into the formatter."""
        with spoken_to(ctx), _told(self, ctx, *self.commands.values()):
            super().format_help(ctx, formatter)
            formatter.buffer[:] = map(_framed, formatter.buffer)


def texts(command: Any) -> Iterator[str]:
    """Go through all messages in the help of a command and of those below it."""
    for text in (command.help, command.epilog, *(getattr(one, "help", None) for one in command.params)):
        yield from _paragraphs(text or "")
    for below in getattr(command, "commands", {}).values():
        yield from texts(below)


def _paragraphs(text: str) -> Iterator[str]:
    return filter(None, (" ".join(paragraph.split()) for paragraph in text.split("\n\n")))


@contextmanager
def spoken_to(ctx: Any) -> Iterator[None]:
    """Use the requested language, otherwise the player's, otherwise the machine's: help comes before the options are read."""
    root, wanted = ctx.find_root(), os.environ.get("PBEM_LANGUAGE", "")
    if not is_settled(root):
        if wanted in languages():
            with speaking(wanted):
                yield
            return
        from .common import HOME

        with suppress(OSError):
            of_the_player(root, Path(os.environ.get("PBEM_HOME") or HOME))
    with speaking(spoken()):
        yield


@contextmanager
def _refusing(ctx: Any) -> Iterator[None]:
    """Have what refuses a line that was typed say so in the language that is spoken then, where it is not Typer's own."""
    try:
        yield
    except _WRONG_USE as error:
        with spoken_to(ctx):
            if spoken() != ENGLISH:
                text = _refused(error, ctx)
                error.show = lambda *_more: screen.echo(text, err=True)
        raise


def _refused(error: Any, ctx: Any) -> str:
    context = error.ctx or ctx
    parameter = getattr(error, "param", None)
    name = getattr(error, "option_name", "") or (parameter.get_error_hint() if parameter else "")
    kind = type(error).__name__
    if kind == "NoSuchOption":
        said = _("There is no option {name} here.", name=name)
    elif kind == "MissingParameter":
        said = _("{name} is missing.", name=name)
    elif found := _NO_COMMAND.match(error.message):
        said = _("There is no command “{name}”. “pbem help” lists them all.", name=found[1])
    elif name:
        said = _("{name} does not fit: {why}.", name=name, why=error.message.rstrip("."))
    else:
        said = error.format_message()
    more = _("“{command} -h” tells more.", command=context.command_path)
    return f"{_framed(context.get_usage())}\n\npbem: {in_a_line(said)}\n{more}"


@contextmanager
def _told(asked: Any, ctx: Any, *others: Any) -> Iterator[None]:
    """Have commands say their help in the language that is spoken, inside."""
    params = asked.get_params(ctx)
    kept = [(one, "help", one.help) for one in (asked, *others, *params) if getattr(one, "help", None)]
    kept += [(asked, "epilog", asked.epilog)] if asked.epilog else []
    records = [(one, one.get_help_record) for one in params]
    for one, name, text in kept:
        setattr(one, name, "\n\n".join(map(_, _paragraphs(text))))
    for one, record in records:
        one.get_help_record = _marked(record)
    try:
        yield
    finally:
        for one, name, text in kept:
            setattr(one, name, text)
        for one, _record in records:
            del one.get_help_record


def _marked(record: Any) -> Any:
    """Return a parameter's record with the remarks in brackets after its help translated."""

    def told(ctx: Any) -> tuple[str, str] | None:
        found = record(ctx)
        if found is None:
            return None
        names, text = found
        before, bracket, marks = text.rpartition("[")
        if bracket:
            for mark, message in _MARKS.items():
                marks = re.sub(rf"(^|[; ]){re.escape(mark)}", partial(_after, _(message)), marks)
        return names, before + bracket + marks

    return told


def _after(said: str, found: re.Match[str]) -> str:
    return found[1] + said


def _framed(text: str) -> str:
    if text.strip() and text.lstrip().startswith(_USAGE):
        return text.replace(_USAGE, _("Usage: "), 1)
    return _(_HEADS[text]) + "\n" if text in _HEADS else text
