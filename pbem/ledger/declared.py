"""Declaration of the form of a line, and checks of values against it.

A form is a type as pydantic reads it, with its limits and conditions in `Annotated`. The JSON Schema comes from it, and so does the
reason why a value lacks the form. A correct value passes here without pydantic, which takes longer to load than a log takes to
verify. `Form.passes` never says yes if pydantic says no. If `Form.passes` says no, pydantic decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from types import GenericAlias, UnionType
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, Union, cast, get_args, get_origin

from typing_extensions import TypedDict, get_type_hints, is_typeddict

from pbem.i18n import _

Passes: TypeAlias = Callable[[Any], bool]


class Limits:
    """Between which numbers, of what length or of which pattern a value is, in the words of pydantic's schemas."""

    def __init__(self, **said: Any) -> None:
        self.said = said

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        """Return the schema of the limited type, with the limits."""
        return handler(source) | self.said

    def passes(self, _source: Any) -> Passes:
        """Return what asks whether a value of the type has them."""
        return _all(_LIMITS[name](limit) for name, limit in self.said.items() if name != "strict")


class Requirement:
    """A condition on a value with parts that are right each by itself: a function that raises ValueError."""

    def __init__(self, check: Callable[[Any], Any]) -> None:
        self.check = check

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        """Return the schema of the value, with the condition after it."""
        from pydantic_core.core_schema import no_info_after_validator_function

        return no_info_after_validator_function(self.check, handler(source))

    def passes(self, _source: Any) -> Passes:
        """Return what asks whether a value fulfils it."""

        def passes(value: Any) -> bool:
            try:
                self.check(value)
            except ValueError:
                return False
            return True

        return passes


class Tag:
    """The field by which one of several forms is told from the others."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Return the schema of the forms, told apart by the field."""
        from pydantic import Field

        return handler.generate_schema(Annotated[source, Field(discriminator=self.name)])

    def passes(self, source: Any) -> Passes:
        """Return what asks the one form that a value names."""
        forms: dict[Any, Passes] = {}
        for form in get_args(source):
            (tag,) = get_args(fields_of(form)[self.name])
            forms[tag] = _passes(form)

        def passes(value: Any) -> bool:
            tag = value.get(self.name) if type(value) is dict else None
            return type(tag) is str and tag in forms and forms[tag](value)

        return passes


_TYPED_DICT: Any = TypedDict
Fields: TypeAlias = dict[str, Any]
"""The fields of an object and what each may hold, in the order of the schema."""


def form(name: str, says: str, fields: Fields, *conditions: Requirement, is_open: bool = False) -> Any:
    """Return the form of an object with these fields, and with others where it `is_open`, which takes no value for another."""
    made = _TYPED_DICT(name, fields)
    made.__doc__ = says
    made.__pydantic_config__ = {"strict": True, "extra": "allow" if is_open else "forbid"}
    return Annotated[made, *conditions] if conditions else made


def fields_of(declared: Any) -> Fields:
    """Return the fields of a form of an object, its conditions apart."""
    bare = get_args(declared)[0] if get_origin(declared) is Annotated else declared
    return get_type_hints(bare, include_extras=True)


def one_of(forms: Iterable[Any], tag: str = "") -> Any:
    """Return the form that is any one of some forms, told apart by the field `tag` if there is one."""
    either: Any = Union[tuple(forms)]  # noqa: UP007 - they are not known before
    return Annotated[either, Tag(tag)] if tag else either


def each(declared: Any) -> Any:
    """Return the form of a list with items of a form."""
    return GenericAlias(list, (declared,))


def must(holds: Callable[[Any], bool], why: str, **values: object) -> Requirement:
    """Return a condition on a value with parts that are right each by itself, with the message for values that fail it."""

    def check(value: Any) -> Any:
        if not holds(value):
            raise ValueError(_(why, **values))
        return value

    return Requirement(check)


