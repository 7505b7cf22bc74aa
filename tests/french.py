"""What no French text of ours may hold: English words, prepositions that are not joined to what follows, signs without their blank.

`faults(text)` names each of them with its line; lines that are typed, as orders and commands, are English in all languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TYPED = re.compile(r"^\s*#.*|^\s*(?:\d  )?[A-Z]{3,}\b.*|^\s+\w[\w ]* > .*|\bpbem [a-z-]+|--[a-z-]+")
"""What a player types, or may type over: a line that begins with a verb, numbered or not, or with a route; a command."""
_NAMED = re.compile(
    r"\b(?:Hammer of the Scots|Lords of Scotland|Swords Over Scotland|Tournament Play|The Bruce|Firth of \w+|Norse \d)"
    r"(?:, demonstration)?"
)
_ENGLISH = re.compile(
    r"\b(?:the|of|and|with|from|your|yours|you|is|are|was|were|has|have|not|this|that|which|who|when|where|must|may|can|will|"
    r"none|nobody|by|to|for|all|any|each|other|their|its|been|because|after|before|between|nor|either|it|"
    r"blocks?|cards?|turns?|hits?|battles?|moves?|players?|answers?|orders?|letters?|keys?|takes?|plays?|wins?|loses?|"
    r"English|Scots|England|King|Norse|Herald|Truce|Victuals|Infantry|Knights)\b"
)
_APART = re.compile(
    r"\b(?:[Dd]e|[Qq]ue|[Ll]e|[Ll]a|[Jj]e|[Nn]e|[Ss]e|[Jj]usque|[Ll]orsque|[Pp]uisque|[Qq]uoique) "
    r"(?=[aeiouyàâéèêëîïôûœAEIOUYÀÂÉÈÊËÎÏÔÛŒ])(?!onz|oui|un à|E[1-9])"
)
"""No article or “de” stays whole before a vowel; names of bids are read letter by letter."""
_UNJOINED = re.compile(
    r"\b(?:de|à) les? (?=[A-ZÉ])|\b(?:de|à) les (?!\w+(?:er|ir|re)\b)|\b[Ss]i ils?\b|\b(?:à|vers|depuis|sur|par|contre) Angleterre|"
    r"\bde l’Angleterre"
)
_BLANK = re.compile(r"(?<=\S) [;!?»](?!=)|(?<=\w) :(?=\s|$)|« |(?<=[^\W\d_])'(?=[^\W\d_])")
"""Before these signs, and within quotation marks, a blank does not break; an apostrophe is a curved one."""
_WRONG = {"English": _ENGLISH, "whole": _APART, "not joined": _UNJOINED, "sign": _BLANK}


def faults(text: str) -> Iterator[str]:
    """Go through what is wrong in a text, each with its line.

    >>> list(faults("La bataille de Annan est finie."))
    ['whole “de ”: La bataille de Annan est finie.']
    >>> list(faults("- Les Anglais jouent Truce : rien.")), list(faults("MOVE Fife: King > Angus"))
    (['English “Truce”: - Les Anglais jouent Truce : rien.', 'sign “ :”: - Les Anglais jouent Truce : rien.'], [])
    """
    for line in text.split("\n"):
        said = _NAMED.sub("", _TYPED.sub("", line))
        for what, wrong in _WRONG.items():
            if found := wrong.search(said):
                yield f"{what} “{found[0]}”: {line}"
