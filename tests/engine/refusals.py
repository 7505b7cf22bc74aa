"""What several tests need of refusals: spoilt."""

from __future__ import annotations

import random
import re

_PART = re.compile(r"(\s+|[,;:>+-])")


def spoilt(text: str, pool: list[str], chance: random.Random) -> str:
    """Return an order that is mostly wrong: a word changed, left out or doubled, a line too much, another question's."""
    parts = _PART.split(text)
    at = chance.choice([no for no, part in enumerate(parts) if part.strip()])
    other = chance.choice(pool)
    parts[at] = chance.choice(["", "Xyzzy", "99", "-1", f"{parts[at]} ", chance.choice(other.split())])
    return chance.choice(["".join(parts), "".join(parts[:at]), f"{text}\n{other}", other, "", f"{text}\n{text}"])
