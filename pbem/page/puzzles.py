"""The calls for puzzles: the list, one puzzle, and checking an answer; `PUZZLES` lists them.

A puzzle's position, touches and drafts use the calls of a game, with a name that begins with `PUZZLE`; so do steps of lessons.
`solving` answers these calls, and is loaded later than the rest of a page.
"""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from .calls import DeskCall, InOut, OfGame, Reply, Text
from .playing import Said

PUZZLE, STEP = "puzzle-", "lesson-"
"""So the names of puzzles and of a lesson's steps begin: “puzzle-lords-3”; the id of no game does."""
_REST = re.compile("([a-z][a-z0-9_-]*)-([0-9]{1,6})")


def parted(before: str, name: str) -> tuple[str, int] | None:
    """Return the game and the number in such a name; None for other names."""
    found = _REST.fullmatch(name.removeprefix(before)) if name.startswith(before) else None
    return (found[1], int(found[2])) if found else None


class AskPuzzles(DeskCall):
    """Which puzzles there are."""

    call: Literal["puzzles"] = "puzzles"


class PuzzleShown(Reply):
    name: str
    number: int
    task: str
    solved: bool = Field(description="whether its answer was found on this desk")


class PuzzlesOfGame(Reply):
    title: str
    puzzles: tuple[PuzzleShown, ...]


class PuzzlesShown(Reply):
    games: tuple[PuzzlesOfGame, ...]


class AskPuzzle(OfGame):
    """What a puzzle asks for."""

    call: Literal["puzzle"] = "puzzle"


class PuzzleTask(Reply):
    number: int
    task: str
    about: tuple[str, ...] = Field(description="what is to be known besides")
    solved: bool
    next: str = Field(description="the name of the next one; empty behind the last of a game")


class Solve(OfGame):
    """Is that order the answer?"""

    call: Literal["solve"] = "solve"
    text: Text


class Solved(Reply):
    solves: bool
    said: str
    line: tuple[Said, ...] = Field(description="in which it fails: orders, and what everybody hears of each")


class AskSolution(OfGame):
    """What the answer is."""

    call: Literal["solution"] = "solution"


class SolutionShown(Reply):
    said: tuple[Said, ...]


PUZZLES: dict[str, InOut] = {
    "puzzles": InOut(AskPuzzles, PuzzlesShown),
    "puzzle": InOut(AskPuzzle, PuzzleTask),
    "solve": InOut(Solve, Solved),
    "solution": InOut(AskSolution, SolutionShown),
}
"""By the name of the call: what goes in, and what comes out."""
