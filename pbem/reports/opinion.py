"""A second opinion on a finished game: who was ahead at each turn, as a built-in player judges it.

It uses the combined views of all seats, so it is shown only once the views of all are open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.look import PageTable
from pbem.look.markup import joined, markup

from .text import sentence

if TYPE_CHECKING:
    from markupsafe import Markup

    from pbem.games.pack import GamePack
    from pbem.kernel import View

    from .turns import ListedTurn

MOST = 300
"""The maximum number of turns judged; for longer games every second turn, every third, and so on."""
HIGH, WIDE, LEFT, TOP, RIGHT, FOOT, LETTER = 150, 420, 40, 16, 96, 16, 13
WHOLE = 1000


def opinion(
    pack: GamePack, turns: Sequence[ListedTurn], views: Mapping[int, Sequence[View]]
) -> Sequence[PageTable | Markup]:
    """Return a drawing and a table of each seat's hope at the beginning of each turn; nothing for a game that has no judge.

    `views` are by entry those of all seats, in their order. The same game gives the same figures.
    """
    judge = pack.opinion
    begun = {turn.n: turn.name for turn in turns if turn.depth == 0 and turn.n in views}
    if judge is None or len(begun) < 2:
        return ()
    begun = dict(list(begun.items())[:: -(-len(begun) // MOST)])
    found = {n: judge(views[n], Random(n)) for n in begun}  # noqa: S311 - no dice of a game
    seats = list(next(iter(found.values())))
    names = [sentence(pack.look.seat_name(seat)) for seat in seats]
    rows = tuple((name, *_percents([found[n][seat] for seat in seats])) for n, name in begun.items())
    note = _(
        "The built-in player's judgement of the whole position, hidden things included: the wins in "
        "a hundred such games."
    )
    return _chart(names, [[one[seat] for seat in seats] for one in found.values()]), PageTable(
        _("Who stood better"), (_("Turn"), *names), rows, note
    )


def _percents(shares: Sequence[int]) -> Iterator[str]:
    """Go through shares as whole percents that make a hundred: the last has what the others leave.

    >>> list(_percents([365, 635])), list(_percents([333, 333, 334]))
    (['37', '63'], ['33', '33', '34'])
    """
    rounded = [(share + 5) // 10 for share in shares[:-1]]
    return map(str, (*rounded, 100 - sum(rounded)))


def _chart(names: Sequence[str], shares: Sequence[Sequence[int]]) -> Markup:
    """Draw the shares of all seats upon each other, the last at the foot; between two of them a line."""
    apart = WIDE / (len(shares) - 1)
    levels = [[sum(one[place:]) for one in shares] for place in range(1, len(names))]
    foot = markup(
        '<path d="{d}L{right} {foot}H{left}Z" fill="currentColor" fill-opacity="0.12"/>',
        d=_line(levels[-1], apart), right=LEFT + WIDE, foot=TOP + HIGH, left=LEFT,
    )  # fmt: skip
    lines = [
        markup('<path d="{d}" fill="none" stroke="currentColor" stroke-width="2"/>', d=_line(level, apart))
        for level in levels
    ]
    step = (HIGH - LETTER) / (len(names) - 1)
    words = [_text(name, LEFT + WIDE + 8, TOP + LETTER + i * step, "start") for i, name in enumerate(names)]
    scale = [_text(str(n), LEFT - 6, TOP + HIGH - HIGH * n / 100 + 4, "end") for n in (0, 50, 100)]
    return markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="scene" viewBox="0 0 {wide} {high}" role="img" aria-label="{title}">'
        '<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="currentColor" stroke-opacity="0.4"/>'
        '<path d="{half}" fill="none" stroke="currentColor" stroke-opacity="0.4" stroke-dasharray="3 4"/>'
        "{foot}{lines}{words}{scale}</svg>",
        wide=LEFT + WIDE + RIGHT, high=TOP + HIGH + FOOT, title=_("Who stood better, turn by turn"), left=LEFT, top=TOP, width=WIDE,
        height=HIGH, half=_line([WHOLE // 2] * len(shares), apart), foot=foot, lines=joined(lines), words=joined(words),
        scale=joined(scale),
    )  # fmt: skip


def _text(says: str, x: float, y: float, anchor: str) -> Markup:
    return markup(
        '<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="currentColor">{says}</text>',
        x=f"{x:.1f}", y=f"{y:.1f}", size=LETTER, anchor=anchor, says=says,
    )  # fmt: skip


def _line(levels: Sequence[int], apart: float) -> str:
    return "M" + "L".join(
        f"{LEFT + i * apart:.1f} {TOP + HIGH - HIGH * level / WHOLE:.1f}" for i, level in enumerate(levels)
    )
