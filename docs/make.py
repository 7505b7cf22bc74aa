"""Makes the parts of the docs that follow from the program: the page of the commands, and the list of orders.

``python docs/make.py pages [--check]`` writes (or checks) reference/commands.md from the commands themselves, and the list
of every game's orders in reference/orders.md, and the lines of reference/host-settings.md and reference/templates.md, from their
models. The pictures are made by ``pictures.py``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, get_args, get_type_hints

from typer.models import ArgumentInfo, OptionInfo

DOCS = Path(__file__).resolve().parent
COMMANDS = DOCS / "reference" / "commands.md"
ORDERS = DOCS / "reference" / "orders.md"
SETTINGS = DOCS / "reference" / "host-settings.md"
TEMPLATES_PAGE = DOCS / "reference" / "templates.md"
MADE = "This part is made from the program (`make docs`).\n"

HEAD = """\
# Commands

This page is made from the program (`make docs`); a test compares the two. `pbem COMMAND --help` says the same.

Exit codes: 0 well; 1 a fault was found, or the thing failed; 2 wrong usage. `pbem host take`, which mail servers call, ends
with 0 (taken, or seen before), 75 (try again later) or 67 (refused).

Environment: `PBEM_HOME` (a player's folder), `PBEM_HOST` (a host's folder), `PBEM_PASSPHRASE` (protects the key that is made or
used), `PBEM_GAMES` (folders with more games, parted like PATH), `PBEM_LANGUAGE` (the language of the answers).

The commands answer in English or French: in the language of `pbem --language fr COMMAND` or `PBEM_LANGUAGE`; else in a player's own
(`pbem language fr`); else in that of the machine (`LC_ALL`, `LC_MESSAGES`, `LANG`), where it has words; else in English. English in
every language are `--json`, `pbem engine` and the files of `--evidence`, which programs and third persons read; the letters to a
host; and what `--help` says.
"""


def commands_page() -> str:
    """Return the page of the commands."""
    from pbem.cli.app import app

    return "\n".join([HEAD, *_group("pbem", app)]).rstrip() + "\n"


def orders_page() -> str:
    """Return the page of the orders: what a person wrote above the mark, and below it the orders of every game here."""
    from pbem.games import find, known
    from pbem.schemas import order_models

    above, mark, _ = ORDERS.read_text("utf-8").partition(MADE)
    parts = [f"{above}{mark}".rstrip()]
    for game in known():
        pack = find(game)
        parts.append(f"\n### {pack.rules.title}\n")
        for model in order_models(pack):
            said = _one_line((model.__doc__ or "").split("\n\n")[0])
            shown = re.match(r"(.*?): ([a-z].*)", said) or re.match(r"(.*): (.*)", said)
            parts.append(f"- `{shown[1]}`: {shown[2]}" if shown else f"- {said}")
    return "\n".join(parts) + "\n"


def settings_page() -> str:
    """Return the page of the host's settings: what a person wrote above the mark, and below it every line of the file."""
    from pbem.host.settings import fields, sections, shown, toml

    above, mark, _ = SETTINGS.read_text("utf-8").partition(MADE)
    parts = [f"{above}{mark}".rstrip()]
    for section, model in sections():
        parts.append(f"\n### {f'`[{section}]`' if section else 'Above all sections'}\n\n{_one_line(model.__doc__)}\n")
        for name, field in fields(model):
            value = "required" if field.is_required() else f"else `{toml(shown(section, name, field))}`"
            if "example" in value or (name == "password_env" and not field.is_required()):
                value = "else none"
            parts.append(f"- `{name}`: {_one_line(field.description).rstrip('.')} ({value}).")
    return "\n".join(parts) + "\n"


