"""How one value is made from another: boards, frames and states are frozen dataclasses, and every event changes one.

`changed(board, turn=3)` returns the same as `dataclasses.replace`, several times faster. It fills an object of an unfrozen class
with the same slots, and then gives it its own class. Classes without slots, or with code that runs at creation, use
`dataclasses.replace`.

A value computed from one field may be kept in a slot beside the fields. The class fills it at creation (`__post_init__`), and names
slot and field in `kept`. The slot is copied as long as that field is unchanged, or can be given like a field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, make_dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["CHANGE", "changed"]

if TYPE_CHECKING:
    from dataclasses import replace as changed  # fields are checked as there
else:

    def changed(value, /, **changes):
        """Return the same value with these fields changed. Raises AttributeError or TypeError if it has no such field."""
        return CHANGE[value.__class__](value, changes)


class _Unfrozen:
    """The base of classes with objects that can be filled."""

    __slots__ = ()
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__  # both, or each assignment takes the way through Python

    def __init_subclass__(cls) -> None:
        """Skip the registration: this class is not one of its game's kinds."""


Change: TypeAlias = Callable[[Any, Mapping[str, Any]], Any]


class _Changers(dict[type, Change]):
    """By class what makes of one of its values the same one with some fields changed."""

    def __missing__(self, kind: type) -> Change:
        made = self[kind] = _change(kind)
        return made


CHANGE = _Changers()
"""What `changed` calls, for callers that have the changes as a mapping."""


def _change(kind: type) -> Change:
    kept = getattr(kind, "kept", {})
    if any("__dict__" in vars(base) for base in kind.__mro__) or (hasattr(kind, "__post_init__") and not kept):
        return lambda value, changes: replace(value, **changes)
    names = (*(field.name for field in fields(kind)), *kept)
    opened: Any = type(kind.__name__, (_Unfrozen, kind), {"__slots__": ()})
    read: Any = attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)
    fill: Any = vars(make_dataclass(kind.__name__, names))["__init__"]  # it sets all of them, whosever they are

    def change(old: Any, changes: Mapping[str, Any]) -> Any:
        new = opened.__new__(opened)
        fill(new, *read(old))
        for name, value in changes.items():
            setattr(new, name, value)
        new.__class__ = kind
        for slot, of in kept.items():
            if of in changes and slot not in changes:
                new.__post_init__()
        return new

    return change
