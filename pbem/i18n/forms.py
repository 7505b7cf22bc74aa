"""Inflected forms of values in sentences, by the name that a catalogue gives after a colon: `{area:de}`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from unicodedata import normalize

_VOWELS = "aeiouy"
_COUNTRIES = ("Angleterre", "Écosse", "Irlande")
_ARTICLES = {
    **dict.fromkeys(_COUNTRIES, "l’"), "Infanterie": "l’", "Roi": "le ",
    "Archers": "les ", "Chevaliers": "les ", "Hobelars": "les ", "Nordiques": "les ",
    **dict.fromkeys(("Cardinal", "Château", "Comptoir", "Druide", "Mur", "Quaich"), "le "), "Tambours": "les ",
    **dict.fromkeys(("Bannière", "Cornemuse", "Couronne", "Grande", "Tapisserie"), "la "),
}  # fmt: skip
"""The names that French says with an article, by their first word; others are those of persons and places, which have none."""


def _elided(word: str, text: str) -> str:
    first = normalize("NFD", text[:1].lower())[:1]
    return f"{word[:-1]}’{text}" if first and first in _VOWELS else f"{word} {text}"


def _le(text: str) -> str:
    """Return "l'Angleterre", "les Nordiques", "Fife": a name with its article, where it has one.

    >>> _le("Angleterre"), _le("Nordiques"), _le("Fife")
    ('l’Angleterre', 'les Nordiques', 'Fife')
    """
    return _ARTICLES.get(text.partition(" ")[0], "") + text


def _de(text: str) -> str:
    """Return "d'Angus", "de Fife", "des Écossais", "du roi": de with the text after it.

    >>> _de("Angus"), _de("Fife"), _de("les Écossais"), _de("le roi"), _de("Nordiques"), _de("Angleterre")
    ('d’Angus', 'de Fife', 'des Écossais', 'du roi', 'des Nordiques', 'd’Angleterre')
    """
    text = text if text in _COUNTRIES else _le(text)
    for article, joined in (("les ", "des "), ("le ", "du ")):
        if text.startswith(article):
            return joined + text.removeprefix(article)
    return _elided("de", text)


def _a(text: str) -> str:
    """Return "à Fife", "aux Écossais", "au roi", "en Angleterre": à with the text after it.

    >>> _a("Fife"), _a("les Écossais"), _a("le roi"), _a("Angleterre")
    ('à Fife', 'aux Écossais', 'au roi', 'en Angleterre')
    """
    if text.startswith(_COUNTRIES):
        return f"en {text}"
    text = _le(text)
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


def _jour(text: str) -> str:
    """Return the day of a month: its first is "1er".

    >>> _jour("1"), _jour("21")
    ('1er', '21')
    """
    return "1er" if text == "1" else text


FORMS: Mapping[str, Mapping[str, Callable[[str], str]]] = {
    "fr": {"de": _de, "a": _a, "que": _que, "le": _le, "jour": _jour}
}
"""Language -> name of a form -> what it makes of a value."""