class Form:
    """One declared form, and whether values have it; the predicate is made when it is first needed."""

    def __init__(self, declared: Any) -> None:
        self.declared = declared
        self.passes: Passes = _passes(declared, top=True)
        self._validate: Callable[[Any], Any] | None = None

    def validate(self, value: Any) -> None:
        """Ask pydantic. Raises ValidationError."""
        if self._validate is None:
            from pydantic import TypeAdapter

            self._validate = TypeAdapter(self.declared).validator.validate_python
        self._validate(value)


def _all(passes: Iterable[Passes]) -> Passes:
    match [*passes]:
        case []:
            return _anything
        case [only]:
            return only
        case [first, second]:
            return lambda value: first(value) and second(value)
        case several:
            return _all([several[0], _all(several[1:])])


def _anything(_value: Any) -> bool:
    return True


def _text(value: Any) -> bool:
    return type(value) is str and (value.isascii() or not _SURROGATE.search(value))


def _pattern(pattern: str) -> Passes:
    return cast("Passes", re.compile(pattern, re.ASCII).fullmatch)  # a match counts as true


_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN: dict[Any, Passes] = {
    Any: _anything,
    str: _text,
    int: lambda value: type(value) is int,
    bool: lambda value: type(value) is bool,
}
_LIMITS: dict[str, Callable[[Any], Passes]] = {
    "ge": lambda least: lambda value: value >= least,
    "le": lambda most: lambda value: value <= most,
    "lt": lambda over: lambda value: value < over,
    "min_length": lambda least: lambda value: len(value) >= least,
    "max_length": lambda most: lambda value: len(value) <= most,
    "pattern": _pattern,
}


def _passes(form: Any, *, top: bool = False) -> Passes:
    """Return what asks for a form. Raises TypeError for one that is declared otherwise than forms are here."""
    if form in _PLAIN:
        return _PLAIN[form]
    if is_typeddict(form):
        return _object(form)
    kind: Any = get_origin(form)
    parts = get_args(form)
    if kind is Annotated:
        source, *said = parts
        first = [] if isinstance(said[0], Tag) else [_passes(source, top=top)]
        return _all(first + [one.passes(source) for one in said])
    if kind is Literal:
        if all(type(one) is str for one in parts):
            return lambda value: type(value) is str and value in parts
        return lambda value: any(value == one and type(value) is type(one) for one in parts)
    if kind in (Union, UnionType):
        asked = [_passes(part) for part in parts]
        return lambda value: any(passes(value) for passes in asked)
    if kind is list:
        return _list(_passes(*parts))
    if kind is dict:
        return _mapping(*map(_passes, parts))
    if kind is tuple and top:  # below a strict object pydantic takes no list for one
        return _row([_passes(part) for part in parts])
    raise TypeError(form)


def _object(form: Any) -> Passes:
    fields, needed = {}, set()
    for name, declared in get_type_hints(form, include_extras=True).items():
        kind: Any = get_origin(declared)
        optional = kind is NotRequired
        fields[name] = _passes(get_args(declared)[0] if optional else declared)
        if not optional:
            needed.add(name)
    forbids = form.__pydantic_config__["extra"] == "forbid"

    def passes(value: Any) -> bool:
        if type(value) is not dict or not needed <= value.keys():
            return False
        for name, said in value.items():
            asked = fields.get(name)
            if asked is None:
                if forbids or not _text(name):
                    return False
            elif not asked(said):
                return False
        return True

    return passes


def _list(passes: Passes) -> Passes:
    if passes is _anything:
        return lambda value: type(value) is list
    return lambda value: type(value) is list and all(map(passes, value))


def _mapping(of_name: Passes, of_value: Passes) -> Passes:
    return lambda value: type(value) is dict and all(map(of_name, value)) and all(map(of_value, value.values()))


def _row(parts: list[Passes]) -> Passes:
    return lambda value: (
        type(value) is list
        and len(value) == len(parts)
        and all(passes(one) for passes, one in zip(parts, value, strict=True))
    )
