"""The list of a game's turns: its parts, where each begins, and its result.

It grows with the game, from what `pbem.look.Look.chapter` says about each fact. Pages show it and use it for navigation.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from pbem.i18n import _
from pbem.i18n.visible import in_a_line

if TYPE_CHECKING:
    from pbem.look import Chapter


class ListedTurn(NamedTuple):
    """A part of a game: the entry at which it begins, its depth, its name, and its result if there is one."""

    n: int
    depth: int
    name: str
    came: str = ""

    def __str__(self) -> str:
        return _("{chapter}: {what}", chapter=self.name, what=self.came) if self.came else self.name


class Turns:
    """The parts of a game, in the order in which they were told."""

    def __init__(self) -> None:
        self.found: list[ListedTurn] = []
        self._begun: dict[int, int] = {}

    def note(self, n: int, chapter: Chapter) -> None:
        """Begin a part at an entry, or set the result of the last part of this depth, replacing one that was taken back."""
        name = in_a_line(chapter.name)
        if not chapter.adds:
            self._begun[chapter.depth] = len(self.found)
            self.found.append(ListedTurn(n, chapter.depth, name))
        elif (place := self._begun.get(chapter.depth)) is not None:
            self.found[place] = self.found[place]._replace(came=name)

    @property
    def open(self) -> list[ListedTurn]:
        """The parts that are not over yet, the largest first."""
        none: list[ListedTurn] = []
        return reduce(
            lambda path, turn: [*(above for above in path if above.depth < turn.depth), turn], self.found, none
        )
