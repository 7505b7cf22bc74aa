"""What a letter includes: the board once a turn, new information about the enemy, and the results of a turn.

A part of a game is what `pbem.look.Look.chapter` begins, such as a turn or a winter. The game's look writes the summary of a part
(`pbem.look.Look.summary`). A letter that reports the end of several parts has a summary of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from pbem.i18n import _

from .told import NONSENSE

if TYPE_CHECKING:
    from pbem.games.pack import GamePack
    from pbem.kernel import Json
    from pbem.look import Look, PageTable

    from .report import Report


LEAD = 10
"""The maximum number of lines of a question at the head of a letter."""


REMARKS = -1
"""The place of a game's luck and awards among its parts."""


class Summed(NamedTuple):
    """What came of a part of the game: its heading, and a few lines."""

    head: str
    lines: Sequence[str]


def summed(made: Report, pack: GamePack) -> Sequence[Summed]:
    """Return what came of the parts of a game that have ended with what a report tells; at its end, of the whole game."""
    if not made.complete:
        return ()
    heard, look, old = made.heard(), pack.look, len(made.earlier)
    starts = [(at, name) for at in range(old, len(heard)) if (name := _begins(heard[at], look))]
    before = ((at, name) for at in range(old - 1, -1, -1) if (name := _begins(heard[at], look)))
    starts = [*islice(before, bool(starts)), *starts]
    ended = [(_("{part} in short", part=name), heard[:end], start) for (start, name), (end, _next) in pairwise(starts)]
    if made.result is not None:
        ended += [(_("The game in short"), heard, 0), (_("Luck and awards"), heard, REMARKS)]
    found = [Summed(head, _summary(pack, facts, start)) for head, facts, start in ended]
    return [one for one in found if one.lines]


def _summary(pack: GamePack, facts: Sequence[Json], start: int) -> Sequence[str]:
    try:
        if start != REMARKS:
            return pack.look.summary(facts, start)
        from pbem.look.tale import remarks  # only the last letter has them

        return remarks(pack.package, facts)
    except NONSENSE:
        return ()


def _begins(fact: Json, look: Look) -> str:
    """Return the name of the part that begins with a fact; "" where none does."""
    try:
        part = look.chapter(fact)
    except NONSENSE:
        return ""
    return part.name if part is not None and not part.depth and not part.adds else ""


def tells_the_board(made: Report, pack: GamePack) -> bool:
    """Return whether a letter describes the board in words: once a game turn, at the end, and without new facts.

    Without new facts, somebody asked for the letter. In a game without turns every letter describes the board.
    """
    told, look = [fact for facts in made.told for fact in facts], pack.look
    if not told or not made.earlier or made.result is not None or any(_begins(fact, look) for fact in told):
        return True
    return not any(_begins(fact, look) for fact in made.earlier)


def new_of(now: PageTable, before: PageTable | None) -> PageTable | None:
    """Return the rows of a table that were not in it before, without its note; None where all were."""
    known = set(before.rows) if before else set()
    rows = tuple(row for row in now.rows if row not in known)
    return now._replace(rows=rows, note="") if rows else None


def lead(question: str) -> tuple[str, str]:
    """Return the question, and the paragraphs behind it that tell of groups and areas at length: these come below the list."""
    first, *more = question.split("\n\n")
    while more and first.count("\n") + more[0].count("\n") < LEAD:
        first += "\n\n" + more.pop(0)
    return first, "\n\n".join(more)
