"""The dictionaries of a game: what its orders mostly say, so that a short block packs them in a few bytes.

A game keeps them in its folder `words`, as `1.txt`, `2.txt`, …, from the first without a gap; number 0 is the empty one that every
game has. Both ends must have the same bytes, so one that was released never changes: what is to be better is the next number. No
play follows from them, so they are no part of the rules.
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
