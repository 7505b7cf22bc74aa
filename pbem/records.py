"""Dataclasses like those of the standard library, but with each method generated at its first call.

To generate `__init__`, `__eq__`, `__repr__` and `__hash__` takes a hundred times as long as to load the class. A command loads many
classes, and calls few methods of few of them. Otherwise a class is what `dataclasses.dataclass` makes of it, and works with
`fields`, `replace` and `copy`.

Knows nothing of the content of such classes.
"""

from __future__ import annotations

import dataclasses
from copy import copy
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

__all__ = ["dataclass"]

_Options: TypeAlias = dict[str, bool]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(kind=None, /, *, frozen=False, slots=False, eq=True, unsafe_hash=False, kw_only=False):
        """Make a dataclass of a class: as `dataclasses.dataclass` with these options, but for when its methods are written."""

        def make(kind):
            own = vars(kind).keys()
            plain = dict.fromkeys(("init", "repr", "eq"), False)
            below = frozen and any(base.__dataclass_params__.frozen for base in kind.__mro__ if is_dataclass(base))
            made = dataclasses.dataclass(kind, slots=slots, kw_only=kw_only, frozen=below, **plain)
            if frozen:
                made.__setattr__, made.__delattr__ = _refuse_to_set, _refuse_to_delete
            if frozen and slots and "__getstate__" not in own:
                made.__getstate__, made.__setstate__ = _state, _set_state
            hashed = unsafe_hash or (eq and frozen)
            wanted = {"__init__": plain | {"init": True, "frozen": frozen}, "__repr__": plain | {"repr": True}}
            wanted |= {"__eq__": plain | {"eq": True}} if eq else {}
            wanted |= {"__hash__": plain | {"unsafe_hash": True}} if hashed else {}
            for name, options in wanted.items():
                if name not in own:
                    setattr(made, name, _unwritten(made, name, options))
            if eq and not hashed and "__hash__" not in own:
                made.__hash__ = None
            return made

        return make if kind is None else make(kind)


def _unwritten(made: type, name: str, options: _Options) -> Any:
    """Return a method that is written in its own place by its first call."""

    def unwritten(self: Any, /, *args: Any, **values: Any) -> Any:
        method = _written(made, name, options)
        method.__qualname__ = f"{made.__qualname__}.{name}"
        setattr(made, name, method)
        return method(self, *args, **values)

    return unwritten


def _written(made: Any, name: str, options: _Options) -> Any:
    """Return a method as the standard library writes it for a class with the same fields."""
    names: dict[str, Any] = {"__doc__": "As it is written."}  # without one its signature would be looked for
    if hasattr(made, "__post_init__"):
        names["__post_init__"] = made.__post_init__
    own = [(field.name, field.type, copy(field)) for field in fields(made)]
    alike: Any = dataclasses.make_dataclass
    return vars(alike(made.__name__, own, namespace=names, **options))[name]


def _refuse_to_set(_self: object, name: str, _value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
