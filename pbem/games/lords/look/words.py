"""The words that recur: lords, cards, counts, lines of 72 columns."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from pbem.i18n import N_, _, _n

WIDTH = 72
_FRENCH = {
    "RECRUTER": "RECRUIT", "MOBILISER": "MUSTER", "UTILISER": "USE", "CACHÉ": "DOWN", "CACHÉE": "DOWN", "VISIBLE": "UP",
    "PASSER": "PASS", "RÉCLAMER": "CLAIM", "REVENDIQUER": "CLAIM", "MEILLEURS": "STRONGEST",
}  # fmt: skip
"""The words of orders in French. None is a name of the game, or a word of one."""
ORDER_WORDS = {"fr": _FRENCH}
_CARDS = (
    N_("no cards"), N_("one card"), N_("two cards"), N_("three cards"), N_("four cards"), N_("five cards"), N_("six cards"),
    N_("seven cards"), N_("eight cards"), N_("nine cards"), N_("ten cards"),
)  # fmt: skip


def lord(seat: str) -> str:
    """Return the name of a seat in a sentence."""
    return seat.capitalize()


def cards(n: int) -> str:
    """Return a count of cards, up to ten in words.

    >>> cards(1), cards(3), cards(12)
    ('one card', 'three cards', '12 cards')
    """
    return _(_CARDS[n]) if n < len(_CARDS) else _n("{n} card", "{n} cards", n)


def points(n: int) -> str:
    """Return a count of points: "1 point"."""
    return _n("{n} point", "{n} points", n)


def both(names: Sequence[str]) -> str:
    """Return names in a row with “and” before the last.

    >>> both(["Scott 1", "Scott 2", "Scott 3"])
    'Scott 1, Scott 2 and Scott 3'
    """
    *most, last = names or [_("none")]
    return _("{most} and {last}", most=", ".join(most), last=last) if most else last


def follower(target: str) -> str:
    """Return the name of a follower or supporter in an order."""
    seat, _blank, place = target.partition(" ")
    return _("{lord}'s face-down follower {place}", lord=lord(seat), place=place) if seat.islower() else target


def capital(text: str) -> str:
    """Return the text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def fold(text: str, indent: str = "") -> list[str]:
    """Return a sentence as lines, those after the first indented."""
    return wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
