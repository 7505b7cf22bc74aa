"""The value of a header with parameters: `attachment; filename*0="or"; filename*1="der.txt"` (RFC 2045, 2231).

It decides which parameters a value has and how each reads. Comments go; pieces are joined; charsets and percent signs are
decoded. A value that breaks the rules still gives what can be read in it. Each letter is looked at a fixed number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from .text import decode

MOST = 4000
"""So much of a value is read."""
_PIECES = 100
"""The maximum number of pieces of one parameter that are joined."""
_STEP = re.compile(r'\\.|[^\\"();]{1,999}|.', re.DOTALL)
_NAME = re.compile(r"([!#-'+.0-9A-Z^-~-]{1,80})(?:\*(\d{1,3}))?(\*)?\s{0,20}=", re.ASCII | re.IGNORECASE)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)', re.DOTALL)
_PAIR = re.compile(r"\\(.)", re.DOTALL)
_TOKEN = re.compile(r"[^\s;,]+")


def token(value: str) -> str:
    """Return the first word of a header's value, in small letters: without comments, quotes and parameters."""
    first = next(_split(value[:MOST]), "").replace('"', " ")
    found = _TOKEN.search(first)
    return found[0].lower() if found else ""


def parameters(value: str) -> dict[str, str]:
    """Return the parameters of a header's value, decoded, by their names in small letters; of two of one name the first."""
    simple: dict[str, str] = {}
    pieces: dict[str, dict[int, tuple[str, bool]]] = {}
    for no, piece in enumerate(_split(value[:MOST])):
        # some programs leave out the semicolon behind the type
        named = _NAME.match(piece.strip()) if no else _NAME.search(piece)
        if not named:
            continue
        name, said = named[1].lower(), _unquoted(named.string[named.end() :])
        if named[2] is None and not named[3]:
            simple.setdefault(name, said)
        elif len(found := pieces.setdefault(name, {})) < _PIECES:
            found.setdefault(int(named[2] or 0), (said, bool(named[3])))
    return simple | {name: _joined(found) for name, found in pieces.items()}


def _joined(found: dict[int, tuple[str, bool]]) -> str:
    """Return the pieces of a parameter as one text; those that say so are encoded, and the first of them names the charset."""
    charset, whole = "", b""
    for no, (said, encoded) in sorted(found.items()):
        if encoded and no == min(found) and said.count("'") >= 2:
            charset, _language, said = said.split("'", 2)
        data = said.encode("utf-8", "replace")
        whole += unquote_to_bytes(data) if encoded else data
    return decode(whole, charset)


def _unquoted(said: str) -> str:
    said = said.strip()
    if found := _QUOTED.match(said):
        return _PAIR.sub(r"\1", found[1])
    return said


def _split(value: str) -> Iterator[str]:
    """Yield the sections between a value's semicolons, without comments; an unclosed quote or comment is plain text."""
    yield from _pieces(value) or value.split(";")


def _pieces(value: str) -> list[str]:
    """Return the pieces of a value; none where a quote or a comment in it is never closed."""
    found: list[list[str]] = [[]]
    quoted, depth = False, 0
    blank = True  # a comment begins behind a blank or a sign: “order(1).txt” has none
    for step in _STEP.finditer(value):
        said = step[0]
        if quoted:
            quoted = said != '"'
        elif depth or (said == "(" and blank):
            depth += (said == "(") - (said == ")")
            blank = True
            continue
        elif said == ";":
            found.append([])
            blank = True
            continue
        else:
            quoted = said == '"'
        blank = said[-1] in " \t=;" and not quoted
        found[-1].append(said)
    return [] if quoted or depth else ["".join(piece) for piece in found]
