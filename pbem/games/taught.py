"""Rules in our own words and a first lesson, as a game brings them: paragraphs, lists, and steps at positions.

A game with a lesson exposes `LESSON` in its package `lesson`. `lessons` runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pbem.look import PageTable


class Rule(NamedTuple):
    """A paragraph. `marks` are the numbers or headings of the rule book that it tells in our words; all texts are messages."""

    marks: tuple[str, ...]
    text: str


class TaughtSection(NamedTuple):
    """Paragraphs under a heading. Beside them the board of the step `shows` is drawn, or the battle of `scene`; 0 for none.

    `shows` may draw a picture of its own.
    """

    title: str
    rules: tuple[Rule, ...]
    shows: int | Callable[[], str] = 0
    scene: int = 0


class Step(NamedTuple):
    """A step of a lesson. It continues from the step before, unless it has a position of its own.

    - `first` are the answers that lead from that position to the beginning of the step. `wants` are the orders that it takes.
    - `others` are the answers of seats in their order, including later ones of its own seat; a seat without any left gives the
      default.
    - `chance` are dice and drawn names in their order; after those, ones and the first names listed.
    - `traps` give, for words of an order that is not wanted, the reason why it is not.
    - With `in_order` the lines of an order must be in the order of the wanted one.

    All texts are messages.
    """

    title: str
    says: str
    touch: str
    wants: tuple[str, ...]
    why: str
    seat: str = ""
    position: str = ""
    first: Mapping[str, tuple[str, ...]] = {}
    others: Mapping[str, tuple[str, ...]] = {}
    chance: tuple[int | str, ...] = ()
    traps: Mapping[str, str] = {}
    in_order: bool = False


class Lesson(NamedTuple):
    """What a game has to learn from: its rules, a first lesson, and lists that are made from its data."""

    sections: tuple[TaughtSection, ...]
    """The rules."""
    steps: tuple[Step, ...]
    """The lesson; a step of a section is counted from 1."""
    lists: Callable[[], Sequence[PageTable]]
