"""The language of texts for people: every such sentence is a message in a catalogue.

Messages are English, with named values in braces. `speaking` chooses the language of the texts made inside it (default: English).
Only texts depend on the language. States, orders, entries and names in a log do not, so a game is the same in every language.

Catalogues are in a folder `i18n` next to the code that uses them: `pbem/i18n/fr/host.po` for `pbem/host`, and a game's own in its
package. `pbem.i18n.catalogues` maintains them; docs/how-to/add-a-language.md explains how to add a language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from pbem.records import dataclass

from .alike import seen
from .forms import FORMS

ENGLISH = "en"

_PACKAGE = Path(__file__).resolve().parents[1]
_elsewhere: list[Path] = []


class UnknownLanguage(LookupError):
    """A language without a catalogue here; the text is a sentence. It is not in `pbem.errors`, which uses this module."""


@dataclass(frozen=True, slots=True)
class Words:
    """A language: its translations, and the forms that it gives to values (`{area:de}`)."""

    language: str = ENGLISH
    found: NullTranslations = field(default_factory=NullTranslations)
    forms: Mapping[str, Callable[[str], str]] = field(default_factory=dict)

    def fill(self, text: str, values: Mapping[str, object]) -> str:
        """Return the text with its values in their places."""
        if not values:
            return text
        if self.forms:
            values = {
                name: _Word(self.forms, value) if isinstance(value, str) else value for name, value in values.items()
            }
        return text.format(**values)


@dataclass(frozen=True, slots=True)
class _Word:
    """A value that a language can bend: `format(word, "de")`."""

    forms: Mapping[str, Callable[[str], str]]
    text: str

    def __format__(self, spec: str) -> str:
        return self.forms[spec](self.text) if spec in self.forms else format(self.text, spec)


_DEFAULT = Words()
_spoken: ContextVar[Words | str] = ContextVar("spoken", default=ENGLISH)
"""The current language: its name, because its words may grow with games found later, or its words."""


def _here() -> Words:
    return said if isinstance(said := _spoken.get(), Words) else words(said)


def in_english(text: str, order_words: Mapping[str, Mapping[str, str]], language: str = "") -> str:
    """Return an order with the words of a language in English; "" is the language that is spoken. Case and accents do not matter.

    >>> in_english("deplacer Fife: Wallace > Angus", {"fr": {"DÉPLACER": "MOVE"}}, "fr")
    'MOVE Fife: Wallace > Angus'
    """
    known = {seen(word): english for word, english in order_words.get(language or spoken(), {}).items()}
    return re.sub(r"[^\W\d_]+(?:['-][^\W\d_]+)*", lambda one: known.get(seen(one[0]), one[0]), text) if known else text


def _(message: str, /, **values: object) -> str:
    """Return a message in the language that is spoken, with its values.

    >>> _("{who} moves to {area}.", who="Wallace", area="Fife")
    'Wallace moves to Fife.'
    """
    spoken = _here()
    return spoken.fill(spoken.found.gettext(message), values) if message else ""


def _n(one: str, many: str, n: int, /, **values: object) -> str:
    """Return the message that goes with a number, which both forms call `{n}`.

    >>> _n("{n} block", "{n} blocks", 3)
    '3 blocks'
    """
    spoken = _here()
    return spoken.fill(spoken.found.ngettext(one, many, n), {"n": n, **values})


def N_(message: str) -> str:  # noqa: N802 - the name by which gettext's tools know it
    """Mark a message of a table, which is told later by `_`."""
    return message


def spoken() -> str:
    """Return the language that is spoken here, as in a header Content-Language: "en", "fr"."""
    return _here().language


@contextmanager
def speaking(language: str | Words) -> Iterator[None]:
    """Use a language for the texts made inside. Raises UnknownLanguage if it has no catalogue.

    That includes games found inside, but not texts made later by a generator that continues outside.
    """
    if isinstance(language, str):
        words(language)  # one that is not there is refused here
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


@cache
def languages() -> tuple[str, ...]:
    """Return all languages that can be spoken, English first."""
    return (ENGLISH, *sorted(place.name for place in (_PACKAGE / "i18n").iterdir() if any(place.glob("*.mo"))))


def learn(package: Path) -> None:
    """Add the catalogues of a game from elsewhere, from its package's folder."""
    if package not in _elsewhere:
        _elsewhere.append(package)
        words.cache_clear()


@cache
def words(language: str) -> Words:
    """Return what a language has: all under its name in the folders `i18n`. Raises UnknownLanguage where it has nothing."""
    if language == ENGLISH:
        return _DEFAULT
    if language not in languages():
        raise UnknownLanguage(
            _(
                "There is no translation into “{language}”. The languages are: {languages}.",
                language=language,
                languages=", ".join(languages()),
            )
        )
    packages = [_PACKAGE, *sorted((_PACKAGE / "games").iterdir()), *_elsewhere]
    found = NullTranslations()
    for package in packages:
        for place in sorted((package / "i18n" / language).glob("*.mo")):
            with place.open("rb") as file:
                more = GNUTranslations(file)
            more.add_fallback(found)
            found = more
    return Words(language, found, FORMS.get(language, {}))
