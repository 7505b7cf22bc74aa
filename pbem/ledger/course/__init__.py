"""The course of a log: everything that moves its state, in one place.

`state` says what there is to know, `steps` what each entry makes of it, `objections` why an entry may not come next (with `says`,
`calls` and `times` for what players say, what calls all to be ready again, and moments). `turns` is the whole on one page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.ledger.course.objections import objection, owed
from pbem.ledger.course.says import AGREED_DRAW, waits
from pbem.ledger.course.state import REACH, REST, Call, Course, Holder, Objection, Question, Terms
from pbem.ledger.course.steps import after, agreed_host, pledged


def read(entries: Iterable[Mapping[str, Any]]) -> Course:
    """Return the course of a log, from the fields of its entries; the log is not checked."""
    course = Course()
    for fields in entries:
        course = after(course, fields)
    return course


__all__ = [
    "AGREED_DRAW",
    "REACH",
    "REST",
    "Call",
    "Course",
    "Holder",
    "Objection",
    "Question",
    "Terms",
    "after",
    "agreed_host",
    "objection",
    "owed",
    "pledged",
    "read",
    "waits",
]
