"""Moments and times: that they run on, and that each question and call has the time that was agreed on.

What a host may do within that is his. Whether a moment is true nobody can tell from a log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.ledger.course.state import Call, Course, Objection
from pbem.ledger.fields import plus_seconds
from pbem.words import _

Fields = Mapping[str, Any]


def moment_objection(course: Course, f: Fields) -> Objection | None:
    """Return why an entry may not bear this moment: it is before one above it.

    An order bears the moment at which it arrived: not before its question, unless it was sent ahead.
    """
    if course.former or "at" not in f:
        return None
    least = course.clock
    if f["k"] == "order":
        asked = f["say"]["act"] == "order" and course.question
        least = asked.at if asked else ""
    if f["at"] >= least:
        return None
    return Objection(
        "TIME", _("Entry {n} bears the moment {at}, but {least} has passed.", n=course.next, at=f["at"], least=least)
    )


def due_objection(course: Course, f: Fields) -> Objection | None:
    """Return why a question may not have this time: not less than hours and grace, not more than the most; or none at all."""
    if course.former:
        return None
    if bool(course.terms.hours) != ("due" in f):
        return _no_time(course, f)
    if "due" not in f:
        return None
    return _within(course, f["due"], course.least_due(f["at"]), course.most_due(f["at"]))


def call_due_objection(course: Course, f: Fields) -> Objection | None:
    """Return why a call may not have this time: all have at least as long as they had for what it voids."""
    if bool(course.terms.hours) != ("due" in f):
        return _no_time(course, f)
    if "due" not in f:
        return None
    length = course.call_length()
    least, most = plus_seconds(f["at"], length), plus_seconds(f["at"], max(length, 3600 * course.terms.most))
    return _within(course, f["due"], least, most)


def extension_objection(course: Course, f: Fields) -> Objection | None:
    """Return why time that the host adds ends too late: beyond the most, leave apart."""
    on = course.call if course.phase == "called" else course.question
    if course.former or on is None:
        return None
    longest = max(on.length if isinstance(on, Call) else 0, 3600 * course.terms.most)
    most = plus_seconds(on.at, longest + 3600 * on.added)
    return _within(course, f["due"], "", most)


def _no_time(course: Course, f: Fields) -> Objection:
    if course.terms.hours:
        return Objection("TIME", _("Entry {n} names no time to answer, but its terms have one.", n=course.next))
    return Objection("TIME", _("Entry {n} names a time to answer, but its terms have none.", n=course.next))


def _within(course: Course, due: str, least: str, most: str) -> Objection | None:
    if due < least:
        why = _("Entry {n} gives time until {due}; by the terms of this game it is {least} at the least.",
                n=course.next, due=due, least=least)  # fmt: skip
        return Objection("TIME", why)
    if due > most:
        why = _("Entry {n} gives time until {due}; by the terms of this game it is {most} at the most.",
                n=course.next, due=due, most=most)  # fmt: skip
        return Objection("TIME", why)
    return None
