"""The calls by which puzzles are solved: which there are, what one asks for, is an order its answer; `PUZZLES` is their list.

How a puzzle's position looks, what may be touched in it and how a draft reads, is called as in a game, by a name that begins with
`BEFORE`. What answers all of it is `solving`, which comes later than the rest of a page.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .calls import DeskCall, InOut, OfGame, Reply, Text
from .playing import Said

BEFORE = "puzzle-"
"""So the name of a puzzle begins: “puzzle-lords-3”; the id of no game does."""


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


def is_puzzle(game: str) -> bool:
    """Is that the name of a puzzle?"""
    return game.startswith(BEFORE)
