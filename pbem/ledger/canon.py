"""Canonical JSON: the only valid encoding of a value (PROTOCOL 2).

Decides the bytes of a value and the value of bytes. Knows nothing of entries or games. Canonical JSON is RFC 8785 restricted to
objects, arrays, strings, booleans, null and integers within ±(2^53−1). Keys of objects match `[a-z][a-z0-9_:.]{0,47}`. A line that
does not re-encode to the same bytes is refused. That excludes duplicate keys, spaces, other escapes, `-0`, a byte order mark and
lone surrogates.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, NoReturn, TypeAlias

from pydantic_core import from_json, to_json

from pbem.errors import FormError
from pbem.i18n import _

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"

MAX_LINE = 65536
"""Bytes of one line, without its LF."""
MAX_DEPTH = 16
"""The top-level value is depth 0; no value may lie deeper than this."""
MAX_INT = 2**53 - 1

KEY_PATTERN = r"[a-z][a-z0-9_:.]{0,47}"
_KEY = re.compile(KEY_PATTERN)

_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
).encode


def sha256_hex(data: bytes) -> str:
    """The lower-case hex SHA-256 of some bytes."""
    return hashlib.sha256(data).hexdigest()


def cj(x: object) -> bytes:
    """The canonical bytes of a value; tuples are written as arrays.

    >>> cj({"b": [1, True, None], "a": "Gràdh"}).decode()
    '{"a":"Gràdh","b":[1,true,null]}'

    Raises FormError for a float, an integer out of range, a bad key, a lone surrogate or a value nested too deep.
    """
    _refuse(x, 0)
    try:
        return _encode(x).encode()
    except UnicodeEncodeError:
        raise FormError(_("a text contains a lone surrogate, which no UTF-8 file can contain")) from None


def cj_read(x: Any) -> bytes:
    """The canonical bytes of a value that `read_line` gave: nothing is checked again."""
    return _encode(x).encode()


_PLAIN = frozenset((dict, list, tuple, str, int, bool, type(None)))
_NOTHING_IN = frozenset((str, bool, type(None)))
"""Types with only canonical values."""
_ARRAYS = (list, tuple)
"""Both are written as arrays."""
_NONE = object()


def same(a: Any, b: Any) -> bool:
    """Return whether two values have the same canonical form; Python treats true as equal to 1.

    Identical objects are not compared further, so two views that share their unchanged parts compare quickly.

    >>> [True] == [1], same([True], [1])
    (True, False)
    """
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b) and not (kind in _ARRAYS and type(b) in _ARRAYS):
        return not _PLAIN.issuperset((kind, type(b))) and bool(a == b) and cj_read(a) == cj_read(b)
    if kind is dict:
        if len(a) != len(b):
            return False
        for key, value in a.items():
            other = b.get(key, _NONE)
            if value is not other and not (value == other if type(value) is str else same(value, other)):
                return False
        return True
    if kind in _ARRAYS:
        if len(a) != len(b):
            return False
        for value, other in zip(a, b, strict=True):
            if value is not other and not (value == other if type(value) is str else same(value, other)):
                return False
        return True
    return bool(a == b)


def _refuse(x: object, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise FormError(_("a value is more than {max_depth} levels deep", max_depth=MAX_DEPTH))
    if type(x) in _NOTHING_IN or isinstance(x, str):
        return
    if isinstance(x, int):
        if not -MAX_INT <= x <= MAX_INT:
            raise FormError(_("the number {x} is outside ±(2^53−1)", x=x))
    elif isinstance(x, (list, tuple)):
        for item in x:
            if type(item) is not str:
                _refuse(item, depth + 1)
    elif isinstance(x, dict):
        for key, value in x.items():
            if not isinstance(key, str) or not _KEY.fullmatch(key):
                raise FormError(_("the key {key} does not match {key_pattern}", key=repr(key), key_pattern=KEY_PATTERN))
            if type(value) is not str:
                _refuse(value, depth + 1)
    elif isinstance(x, float):
        raise FormError(_("{x} is not a whole number; a log contains no other numbers", x=x))
    else:
        raise FormError(_("a {kind} cannot be written as JSON", kind=type(x).__name__))


def _no_float(text: str) -> NoReturn:
    raise FormError(_("{text} is not a whole number; a log contains no other numbers", text=text))


def _int_in_range(text: str) -> int:
    if len(text) > 15 and (len(text) > 17 or abs(int(text)) > MAX_INT):
        raise FormError(_("a number is outside ±(2^53−1)"))
    return int(text)


_known_keys: set[str] = set()


def _in_order(obj: dict[str, Any]) -> dict[str, Any]:
    """An object that was read, its keys checked and in order: then it is written as canonical JSON is."""
    if not _known_keys.issuperset(obj):
        for key in obj:
            if not _KEY.fullmatch(key):
                raise FormError(_("the key {key} does not match {key_pattern}", key=repr(key), key_pattern=KEY_PATTERN))
        if len(_known_keys) < 4096:
            _known_keys.update(obj)
    keys = list(obj)
    return obj if keys == sorted(keys) else {key: obj[key] for key in sorted(keys)}


_decode = json.JSONDecoder(
    object_hook=_in_order, parse_float=_no_float, parse_constant=_no_float, parse_int=_int_in_range
).raw_decode


def read_line(line: bytes) -> Any:
    """The value of one line without its LF; FormError when it is not the canonical form of any."""
    if len(line) <= MAX_LINE and line[:1] in _BRACKETS:
        try:
            value = from_json(line)
        except ValueError:
            return read_with_care(line)
        if to_json(value) == line and _is_plain(value, 1):
            return value
    return read_with_care(line)


_BRACKETS = (b"{", b"[")
_known_orders: set[tuple[str, ...]] = set()


def read_inside(part: bytes) -> Any:
    """The text, array or object that is written so in a line that is an array; None where that has to be read with care."""
    try:
        value = from_json(part)
    except ValueError:
        return None
    kind = type(value)
    plain = kind is str or ((kind is dict or kind is list) and _is_plain(value, 2))
    return value if plain and to_json(value) == part else None


def _is_plain(value: Any, depth: int) -> bool:
    """Return whether a parsed value, known to have the same bytes, contains only canonical JSON with its keys in order.

    `depth` is the depth of the members of `value`. If the answer is no, the line is parsed again to find the reason.
    """
    if type(value) is dict:
        keys = tuple(value)
        if keys not in _known_orders:
            if keys != tuple(sorted(keys)) or not all(map(_KEY.fullmatch, keys)):
                return False
            if len(_known_orders) < 4096 and len(keys) <= 64:
                _known_orders.add(keys)
        value = value.values()
    for item in value:
        kind = type(item)
        if kind is str:
            continue
        if kind is dict or kind is list:
            if item and not (depth < MAX_DEPTH and _is_plain(item, depth + 1)):
                return False
        elif kind is float or (kind is int and not -MAX_INT <= item <= MAX_INT):
            return False
    return True


def read_with_care(line: bytes) -> Any:
    """As `read_line`, which is quicker, and asks here why a line is refused."""
    if len(line) > MAX_LINE:
        raise FormError(_("the line has {count} bytes; {max_line} are allowed", count=len(line), max_line=MAX_LINE))
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise FormError(_("the line is not UTF-8")) from None
    try:
        value, _end = _decode(text)
    except RecursionError:
        raise FormError(_("a value is more than {max_depth} levels deep", max_depth=MAX_DEPTH)) from None
    except ValueError:
        raise FormError(_("the line is not JSON")) from None
    if _lies_too_deep(line, value):
        raise FormError(_("a value is more than {max_depth} levels deep", max_depth=MAX_DEPTH))
    if not _is_written_so(value, line):
        raise FormError(_("the line is not canonical JSON: written again it has other bytes"))
    return value


def _is_written_so(value: Any, line: bytes) -> bool:
    try:
        return to_json(value) == line
    except ValueError:  # a lone surrogate
        return False


def _lies_too_deep(line: bytes, value: Any) -> bool:
    # what brackets stand in texts could make up for, so they are no more than a first look
    return line.count(b"[") + line.count(b"{") > MAX_DEPTH and _too_deep(value)


def _too_deep(value: Any) -> bool:
    level = [value] if type(value) is dict or type(value) is list else []
    for _level in range(MAX_DEPTH):
        level = [y for x in level for y in (x.values() if type(x) is dict else x) if type(y) is dict or type(y) is list]
        if not level:
            return False
    # whatever an array or object of the last level holds would lie one deeper
    return any(level)
