"""The program's language: requested by --language or PBEM_LANGUAGE, otherwise the player's own, otherwise the machine's.

It is chosen once, around a command. Output for programs (`--json`) is English in every language.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import typer
from typer.core import TyperGroup as Group

from pbem.errors import UsageError
from pbem.i18n import ENGLISH, UnknownLanguage, languages, speaking

_CHOSEN = "pbem.language"
"""The key in a command's context that shows that its language is settled."""


def of_the_machine(environ: Mapping[str, str]) -> str:
    """Return the language that LC_ALL, LC_MESSAGES or LANG names, the first of them that says anything, if it can be spoken.

    >>> of_the_machine({"LANG": "fr_CA.UTF-8"}), of_the_machine({"LANG": "fr_FR", "LC_ALL": "C"})
    ('fr', 'en')
    """
    named = next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    whole = named.partition(".")[0].partition("@")[0]
    return next((one for one in (whole, whole.partition("_")[0]) if one in languages()), ENGLISH)


def ask_for(context: typer.Context, language: str | None) -> str | None:
    """Use this language until the command ends, whatever the other settings. Raises UsageError for an unknown language."""
    if language:
        try:
            context.with_resource(speaking(language))
        except UnknownLanguage as error:
            raise UsageError(str(error)) from error
        context.meta[_CHOSEN] = True
    return language


def is_settled(context: typer.Context) -> bool:
    """Was a language asked for?"""
    return bool(context.meta.get(_CHOSEN))


def of_the_player(context: typer.Context, home: Path) -> Path:
    """Use the language in a player's folder, unless another was requested."""
    place = home / "settings.json"
    if not context.meta.get(_CHOSEN) and place.is_file():
        from pbem.player import PlayerSettings

        with suppress(UsageError, OSError):  # what is wrong with the settings is told by who needs them
            if language := PlayerSettings.read(place).language:
                context.with_resource(speaking(language))
    return home


def of_whoever_asks(context: typer.Context) -> None:
    """Speak the player's own language in a command that opens no folder of a player; every other command names the folder."""
    from .common import HOME

    group = context.command
    name = context.invoked_subcommand
    asked = group.get_command(context, name) if isinstance(group, Group) and name else None
    if asked is not None and not any(param.name == "home" for param in asked.params):
        with suppress(OSError):
            of_the_player(context, Path(os.environ.get("PBEM_HOME") or HOME))


def for_programs(context: typer.Context, wanted: bool) -> bool:
    """Use English if a program reads the output."""
    if wanted:
        ask_for(context, ENGLISH)
    return wanted
