"""Puzzles on a page: a position as its seat sees it, and whether an order is the answer, by the same check as `pbem puzzle`.

Solved puzzles are noted with the solo games, by content, because another version may use a puzzle's number for another puzzle. Only
these notes are saved. The module is loaded later than the rest of a page (`later`), when somebody opens the puzzles.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from pbem import private
from pbem.errors import UsageError
from pbem.games import find, known
from pbem.games.puzzles import Puzzle, kept, puzzle
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import cj, sha256_hex
from pbem.reports import solving

from . import puzzles
from .chair import Chair
from .playing import Said
from .puzzles import PUZZLE, parted

NOTED = "alone/solved.json"
_DIGITS = 16
_FEW = 4


class Solving:
    """The puzzles of all games that are here, for the desk in a folder."""

    def __init__(self, home: Path) -> None:
        self._noted = home / NOTED

    def list(self) -> puzzles.PuzzlesShown:
        """Return all puzzles, by game."""
        done = self._done()
        return puzzles.PuzzlesShown(
            games=tuple(
                puzzles.PuzzlesOfGame(title=title, puzzles=tuple(_shown(one, done) for one in own))
                for title, own in ((pack.rules.title, kept(pack)) for pack in map(find, known()))
                if own
            )
        )

    def task(self, name: str) -> puzzles.PuzzleTask:
        """Return what a puzzle asks for. Raises UsageError for one that there is not."""
        one = _named(name)
        return puzzles.PuzzleTask(
            number=one.number,
            task=solving.task(one),
            about=tuple(solving.about(one)),
            solved=_digest(one) in self._done(),
            next=f"{PUZZLE}{one.pack.rules.id}-{one.number + 1}" if one.number < len(kept(one.pack)) else "",
        )

    def chair(self, name: str) -> Chair:
        """Return the position as its seat has it before him. Raises UsageError as `task`."""
        one = _named(name)
        return Chair.posed(name, one.pack, one.seat, ((), _view(name)))

    def solve(self, asked: puzzles.Solve) -> puzzles.Solved:
        """Say whether an order is the answer, and note that it was found. Raises OrderError, and UsageError as `task`."""
        one = _named(asked.game)
        found = solving.verdict(one, one.prover(), asked.text)
        if found.solves:
            self._note(_digest(one))
        return puzzles.Solved(solves=found.solves, said=found.said, line=_said(found.line))

    def solution(self, name: str) -> puzzles.SolutionShown:
        """Return the answer. Raises UsageError as `task`."""
        return puzzles.SolutionShown(said=_said(solving.solution(_named(name))))

    def _done(self) -> set[str]:
        """Return the puzzles solved here; an unreadable file counts as empty."""
        try:
            return set(map(str, json.loads(self._noted.read_text("utf-8"))))
        except (OSError, ValueError, TypeError, RecursionError):
            return set()

    def _note(self, digest: str) -> None:
        done = self._done()
        if digest not in done:
            private.make_folder(self._noted.parent)
            private.put(self._noted, json.dumps(sorted(done | {digest})).encode())


def _shown(one: Puzzle, done: set[str]) -> puzzles.PuzzleShown:
    return puzzles.PuzzleShown(
        name=f"{PUZZLE}{one.pack.rules.id}-{one.number}",
        number=one.number,
        task=solving.task(one),
        solved=_digest(one) in done,
    )


def _named(name: str) -> Puzzle:
    found = parted(PUZZLE, name)
    if found is None:
        raise UsageError(_("There is no puzzle “{name}”.", name=name[:40]))
    game, number = found
    return puzzle(find(game), number)


@lru_cache(_FEW)
def _view(name: str) -> Json:
    """What its seat sees."""
    one = _named(name)
    return one.pack.rules.view(one.placed().state, one.seat)


def _digest(one: Puzzle) -> str:
    return sha256_hex(cj([one.pack.rules.id, one.seat, one.aim, *one.position]))[:_DIGITS]


def _said(lines: Iterable[tuple[int, str]]) -> tuple[Said, ...]:
    return tuple(Said(text=text, depth=depth) for depth, text in lines)
