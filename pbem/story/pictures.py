"""Pictures of a tale: a map for each part, an animation of parts or steps, and a card for a forum.

Each shows what one seat, the public or everybody saw, as the tale does. A strip below the map says which part it is; on a card also
the game and its head, by which spectators can check it.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.i18n.visible import in_a_line
from pbem.look.picture import FOLDER
from pbem.look.pixels import in_few_colours, png

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

    from .telling import LogHead, ToldGame

WIDTH, CARD = 800, 1000
"""The width of a map and of a card, in pixels."""
MOST = 400
"""The maximum number of pictures of an animation."""
LONG, LAST = 1200, 4000
"""For how many thousandths of a second a picture of an animation is shown, and the last one."""
PAPER, INK, SOFT, MARK = "#fdf8ec", "#2c2013", "#5d4a30", "#8c2f1b"
MARGIN = 14


class Shot(NamedTuple):
    """A moment of the game: the entry, and what the strip says."""

    n: int
    says: str


def by_part(told: ToldGame) -> list[Shot]:
    """Return the last moment of each part."""
    return [Shot(part.last, part.title or _("Before the first turn")) for part in told.parts]


def span(told: ToldGame, begins: str) -> list[Shot]:
    """Return the moments of the parts with a name that begins so: of one part each step, of several the last of each.

    Raises UsageError if no part is called so.
    """
    found = [part for part in told.parts if part.name.casefold().startswith(begins.casefold())]
    if not found:
        some = ", ".join(f"“{part.name}”" for part in told.parts if part.name)
        raise UsageError(_("No turn begins with “{begins}”. The turns are {some}.", begins=begins, some=some))
    if len(found) > 1:
        return [Shot(part.last, part.title) for part in found]
    only = found[0]
    return [Shot(n, only.title) for n in told.steps if only.n <= n <= only.last]


def picture(told: ToldGame, shot: Shot, width: int = WIDTH) -> Image:
    """Return the map of a moment with its strip. Raises UsageError for a game without a picture."""
    return _stripped(_map(told, shot.n, width), [(shot.says, INK, 20)], told)


def maps(told: ToldGame) -> Iterator[tuple[str, bytes]]:
    """Yield a map for each part as PNG, with the name of its file."""
    for no, shot in enumerate(by_part(told)):
        slug = re.sub(r"[^a-z0-9]+", "-", shot.says.split(":")[0].casefold()).strip("-")[:40]
        yield f"{no:02}-{slug}.png", in_few_colours(picture(told, shot))


def animation(told: ToldGame, shots: Sequence[Shot], form: Literal["GIF", "WEBP"], width: int = WIDTH) -> bytes:
    """Return an animation as GIF or WebP. If there are too many moments, it shows every second, every third, and so on."""
    kept = [*shots[:: -(-len(shots) // MOST)]]
    kept += [shots[-1]] if kept[-1] != shots[-1] else []
    frames = [picture(told, shot, width) for shot in kept]
    if form == "GIF":
        from PIL import Image

        frames = [Image.open(io.BytesIO(in_few_colours(frame))) for frame in frames]
    out = io.BytesIO()
    lasts = [LONG] * (len(frames) - 1) + [LAST]
    more = {"quality": 80, "method": 4} if form == "WEBP" else {"optimize": False}
    frames[0].save(out, form, save_all=True, append_images=frames[1:], duration=lasts, loop=0, **more)
    return out.getvalue()


def card(told: ToldGame, head: LogHead | None) -> bytes:
    """Return a card for a forum as PNG: the last map, the result, and the first letters of the log's head."""
    last = told.parts[-1]
    says = told.result or last.title
    lines = [(told.pack.rules.title, MARK, 30), (says, INK, 22)]
    if told.opened.unsigned or head is None:
        lines.append((_("Unsigned: nobody can check this game."), MARK, 18))
    else:
        lines.append((_("Game {game}, {head}", game=told.opened.game[:8], head=head), SOFT, 18))
    return in_few_colours(_stripped(_map(told, last.last, CARD), lines, told, marked=False))


def _map(told: ToldGame, n: int, width: int) -> Image:
    from PIL import Image

    facts = [fact for at, those in told.steps.items() if at <= n for fact in those if told.knows(fact)]
    svg = told.pack.look.picture(told.views(n), facts)
    if not svg:
        raise UsageError(_("{game} draws no picture.", game=told.pack.rules.title))
    return Image.open(io.BytesIO(png(svg, width))).convert("RGB")


def _stripped(drawn: Image, lines: Sequence[tuple[str, str, int]], told: ToldGame, *, marked: bool = True) -> Image:
    """Return a picture with lines of text in a strip below it: text, colour, size; an unsigned game is marked."""
    from PIL import Image, ImageDraw

    lines = [*lines, *([(_("Unsigned"), MARK, 16)] if marked and told.opened.unsigned else [])]
    rows = [
        (row, colour, size)
        for text, colour, size in lines
        for row in textwrap.wrap(in_a_line(text), int(1.9 * (drawn.width - 2 * MARGIN) / size)) or [""]
    ]
    high = MARGIN + sum(int(size * 1.35) for _row, _colour, size in rows) + MARGIN // 2
    whole = Image.new("RGB", (drawn.width, drawn.height + high), PAPER)
    whole.paste(drawn, (0, 0))
    pen, y = ImageDraw.Draw(whole), drawn.height + MARGIN // 2
    for row, colour, size in rows:
        pen.text((MARGIN, y), row, fill=colour, font=_font(size))
        y += int(size * 1.35)
    return whole


@cache
def _font(size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(str(FOLDER / "serif.ttf"), size)