def templates_page() -> str:
    """Return the page of the templates: what a person wrote above the mark, and below it each with what it is given."""
    from pbem.host.templates import EVERYWHERE, TEMPLATES

    above, mark, _ = TEMPLATES_PAGE.read_text("utf-8").partition(MADE)
    parts = [f"{above}{mark}".rstrip(), "\n### In every template\n", *(f"- {said}." for said in EVERYWHERE.values())]
    for name, template in TEMPLATES.items():
        parts.append(f"\n### `{name}`\n\n{template.about}\n")
        for variable, said in template.given.items():
            parts.append(f"- `{variable}`: {said}{' (must be shown)' if variable in template.shows else ''}.")
        parts += [f"- macro `{macro}`: {said}." for macro, said in template.parts.items()]
    return "\n".join(parts).replace("?.", "?") + "\n"


def _group(name: str, app: Any) -> Iterator[str]:
    """Go through the lines for an app: itself, its own commands, then the groups below it."""
    yield f"## {name}\n\n{_one_line(app.info.help)}\n"
    if app.registered_callback:
        yield from _parameters(app.registered_callback.callback)
    for command in app.registered_commands:
        said = f"{name} {command.name or command.callback.__name__.replace('_', '-')}"
        yield f"### {said}\n\n{_one_line(command.callback.__doc__)}\n"
        yield from _parameters(command.callback, said)
    for group in app.registered_groups:
        yield from _group(f"{name} {group.name}", group.typer_instance)


def _one_line(text: object) -> str:
    return " ".join(str(text or "").split())


def _parameters(function: Any, name: str = "") -> Iterator[str]:
    """Go through the lines for a command's arguments and options, from the annotations that Typer reads."""
    hints = get_type_hints(function, include_extras=True)
    arguments, options = [], []
    for parameter in signature(function).parameters.values():
        kind, info = get_args(hints[parameter.name])
        row = _about(info, parameter.default)
        if isinstance(info, ArgumentInfo):
            arguments.append((info.metavar or parameter.name.upper(), row))
        else:
            options.append((_option(parameter.name, kind, info), row))
    if name:
        yield f"    {' '.join([name, *(['[OPTIONS]'] if options else []), *(shown for shown, _ in arguments)])}\n"
    yield from (f"- `{shown}`: {row}" for shown, row in arguments + options)
    yield ""


def _option(name: str, kind: Any, info: OptionInfo) -> str:
    first = [info.default] if isinstance(info.default, str) else []  # in Annotated the first name lands there
    names = ", ".join([*first, *(info.param_decls or ())] or [f"--{name.replace('_', '-')}"])
    if kind is bool:
        return names
    kinds = {kind, *get_args(kind)}
    return f"{names} {info.metavar or ('NUMBER' if int in kinds else 'PATH' if Path in kinds else 'TEXT')}"


def _about(info: ArgumentInfo | OptionInfo, default: Any) -> str:
    said = _one_line(info.help).rstrip(".")
    more = [f"else `{info.envvar}`"] if info.envvar else []
    if default is Parameter.empty:
        more += ["required"] if isinstance(info, OptionInfo) else []
    elif default not in (None, "", False) or type(default) is int:
        more.append(f"default `{str(default).replace(str(Path.home()), '~')}`")
    whole = f"{said} ({', '.join(more)})" if more else said
    return whole if whole.endswith("?") else f"{whole}."


def main(arguments: list[str]) -> int:
    """Do what is asked for; return the exit code."""
    match arguments:
        case ["pages"]:
            COMMANDS.write_text(commands_page(), "utf-8")
            ORDERS.write_text(orders_page(), "utf-8")
            SETTINGS.write_text(settings_page(), "utf-8")
            TEMPLATES_PAGE.write_text(templates_page(), "utf-8")
            return 0
        case ["pages", "--check"]:
            made = {
                COMMANDS: commands_page(),
                ORDERS: orders_page(),
                SETTINGS: settings_page(),
                TEMPLATES_PAGE: templates_page(),
            }
            stale = [
                str(page.relative_to(DOCS.parent)) for page, text in made.items() if page.read_text("utf-8") != text
            ]
            if stale:
                print(f"Not as the program is: {', '.join(stale)}. “make docs” writes them.", file=sys.stderr)
            return 1 if stale else 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
