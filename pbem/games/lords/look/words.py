"""The words that recur: lords, cards, counts, lines of 72 columns."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

WIDTH = 72
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def lord(seat: str) -> str:
    """Return what a seat is called in a sentence."""
    return seat.capitalize()


def number(n: int) -> str:
    """Return a number in words, up to ten."""
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


def cards(n: int) -> str:
    """Return a count of cards.

    >>> cards(1), cards(3)
    ('one card', 'three cards')
    """
    return f"{number(n)} card{'' if n == 1 else 's'}"


def points(n: int) -> str:
    """Return a count of points: "1 point"."""
    return f"{n} point{'' if n == 1 else 's'}"


def both(names: Sequence[str]) -> str:
    """Return names in a row with “and” before the last.

    >>> both(["Scott 1", "Scott 2", "Scott 3"])
    'Scott 1, Scott 2 and Scott 3'
    """
    *most, last = names or ["none"]
    return f"{', '.join(most)} and {last}" if most else last


def follower(target: str) -> str:
    """Return what a follower or supporter is called that an order names."""
    seat, _, place = target.partition(" ")
    return f"{lord(seat)}'s face-down follower {place}" if seat.islower() else target


def fold(text: str, indent: str = "") -> list[str]:
    """Return a sentence as lines, those after the first indented."""
    return wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
