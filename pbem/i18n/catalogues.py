"""Maintains the catalogues: ``python -m pbem.i18n.catalogues [--check] [--new LANGUAGE]``, or ``make words``.

It collects the messages from code and templates and updates the .po files of every language. Then it compiles the .mo files that
pbem reads, and lists missing and faulty translations. It needs Babel; playing does not.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib import import_module
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

from . import ENGLISH, languages

PACKAGE = Path(__file__).resolve().parents[1]
TEMPLATES = PACKAGE.parent / "templates"
"""Those of a checkout: only there are catalogues kept."""
KEYWORDS = {"_": None, "_n": (1, 2), "N_": None}
METHODS = {".py": "python", ".j2": "jinja2.ext:babel_extract"}
MEANT = "Translators: "
HELP = "pbem.cli.app"
"""The module with the help texts of commands. They are in no calls of `_`, so the catalogues are filled from this module."""
_UNBROKEN = {"fr": re.compile(r"(?<=\S) (?=[;!?»]|:(?:\s|$))|(?<=«) ")}
"""Language -> where a blank of its texts does not break: before the signs of French, and within its quotation marks."""
_CURVED = {"fr": re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")}
"""Language -> where an apostrophe is a curved one."""
_EMPTY = (
    "POT-Creation-Date",
    "PO-Revision-Date",
    "Generated-By",
    "Last-Translator",
    "Language-Team",
    "Report-Msgid-Bugs-To",
)
_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
_RESTLESS = tuple(f'"{name}:'.encode() for name in _EMPTY)


class Domain(NamedTuple):
    """A part of the program with catalogues of its own: `pbem/i18n/<language>/host.po` for `pbem/host`."""

    package: Path
    name: str
    sources: tuple[Path, ...]

    def po(self, language: str) -> Path:
        """Return the path of its catalogue in a language."""
        return self.package / "i18n" / language / f"{self.name}.po"

    def template(self) -> Catalog:
        """Return its messages, as code and templates have them."""
        found = Catalog(charset="utf-8", fuzzy=False)
        for source in self.sources:
            for _line, text, comments, _context in extract_from_file(
                METHODS[source.suffix], source, keywords=KEYWORDS, comment_tags=(MEANT,), strip_comment_tags=True
            ):
                above = self.package if source.is_relative_to(self.package) else TEMPLATES
                shown = source.relative_to(above.parent).as_posix()
                found.add(text, locations=[(shown, 0)], auto_comments=comments)
        if (self.package, self.name) == (PACKAGE, "cli"):
            for text in import_module(HELP).all_texts():
                found.add(text, locations=[("pbem/cli/app.py", 0)])
        return found

    def update(self, language: str, template: Catalog) -> Catalog:
        """Return its catalogue in a language with all messages of the template, and no others."""
        place = self.po(language)
        kept = (
            read_po(BytesIO(place.read_bytes()), locale=language) if place.exists() else Catalog(language, fuzzy=False)
        )
        kept.update(template, no_fuzzy_matching=True)
        kept.obsolete.clear()
        for message in kept:
            if isinstance(message.string, str) and message.id:
                message.string = typeset(language, message.string)
            elif message.id:
                message.string = tuple(typeset(language, told) for told in message.string or ())
        kept.header_comment = (
            "# The words of pbem in another language. `make words` keeps the messages, you their translations."
        )
        kept.project, kept.version = "pbem", "1"
        kept.creation_date = kept.revision_date = _NO_DATE
        return kept


def parts(games: Path | None = None) -> Iterator[Domain]:
    """Go through all parts that say something; with `games` through those of the games in another folder."""
    packages = sorted(p for p in (games or PACKAGE / "games").iterdir() if (p / "__init__.py").exists())
    if games is None:
        own = [p for p in PACKAGE.rglob("*.py") if not any(p.is_relative_to(game) for game in packages)]
        yield from _split(PACKAGE, own)
        yield Domain(PACKAGE, "templates", tuple(sorted(TEMPLATES.rglob("*.j2"))))
    for package in packages:
        yield from _split(package, list(package.rglob("*.py")))


def _split(package: Path, sources: list[Path]) -> Iterator[Domain]:
    by_name: dict[str, list[Path]] = {}
    for source in sorted(sources):
        inside = source.relative_to(package).parts
        by_name.setdefault(inside[0] if len(inside) > 1 else package.name, []).append(source)
    for name, found in by_name.items():
        yield Domain(package, name, tuple(found))


def typeset(language: str, told: str) -> str:
    """Return a translation with the no-break spaces and apostrophes of its language, whatever the translator has typed."""
    told = _UNBROKEN[language].sub("\u00a0", told) if language in _UNBROKEN else told
    return _CURVED[language].sub("’", told) if language in _CURVED else told


def faults(catalogue: Catalog) -> Iterator[str]:
    """Yield the faults of a catalogue: a message without translation, or with other values in its braces."""
    for message in catalogue:
        if not message.id:
            continue
        ids, told = _forms(message.id), _forms(message.string)
        shown = f"“{ids[0]}”"
        if not (told and all(told)):
            yield f"{shown} is not translated"
        elif message.fuzzy:
            yield f"{shown} is marked as fuzzy"
        elif wrong := [text for text in told if not _values(text) <= _values(*ids)]:
            yield f"{shown} has no value for {', '.join(sorted(_values(*wrong) - _values(*ids)))}"
        elif len(ids) == 1 and _values(*told) != _values(*ids):
            yield f"{shown} has lost {', '.join(sorted(_values(*ids) - _values(*told)))}"


def _forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def _values(*texts: str) -> set[str]:
    return {found[1] for text in texts for found in Formatter().parse(text) if found[1]}


def po_bytes(catalogue: Catalog) -> bytes:
    """Return a catalogue as a .po file: by message, without dates and lines, so that it changes only where words do."""
    made = BytesIO()
    write_po(made, catalogue, width=120, sort_output=True, include_lineno=False)
    return b"".join(line for line in made.getvalue().splitlines(keepends=True) if not line.startswith(_RESTLESS))


def mo_bytes(catalogue: Catalog) -> bytes:
    """Return a catalogue as the .mo file that is read by pbem."""
    made = BytesIO()
    write_mo(made, catalogue)
    return made.getvalue()


def says_the_same(mo: bytes, other: bytes) -> bool:
    """Do two .mo files hold the same messages? Their headers name the tool that wrote them, and may differ."""
    return _told(mo) == _told(other)


def _told(mo: bytes) -> dict[tuple[str, ...], tuple[str, ...]]:
    return {_forms(message.id): _forms(message.string) for message in read_mo(BytesIO(mo)) if message.id}


def main() -> int:
    """Write all catalogues, or check them; return 1 where one is not as it should be."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--check", action="store_true", help="write nothing; fail where something would change or is missing"
    )
    options.add_argument("--new", metavar="LANGUAGE", help="begin the catalogues of a language: de, gd, pt_BR")
    options.add_argument("--games", type=Path, metavar="FOLDER", help="the games of this folder, not those of pbem")
    chosen = options.parse_args()
    spoken = [*languages()[1:], *([chosen.new] if chosen.new else [])]
    bad = 0
    for part in parts(chosen.games):
        template = part.template()
        for language in sorted(set(spoken)) if len(template) else ():
            catalogue, place = part.update(language, template), part.po(language)
            written = {place: po_bytes(catalogue), place.with_suffix(".mo"): mo_bytes(catalogue)}
            for path, data in written.items():
                there = path.read_bytes() if path.exists() else b""
                if there == data or (there and path.suffix == ".mo" and says_the_same(there, data)):
                    continue
                if not chosen.check:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(data)
                else:
                    bad += 1
                    print(f"{path} is not as the program is: make words")  # noqa: T201
            for fault in faults(catalogue):
                bad += 1
                print(f"{place}: {fault}.")  # noqa: T201
    if bad:
        print(f"{bad} messages are missing or not right. “{ENGLISH}” stands in for them.")  # noqa: T201
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
