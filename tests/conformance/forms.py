"""The forms in which things stand in a log: canonical JSON, what is wrong with a value, what a seat may know of a question."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from pbem.kernel import (
    Chance,
    End,
    Json,
    Wants,
)

_KEY = re.compile(r"[a-z][a-z0-9_:.]{0,47}")
_MOST = 2**53 - 1
Path = tuple[str | int, ...]
"""A place in a value: keys and numbers from the top down; that of a key itself ends in “<key>”."""


def canonical(value: Json) -> bytes:
    """Return canonical JSON (PROTOCOL 2)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def same(found: Json, due: Json, at: str) -> None:
    """Fail where two values differ in a log, and say where first: `at`, the place, what is there, and what should be."""
    if canonical(found) != canonical(due):
        raise AssertionError(f"{at}: {next(_differences(found, due, ''), 'they differ')}")


def _differences(found: Any, due: Any, path: str) -> Iterator[str]:
    if isinstance(found, dict) and isinstance(due, dict):
        for key in sorted(found.keys() | due.keys()):
            yield from _differences(found.get(key, NOTHING), due.get(key, NOTHING), f"{path}/{key}")
    elif isinstance(found, list | tuple) and isinstance(due, list | tuple):
        for index in range(max(len(found), len(due))):
            one, other = ([*values[index : index + 1], NOTHING][0] for values in (found, due))
            yield from _differences(one, other, f"{path}/{index}")
    elif found is NOTHING or due is NOTHING or canonical(found) != canonical(due):
        yield f"{path or 'all of it'} is {found!r} and should be {due!r}"


class _Nothing:
    def __repr__(self) -> str:
        return "not there"


NOTHING = _Nothing()


def flaws(value: Json, path: str = "", depth: int = 0, null: bool = False) -> Iterator[str]:
    """Go through what is wrong with a value that shall stand in a log; `null` may stand in patches only."""
    if depth > 12:
        yield f"{path} is nested too deep for a log"
    elif isinstance(value, dict):
        for key, inner in value.items():
            if not (isinstance(key, str) and _KEY.fullmatch(key)):
                yield f"the key {key!r} in {path or 'the top'} has not the form of a key"
            yield from flaws(inner, f"{path}/{key}", depth + 1, null)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from flaws(inner, f"{path}/{index}", depth + 1, null)
    elif type(value) is str:
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            yield f"{path} contains a lone surrogate"
    elif type(value) is int:
        if abs(value) > _MOST:
            yield f"{path} is too large a number"
    elif not (type(value) is bool or (null and value is None)):
        yield f"{path} is {value!r} of type {type(value).__name__}"


def visible(wanted: Wants, seat: str | None) -> Json:
    """Return what `seat` may know of what is wanted: another seat's draw tells its chain only."""
    if isinstance(wanted, End):
        return wanted.result
    hides = isinstance(wanted, Chance) and (wanted.owner not in (None, seat) or not wanted.listed)
    return {"label": wanted.label} if isinstance(wanted, Chance) and hides else wanted.json()


def leaves(value: Json, path: Path = ()) -> Iterator[Path]:
    """Go through the places of all strings in a value, and of all keys: see `Path`."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key, "<key>")
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list | tuple):
        for i, inner in enumerate(value):
            yield from leaves(inner, (*path, i))


def put(value: Any, path: Path, said: str) -> Any:
    """Return a value, JSON or a view that was read, with another string at a place; nothing is checked."""
    if not path:
        return said
    part, rest = path[0], path[1:]
    if rest == ("<key>",):
        if not isinstance(value, dict):
            raise KeyError(part)
        return {said if key == part else key: inner for key, inner in value.items()}
    match value:
        case dict():
            return {**value, part: put(value[part], rest, said)}
        case list() | tuple():
            inner = [put(one, rest, said) if i == part else one for i, one in enumerate(value)]
            if hasattr(value, "_make"):  # it has names
                return value._make(inner)
            return inner if isinstance(value, list) else tuple(inner)
        case BaseModel():
            return value.model_copy(update={str(part): put(getattr(value, str(part)), rest, said)})
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(value, **{str(part): put(getattr(value, str(part)), rest, said)})
    raise KeyError(part)
