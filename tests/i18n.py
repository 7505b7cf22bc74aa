"""A language that shows what is no message: everything that goes through a catalogue stands in brackets.

``with speaking(BRACKETS): text = …`` and then ``outside(text)`` are the words that nobody can translate.
"""

from __future__ import annotations

import re
from gettext import NullTranslations

from pbem.i18n import Words


class _Bracketed(NullTranslations):
    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


BRACKETS = Words("brackets", _Bracketed())


def outside(text: str) -> list[str]:
    """Return the words that stand in no brackets.

    >>> outside("⟦The ⟦Scots⟧ win⟧ at Falkirk.")
    ['at', 'Falkirk']
    """
    depth, found = 0, ""
    for letter in text:
        depth += (letter == "⟦") - (letter == "⟧")
        found += " " if depth or letter in "⟦⟧" else letter
    return re.findall(r"[^\W\d_]{2,}", found)
