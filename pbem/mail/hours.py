"""When time counts: a player's time zone, quiet hours and weekend; and the resulting deadline for an answer.

A moment counts for a player if their clock shows neither a quiet hour nor a day of their weekend. A number of hours to answer means
that many counting hours, and never fewer on any clock. Counting can change only at midnight, at the start or end of the quiet
hours, and when the clock is put forward or back. `until` steps from one such moment to the next.

This module knows no game and no mail. It takes and returns times in UTC, to the second, in the form of a log.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.errors import UsageError
from pbem.i18n import N_, _, moments
from pbem.records import dataclass

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SHOWN = {
    "mon": N_("mon"),
    "tue": N_("tue"),
    "wed": N_("wed"),
    "thu": N_("thu"),
    "fri": N_("fri"),
    "sat": N_("sat"),
    "sun": N_("sun"),
}
MOST_QUIET, MOST_DAYS = 14, 3
"""The maximum number of quiet hours a day and of weekend days a week: with more, nobody could wait for the player."""

_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+/-]{0,39}")
_QUIET = re.compile(r"(\d{1,2})(?::([0-5]\d))?-(\d{1,2})(?::([0-5]\d))?")
_EDGE = re.compile(r"(\d{1,2})(?::(\d\d))?")
_SECOND = timedelta(seconds=1)
_LAST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Hours:
    """When time counts for one player.

    `quiet` is “22-08” or “22:30-07:15” by his own clock, "" for none; `weekends` are days, “sat,sun”, "" for none.
    """

    zone: str = "UTC"
    quiet: str = ""
    weekends: str = ""

    def __post_init__(self) -> None:
        _zone(self.zone)
        first, last = self.edges
        if first != last and (_minutes(last) - _minutes(first)) % 1440 > 60 * MOST_QUIET:
            raise UsageError(
                _(
                    "At most {most} hours of a day can be quiet; {quiet} are more.",
                    most=MOST_QUIET,
                    quiet=self.quiet,
                )
            )
        if len(self.days) > MOST_DAYS:
            raise UsageError(
                _(
                    "At most {most} days of a week can be left out; {weekends} are more.",
                    most=MOST_DAYS,
                    weekends=self.weekends,
                )
            )

    @classmethod
    def read(cls, zone: str, quiet: str, weekends: str) -> Hours:
        """Return the hours that a player typed.

        As quiet hours, “off” means none. As a weekend, “off” means Saturday and Sunday, “on” none.

        >>> Hours.read("Europe/Paris", "22-8", "off")
        Hours(zone='Europe/Paris', quiet='22:00-08:00', weekends='sat,sun')

        Raises UsageError if the text cannot be read.
        """
        days = {"off": "sat,sun", "on": ""}.get(weekends.strip().lower(), weekends.strip().lower())
        read = cls(zone.strip(), "" if quiet.strip().lower() in ("off", "none") else quiet.strip(), days)
        first, last = read.edges
        if first == last and len({60 * int(hour) + int(minute or 0) for hour, minute in _EDGE.findall(read.quiet)}) > 1:
            raise UsageError(
                _(
                    "The quiet hours “{quiet}” are a whole day, and at most {most} hours of a day can be quiet. Write for instance "
                    "22-08, or off for none.",
                    quiet=read.quiet,
                    most=MOST_QUIET,
                )
            )
        return cls(
            read.zone,
            f"{first:%H:%M}-{last:%H:%M}" if first != last else "",
            ",".join(day for day in DAYS if day in read.days),
        )

    @property
    def edges(self) -> tuple[time, time]:
        """The start and end of the quiet hours by the player's clock; both are the same without quiet hours."""
        if not self.quiet:
            return time(0), time(0)
        found = _QUIET.fullmatch(self.quiet)
        if found is None or int(found[1]) > 24 or int(found[3]) > 24:
            raise UsageError(
                _("“{quiet}” does not name quiet hours; write for instance 22-08, or off.", quiet=self.quiet)
            )
        return time(int(found[1]) % 24, int(found[2] or 0)), time(int(found[3]) % 24, int(found[4] or 0))

    @property
    def days(self) -> frozenset[str]:
        """The days that do not count."""
        named = frozenset(filter(None, self.weekends.split(",")))
        if unknown := sorted(named.difference(DAYS)):
            raise UsageError(
                _("“{unknown}” is not a day; write off, on, or days like sat,sun or fri,sat.", unknown=unknown[0])
            )
        return named

    def counts(self, moment: datetime) -> bool:
        """Does this moment count?"""
        try:
            here = moment.astimezone(_zone(self.zone))
        except OverflowError:  # its year would be 10000
            here = moment
        first, last = self.edges
        now = here.time().replace(tzinfo=None)
        quiet = first <= now < last if first <= last else now >= first or now < last
        return not quiet and DAYS[here.weekday()] not in self.days

    def __str__(self) -> str:
        without = ",".join(_(_SHOWN[day]) for day in DAYS if day in self.days)
        return ", ".join(
            [
                self.zone,
                *([_("quiet {hours}", hours=self.quiet)] if self.quiet else []),
                *([_("without {days}", days=without)] if without else []),
            ]
        )


