"""The templates in a host's own folder: copied out as a starting point, and tested before a letter needs them.

Each is searched for names that no letter provides, then filled with its samples in every language. Faults are reported with file
and line.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import UsageError
from pbem.i18n import _, languages, speaking
from pbem.kernel import Json
from pbem.reports.html import template
from pbem.reports.text import environment
from pbem.resources import folder

from .templates import EVERYWHERE, TEMPLATES, Template

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.nodes import Template as Parsed


def copy_out(to: Path, names: list[str]) -> None:
    """Copy the named templates of pbem into a host's folder, to be changed. Raises UsageError; then nothing is copied."""
    for name in names:
        if name not in TEMPLATES:
            raise UsageError(
                _("There is no template “{name}”. The templates are: {names}.", name=name, names=", ".join(TEMPLATES))
            )
        if (to / name).exists():
            raise UsageError(_("{path} is there already; it is not written over.", path=to / name))
    for name in names:
        private.make_folder((to / name).parent)
        private.write(to / name, (folder("templates") / name).read_bytes())


def own_in(own: Path) -> list[str]:
    """Return the names of the files in a host's folder, less those that begin with `_` or `.`: they are parts for the others."""
    found = (path for path in sorted(own.rglob("*")) if path.is_file() and not path.name.startswith(("_", ".")))
    return [path.relative_to(own).as_posix() for path in found]


def faults(own: Path) -> Iterator[str]:
    """Yield the faults of the templates in a host's folder: each is read, and tested with samples in all languages."""
    env = environment(own)
    template("report.css.j2", env)  # so that it has all filters
    for name in own_in(own):
        if name in TEMPLATES:
            yield from _faults_of(env, own, name)
        else:
            known = ", ".join(TEMPLATES)
            yield _(
                "{path} replaces nothing: pbem has no template of that name. There are: {names}.",
                path=own / name,
                names=known,
            )


def _faults_of(env: Environment, own: Path, name: str) -> Iterator[str]:
    from jinja2 import TemplateSyntaxError

    path, about = own / name, TEMPLATES[name]
    try:
        parsed = env.parse(path.read_text("utf-8"), name, str(path))
    except TemplateSyntaxError as error:
        yield _("{path}, line {line}: {why}", path=path, line=error.lineno, why=error.message)
        return
    except (OSError, UnicodeDecodeError) as error:
        yield _("{path} cannot be read: {why}", path=path, why=error)
        return
    for line in _unescaped(parsed):
        yield _(
            "{path}, line {line}: escaping is turned off, so that words of a player could become markup.",
            path=path,
            line=line,
        )
    unknown = list(_unknown(env, parsed, about))
    for line, variable in unknown:
        yield _(
            "{path}, line {line}: there is no variable “{variable}”. The variables are: {names}.",
            path=path, line=line, variable=variable, names=", ".join([*about.given, *EVERYWHERE]),
        )  # fmt: skip
    if not unknown:
        yield from dict.fromkeys(_tried(env, own, name))


def _unknown(env: Environment, parsed: Parsed, about: Template) -> Iterator[tuple[int, str]]:
    """Go through the names in a template that nothing gives it, each with its line."""
    from jinja2.meta import find_undeclared_variables
    from jinja2.nodes import Name

    strange = find_undeclared_variables(parsed) - about.given.keys() - env.globals.keys()
    for node in parsed.find_all(Name):
        if node.name in strange and node.ctx == "load":
            yield node.lineno, node.name


def _unescaped(parsed: Parsed) -> Iterator[int]:
    """Go through the lines of a template in which escaping is turned off."""
    from jinja2.nodes import ScopedEvalContextModifier

    yield from (node.lineno for node in parsed.find_all(ScopedEvalContextModifier))


def _tried(env: Environment, own: Path, name: str) -> Iterator[str]:
    """Go through what comes of a template when it is filled with its samples."""
    from jinja2 import TemplateNotFound

    about = TEMPLATES[name]
    for language in languages():
        for sample in about.samples:
            try:
                with speaking(language):
                    made = env.get_template(name)
                    text, parts = made.render(**sample), vars(made.module) if about.parts else {}
            except TemplateNotFound as error:
                yield _("{place}: there is no file “{file}”.", place=_place(error, own, name), file=error.name)
                return
            except Exception as error:  # noqa: BLE001 - a template can fail in any way
                yield _("{place}: {why}", place=_place(error, own, name), why=error)
                return
            for part in (part for part in about.parts if part not in parts):
                yield _("{path} does not define the macro “{part}”.", path=own / name, part=part)
            for variable in about.shows:
                if not all(_shown(value, text) for value in _texts(sample[variable])):
                    yield _(
                        "{path} does not show “{variable}” ({meaning}): a player, or his program, needs it.",
                        path=own / name, variable=variable, meaning=about.given[variable],
                    )  # fmt: skip


def _place(error: Exception, own: Path, name: str) -> str:
    """Where in the host's own files something failed: a path, with a line where it is known."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(own)]
    return _("{path}, line {line}", path=frames[-1].filename, line=frames[-1].lineno) if frames else str(own / name)


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
    else:
        yield str(value)


def _shown(value: str, text: str) -> bool:
    """Does a text hold a value, however its lines are folded?"""
    return "".join(value.split()) in "".join(text.split())
