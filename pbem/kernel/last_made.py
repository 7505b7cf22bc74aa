"""What was made of a part of a state last: where the part is the same object now, nothing is made again.

States are never changed in place, and a step leaves most of one as it was. So what is made of its parts (views, the text of a
position) is soon made, and is one object with what was made before, past which goes whoever compares, folds, reads or writes it.
What is kept decides nothing: without it the same is made, only later. Nobody may change in place what he gets here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .wants import Json

P = TypeVar("P")


class LastMade:
    """By name, the part that was looked at last, and what was made of it."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[Any, Any]] = {}

    def of(self, name: str, part: P, make: Callable[[P], Json]) -> Json:
        """Return what is made of a part; what is equal in what was made under this name before is taken over from it."""
        known = self._made.get(name)
        if known is None:
            made = make(part)
        elif known[0] is part:
            return known[1]
        else:
            made = taken_over(make(part), known[1])
        self._made[name] = (part, made)  # as long as it is kept, nothing else is this object
        return made


def taken_over(new: Json, was: Json) -> Json:
    """Return `was` where `new` equals it; else `new`, with what is equal in objects of `was` in its place.

    `new` has just been made, and nobody has it yet; both were made by the same rules, so of one name all have the same types.
    """
    if new == was:
        return was
    if type(new) is dict and type(was) is dict:
        for key, old in was.items():
            if key in new and new[key] is not old:
                new[key] = taken_over(new[key], old)
    return new
