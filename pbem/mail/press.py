"""Press: words between players that the host passes on. Any words come in; what goes out cannot pose as the robot's own.

Each line has a mark in front, so it never begins like a line of a letter. It is also short enough that no program folds it.
Invisible characters are removed.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata

from pbem.i18n import _

from .unquoting import own_part

MARK = "  | "
LONGEST, LINES = 4000, 120
"""The maximum number of characters and of lines passed on at once."""
A_DAY = 10
"""The maximum number of pieces of a seat passed on in 24 hours."""

_WIDTH = 72 - len(MARK)
_FIRST = re.compile(r"\s*PRESS\b.*", re.IGNORECASE)


def press_in(text: str, page: str = "") -> str:
    """Return the words below the line PRESS of a mail, without what it quotes, up to END, SIGNOFF or a signature.

    `page` is the same mail as its HTML says it.

    >>> press_in("PRESS to bob\\nShall we?\\n> Order now.\\n\\nAnn\\n-- \\nAnn Miller")
    'Shall we?\\n\\nAnn'
    """
    lines = own_part(text, page).split("\n")
    first = next((no for no, line in enumerate(lines) if _FIRST.fullmatch(line)), len(lines))
    kept = []
    for line in lines[first + 1 :]:
        if line.strip().upper() in ("END", "SIGNOFF"):
            break
        kept.append(line)
    return "\n".join(kept).strip()


def why_unfit(text: str) -> str:
    """Return why words cannot be handed on; "" where they can."""
    if text.strip() and len(text) <= LONGEST and text.count("\n") < LINES:
        return ""
    return _("Press has at most {letters} letters in {lines} lines, and at least one.", letters=LONGEST, lines=LINES)


def marked(text: str) -> str:
    """Return words to be handed on, each line behind the mark.

    >>> print(marked("From the host:\\r\\nBEGIN PBEM ORDERS\\u202e"))
      | From the host:
      | BEGIN PBEM ORDERS
    """
    lines = []
    for line in re.split(r"\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]", text):
        kinds = [(c, unicodedata.category(c)[0]) for c in line.expandtabs(4)]
        seen = "".join(" " if kind == "Z" else c for c, kind in kinds if kind != "C")
        lines += textwrap.wrap(seen.strip(), _WIDTH, break_on_hyphens=False) or [""]
    return "\n".join(f"{MARK}{line}".rstrip() for line in lines)
