"""Whether a line has the form that the format asks for, as `entries` declares it.

It judges one line by itself, and says why not in a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pbem.i18n import N_, _
from pbem.ledger import entries
from pbem.ledger.canon import MAX_LINE, cj_read, read_inside
from pbem.ledger.declared import Form, one_of
from pbem.ledger.entries import CANDIDATE, MAX_EXTRA, PROTO
from pbem.ledger.fields import MOMENT_PATTERN, existing_moment
from pbem.ledger.keys import SIG_PATTERN

if TYPE_CHECKING:
    from pydantic import ValidationError


class Checks(dict[str, Form]):
    """Some forms by name, each made when it is first wanted: many commands read no line, and none reads all kinds."""

    def __init__(self, forms: dict[str, Any]) -> None:
        self.forms = forms

    def __missing__(self, name: str) -> Form:
        form = self[name] = Form(self.forms[name])
        return form


_KINDS, _RANDS, _VALUES = Checks(entries.KINDS), Checks(entries.RANDS), Checks(entries.VALUES)
_LINES = Checks(entries.LINES)
_FORMAT = re.compile(r"pbem-(log|peer)/[0-9]{1,4}(-rc)?")

_SENTENCES = {
    "missing": N_("the field is missing"),
    "extra_forbidden": N_("no such field is known here"),
    "string_pattern_mismatch": N_("it is not written as it should be"),
    "literal_error": N_("it is not one of the words allowed here"),
    "int_type": N_("a whole number was expected"),
    "string_type": N_("a text was expected"),
    "list_type": N_("a list was expected"),
    "dict_type": N_("an object was expected"),
}


def _sentence(why: ValidationError) -> str:
    first = why.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    message = _(_SENTENCES.get(first["type"], "")) or first["msg"].removeprefix("Value error, ")
    return _("{where}: {message}", where=where, message=message) if where else message


def fault(form: Form, value: Any) -> str | None:
    """Why a value has not a form, in a sentence, or None."""
    if form.passes(value):
        return None
    from pydantic import ValidationError

    try:
        form.validate(value)
    except ValidationError as why:
        return _sentence(why)
    return None


def other_format(first: dict[str, Any]) -> str | None:
    """Return why a log with this game entry cannot be read, in a sentence, if it declares another format; otherwise None."""
    proto = first.get("proto")
    if not isinstance(proto, str) or proto in (PROTO, CANDIDATE) or not _FORMAT.fullmatch(proto):
        return None
    return _(
        "The log is written in {other}, but this program reads {proto}. The program that wrote the "
        "log can judge it, and the game can continue only there.",
        other=proto,
        proto=PROTO,
    )


def entry_fault(entry: dict[str, Any]) -> str | None:
    """Why a chained entry has not the form of its kind, or None."""
    kind = entry.get("k")
    if max(entry, default="") >= "x:":
        extra = {name: value for name, value in entry.items() if name.startswith("x:")}
        entry = {name: value for name, value in entry.items() if name not in extra}
        if len(cj_read(extra)) > MAX_EXTRA:
            return _("the fields that begin with “x:” have more than {most} bytes", most=MAX_EXTRA)
    if kind == "rand":
        chain = entry.get("chain")
        sort = chain.partition(":")[0] if isinstance(chain, str) else ""
        if sort not in _RANDS.forms:
            return _("chain: a random event is on pub, priv:<seat> or deal:<number>")
        return fault(_RANDS[sort], entry)
    if not isinstance(kind, str):
        return _("k: the kind of an entry is a word")
    if kind not in _KINDS.forms:
        return _("k: {kind} is not a kind of entry", kind=repr(kind))
    return fault(_KINDS[kind], entry)


def line_fault(attachment: list[Any]) -> str | None:
    """Why an attachment has not the form of its kind, or None."""
    kind = attachment[0] if attachment else None
    if not isinstance(kind, str) or kind not in _LINES.forms:
        return _("{kind} is not a kind of attachment", kind=repr(kind))
    return fault(_LINES[kind], attachment)


def is_line(attachment: list[Any]) -> bool:
    """Whether an attachment has the form of its kind: as `line_fault`, which says why not, and takes longer."""
    kind = attachment[0] if attachment else None
    return isinstance(kind, str) and kind in _LINES.forms and _LINES[kind].passes(attachment)


_Made: TypeAlias = Callable[[re.Match[str], bytes], list[Any] | None]


def _seal(found: re.Match[str], line: bytes) -> list[Any] | None:
    game, who, ref, name, salt, value = found.groups()
    if value is None and (line[-1:] != b"]" or (value := read_inside(line[found.end() : -1])) is None):
        return None
    return ["seal", game, who, int(ref), name, salt, value]


def _link(found: re.Match[str], _line: bytes) -> list[Any]:
    game, label, i, x = found.groups()
    return ["link", game, label, int(i), x]


def _head(found: re.Match[str], _line: bytes) -> list[Any]:
    game, n, h, sig = found.groups()
    return ["head", game, int(n), h, sig]


def _got(found: re.Match[str], _line: bytes) -> list[Any] | None:
    game, digest, at, sig = found.groups()
    try:
        return ["got", game, digest, existing_moment(at), sig]
    except ValueError:
        return None


_HEX, _NAME, _END = '"([0-9a-f]{64})"', '"([a-z][a-z0-9_]{0,39})"', r"\]\Z"
_USUAL: dict[bytes, tuple[str, _Made]] = {
    b'["seal"': (
        rf'\["seal",{_HEX},{_NAME},(0|-?[1-9][0-9]{{0,5}}),{_NAME},"([0-9a-f]{{32}})",(?:"([^"\\\x00-\x1f]*)"{_END})?',
        _seal,
    ),
    b'["link"': (rf'\["link",{_HEX},"([a-z][a-z0-9_:.]{{0,47}})",([1-9][0-9]{{0,5}}),{_HEX}{_END}', _link),
    b'["head"': (rf'\["head",{_HEX},(0|[1-9][0-9]{{0,5}}),{_HEX},"({SIG_PATTERN})"{_END}', _head),
    b'["got",': (rf'\["got",{_HEX},{_HEX},"({MOMENT_PATTERN})","({SIG_PATTERN})"{_END}', _got),
}
"""By its first bytes, the usual spelling of a line beside the chain. Such a line is canonical and has its kind's form, except for a
seal's content that is not plain text."""
_compiled = cache(re.compile)


