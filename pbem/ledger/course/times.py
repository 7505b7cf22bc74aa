"""Moments and times: that they run on, and that each question and call has the time that was agreed on.

What a host may do within that is his. Whether a moment is true nobody can tell from a log. Each check raises Objection.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.i18n import N_
from pbem.ledger.course.state import Course, object_if
from pbem.ledger.fields import plus_seconds

Fields = Mapping[str, Any]


def check_moment(course: Course, f: Fields) -> None:
    """No entry bears a moment before one above it; an order not one before its question, unless it was sent ahead.

    An order bears the moment at which it arrived.
    """
    if "at" not in f:
        return
    least = course.clock
    if f["k"] == "order":
        asked = f["say"]["act"] == "order" and course.question
        least = asked.at if asked else ""
    object_if(
        f["at"] < least,
        "TIME",
        N_("Entry {n} bears the moment {at}, but {least} has passed."),
        n=course.next,
        at=f["at"],
        least=least,
    )


def check_due(course: Course, f: Fields) -> None:
    """A question has not less time than hours and grace, and not more than the most; or none at all."""
    if _has_time(course, f):
        _check_within(course, f["due"], course.least_due(f["at"]), course.most_due(f["at"]))


def check_call_due(course: Course, f: Fields) -> None:
    """All who are called have at least as long as they had for what the call voids."""
    if _has_time(course, f):
        length = course.call_length()
        most = plus_seconds(f["at"], max(length, 3600 * course.terms.most))
        _check_within(course, f["due"], plus_seconds(f["at"], length), most)


def check_extension(course: Course, f: Fields) -> None:
    """Time that the host adds does not end beyond the most, leave apart."""
    if course.on is not None:
        _check_within(course, f["due"], "", longest(course))


def longest(course: Course) -> str:
    """Return the latest end of the time that the host may give for the open question or ready round; "" if neither is open."""
    on = course.on
    return plus_seconds(on.at, max(on.length, 3600 * course.terms.most) + 3600 * on.added) if on else ""


def _has_time(course: Course, f: Fields) -> bool:
    """Does an entry name a time to answer? It does where the terms have one."""
    object_if(
        course.terms.hours and "due" not in f,
        "TIME",
        N_("Entry {n} names no time to answer, but its terms have one."),
        n=course.next,
    )
    object_if(
        "due" in f and not course.terms.hours,
        "TIME",
        N_("Entry {n} names a time to answer, but its terms have none."),
        n=course.next,
    )
    return "due" in f


def _check_within(course: Course, due: str, least: str, most: str) -> None:
    object_if(
        due < least,
        "TIME",
        N_("Entry {n} gives time until {due}; by the terms of this game it is {least} at the least."),
        n=course.next,
        due=due,
        least=least,
    )
    object_if(
        due > most,
        "TIME",
        N_("Entry {n} gives time until {due}; the terms of this game allow it until {most}."),
        n=course.next,
        due=due,
        most=most,
    )
