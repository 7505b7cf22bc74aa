"""Moments in words: the day and the hour in the reader's time zone, and the time remaining.

Moments are in the form of a log: UTC, to the second. The module knows no clock: the remaining time counts from a given moment. An
unknown time zone is shown as UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from pbem.i18n import N_, _, _n

_DAYS = (
    N_("Monday"), N_("Tuesday"), N_("Wednesday"), N_("Thursday"), N_("Friday"), N_("Saturday"), N_("Sunday"),
)  # fmt: skip
_MONTHS = (
    N_("January"), N_("February"), N_("March"), N_("April"), N_("May"), N_("June"),
    N_("July"), N_("August"), N_("September"), N_("October"), N_("November"), N_("December"),
)  # fmt: skip
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+/-]{0,39}")
_A_WEEK = 6
"""The number of days ahead for which a weekday is enough."""
_LONG = 300
"""The number of days ahead beyond which the year is shown; it is also shown if the distance is unknown."""


def is_zone(name: str) -> bool:
    """Is it the name of a time zone that is known here, as “Europe/Paris”?"""
    return _zone(name) is not None


def told(moment: str, zone: str = "UTC", since: str = "") -> str:
    """Return a moment in words, by the clock of a time zone; and how long it is from `since` until then, where that is given.

    >>> told("2030-01-09T01:56:00Z", "Europe/Paris", "2030-01-06T02:10:00Z")
    'Wednesday 9 January, 02:56 your time (Europe/Paris), in 2 days 23 hours'
    >>> told("2030-01-09T01:56:00Z")
    'Wednesday 9 January 2030, 01:56 UTC'
    """
    at = datetime.fromisoformat(moment).astimezone(UTC)
    long = not since or (at - datetime.fromisoformat(since)).days > _LONG
    here = _here(at, zone)
    day = f"{_day(here)} {here.year}" if long else _day(here)
    if here.tzinfo is UTC:
        said = _("{day}, {hour} UTC", day=day, hour=f"{here:%H:%M}")
    else:
        said = _("{day}, {hour} your time ({zone})", day=day, hour=f"{here:%H:%M}", zone=zone)
    left = span(since, moment) if since else ""
    return _("{moment}, in {span}", moment=said, span=left) if left else said


def day(moment: str, zone: str = "UTC", since: str = "") -> str:
    """Return the day of a moment by the clock of a time zone, in as few words as tell it for who reads at `since`.

    >>> day("2030-01-09T23:30:00Z", "Europe/Paris", "2030-01-06T02:10:00Z"), day("2030-01-09T23:30:00Z")
    ('Thursday', 'Wednesday 9 January')
    """
    at = datetime.fromisoformat(moment).astimezone(UTC)
    here = _here(at, zone)
    if since and 0 <= (at - datetime.fromisoformat(since)).days < _A_WEEK:
        return _(_DAYS[here.weekday()])
    return _day(here)


def _here(at: datetime, zone: str) -> datetime:
    """Return a moment in a time zone; in UTC if the zone is unknown, or if the year would be out of range (10000)."""
    known = None if zone == "UTC" else _zone(zone)
    try:
        return at.astimezone(known or UTC)
    except OverflowError:
        return at


def _day(here: datetime) -> str:
    return _(
        "{weekday} {day} {month}", weekday=_(_DAYS[here.weekday()]), day=str(here.day), month=_(_MONTHS[here.month - 1])
    )


def span(first: str, last: str) -> str:
    """Return how long it is from one moment to another, in days and hours, or in minutes; "" where it is not later.

    >>> span("2030-01-06T02:10:00Z", "2030-01-09T01:56:00Z"), span("2030-01-06T02:10:00Z", "2030-01-06T02:56:00Z")
    ('2 days 23 hours', '46 minutes')
    """
    minutes = int((datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()) // 60
    if minutes < 1:
        return ""
    days, hours = divmod(minutes // 60, 24)
    if not days and not hours:
        return _n("{n} minute", "{n} minutes", minutes)
    return " ".join(
        [
            *([_n("{n} day", "{n} days", days)] if days else []),
            *([_n("{n} hour", "{n} hours", hours)] if hours else []),
        ]
    )


def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if _ZONE.fullmatch(name) else None
    except (KeyError, OSError, ValueError):
        return None  # of the names that are none some stand for folders, or files of another kind
