"""Kinds of facts: one frozen class for each thing that rules report, with its public and its restricted fields.

A game derives its kinds from a base class of its own and gives each its JSON name: ``class Draw(LordsFact, kind="draw")``. Rules
create facts and report them (`Run.tell`); a look parses them again (`read`). Everybody hears a field unless it is `hidden`, or
`counted` in place of a hidden one. The JSON omits fields that have their default value. Here, a name that is a Python keyword ends
in `_`. Parts of facts derive from the same base class, without a kind.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, Self, dataclass_transform

from pydantic import ConfigDict, TypeAdapter

from .wants import Json


def hidden() -> Any:
    """Return a field that is only for the seats that know it; all others get None."""
    return field(default=None, metadata={"known": True})


def counted() -> Any:
    """Return a field that is only for those who don't know the hidden field: it gives the number."""
    return field(default=None, metadata={"known": False})


@dataclass_transform(frozen_default=True, eq_default=False)
class Happening:
    """The base of all facts."""

    kind: ClassVar[str] = ""
    __dataclass_fields__: ClassVar[dict[str, Any]]
    _head: ClassVar[dict[str, Json]]
    _lists: ClassVar[tuple[str, ...]]
    """The names in the JSON of those that are tuples."""
    _special: ClassVar[tuple[tuple[str, str, Any, bool | None], ...]]
    """The fields that are not always told as they are: name, name in the JSON, default, whether who knows hears it (None: all)."""
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(alias_generator=lambda name: name.removesuffix("_"))

    def __init_subclass__(cls, kind: str = "") -> None:
        cls.kind = kind
        dataclass(cls)  # frozen to the type checker alone: at run time that would make them three times as slow
        cls._head = {"f": kind} if kind else {}
        cls._lists = tuple(f.name.removesuffix("_") for f in fields(cls) if f.type.startswith("tuple["))
        found = ((f.name, f.name.removesuffix("_"), f.default, f.metadata.get("known")) for f in fields(cls))
        cls._special = tuple(field for field in found if field[0] != field[1] or field[2] is not MISSING)

    @classmethod
    @cache
    def kinds(cls) -> dict[str, type[Any]]:
        """Return all kinds that derive from this class, by name."""
        found = {cls.kind: cls} if cls.kind else {}
        return found | {name: kind for below in cls.__subclasses__() for name, kind in below.kinds().items()}

    @classmethod
    def read(cls, fact: Json) -> Self:
        """Return the fact that a JSON object tells. Raises LookupError, TypeError or ValueError: anybody may have made it up."""
        found: Self = cls._reader(fact["f"]).validate_python(fact)
        return found

    @classmethod
    @cache
    def _reader(cls, kind: str) -> TypeAdapter[Any]:
        return TypeAdapter(cls.kinds()[kind])

    def json(self, *, knows: bool) -> dict[str, Json]:
        """Return the fact as JSON, either for those who know its hidden fields or for all others."""
        found = self._head | vars(self)
        for name, called, usual, known in self._special:
            value = found.pop(name)
            if value != usual and known in (None, knows):
                found[called] = value
        for called in self._lists:
            if called in found:
                found[called] = [
                    item.json(knows=knows) if isinstance(item, Happening) else item for item in found[called]
                ]
        return found