def read_as_usual(line: bytes) -> list[Any] | None:
    """The fields of an attachment that is visibly canonical and well-formed; otherwise None.

    Nearly all attachments are. For the others None says nothing: `read_line` and `is_line` decide.
    """
    start = line[:7]
    if start not in _USUAL or len(line) > MAX_LINE:
        return None
    pattern, made = _USUAL[start]
    try:
        found = _compiled(pattern).match(line.decode())
    except UnicodeDecodeError:
        return None
    return found and made(found, line)


def value_fault(form: Literal["report", "request", "draw", "text"], value: Any) -> str | None:
    """Why a sealed value has not the form that its name asks for, or None."""
    return fault(_VALUES[form], value)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of one line of a log, as it is written now."""
    schema = schema_of(
        one_of([*entries.KINDS.values(), *entries.RANDS.values(), *entries.LINES.values()]),
        "a line of a pbem log",
        ("k",),
    )
    for form in schema["$defs"].values():
        if "k" in form.get("properties", ()):
            form["patternProperties"] = {"^x:": {}}
    return schema


def schema_of(forms: Any, title: str, first: tuple[str, ...] = ()) -> dict[str, Any]:
    """The JSON Schema of a form; among the required fields, those that identify it come `first`."""
    from pydantic import TypeAdapter

    schema: dict[str, Any] = TypeAdapter(forms).json_schema()
    for form in schema["$defs"].values():
        form.get("required", []).sort(key=lambda name: name not in first)
    return schema | {"title": title}
