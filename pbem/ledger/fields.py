"""What the fields of a log's lines may hold (PROTOCOL 2): digests, keys, moments, seats, numbers, labels.

The scalars of the format, each once; entries and what players sign are made of them. Every number has a bound, so that no
file makes its reader work for long.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, TypeAlias, TypeGuard

from pbem.i18n import N_, _
from pbem.ledger.declared import Limits, Requirement, must
from pbem.ledger.keys import KEY_PATTERN, SIG_PATTERN

RESERVED_NAMES = frozenset({"host", "state", "pub", "req", "order", "plans"})
MAX_HOURS = 8760
"""The longest time that a log can name: a year."""
MAX_NUMBER = 1_000_000
"""No entry, mark, index, revision or say has a higher number."""
MAX_DRAWN = 4096
"""The maximum number of dice and list names in one random event, over all its requests."""
MAX_SIDES = 65_536
MOMENT_PATTERN = r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z"
MAX_TEXT = 1000
"""Letters of what a host says when he adds time."""


@lru_cache(maxsize=1024)
def existing_moment(at: str) -> str:
    """Return a moment that is written as one. Raises ValueError where no calendar has it."""
    if datetime.fromisoformat(at[:-1]).isoformat() != at[:-1]:
        raise ValueError(_("there is no such date or time"))
    return at


def plus_hours(moment: str, hours: int) -> str | None:
    """Return the moment this many hours later, or None if its year is beyond the calendar.

    >>> plus_hours("2030-01-31T20:00:00Z", 5)
    '2030-02-01T01:00:00Z'
    """
    try:
        later = datetime.fromisoformat(moment[:-1]) + timedelta(hours=hours)
    except OverflowError:
        return None
    return later.isoformat(timespec="seconds") + "Z"


def seconds_between(start: str, end: str) -> int:
    """Return the seconds from one moment to another.

    >>> seconds_between("2030-01-31T20:00:00Z", "2030-01-31T21:00:01Z")
    3601
    """
    return int((datetime.fromisoformat(end[:-1]) - datetime.fromisoformat(start[:-1])).total_seconds())


def plus_seconds(moment: str, seconds: int) -> str:
    """Return the moment this many seconds later, or the last moment of the calendar if that is earlier."""
    try:
        later = datetime.fromisoformat(moment[:-1]) + timedelta(seconds=seconds)
    except OverflowError:
        return "9999-12-31T23:59:59Z"
    return later.isoformat(timespec="seconds") + "Z"


@lru_cache(maxsize=1024)
def _seat_name(seat: str) -> str:
    if seat in RESERVED_NAMES:
        raise ValueError(_("no seat may be called {seat}", seat=seat))
    return seat


_HEX64 = re.compile(r"[0-9a-f]{64}")

Hex64: TypeAlias = Annotated[str, Limits(pattern=r"^[0-9a-f]{64}$")]
Salt: TypeAlias = Annotated[str, Limits(pattern=r"^[0-9a-f]{32}$")]
Sig: TypeAlias = Annotated[str, Limits(pattern=f"^{SIG_PATTERN}$")]
KeyLine: TypeAlias = Annotated[str, Limits(pattern=f"^{KEY_PATTERN}$")]
At: TypeAlias = Annotated[
    str,
    Limits(pattern=f"^{MOMENT_PATTERN}$"),
    Requirement(existing_moment),
]
Seat: TypeAlias = Annotated[str, Limits(pattern=r"^[a-z][a-z0-9_]{0,39}$"), Requirement(_seat_name)]
Count: TypeAlias = Annotated[int, Limits(ge=0, le=MAX_NUMBER)]
Positive: TypeAlias = Annotated[int, Limits(ge=1, le=MAX_NUMBER)]
Hours: TypeAlias = Annotated[int, Limits(ge=0, le=MAX_HOURS)]
Label: TypeAlias = Annotated[str, Limits(pattern=r"^(pub|priv:[a-z][a-z0-9_]{0,39}|anew:[1-9][0-9]{0,5})$")]
QuestionName: TypeAlias = Annotated[str, Limits(pattern=r"^[a-z][a-z0-9_ ]{0,39}$")]
Reference: TypeAlias = Annotated[int, Limits(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Text: TypeAlias = Annotated[str, Limits(max_length=MAX_TEXT)]
AnyLabel: TypeAlias = Annotated[str, Limits(pattern=r"^[a-z][a-z0-9_:.]{0,47}$")]
Name: TypeAlias = Annotated[str, Limits(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
RulesId: TypeAlias = Annotated[str, Limits(pattern=r"^[a-z][a-z0-9_.:-]{0,63}$")]

EACH_ONCE = must(lambda items: len(set(items)) == len(items), N_("each may occur here only once"))


def is_seen(value: object) -> TypeGuard[list[Any]]:
    """Is this a pair [n, h_n], by which somebody signs what he has seen?"""
    match value:
        case [int(n), str(h)]:
            return type(n) is int and 0 <= n <= MAX_NUMBER and _HEX64.fullmatch(h) is not None
    return False


def _head_seen(pair: list[Any]) -> list[Any]:
    if not is_seen(pair):
        raise ValueError(_("seen is a pair [n, h_n]"))
    return pair


Seen: TypeAlias = Annotated[list[Any], Limits(min_length=2, max_length=2), Requirement(_head_seen)]
