"""Names that look like others: letters of several scripts in one word, and letters that look like Latin ones.

The list contains the letters of Cyrillic and Greek that a reader takes for Latin ones; it is ours, and short. Impostors use these,
because both alphabets are on many keyboards.
"""

from __future__ import annotations

import unicodedata

_CYRILLIC = dict(zip("АВЕЅІЈКМНОРСТУХЗЬаеѕіјорсухьһԁԛԝӏ", "ABESIJKMHOPCTYX3baesijopcyxbhdqwl", strict=True))
_GREEK = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανοιρυχϲ", "ABEZHIKMNOPTYXavoipuxc", strict=True))
_LIKE = str.maketrans(_CYRILLIC | _GREEK | {"0": "o", "1": "l", "|": "l"})
_SMALL = str.maketrans({"i": "l"})  # a capital I looks like it, and a name is the same in small letters and capitals


def scripts(text: str) -> list[str]:
    """Return of which scripts the letters of a text are, as Unicode names them.

    >>> scripts("\u0410nn"), scripts("Ann 2")
    (['CYRILLIC', 'LATIN'], ['LATIN'])
    """
    return sorted({unicodedata.name(letter, "?").partition(" ")[0] for letter in text if letter.isalpha()})


def seen(text: str) -> str:
    """Return what a name looks like: two names with the same value can be taken for each other.

    >>> seen("\u0410nn") == seen("Ann"), seen("Anne") == seen("Ann")
    (True, False)
    """
    plain = unicodedata.normalize("NFKD", text).translate(_LIKE)
    kept = "".join(letter for letter in plain if unicodedata.category(letter)[0] != "M" and not is_unseen(letter))
    return kept.casefold().translate(_LIKE).translate(_SMALL)


def is_unseen(letter: str) -> bool:
    """Does nobody see this letter?"""
    return unicodedata.category(letter) == "Cf" or letter in _FILLERS


_FILLERS = "\u115f\u1160\u3164\uffa0\u2800\u034f"
"""Letters and marks, as Unicode has them, that show nothing."""


def odd_letters(text: str) -> list[str]:
    """Return the names of the letters in a text that look like Latin ones, or like nothing; none where all are of one other script.

    >>> odd_letters("\u0410nnan")
    ['CYRILLIC CAPITAL LETTER A']
    """
    mixed = len(scripts(text)) > 1
    odd = [letter for letter in text if is_unseen(letter) or (mixed and letter in _CYRILLIC | _GREEK)]
    return [unicodedata.name(letter, f"U+{ord(letter):04X}") for letter in dict.fromkeys(odd)]