def until(at: str, hours: int, of: Hours) -> str:
    """Return the first moment at which `hours` counting hours have passed for a player since `at`.

    >>> until("2030-01-04T20:00:00Z", 4, Hours("UTC", "22-08", "sat,sun"))  # a Friday: two hours, then two on Monday
    '2030-01-07T10:00:00Z'
    """
    return _written(_after(_read(at), timedelta(hours=hours), of))


def halfway(first: str, last: str, of: Hours) -> str:
    """Return the moment that halves what counts for a player between two moments; in a quiet hour, the end of the quiet hours.

    >>> halfway("2030-01-07T12:00:00Z", "2030-01-08T10:00:00Z", Hours("UTC", "22-08"))
    '2030-01-07T18:00:00Z'
    """
    now, end, counted = _read(first), _read(last), timedelta(0)
    while now < end:
        edge = min(_next_edge(now, of), end)
        counted += edge - now if of.counts(now) else timedelta(0)
        now = edge
    return awake(_written(_after(_read(first), counted // 2, of)), of)


def awake(at: str, of: Hours) -> str:
    """Return the first moment from `at` on that counts for a player: when a letter does not disturb him.

    >>> awake("2030-01-07T23:30:00Z", Hours("UTC", "22-08"))
    '2030-01-08T08:00:00Z'
    """
    now = _read(at)
    while not of.counts(now) and now < _LAST:
        now = _next_edge(now, of)
    return _written(now)


def shown(moment: str, of: Hours, since: str = "") -> str:
    """Return a moment as a player's own clock shows it, and how long it is until then from `since`, where that is given.

    >>> shown("2030-01-07T12:00:00Z", Hours("Asia/Kolkata"))
    'Monday 7 January 2030, 17:30 your time (Asia/Kolkata)'
    """
    return moments.told(moment, of.zone, since)


def latest(at: str, hours: int, of_all: list[Hours]) -> str:
    """Return until when several players may answer who are asked at once: as long as any of them has time."""
    return max(until(at, hours, of) for of in of_all)


def _after(now: datetime, left: timedelta, of: Hours) -> datetime:
    """The first moment at which so much time that counts has passed."""
    while left and now < _LAST:
        edge = _next_edge(now, of)
        if of.counts(now):
            if left <= edge - now:
                return now + left
            left -= edge - now
        now = edge
    return now


def _next_edge(now: datetime, of: Hours) -> datetime:
    """The next moment at which what counts can change; the last one of all, where the calendar ends before it."""
    try:
        return min(_next_edge_in(now, of, _zone(of.zone)), _LAST)
    except OverflowError:
        return _LAST


def _next_edge_in(now: datetime, of: Hours, zone: ZoneInfo) -> datetime:
    here = now.astimezone(zone)
    wall = here.replace(tzinfo=None)
    midnight = datetime.combine(wall.date(), time(0)) + timedelta(days=1)
    edges = [datetime.combine(wall.date(), edge) for edge in of.edges]
    edge = now + (min(edge for edge in (*edges, midnight) if edge > wall) - wall)
    if edge.astimezone(zone).utcoffset() == here.utcoffset():
        return edge
    before = now  # the clock is put forward or back in between
    while edge - before > _SECOND:
        middle = before + (edge - before) // 2
        before, edge = (middle, edge) if middle.astimezone(zone).utcoffset() == here.utcoffset() else (before, middle)
    return edge.replace(microsecond=0)


def _zone(name: str) -> ZoneInfo:
    try:
        if _ZONE.fullmatch(name):
            return ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        pass  # of the names that are none some stand for folders, or files of another kind
    raise UsageError(
        _("“{name}” is not a time zone that is known here; one looks like Europe/Paris or Asia/Kolkata.", name=name)
    )


def _minutes(clock: time) -> int:
    return 60 * clock.hour + clock.minute


def _read(at: str) -> datetime:
    return datetime.fromisoformat(at).astimezone(UTC)


def _written(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


ALWAYS = Hours()
"""The default: every hour counts."""
