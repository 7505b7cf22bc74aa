"""The course of a log: everything that changes its state, in one place.

`state` defines the state, `steps` the effect of each entry, and `objections` why an entry may not come next. `says`, `calls` and
`times` serve `objections`: player statements, ready rounds, and moments. `turns` is a one-page summary. A log is folded only here:
to learn its state, use a `Course` or `read`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from pbem.ledger.course.objections import check, check_turn, objection
from pbem.ledger.course.says import AGREED_DRAW, waits
from pbem.ledger.course.state import REACH, REST, Call, Course, Holder, Objection, QuestionPut, Terms
from pbem.ledger.course.steps import after, agreed_host, pledged


def read(entries: Iterable[Mapping[str, Any]]) -> Course:
    """Return the course of a log, from the fields of its entries; the log is not checked."""
    return reduce(after, entries, Course())


__all__ = [
    "AGREED_DRAW",
    "REACH",
    "REST",
    "Call",
    "Course",
    "Holder",
    "Objection",
    "QuestionPut",
    "Terms",
    "after",
    "agreed_host",
    "check",
    "check_turn",
    "objection",
    "pledged",
    "read",
    "waits",
]
