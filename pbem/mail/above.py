"""The first line of a game's letters: “Reply above this line”, with the code of the letter's question.

Everything above it in a reply is the writer's own, however the mail program marks quotations. The line is recognised in every
language, because a program may not know the letter's language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pbem.i18n import N_, _, languages, speaking

from .codes import in_groups

ABOVE = N_("Reply above this line")
"""What the first line of a letter asks for."""
_BODY = re.compile(r"<body\b[^>]*>", re.IGNORECASE)


def cut_line(code: str = "") -> str:
    """Return the first line of a letter in the current language; everything above it in a reply is the writer's own.

    >>> cut_line("7F3K9QWX2M4P")
    '--- Reply above this line · 7F3K-9QWX-2M4P ---'
    >>> cut_line()
    '--- Reply above this line ---'
    """
    said = _(ABOVE)
    return f"--- {said} · {in_groups(code)} ---" if code else f"--- {said} ---"


def below(text: str, code: str = "") -> str:
    """Return a letter's text below its first line, where it has none yet.

    >>> print(below("Bruce?"))
    --- Reply above this line ---
    Bruce?
    """
    return text if is_cut_line(text.partition("\n")[0]) else f"{cut_line(code)}\n{text}"


def without_cut_line(text: str) -> str:
    """Return a letter's text below its first line.

    >>> without_cut_line("--- Reply above this line · 7F3K-9QWX-2M4P ---\\nBruce?"), without_cut_line("Bruce?")
    ('Bruce?', 'Bruce?')
    """
    first, _end, rest = text.lstrip().partition("\n")
    return rest if is_cut_line(first) else text


_QUIET = "padding:6px 16px;font-size:13px;color:#6b5d4a"
"""How the line looks in HTML: a letter is read from its question on."""


def page_below(page: str, code: str = "") -> str:
    """Return the same of a letter's HTML; "" for none.

    >>> page_below("<html><body class=a><p>Bruce?</p></body></html>")  # doctest: +NORMALIZE_WHITESPACE
    '<html><body class=a><div
    style="padding:6px 16px;font-size:13px;color:#6b5d4a">--- Reply above this line ---</div><p>Bruce?</p></body></html>'
    """
    begun = _BODY.search(page)
    at = begun.end() if begun else 0
    return f'{page[:at]}<div style="{_QUIET}">{cut_line(code)}</div>{page[at:]}' if page else ""


@cache
def _asked_above() -> re.Pattern[str]:
    """The line in every language: with or without its dashes, as programs make one dash or a rule of them."""
    said = []
    for language in languages():
        with speaking(language):
            said.append(r"\s+".join(map(re.escape, _(ABOVE).split())))
    return re.compile(rf"[-–—―_=*·#\s]{{0,20}}(?:{'|'.join(said)})(?:[\s·.*-].{{0,60}})?", re.IGNORECASE)


def cut_at(lines: Sequence[str]) -> int:
    """Return where a letter quoted without marks begins in a reply, by its first line; otherwise the number of lines."""
    return next((at for at, line in enumerate(lines) if is_cut_line(line)), len(lines))


def is_cut_line(line: str) -> bool:
    """Is this the first line of a letter of ours?"""
    return bool(_asked_above().fullmatch(line.strip()))
