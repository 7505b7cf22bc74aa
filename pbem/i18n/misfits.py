"""Why a value does not fit a model, in words for readers: what was read, and what is allowed there.

pydantic names only the bound that was exceeded, in English. The JSON Schema of the model says what is allowed in a place, so
messages give both bounds. An error is a dict in pydantic's form; this module imports nothing of pydantic.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeAlias

from . import N_, _

Schema: TypeAlias = Mapping[str, Any]
_SHOWN = 60
"""The maximum number of letters shown of a value."""
_KEY = "[key]"
_NEAR = 0.75
"""So like a name is to another that may be meant: “hrad” to “hard”, but not “players” to “years”."""
_LISTED = 240
"""The maximum number of letters in a row of names."""
_NUMBERS, _ITEMS, _LETTERS = ("minimum", "maximum"), ("minItems", "maxItems"), ("minLength", "maxLength")
_KINDS = {
    **dict.fromkeys(("bool_type", "bool_parsing"), N_("true or false")),
    **dict.fromkeys(("list_type", "tuple_type"), N_("a list")),
    **dict.fromkeys(
        ("dict_type", "mapping_type", "model_type", "model_attributes_type", "dataclass_type"), N_("an object")
    ),
    "string_type": N_("a text"),
}
_OF_SCHEMA = {
    "integer": N_("a whole number"),
    "string": N_("a text"),
    "object": N_("an object"),
    "array": N_("a list"),
    "boolean": N_("true or false"),
}
"""What JSON Schema calls by these names, where a union takes several of them."""
_LENGTHS = ("too_short", "too_long")
_WHOLE = ("int_type", "int_parsing", "int_parsing_size", "int_from_float")
_WITHIN = ("greater_than", "greater_than_equal", "less_than", "less_than_equal")


def misfit(error: Mapping[str, Any], schema: Schema) -> str:
    """Return why a value does not fit, as a clause that follows the name of its place."""
    match error["type"]:
        case "extra_forbidden":
            return _unknown(error, schema)
        case "union_tag_not_found":
            names = ", ".join(_form(error["loc"], schema).get("discriminator", {}).get("mapping", ()))
            return _("it lacks {field}: {names}", field=error["ctx"]["discriminator"].replace("'", ""), names=names)
        case "missing":
            return _("this field is missing")
        case "value_error":
            return str(error["ctx"]["error"])
    if what := fitting(error, schema):
        if is_length(error):
            return _("it is {what}, not of {said}", what=what, said=read(error))
        return _("it is {what}, not “{said}”", what=what, said=read(error))
    return str(error["msg"])


def place(error: Mapping[str, Any], schema: Schema) -> str:
    """Return the name of a value's place, its parts with dots between: “board.cubes.moray”; "" for the whole."""
    return ".".join(cut(name) for name, _form in _way(error["loc"], schema) if name)


def is_length(error: Mapping[str, Any]) -> bool:
    """Return whether the error is about a list's length. Then the number of its items is quoted."""
    return error["type"] in _LENGTHS


def cut(said: str) -> str:
    """Return somebody's text as a quotation, shortened to its beginning if long."""
    return said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"


def read(error: Mapping[str, Any]) -> str:
    """Return what was read, shortened; for a list that is too long or too short, its length."""
    if is_length(error):
        return str(error["ctx"]["actual_length"])
    if error["type"] == "union_tag_invalid":
        return cut(str(error["ctx"]["tag"]))
    return quoted(error["input"])


def quoted(value: Any) -> str:
    """Return a value as a quotation, shortened: a text unchanged, other values as JSON.

    >>> quoted("one"), quoted(None), quoted(["a", True])
    ('one', 'null', '["a", true]')
    """
    try:
        return cut(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))
    except RecursionError:  # so deep can nothing be shown
        return "…"


def fitting(error: Mapping[str, Any], schema: Schema) -> str:
    """Return the values allowed in place of a value; "" if they cannot be described in a few words."""
    kind, form = error["type"], _form(error["loc"], schema)
    if (kind in _KINDS or kind in _WHOLE) and (several := _of_union(form)):
        return several
    if kind in _WHOLE:
        bounds = within(form, _NUMBERS)
        return _("a whole number, {bounds}", bounds=bounds) if bounds else _("a whole number")
    if kind in _WITHIN:
        return within(form, _NUMBERS)
    if kind in _LENGTHS:
        return _("a list of {bounds}", bounds=within(form, _ITEMS))
    if kind in ("string_too_short", "string_too_long"):
        return _("a text of {bounds} letters", bounds=within(form, _LETTERS))
    if kind == "string_pattern_mismatch":
        return _("a text of the form {pattern}", pattern=error["ctx"]["pattern"])
    if kind == "literal_error":
        return _few(str(error["ctx"]["expected"]))
    if kind == "union_tag_invalid":
        return _few(str(error["ctx"]["expected_tags"]))
    return _(_KINDS.get(kind, ""))


