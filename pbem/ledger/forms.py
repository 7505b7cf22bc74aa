"""Whether a line has the form that the format asks for: `entries`' declarations, and `former`'s for logs of `pbem-log/0`.

It judges one line by itself, and says why not in a sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter, ValidationError

from pbem.i18n import N_, _
from pbem.ledger import entries, former
from pbem.ledger.canon import cj_read
from pbem.ledger.entries import FORMER, MAX_EXTRA, PROTO

_Check: TypeAlias = Callable[[Any], Any]


class Checks(dict[str, _Check]):
    """The checks of some forms, each made when it is first wanted: many commands read no line, and none reads all kinds."""

    def __init__(self, forms: dict[str, Any]) -> None:
        self.forms = forms

    def __missing__(self, name: str) -> _Check:
        check: _Check = TypeAdapter(self.forms[name]).validator.validate_python
        self[name] = check
        return check


_KINDS = {PROTO: Checks(entries.KINDS), FORMER: Checks(former.KINDS)}
_RANDS = {PROTO: Checks(entries.RANDS), FORMER: Checks(former.RANDS)}
_VALUES = {PROTO: Checks(entries.VALUES), FORMER: Checks(former.VALUES)}
_LINES = Checks(entries.LINES)

_SENTENCES = {
    "missing": N_("the field is missing"),
    "extra_forbidden": N_("no such field is known here"),
    "string_pattern_mismatch": N_("it is not written as it should be"),
    "literal_error": N_("it is none of the words that may stand here"),
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


def fault(check: _Check, value: Any) -> str | None:
    """Why a value does not pass one of the checks, in a sentence, or None."""
    try:
        check(value)
    except ValidationError as why:
        return _sentence(why)
    return None


def format_of(first: dict[str, Any]) -> str:
    """Return the format of a log, of those that are read, from its game entry."""
    return FORMER if first.get("proto") == FORMER else PROTO


def entry_fault(entry: dict[str, Any], proto: str = PROTO) -> str | None:
    """Why a chained entry has not the form of its kind in a log of that format, or None."""
    kind, of_kind, of_rand = entry.get("k"), _KINDS[proto], _RANDS[proto]
    if proto != FORMER and any([name[:2] == "x:" for name in entry]):  # noqa: C419 - of so few, a list is quicker
        extra = {name: value for name, value in entry.items() if name.startswith("x:")}
        entry = {name: value for name, value in entry.items() if name not in extra}
        if len(cj_read(extra)) > MAX_EXTRA:
            return _("the fields that begin with “x:” have more than {most} bytes", most=MAX_EXTRA)
    if kind == "rand":
        chain = entry.get("chain")
        sort = chain.partition(":")[0] if isinstance(chain, str) else ""
        if sort not in of_rand.forms:
            return _("chain: a random event is on pub, priv:<seat> or deal:<number>")
        return fault(of_rand[sort], entry)
    if not isinstance(kind, str):
        return _("k: the kind of an entry is a word")
    if kind not in of_kind.forms:
        return _("k: {kind} is no kind of entry", kind=repr(kind))
    return fault(of_kind[kind], entry)


def line_fault(attachment: list[Any]) -> str | None:
    """Why an attachment has not the form of its kind, or None."""
    kind = attachment[0] if attachment else None
    if not isinstance(kind, str) or kind not in _LINES.forms:
        return _("{kind} is no kind of attachment", kind=repr(kind))
    return fault(_LINES[kind], attachment)


def is_line(attachment: list[Any]) -> bool:
    """Whether an attachment has the form of its kind: as `line_fault`, which says why not, and takes longer."""
    kind = attachment[0] if attachment else None
    if not isinstance(kind, str) or kind not in _LINES.forms:
        return False
    try:
        _LINES[kind](attachment)
    except ValidationError:
        return False
    return True


def value_fault(form: Literal["report", "request", "draw", "text"], value: Any, proto: str = PROTO) -> str | None:
    """Why a sealed value has not the form that its name asks for in a log of that format, or None."""
    return fault(_VALUES[proto][form], value)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of one line of a log, as it is written now."""
    schema: dict[str, Any] = TypeAdapter(entries.Entry | entries.AttachmentLine).json_schema()
    for form in schema["$defs"].values():
        form.get("required", []).sort(key=lambda name: name != "k")  # what it is stands first
        if "k" in form.get("properties", ()):
            form["patternProperties"] = {"^x:": {}}
    return schema | {"title": "a line of a pbem log"}
