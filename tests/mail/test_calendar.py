"""The deadline in a player's calendar: read by a parser that we did not write, and folded as RFC 5545 asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from pbem.mail import Deadline

DUE = Deadline("3f29.ann@example.org", 9, "2030-01-01T00:00:00Z", "2030-01-03T18:00:00Z", "Hammer: your move")


def event(deadline: Deadline) -> Any:
    calendar = Calendar.from_ical(deadline.ics())
    assert (calendar["METHOD"], calendar["VERSION"]) == ("PUBLISH", "2.0")
    (found,) = calendar.walk("VEVENT")
    assert not found.errors
    return found


def test_a_deadline_is_an_event_that_blocks_no_time() -> None:
    found = event(replace(DUE, text="Which card?", organizer="host@example.org"))
    assert found["UID"] == "3f29.ann@example.org"
    assert found["SEQUENCE"] == 9
    assert found["DTSTART"].dt == datetime(2030, 1, 3, 18, tzinfo=UTC)
    assert found["DTSTAMP"].dt == datetime(2030, 1, 1, tzinfo=UTC)
    assert (found["SUMMARY"], found["DESCRIPTION"]) == ("Hammer: your move", "Which card?")
    assert (found["STATUS"], found["TRANSP"]) == ("CONFIRMED", "TRANSPARENT")
    assert found["ORGANIZER"] == "mailto:host@example.org"


def test_its_owner_is_reminded_some_hours_before() -> None:
    (alarm,) = event(replace(DUE, hours=6)).walk("VALARM")
    assert (alarm["ACTION"], alarm["TRIGGER"].dt) == ("DISPLAY", timedelta(hours=-6))


def test_a_question_that_is_over_is_struck_out_and_reminds_nobody() -> None:
    found = event(replace(DUE, sequence=10, over=True))
    assert (found["STATUS"], found["UID"], found["SEQUENCE"]) == ("CANCELLED", "3f29.ann@example.org", 10)
    assert found.walk("VALARM") == []


def test_the_same_deadline_is_the_same_bytes() -> None:
    assert DUE.ics() == replace(DUE).ics()


@pytest.mark.parametrize("title", ["a\r\nATTACH:x", "a\nEND:VCALENDAR", "a\rb", "\x00\x1b", "a\\nb;c,d\\", ""])
def test_no_text_ends_its_line(title: str) -> None:
    found = event(replace(DUE, title=title, text=title))
    assert "ATTACH" not in found
    assert found["SUMMARY"] == "".join(
        c for c in title.replace("\r\n", "\n").replace("\r", "\n") if c == "\n" or c >= " "
    )


@settings(max_examples=200)
@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=300), st.integers(0, 40))
def test_any_text_is_folded_at_75_bytes_and_unfolds_to_itself(text: str, indent: int) -> None:
    made = replace(DUE, title="x" * indent + text, text=text).ics()
    lines = made.split("\r\n")
    assert lines[-1] == ""
    assert max(len(line.encode()) for line in lines) <= 75
    assert "\n" not in made.replace("\r\n", "")
    assert f"\r\nSUMMARY:{'x' * indent}{text}\r\n".replace("\\", "\\\\").replace(";", "\\;").replace(
        ",", "\\,"
    ) in made.replace("\r\n ", "")
