"""What wrapping does to replies: pieces of quoted lines left without their marks, and moves that continue in a line that looks
quoted.

It decides by the widths of lines alone, and knows no order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

QUOTED = re.compile(r"\s*(?:[A-Z]{1,3}>(?=[\s>]|$)|>|\|)")
"""A quoted line; some programs put the writer's initials before the mark. “Mar>Fife” is not one: it is a move."""
_NARROW = 60
"""No program wraps lines that are shorter."""
_SEVERAL = 3
"""From this number on, single lines between quoted ones are not answers."""


def left_over(lines: Sequence[str]) -> set[int]:
    """Return the lines that a program has wrapped off quoted lines and left without marks.

    Such a line is alone between quoted lines, or below the last. There must be several, or its first word had no room in the line
    above.
    """
    quoted = [bool(QUOTED.match(line)) for line in lines]
    last = max((at for at, line in enumerate(lines) if line.strip()), default=0)
    alone = [
        at
        for at in range(1, last + 1)
        if lines[at].strip() and quoted[at - 1] and not quoted[at] and (at == last or quoted[at + 1])
    ]
    if len(alone) >= _SEVERAL:
        return set(alone)
    widest = max((len(line) for line, behind in zip(lines, quoted, strict=True) if behind), default=0)
    return {at for at in alone if len(lines[at - 1].rstrip()) + 1 + len(lines[at].split()[0]) > max(widest, _NARROW)}


def goes_on(lines: Sequence[str], at: int) -> bool:
    """Return whether a line that begins with `>` continues the move above it, which a program has wrapped there.

    It must be alone, directly below a line that had no room for it; a quotation begins below an empty line, or has more lines.
    """
    above, below = lines[at - 1 : at] or [""], lines[at + 1 : at + 2] or [""]
    return len(above[0].rstrip()) >= _NARROW - 2 and not QUOTED.match(below[0]) and lines[at].lstrip().startswith("> ")
