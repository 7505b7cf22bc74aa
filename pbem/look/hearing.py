"""Memories that follow the facts a seat has heard, and continue where an earlier one ended.

A report tells what a player can remember, before the news and after it. Both follow from all facts that the seat has ever heard.
A host writes hundreds of reports of a game, so a late one would cost a hundred times as much as an early one. Here a new memory
takes over what an earlier one remembers of the same beginning, and hears only the rest.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from operator import is_
from typing import Any, Protocol, TypeVar


class Hears(Protocol):
    """An object that remembers facts in attributes: plain values, sets and dictionaries. Its `view` is not remembered."""

    def hear(self, facts: Sequence[Any]) -> Any:
        """Take in facts."""
        ...


M = TypeVar("M", bound=Hears)
_HEARD: deque[tuple[type, str, tuple[Any, ...], dict[str, Any]]] = deque(maxlen=64)
"""The last memories, the newest first: their type and seat, the facts that they have heard, and what they remember."""


def heard(new: M, seat: str, facts: Sequence[Any]) -> M:
    """Let a new memory take in facts, and return it; `seat` is the seat that it belongs to.

    The common beginning must be the same objects, as a host keeps them. Equal facts of another game are heard from the first on.

    >>> class Count:
    ...     def __init__(self) -> None:
    ...         self.years, self.calls = set(), 0
    ...     def hear(self, facts):
    ...         self.years |= {fact["year"] for fact in facts}
    ...         self.calls += len(facts)
    >>> facts = [{"year": 1297}, {"year": 1298}]
    >>> heard(Count(), "english", facts[:1]).years
    {1297}
    >>> sorted(heard(Count(), "english", facts).years)
    [1297, 1298]
    """
    begun = (
        (told, memory) for kind, whom, told, memory in _HEARD
        if kind is type(new) and whom == seat and len(told) <= len(facts) and all(map(is_, told, facts))
    )  # fmt: skip
    told, memory = next(begun, ((), {}))
    vars(new).update({name: _apart(value) for name, value in memory.items() if name != "view"})
    new.hear(facts[len(told) :])
    _HEARD.appendleft((type(new), seat, tuple(facts), vars(new)))
    return new


def _apart(value: Any) -> Any:
    """Return a copy of dictionaries and sets, also inside each other."""
    if isinstance(value, dict):
        return {key: _apart(one) for key, one in value.items()}
    return set(value) if isinstance(value, set) else value
