"""A draft on the drawing: the position as it will be once it is signed, what has moved as a ghost where it stood, and what takes a
line out again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import TYPE_CHECKING

from pbem.errors import OrderError
from pbem.games.touching import judged
from pbem.i18n import _
from pbem.kernel import Json, take_apart
from pbem.ledger import sha256_hex
from pbem.look.markup import markup, unnamed
from pbem.look.picture import MOVING
from pbem.reports.foreseen import Foreseen, foreseen
from pbem.reports.told import NONSENSE

from . import playing

if TYPE_CHECKING:
    from markupsafe import Markup

    from pbem.games import GamePack
    from pbem.kernel import View
    from pbem.look import Look
    from pbem.reports.told import Told

_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_NAMED = 32
"""The number of digits of its hash that name a background."""
_AT = re.compile(r' data-at="([^"]*)"')
_PLACE = re.compile(r'translate\([^)]*\)|c?x="[^"]*" c?y="[^"]*"')
"""The place of a line of a drawing: the first coordinates in it."""


def drawing(svg: str, has: str = "") -> playing.SvgDrawing | None:
    """Return a drawing with its style beside it: a page that allows no style in its elements takes it as a sheet.

    A ground is called by its hash. So one that the page `has` is left out only where it is this drawing's, whatever game it had
    the other from.
    """
    if not svg:
        return None
    below, mark, above = svg.partition(MOVING)
    if not mark:
        return playing.SvgDrawing(svg=_STYLE.sub("", svg), style="\n".join(_STYLE.findall(svg)))
    ground = sha256_hex(below.encode())[:_NAMED]
    if ground == has:
        return playing.SvgDrawing(svg=above, style="", ground=ground)
    style = "\n".join(_STYLE.findall(below))
    return playing.SvgDrawing(svg=above, style=style, ground=ground, below=_STYLE.sub("", below))


def preview(
    pack: GamePack, seat: str, before: View, tells: Sequence[Told], draft: Sequence[str], ground: str
) -> playing.Preview | None:
    """Return the complete lines of a draft as a drawing; None if their effect is unknown, or if there is no drawing.

    `before` is the last view in `tells`, the seat's tells so far; `ground` is the page's ground.
    """
    lines, found = _whole(pack, seat, before, tells[-1].view, take_apart("\n".join(draft)).order.split("\n"))
    if found is None:
        return None
    look, heard = pack.look, [fact for tell in tells for fact in tell.facts]
    was, now = look.picture([before], heard), str(look.scene([before]))
    try:
        told = look.afterwards(before, found.view, "\n".join(lines))
        will = look.picture([told.drawn or found.view], [*heard, *found.facts])
        then = str(look.scene([found.view]))
    except NONSENSE:  # what is sure is no whole position: that says nothing against whoever told the one before it
        return None
    if (was, now) == (will, then):
        return None
    stays = told.stays | (_in_hand(look, before) & _in_hand(look, found.view))
    stood, stands = (one.partition(MOVING)[2].split("\n") for one in (was, will))  # not the ground, which is long
    taken = set(map(_place, stands))  # a ghost under what stands there now could not be read, nor could that
    ghosts = [
        markup('<g class="pb-ghost">{piece}</g>', piece=unnamed(line))  # it has no name, and cannot be touched
        for line, at in _named(stood, stands)
        if at not in stays and _place(line) not in taken
    ]
    drawn, end = str.rsplit(will.rstrip(), "\n", 1)
    return playing.Preview(
        drawing=drawing("\n".join([drawn, *ghosts, end]), ground),
        scene=drawing(then),
        says=(*told.says, *filter(None, [found.undecided])),
        takes_out=tuple(_takes_out(lines, draft, {at for _line, at in _named(stands, stood) if at not in stays})),
    )


def _in_hand(look: Look, view: View) -> set[str]:
    """Return what lies before the seat as cards, as the drawing calls it: who plays one moves the others aside."""
    return {card.at for row in look.cards(view) for card in row.cards}


def _place(line: str) -> str:
    """Return the place of a line of a drawing as the line states it, or ""."""
    return str(next(_PLACE.finditer(line), [""])[0])


def _whole(
    pack: GamePack, seat: str, asked: View, view: Json, draft: Sequence[str]
) -> tuple[list[str], Foreseen | None]:
    """Return the longest beginning of a draft that is an order, and what is sure after it."""
    lines = [line for line in draft if line.strip()]
    while lines:
        try:
            return lines, foreseen(pack.rules, seat, view, judged(pack.rules, asked, "\n".join(lines)))
        except OrderError:  # the last line may be unfinished, or what it says last
            lines += filter(None, [lines.pop().rpartition(",")[0]])
    return [], None


def _named(lines: Sequence[Markup], others: Sequence[Markup]) -> Iterator[tuple[Markup, str]]:
    """Yield the touchable lines of a drawing that the other drawing does not have, with the name of what they show."""
    there = set(others)
    for line in lines:
        if line not in there and (at := _AT.search(line)):
            yield line, unescape(at[1])


def _takes_out(lines: Sequence[str], draft: Sequence[str], changed: set[str]) -> Iterator[playing.OneTouch]:
    """Go through what has changed on the drawing: to touch it takes the line out that names it."""
    for at in sorted(changed):
        names = at.partition(":")[2].split("/")
        line = next((line for line in lines if all(name in line for name in names)), None)
        if line is not None:
            rest = [one for one in draft if not one.startswith(line)]
            label = _("Take out: {line}", line=line)
            yield playing.OneTouch(at=at, label=label, draft=tuple(rest), note="", closes=False)
