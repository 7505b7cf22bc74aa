"""What people write around an answer and that says nothing: a greeting, thanks, wishes, the name at the end."""

from __future__ import annotations

import re
from collections.abc import Sequence

COURTESY = re.compile(
    r"(?:please|pls|plz|thanks?(?: you)?(?: very much| a lot)?|many thanks|thx|ta|cheers|good luck|have fun|svp|stp"
    r"|s'il (?:vous|te) pla[iî]t|merci(?: beaucoup)?|bonne chance|bitte|danke(?: sch[öo]n)?|vielen dank|viel gl[üu]ck)",
    re.IGNORECASE,
)
"""Polite words that may follow an answer without changing it."""
SIGNS_OFF = re.compile(
    r"(?:(?:best|kind|warm)? ?(?:regards|wishes)|best|cheers|sincerely|yours(?: \w+)?|cordialement|bien (?:à vous|cordialement)"
    r"|amiti[ée]s|[àa] bient[ôo]t|(?:viele|beste|liebe|mit freundlichen|freundliche) gr[üu](?:ß|ss)en?|mfg|lg)[\s,.!]*",
    re.IGNORECASE,
)
"""The line that ends a letter, above the name."""

_GREETINGS = (
    r"hi|hello|hey|dear|good (?:morning|day|afternoon|evening)",
    r"bonjour|bonsoir|salut|coucou|ch[eè]re?s?",
    r"hallo|moin|servus|liebe[rs]?|guten (?:morgen|tag|abend)",
)
_TO = (
    r"there|all|both|everybody|everyone|friends?|host|pbem|and",
    r"à tous|à toutes|tous|tout le monde|et",
    r"zusammen|ihr|und",
)
_WISHES = (
    r"thanks?(?: you)?(?: very much| a lot| again)?|many thanks|thx|cheers|all the best|(?:best|kind|warm) ?(?:regards|wishes)",
    r"regards|best|yours|sincerely|good luck|have fun|see you",
    r"merci(?: beaucoup| bien)?|cordialement|bien (?:à vous|cordialement)|amiti[ée]s|à bient[ôo]t|bonne chance",
    r"bonne (?:soir[ée]e|journ[ée]e)",
    r"danke(?: sch[öo]n| sehr)?|vielen dank|viel gl[üu]ck|(?:viele|beste|liebe|freundliche) gr[üu](?:ß|ss)e|mfg|lg",
)
"""English, French, German."""
_NAME = r"[^\W\d_a-z][\w.'’-]*"


def _one_of(words: Sequence[str]) -> str:
    return f"(?i:{'|'.join(words)})"


_GREETS = rf"{_one_of(_GREETINGS)}(?:[ ,]+(?:{_one_of(_TO)}|{_NAME})){{0,4}}"
_WISH = rf"{_one_of(_WISHES)}(?:[ ,.!-]+(?:(?:and|et|und) )?(?:{_one_of(_WISHES)}|{_NAME})){{0,4}}"
_SAYS_NOTHING = re.compile(rf"(?:{_GREETS}|{_WISH})[ ,.!:)-]*")
_NAMES = re.compile(rf"[-–— ]*{_NAME}(?: {_NAME}){{0,2}}[ .]*")


def without_courtesies(lines: Sequence[str], last: str) -> list[str]:
    """Return the lines that say something, of those beside an answer; `last`: the last line of all, which may be a name.

    >>> without_courtesies(["Hello Bob,", "Nice game!", "Thanks, Ann", "Ann M."], "Ann M.")
    ['Nice game!']
    >>> without_courtesies(["Hey, not that one", "Thanks, but no"], "Thanks, but no")
    ['Hey, not that one', 'Thanks, but no']
    """
    said = [line for line in lines if not _SAYS_NOTHING.fullmatch(line)]
    return said[:-1] if said and said[-1] == last and _NAMES.fullmatch(last) else said
