"""A `host.toml` as pbem writes it: the few lines that a new host needs, or every line that there is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from pbem.kernel import Json
from pbem.mail.settings import Lmtp

from .settings import ClubPages, Settings, WebDoor, fields, sections, shown, toml

_EXAMPLES = {"host": "mail.example.org", "user": "club@example.org", "password_file": "password"}
"""The fields of every account, with example values for commented lines."""
_PLAIN: dict[str, Json] = {"in.maildir": "mail/host", "out.maildir": "mail/{local}"}
_HOW = "Take the first “# ” away from each line of a part that you want, and empty or remove the maildir of that side."
_MORE = "“pbem host settings --all” lists all settings; “pbem host check” tries what is here."

USED = {
    "": ("address", "language", "pictures", "store", "templates"),
    "in": ("maildir",),
    "in.imap": ("host", "user", "password_file", "token_command"),
    "in.lmtp": ("port",),
    "out": ("maildir",),
    "out.smtp": ("host", "user", "password_file"),
    "door": ("address", "page"),
    "pages": ("folder", "title"),
    "club": ("games",),
}
"""The twenty settings that people use, by section; all others are for experts."""


def written(lines: Mapping[str, Json]) -> str:
    """Return a new `host.toml` with these lines, by their sections. Raises UsageError where they cannot be read again."""
    Settings.read(lines, "host.toml")
    return "\n".join([*_comment(Settings.__doc__), *_comment(_MORE), *_lines(lines)]) + "\n"


def _lines(lines: Mapping[str, Json], section: str = "") -> Iterator[str]:
    """The lines of a section, and those of the sections below it."""
    yield from (f"{name} = {toml(value)}" for name, value in lines.items() if not isinstance(value, dict))
    for name, below in lines.items():
        if isinstance(below, dict):
            whole = f"{section}.{name}".lstrip(".")
            if not below or any(not isinstance(value, dict) for value in below.values()):
                yield from ("", f"[{whole}]")
            yield from _lines(below, whole)


def by_folders(mail: str) -> dict[str, Json]:
    """Return the lines for mail that comes and goes by folders below `mail`."""
    return {"in": {"maildir": f"{mail}/host"}, "out": {"maildir": f"{mail}/{{local}}"}}


def every_line(*, experts: bool = True) -> str:
    """Return a `host.toml` with every line that there is, or those that people use; the lines that are not needed are comments."""
    return "\n".join(_file({"address": "club@example.org"} | _PLAIN, experts=experts)) + "\n"


def _file(values: dict[str, Json], *, experts: bool) -> Iterator[str]:
    yield from _comment(Settings.__doc__)
    yield from _comment(_HOW)
    for section, model in [one for one in sections() if experts or one[0] in USED]:
        off = "# " if "." in section or section in ("door", "pages", "club", "events") else ""
        yield ""
        if section:
            yield from _comment(model.__doc__, off)
            yield f"{off}[{section}]"
        for name, field in [one for one in fields(model) if experts or one[0] in USED[section]]:
            key = f"{section}.{name}".lstrip(".")
            account = "host" in model.model_fields and model not in (Lmtp, WebDoor, ClubPages) and name in _EXAMPLES
            yield from _comment(field.description, off)
            value = values.get(key, _EXAMPLES[name] if account else shown(section, name, field))
            needed = account or (bool(section) and field.is_required())
            yield f"{off}{'' if key in values or needed else '# '}{name} = {toml(value)}"


def _comment(text: str | None, off: str = "") -> Iterator[str]:
    """Return a text as lines of comments; `off` is before each."""
    if text:
        yield from textwrap.wrap(text, 100, initial_indent=f"{off}# ", subsequent_indent=f"{off}# ")
