"""Moments in words, by clocks that letters of strangers name."""

from __future__ import annotations

import pytest

from pbem.i18n import moments

SINCE = "2030-01-01T00:00:00Z"


@pytest.mark.parametrize(
    "zone", ["", "UTC", "Pacific/Kiritimati", "America/Adak", "../etc/passwd", "Europe", "x" * 40, "\0"]
)
@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", SINCE, "9999-12-31T23:59:59Z"])
def test_every_moment_of_a_log_is_told_by_every_clock(at: str, zone: str) -> None:
    """A host's date and time zone together give a year outside the calendar. The program shows UTC."""
    for told in (
        moments.told(at, zone),
        moments.told(at, zone, SINCE),
        moments.day(at, zone),
        moments.day(at, zone, SINCE),
    ):
        assert told.strip()
        assert zone not in told or moments.is_zone(zone) or not zone


def test_where_a_clock_has_no_such_day_it_is_told_by_utc() -> None:
    assert moments.told("9999-12-31T23:59:59Z", "Pacific/Kiritimati") == "Friday 31 December 9999, 23:59 UTC"
    assert moments.told(SINCE, "Pacific/Kiritimati") == "Tuesday 1 January 2030, 14:00 your time (Pacific/Kiritimati)"
