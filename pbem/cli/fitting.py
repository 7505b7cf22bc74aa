"""The first position of a game at a terminal: as much of the board as fits on a screen above the first question.

A beginner reads from the top, so a board that has scrolled away before the question comes does not help; “board” shows all of it
at any time. The screen gets whole parts of the board, in the game's order: those that fit.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.reports.choices import choices, numbered

from . import screen

if TYPE_CHECKING:
    from pbem.games.pack import GamePack
    from pbem.kernel import View
    from pbem.look import Look, Span

LINES = 50
"""The assumed number of lines of a screen that does not report it."""
LEAST = 8
"""The minimum number of lines for the board, even on a smaller screen."""
_AROUND = 13
"""The number of lines of the welcome above, the prompt below, and the lines between."""


def parts_that_fit(parts: Sequence[Sequence[object]], room: int) -> list[int]:
    """Return which parts fit below each other, an empty line between them: one that does not is left out.

    >>> parts_that_fit([["a"], ["b"] * 9, ["c"] * 3], 8)
    [0, 2]
    """
    found: list[int] = []
    for no, part in enumerate(parts):
        if len(part) <= room:
            found.append(no)
            room -= len(part) + 1
    return found


def in_parts(lines: Sequence[Sequence[Span]]) -> list[list[Sequence[Span]]]:
    """Return lines as parts: an empty line parts them.

    >>> in_parts([[], []])
    []
    """
    parts: list[list[Sequence[Span]]] = [[]]
    for line in lines:
        if line:
            parts[-1].append(line)
        elif parts[-1]:
            parts.append([])
    return [part for part in parts if part]


def show_first(pack: GamePack, news: str) -> Callable[[Look, View], None]:
    """Return what prints as much of the board as fits above news and question, and what the seat has before it."""

    def show(look: Look, view: View) -> None:
        hand, listed = look.brief_hand(view), numbered(choices(pack, view))
        below = sum(map(_count, (hand, news, look.question(view), listed))) + len(look.touches(view, ()))
        room = max(LEAST, shutil.get_terminal_size((80, LINES)).lines - _AROUND - below)
        drawn = in_parts(look.terminal(view)) if screen.in_colour() else []
        told = [part.split("\n") for part in look.board(view).split("\n\n")]
        fits = parts_that_fit(drawn, room)
        if len(fits) > 1:  # the drawing is among them, which no text of it replaces
            screen.draw(chain.from_iterable([*([()] if no else []), *drawn[no]] for no in fits))
        else:
            drawn, fits = [], parts_that_fit(told, room)
            screen.echo("\n\n".join("\n".join(told[no]) for no in fits))
        if hand:
            screen.echo(f"\n{hand}")
        if len(fits) < len(drawn or told):
            screen.echo("\n" + _("There is more: “board” shows the whole board."))

    return show


def _count(text: str) -> int:
    return text.count("\n") + 1
