"""A memo of the last value derived from each part of a state: the same part object gives the same value.

States are never changed in place, and a step leaves most parts as they were. So derived values (views, a position's text) are
cheap. Equal values are one object, which code that compares, folds, reads or writes them can skip. The memo only saves time:
without it the results are the same. Never change these values in place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .wants import Json

P = TypeVar("P")


class LastMade:
    """By name, the last part and the value made from it."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[Any, Any]] = {}

    def of(self, name: str, part: P, make: Callable[[P], Json]) -> Json:
        """Return the value made from a part, reusing equal pieces of the last value under this name."""
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
    """Return `was` if `new` equals it; otherwise `new`, with its equal members replaced by those of `was`.

    `new` has just been made and is not shared yet. Both come from the same rules, so equal names have equal types.
    """
    if new == was:
        return was
    if type(new) is dict and type(was) is dict:
        for key, old in was.items():
            if key in new and new[key] is not old:
                new[key] = taken_over(new[key], old)
    return new
