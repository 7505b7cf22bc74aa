"""A deadline as an entry for the player's calendar (RFC 5545, published as RFC 5546 says).

The entry of one player in one game keeps its UID, and each new deadline takes the place of the one before: its SEQUENCE rises.
The same deadline gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from pbem.records import dataclass

_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline for an answer.

    `sequence` rises with each change, as the number of the log's entry does. `made` and `due` are RFC 3339, UTC. `over`: the
    question has been answered, and the calendar entry should be deleted. A program reminds its owner `hours` before; 0: never.
    """

    uid: str
    sequence: int
    made: str
    due: str
    title: str
    text: str = ""
    organizer: str = ""
    over: bool = False
    hours: int = 12

    def ics(self) -> str:
        """Return the entry as a text/calendar body: lines end in CRLF and have at most 75 bytes."""
        return _calendar(["METHOD:PUBLISH", *self.event()])

    def event(self) -> list[str]:
        """Return the lines of the entry alone."""
        return [
            "BEGIN:VEVENT",
            f"UID:{_said(self.uid)}",
            f"SEQUENCE:{self.sequence}",
            f"DTSTAMP:{_time(self.made)}",
            f"DTSTART:{_time(self.due)}",
            f"SUMMARY:{_said(self.title)}",
            *([f"DESCRIPTION:{_said(self.text)}"] if self.text else []),
            *([f"ORGANIZER:mailto:{self.organizer}"] if self.organizer else []),
            f"STATUS:{'CANCELLED' if self.over else 'CONFIRMED'}",
            "TRANSP:TRANSPARENT",
            *([] if self.over or not self.hours else self._alarm()),
            "END:VEVENT",
        ]

    def _alarm(self) -> list[str]:
        return [
            "BEGIN:VALARM",
            "ACTION:DISPLAY",
            f"DESCRIPTION:{_said(self.title)}",
            f"TRIGGER:-PT{self.hours}H",
            "END:VALARM",
        ]


def calendar_of(title: str, deadlines: Iterable[Deadline]) -> str:
    """Return a calendar of several deadlines, to be read as a feed; `title` is its name in calendar programs."""
    return _calendar([f"X-WR-CALNAME:{_said(title)}", *(line for one in deadlines for line in one.event())])


def _calendar(lines: Iterable[str]) -> str:
    whole = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//pbem//deadlines//EN", *lines, "END:VCALENDAR"]
    return "".join(_folded(line) + "\r\n" for line in whole)


def _time(at: str) -> str:
    return datetime.fromisoformat(at).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _said(text: str) -> str:
    """A text as a value (3.3.11): without control characters, which no calendar may hold."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c for c in lines if c == "\n" or (c >= " " and c != "\x7f")).translate(_ESCAPED)


def _folded(line: str) -> str:
    """A line folded after at most 75 bytes (3.1), never inside a letter."""
    pieces, room = [""], 75
    for letter in line:
        size = len(letter.encode())
        if size > room:
            pieces.append("")
            room = 74  # the blank that begins a folded line counts
        pieces[-1] += letter
        room -= size
    return "\r\n ".join(pieces)
