"""The list of a game's turns: which parts it has, where each begins, and what came of it.

It is made as the game goes on, of what `pbem.look.Look.chapter` says of each fact. Pages show it, and jump by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.i18n import _
from pbem.i18n.visible import in_a_line

if TYPE_CHECKING:
    from pbem.look import Chapter


class ListedTurn(NamedTuple):
    """A part of a game: the entry at which it begins, how deep it lies, its name, and what came of it if anything has."""

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
        """Let a part begin at an entry; or say what came of the last of its depth, anew where that was taken back."""
        name = in_a_line(chapter.name)
        if not chapter.adds:
            self._begun[chapter.depth] = len(self.found)
            self.found.append(ListedTurn(n, chapter.depth, name))
        elif (place := self._begun.get(chapter.depth)) is not None:
            self.found[place] = self.found[place]._replace(came=name)
