"""How one value is made of another: boards, frames and states are frozen dataclasses, and all that happens is a change of one.

`changed(board, turn=3)` is what `dataclasses.replace` returns, several times as quick: it fills an object of a class with the same
slots that is not frozen, and then gives it its own class.
Classes without slots, or that do something when they are made, are left to `dataclasses.replace`.

What is reckoned from one field alone may be kept with a value, in a slot beside its fields: a class fills it when a value is made
(`__post_init__`), and names slot and field in `kept`. The slot goes along as long as that field stays, or is given like a field.
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
        """Return the same value but for these fields. Raises AttributeError or TypeError for what is no field of it."""
        return CHANGE[value.__class__](value, changes)


class _Unfrozen:
    """The base of classes whose objects can be filled."""

    __slots__ = ()
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__  # both, or each assignment takes the way through Python

    def __init_subclass__(cls) -> None:
        """Tell nobody: it is no kind of its game's."""


Change: TypeAlias = Callable[[Any, Mapping[str, Any]], Any]


class _Changers(dict[type, Change]):
    """By class what makes of one of its values the same one with some fields changed."""

    def __missing__(self, kind: type) -> Change:
        made = self[kind] = _change(kind)
        return made


CHANGE = _Changers()
"""What `changed` calls, for who has the changes as a mapping."""


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
