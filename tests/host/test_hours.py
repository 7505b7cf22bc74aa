"""Until when somebody may answer: by his own clock, with the nights and days that he has off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import UsageError
from pbem.host.moments import later
from pbem.mail.hours import ALWAYS, DAYS, Hours, awake, halfway, latest, until

from .post import a_club

PARIS = Hours("Europe/Paris", "22-08", "sat,sun")
ZONES = (
    "UTC", "Europe/Paris", "America/New_York", "America/St_Johns", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe",
    "Pacific/Apia", "Pacific/Chatham", "Africa/Casablanca", "Antarctica/Troll", "America/Sao_Paulo",
)  # fmt: skip


@st.composite
def anybody(draw: st.DrawFn) -> Hours:
    first, length = draw(st.integers(0, 47)), draw(st.integers(0, 28))
    last = (first + length) % 48
    quiet = f"{first // 2:02}:{first % 2 * 30:02}-{last // 2:02}:{last % 2 * 30:02}" if length else ""
    days = ",".join(sorted(draw(st.sets(st.sampled_from(DAYS), max_size=3))))
    return Hours(draw(st.sampled_from(ZONES)), quiet, days)


moments = st.datetimes(datetime(2027, 1, 1), datetime(2033, 1, 1)).map(lambda at: at.strftime("%Y-%m-%dT%H:%M:%SZ"))  # noqa: DTZ001 - any
BRISK = settings(max_examples=60)


def when(at: str) -> datetime:
    return datetime.fromisoformat(at)


def counted(first: str, last: str, of: Hours) -> timedelta:
    """How much time counts between two moments: looked at every quarter of an hour, as clocks change at none but these."""
    quarter, total = timedelta(minutes=15), timedelta(0)
    now, end = when(first), when(last)
    while now < end:
        edge = datetime.fromtimestamp(now.timestamp() // 900 * 900, UTC) + quarter
        total += (min(edge, end) - now) if of.counts(now) else timedelta(0)
        now = edge
    return total


@BRISK
@given(moments, st.integers(0, 120), anybody())
def test_exactly_so_many_hours_count_until_then_and_no_fewer_pass(at: str, hours: int, of: Hours) -> None:
    end = until(at, hours, of)
    assert counted(at, end, of) == timedelta(hours=hours)
    assert when(end) - when(at) >= timedelta(hours=hours)
    assert not hours or of.counts(when(end) - timedelta(seconds=1)), "not a second later than that"


@BRISK
@given(moments, st.integers(1, 60), st.integers(0, 60), anybody())
def test_time_in_two_pieces_is_the_same_time(at: str, hours: int, more: int, of: Hours) -> None:
    assert until(until(at, hours, of), more, of) == until(at, hours + more, of)


@BRISK
@given(moments, anybody())
def test_whoever_is_woken_is_awake_and_was_not_before(at: str, of: Hours) -> None:
    woken = awake(at, of)
    assert of.counts(when(woken))
    assert counted(at, woken, of) == timedelta(0)


@pytest.mark.slow
@BRISK
@given(moments, st.integers(0, 100), st.lists(anybody(), min_size=1, max_size=4))
def test_of_several_the_one_with_the_least_time_decides(at: str, hours: int, of_all: list[Hours]) -> None:
    end = latest(at, hours, of_all)
    assert all(counted(at, end, of) >= timedelta(hours=hours) for of in of_all)
    assert any(counted(at, end, of) == timedelta(hours=hours) for of in of_all)


@pytest.mark.parametrize(
    ("at", "hours", "of", "end"),
    [
        ("2030-01-07T12:00:00Z", 72, ALWAYS, "2030-01-10T12:00:00Z"),
        ("2028-02-28T12:00:00Z", 48, ALWAYS, "2028-03-01T12:00:00Z"),  # a leap day
        ("2030-01-07T12:00:00Z", 9, PARIS, "2030-01-07T21:00:00Z"),  # to the very edge of the quiet hours
        ("2030-01-07T12:00:00Z", 10, PARIS, "2030-01-08T08:00:00Z"),  # one more: the next morning
        ("2030-01-07T23:00:00Z", 1, PARIS, "2030-01-08T08:00:00Z"),  # asked in the night
        ("2030-01-11T20:00:00Z", 2, PARIS, "2030-01-14T08:00:00Z"),  # asked on a Friday night
        ("2030-03-30T12:00:00Z", 24, Hours("Europe/Paris", "01-04"), "2030-03-31T14:00:00Z"),  # 2:00 becomes 3:00
        ("2030-10-26T12:00:00Z", 24, Hours("Europe/Paris", "01-04"), "2030-10-27T16:00:00Z"),  # 3:00 becomes 2:00
        ("2030-03-30T12:00:00Z", 24, Hours("Europe/Paris", "02:30-04"), "2030-03-31T13:00:00Z"),  # there is no 2:30
        ("2030-01-07T12:00:00Z", 8, Hours("Asia/Kolkata", "22-08"), "2030-01-08T06:00:00Z"),  # half an hour beside
        ("2030-01-07T12:00:00Z", 12, Hours("UTC", "12-13"), "2030-01-08T01:00:00Z"),  # a siesta
        ("2030-01-10T20:00:00Z", 10, Hours("Asia/Dubai", "", "fri,sat"), "2030-01-13T06:00:00Z"),  # asked when the weekend begins
    ],
)  # fmt: skip
def test_until_when(at: str, hours: int, of: Hours, end: str) -> None:
    assert until(at, hours, of) == end


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (("Europe/Paris", "22-08", "off"), Hours("Europe/Paris", "22:00-08:00", "sat,sun")),
        (("Asia/Kolkata", "22:30-7", "on"), Hours("Asia/Kolkata", "22:30-07:00")),
        (("UTC", "off", "SAT,FRI"), Hours("UTC", "", "fri,sat")),
        ((" UTC ", "0-0", "on"), ALWAYS),
        (("UTC", "18-24", "on"), Hours("UTC", "18:00-00:00")),
    ],
)
def test_what_a_player_types(typed: tuple[str, str, str], read: Hours) -> None:
    assert Hours.read(*typed) == read


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (("Paris", "22-08", "off"), "not a time zone"),
        (("", "22-08", "off"), "not a time zone"),
        (("../../etc/passwd", "22-08", "off"), "not a time zone"),
        (("Europe", "22-08", "off"), "not a time zone"),
        (("UTC", "ten to eight", "off"), "does not name quiet hours"),
        (("UTC", "25-08", "off"), "does not name quiet hours"),
        (("UTC", "08-23", "off"), "At most 14 hours"),
        (("UTC", "0-24", "off"), "“0-24” are a whole day, and at most 14 hours"),
        (("UTC", "24-0", "off"), "a whole day"),
        (("UTC", "00:00-24:00", "off"), "a whole day"),
        (("UTC", "22-08", "holidays"), "not a day"),
        (("UTC", "22-08", "mon,tue,wed,thu"), "At most 3 days"),
    ],
)
def test_impossible_quiet_hours_are_refused(typed: tuple[str, str, str], why: str) -> None:
    """Quiet hours from 0 to 24 are refused, with the longest possible ones."""
    with pytest.raises(UsageError, match=why):
        Hours.read(*typed)


LAST = "9999-12-31T23:59:59Z"


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/New_York"])
def test_the_calendar_ends_and_the_program_does_not(zone: str) -> None:
    """The last second of the year 9999 replaces any later moment."""
    of = Hours(zone, "22-08", "sat,sun")
    assert until("9999-12-30T12:00:00Z", 400, of) == until(LAST, 1, of) == LAST
    assert awake("9999-12-31T23:30:00Z", of) <= LAST
    assert "9999-12-31T00:00:00Z" <= halfway("9999-12-31T00:00:00Z", LAST, of) <= LAST
    assert later("9999-12-31T12:00:00Z", hours=10**15) == LAST
    assert later("2030-01-01T00:00:00Z", hours=-24, minutes=-1) == "2029-12-30T23:59:00Z"


def test_a_game_goes_on_in_the_last_days_of_the_calendar(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24, clock=Hours("Asia/Kolkata", "22-08")) as club:
        club.begin()
        club.minute = 60 * 24 * 2_910_981 + 60 * 20
        assert club.now() == "9999-12-31T20:01:00Z"
        assert club.take(club.order("ann")).startswith(("order", "late", "refused: ASK"))
        club.robot.tick(club.now())
        club.read_all()
        assert club.office.status()
