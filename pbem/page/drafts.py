"""A player's unsigned draft of an order: kept until it is signed, across reloads, tabs and visits.

It is in the desk's folder, so it is protected like the desk: on a one-file page it is encrypted. In a solo game it is next to that
game's file. It belongs to one question, and is used for no other.
"""

from __future__ import annotations

import json
from pathlib import Path

from pbem import private

from . import playing
from .alone import is_alone


def answer(home: Path, game: str, asked: playing.KeepDraft) -> playing.DraftKept:
    """Keep the draft that a call brings, if it brings one, and return the one that is kept; `game` is the game's whole name."""
    path = _place(home, game)
    if asked.lines is not None:
        _keep(path, asked.ask, asked.lines)
    return playing.DraftKept(lines=_kept(path, asked.ask))


def forget(home: Path, game: str) -> None:
    """Forget the draft of a game: it was signed, or the game was thrown away."""
    _place(home, game).unlink(missing_ok=True)


def _place(home: Path, game: str) -> Path:
    return home / "alone" / f"{game}.draft" if is_alone(game) else home / "notes" / f"{game[:16]}.draft"


def _keep(path: Path, ask: int, lines: tuple[str, ...]) -> None:
    if any(line.strip() for line in lines):
        private.make_folder(path.parent)
        private.put(path, json.dumps({"ask": ask, "lines": lines}, ensure_ascii=False).encode())
    else:
        path.unlink(missing_ok=True)


def _kept(path: Path, ask: int) -> tuple[str, ...]:
    """Return the lines of the draft for a question; empty without a draft, or if it cannot be read."""
    try:
        found = json.loads(path.read_bytes())
        lines = found["lines"] if found["ask"] == ask else ()
        return tuple(line for line in lines if isinstance(line, str))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return ()
