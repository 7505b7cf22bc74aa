"""Typed views of JSON from the program's own rules, without validation.

Views from a log or a letter are validated (`Law.read_view`). Views that the rules have just made are correct and only need the
types of their model; parts that are the same object as before already have them. The model's validation schema gives the types;
schema kinds unknown here are validated. No part of a view is ever changed in place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, TypeAlias, TypeVar

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import SchemaValidator, core_schema

from .order import View
from .wants import Json

C = TypeVar("C", bound=Callable[..., Any])
V = TypeVar("V", bound=View)
_Schema: TypeAlias = Mapping[str, Any]
_Make: TypeAlias = Callable[[Json], Any]
_KEPT = 256
"""The maximum number of values kept for one part."""
_AS_IT_IS = {"any": set[str](), "bool": {"strict"}, "int": {"ge", "le", "gt", "lt", "strict"}, "literal": {"expected"},
             "str": {"pattern", "min_length", "max_length", "strict", "regex_engine"}}  # fmt: skip
"""Schema kinds that JSON fits already, with the settings that change nothing."""
_BESIDES = {"type", "ref", "metadata", "serialization"}


def only_checks(validator: C) -> C:
    """Mark a pydantic validator that only returns or refuses its argument: values made by the rules need not be checked."""
    validator.only_checks = True  # type: ignore[attr-defined]
    return validator


def _kept(make: _Make) -> _Make:
    """Return what makes a value once of one object."""
    known: dict[int, tuple[Json, Any]] = {}

    def kept(said: Json) -> Any:
        found = known.get(id(said))
        if found is not None and found[0] is said:
            return found[1]
        if len(known) >= _KEPT:
            known.clear()
        made = make(said)
        known[id(said)] = (said, made)  # as long as it is kept, nothing else has its id
        return made

    return kept


class _Makers:
    """Makes what a schema describes; None where it is as it is in JSON."""

    def __init__(self, schema: _Schema) -> None:
        self._defs: dict[str, _Schema] = {}
        self.make = self._of(schema)

    def _of(self, schema: _Schema) -> _Make | None:
        kind = schema["type"]
        if kind in _AS_IT_IS and schema.keys() - _BESIDES <= _AS_IT_IS[kind]:
            return None
        known = getattr(self, "_" + kind.replace("-", "_"), None)
        return known(schema) if known else self._validated(schema)

    def _validated(self, schema: _Schema) -> _Make:
        whole: Any = core_schema.definitions_schema(schema, [*self._defs.values()]) if self._defs else schema
        return _kept(SchemaValidator(whole).validate_python)

    def _definitions(self, schema: _Schema) -> _Make | None:
        self._defs |= {one["ref"]: one for one in schema["definitions"]}
        return self._of(schema["schema"])

    def _definition_ref(self, schema: _Schema) -> _Make | None:
        return self._of(self._defs[schema["schema_ref"]])

    def _function_after(self, schema: _Schema) -> _Make | None:
        only_checks = getattr(schema["function"]["function"], "only_checks", False)
        return self._of(schema["schema"]) if only_checks else self._validated(schema)

    def _default(self, schema: _Schema) -> _Make | None:
        return self._of(schema["schema"])

    def _nullable(self, schema: _Schema) -> _Make | None:
        return self._of(schema["schema"])  # JSON of rules holds no null

    def _dict(self, schema: _Schema) -> _Make | None:
        if self._of(schema.get("keys_schema", {"type": "any"})) is not None:
            return self._validated(schema)
        make = self._of(schema.get("values_schema", {"type": "any"}))
        return make and _kept(lambda said: {key: make(value) for key, value in said.items()})

    def _list(self, schema: _Schema) -> _Make | None:
        make = self._of(schema.get("items_schema", {"type": "any"}))
        return make and _kept(lambda said: [*map(make, said)])

    def _tuple(self, schema: _Schema) -> _Make:
        if schema.get("variadic_item_index") != 0 or len(schema["items_schema"]) != 1:
            return self._validated(schema)
        make = self._of(schema["items_schema"][0])
        return _kept(lambda said: tuple(map(make, said)) if make else tuple(said))

    def _model(self, schema: _Schema) -> _Make:
        cls, fields = schema["cls"], schema["schema"]
        known = {"type", "ref", "metadata", "cls", "schema", "config", "custom_init", "root_model", "frozen"}
        plain = fields["type"] == "model-fields" and not any(schema.get(name) for name in schema.keys() - known)
        renamed = any(
            "validation_alias" in field or field["type"] != "model-field" for field in fields.get("fields", {}).values()
        )
        odd = schema.get("custom_init") or schema.get("root_model") or fields.get("computed_fields")
        config = {name: said for name, said in cls.model_config.items() if name != "defer_build"}
        forbids = config == {"frozen": True, "extra": "forbid"} and not cls.__private_attributes__
        if not plain or renamed or odd or not forbids or _checks_defaults(cls):
            return self._validated(schema)
        makes = {name: make for name, field in fields["fields"].items() if (make := self._of(field["schema"]))}
        usual = {name: field.get_default() for name, field in cls.model_fields.items()}
        anew = {name: make_anew for name, field in cls.model_fields.items() if (make_anew := _anew(field))}
        return _kept(partial(_made, cls, usual, anew, makes))


def _checks_defaults(cls: type[BaseModel]) -> bool:
    return any(
        field.validate_default or field.default_factory_takes_validated_data for field in cls.model_fields.values()
    )


def _anew(field: FieldInfo) -> Callable[[], Any] | None:
    """Return what makes the default of a field each time, where it has one that could be changed."""
    shared = field.default_factory is None and isinstance(field.default, str | int | tuple | None)
    return None if shared or field.is_required() else partial(field.get_default, call_default_factory=True)


def _made(
    cls: type[BaseModel],
    usual: Mapping[str, Any],
    anew: Mapping[str, Callable[[], Any]],
    makes: Mapping[str, _Make],
    said: Json,
) -> Any:
    values = {**usual, **said}
    for name, default in anew.items():
        if name not in said:
            values[name] = default()
    for name, make in makes.items():
        if name in said:
            values[name] = make(said[name])
    made = cls.__new__(cls)
    object.__setattr__(made, "__dict__", values)
    object.__setattr__(made, "__pydantic_fields_set__", {*said})
    object.__setattr__(made, "__pydantic_extra__", None)
    object.__setattr__(made, "__pydantic_private__", None)
    return made


@cache
def maker(model: type[V]) -> Callable[[Json], V]:
    """Return what makes the typed form of a view that rules have made for this model."""
    model.model_rebuild()  # what is built when it is first used
    return _Makers(model.__pydantic_core_schema__).make or model.model_validate
