"""The dictionaries of a game: the frequent texts of its orders, with which a short block packs them into a few bytes.

A game keeps them in its folder `words`, as `1.txt`, `2.txt`, …, numbered without a gap. Number 0 is the empty one that every game
has. Both ends must have the same bytes, so a released dictionary never changes: an improved one gets the next number. No play
depends on them, so they do not belong to the rules.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from .pack import GamePack

FOLDER = "words"


def words(pack: GamePack, number: int) -> bytes | None:
    """Return the dictionary of a game with that number, or None where it has none."""
    return _of(pack.package)[number] if 0 <= number < len(_of(pack.package)) else None


def newest(pack: GamePack) -> int:
    """Return the number of the newest dictionary of a game; 0 where it has but the empty one."""
    return len(_of(pack.package)) - 1


@cache
def _of(package: str) -> tuple[bytes, ...]:
    folder, found = files(package) / FOLDER, [b""]
    while (file := folder / f"{len(found)}.txt").is_file():
        found.append(file.read_bytes())
    return tuple(found)
