"""How languages bend a value that stands in a sentence, by the name that a catalogue gives after a colon: `{area:de}`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from unicodedata import normalize

_VOWELS = "aeiouy"


def _elided(word: str, text: str) -> str:
    first = normalize("NFD", text[:1].lower())[:1]
    return f"{word[:-1]}’{text}" if first and first in _VOWELS else f"{word} {text}"


def _de(text: str) -> str:
    """Return "d'Angus", "de Fife", "des Écossais", "du roi": de, with what stands behind it.

    >>> _de("Angus"), _de("Fife"), _de("les Écossais"), _de("le roi")
    ('d’Angus', 'de Fife', 'des Écossais', 'du roi')
    """
    for article, joined in (("les ", "des "), ("le ", "du ")):
        if text.startswith(article):
            return joined + text.removeprefix(article)
    return _elided("de", text)


def _a(text: str) -> str:
    """Return "à Fife", "aux Écossais", "au roi": à, with what stands behind it.

    >>> _a("Fife"), _a("les Écossais"), _a("le roi")
    ('à Fife', 'aux Écossais', 'au roi')
    """
    for article, joined in (("les ", "aux "), ("le ", "au ")):
        if text.startswith(article):
            return joined + text.removeprefix(article)
    return f"à {text}"


def _que(text: str) -> str:
    """Return "qu'Angus", "que Fife".

    >>> _que("Angus"), _que("les Écossais")
    ('qu’Angus', 'que les Écossais')
    """
    return _elided("que", text)


FORMS: Mapping[str, Mapping[str, Callable[[str], str]]] = {"fr": {"de": _de, "a": _a, "que": _que}}
"""Language -> name of a form -> what it makes of a value."""
