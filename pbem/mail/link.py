"""Links that open a letter in the reader's mail program (RFC 6068)."""

from __future__ import annotations

import re
from urllib.parse import quote

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