def within(form: Schema, bounds: tuple[str, str] = _NUMBERS) -> str:
    """Return from where to where something may be, by two names of JSON Schema; "" where neither bound is set.

    >>> within({"minimum": 2, "maximum": 5}), within({"minimum": 2}), within({})
    ('2 to 5', '2 or more', '')
    """
    for one in (form, *form.get("anyOf", ())):
        least, most = (one.get(name) for name in bounds)
        if least is not None and most is not None:
            return str(least) if least == most else _("{least} to {most}", least=least, most=most)
        if least is not None:
            return _("{least} or more", least=least)
        if most is not None:
            return _("{most} or less", most=most)
    return ""


def _of_union(form: Schema) -> str:
    """Return what a union takes, where it takes several kinds of values; "" elsewhere."""
    kinds = [one.get("type", "") for one in form.get("anyOf", ()) if one.get("type") != "null"]
    if len(kinds) < 2 or not all(kind in _OF_SCHEMA for kind in kinds):
        return ""
    *most, last = (_(_OF_SCHEMA[kind]) for kind in kinds)
    return _("{most} or {last}", most=", ".join(most), last=last)


def near(said: str, names: Iterable[str]) -> str:
    """Return the most similar of some names; "" if none is close. It never returns the given name.

    >>> near("hrad", ["normal", "hard"]), near("players", ["years"]), near("hard", ["hard"])
    ('hard', '', '')
    """
    others = [name for name in names if name != said]
    return next(iter(get_close_matches(said[:_SHOWN], others, 1, _NEAR)), "")


def _few(names: str) -> str:
    """Return names that pydantic has put into a row, without their quotation marks; of many the first."""
    said = names.replace("'', ", "").replace("'", "")
    return said if len(said) <= _LISTED else f"{said[:_LISTED].rpartition(', ')[0]} …"


def _unknown(error: Mapping[str, Any], schema: Schema) -> str:
    takes = list(_form(error["loc"][:-1], schema).get("properties", ()))
    if meant := near(str(error["loc"][-1]), takes):
        return _("there is no such field; did you mean {near}?", near=meant)
    return (
        _("there is no such field; the fields are {names}", names=", ".join(takes))
        if takes
        else _("there is no such field")
    )


# The way to a place


def _form(loc: Sequence[str | int], schema: Schema) -> Schema:
    """Return the schema of a place; {} if the place does not exist."""
    return [_meant(schema, schema), *(form for _name, form in _way(loc, schema))][-1]


def _way(loc: Sequence[str | int], schema: Schema) -> Iterator[tuple[str, Schema]]:
    """Go through the parts of a place, each with its schema. Names of a union's branches are left out."""
    form = _meant(schema, schema)
    for part in loc:
        if part == _KEY:  # the key is meant that stands before it
            yield "", {}
            return
        branches = [form, *(_meant(one, schema) for one in (*form.get("anyOf", ()), *form.get("oneOf", ())))]
        found = next((inner for one in branches if (inner := _inner(one, part)) is not None), None)
        if found is not None:
            name, form = str(part), _meant(found, schema)
        elif len(branches) > 1:
            named = form.get("discriminator", {}).get("mapping", {}).get(part)
            name, form = "", _meant({"$ref": named}, schema) if named else form
        else:
            name, form = str(part), {}
        yield name, form


def _inner(form: Schema, part: str | int) -> Schema | None:
    """Return the schema of a named or numbered part of an object or a list."""
    if isinstance(part, int):
        items: Sequence[Schema] = form.get("prefixItems", ())
        return items[part] if part < len(items) else form.get("items")
    if part in form.get("properties", {}):
        return dict(form["properties"][part])
    others = [*form.get("patternProperties", {}).values(), form.get("additionalProperties")]
    return next((other for other in others if isinstance(other, Mapping)), None)


def _meant(form: Schema, schema: Schema) -> Schema:
    """Return the schema that a reference means."""
    while "$ref" in form:
        form = schema["$defs"][form["$ref"].rpartition("/")[-1]]
    return form
