"""What people and strangers type instead of orders: lines that were torn, doubled, or put together wrong."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

_WORDS = re.compile(r"\w+|[^\w\s]")
_STRAY = (",", ":", ";", ">", "-", "+", "0", "99", "٣", "½", "ANY", "NONE", "PLAN", "AHEAD", "IF", "TO", "FROM", "END")
"""What stands somewhere it does not belong."""


def torn(lines: Sequence[str], rng: random.Random) -> str:
    """Return one of these lines with some of its words gone, doubled, or others in their place; perhaps only its beginning."""
    words = _WORDS.findall(rng.choice(lines)) or [""]
    for _time in range(rng.randint(1, 3)):
        at = rng.randrange(len(words))
        stray = rng.choice((*_STRAY, *_WORDS.findall(rng.choice(lines))))
        match rng.randrange(5):
            case 0:
                words = [*words[:at], *words[at + 1 :]] or [stray]
            case 1:
                words = [*words[:at], stray, *words[at:]]
            case 2:
                words = [*words[:at], stray, *words[at + 1 :]]
            case 3:
                words = [*words[: at + 1], *words[at:]]
            case _:
                words = [*words[: at + 1], stray]
    return " ".join(words)


def torn_draft(lines: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """Return the lines of a draft with one of them torn, doubled, or cut off behind its first word."""
    draft = list(lines) or [""]
    at = rng.randrange(len(draft))
    more = rng.choice([torn(draft, rng), draft[at].partition(" ")[0], draft[at], rng.choice(_STRAY)])
    draft.insert(rng.randint(0, len(draft)), more)
    if rng.random() < 0.5:
        draft[at] = torn(draft, rng)
    return tuple(draft)
