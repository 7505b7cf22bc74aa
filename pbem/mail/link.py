"""A letter for its sender's mail program: as a link that opens it (RFC 6068), or as a file to open."""

from __future__ import annotations

import re
from urllib.parse import quote

from .block import without_blanks
from .incoming import MAX_FROM_HOST, read_message

MOST = 1800
"""Mail programs and browsers cut longer links, some without a word."""


def mailto(to: str, subject: str = "", body: str = "") -> str:
    """Return the link for a letter, or "" where it would be longer than programs take.

    >>> mailto("host+g42@example.org", "my move", "CARD Herald\\nEND")
    'mailto:host%2Bg42@example.org?subject=my%20move&body=CARD%20Herald%0D%0AEND'
    """
    fields = {"subject": " ".join(subject.split()), "body": re.sub(r"\r\n|\r|\n", "\r\n", body)}
    asked = "&".join(f"{name}={quote(text, safe='')}" for name, text in fields.items() if text)
    link = f"mailto:{quote(to, safe='@')}" + (f"?{asked}" if asked else "")
    return link if len(link) < MOST else ""


def as_link(raw: bytes) -> str:
    """Return the link for a letter of our own making, its block without the blanks.

    It is "" where the letter is too long for one, or has lines of a log attached, which no link takes along.
    """
    letter = read_message(raw, MAX_FROM_HOST)
    if letter.log:
        return ""
    return mailto(letter.to[0], letter.subject, without_blanks(letter.text).strip())


def as_draft(raw: bytes) -> bytes:
    """Return a letter as a file that mail programs open as one still to be sent."""
    return b"X-Unsent: 1\r\n" + raw
