"""From a picture to a PNG small enough for mail: the background is drawn once and kept, and so is each line above it.

Half the time that resvg needs for a large picture goes into the PNG in which it returns its pixels, including empty ones. So the
moving part is not drawn as one picture over the background. Each of its lines contains whole elements (`pbem.look.Look.picture`).
It is drawn by itself, no larger than necessary, and kept, because most lines stay the same from position to position. A line is
drawn alike whatever surrounds it, so that a PNG depends only on its picture, not on earlier ones.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import product
from operator import itemgetter
from typing import TYPE_CHECKING, cast

from pbem.cached import code_of, kept

from .picture import FAMILIES, FOLDER, MOVING, STILL

if TYPE_CHECKING:
    from markupsafe import Markup
    from PIL.Image import Image

PAPER = "#ffffff"
GROUNDS, PIECES = 8, 1024
"""How many grounds are kept, and how many pieces: of a large map some 5 MB each, and some 30 KB."""
COARSE = 10
"""The place of a piece is searched at a resolution this many times lower."""
COLOURS, APART, CANDIDATES = 128, 10, 4000
"""How many colours a PNG has, how far they are apart, and how many of the most frequent are looked at."""
PRESSED = 6
"""How hard a PNG is pressed: the hardest takes seven times as long for a twentieth less."""
FEW, MANY = 1 << 16, 1 << 24
"""How many colours are looked for: room for all that there are takes forty times as long as room for those of a drawing."""
Colour = tuple[int, int, int]
_FONTS = [str(FOLDER / f"{file}.ttf") for file in FAMILIES.values()]
_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')
_PAINT = re.compile(r"""((?:fill|stroke)(?::|="))url\(#[^)]*\)""")
_LAYER = re.compile(r"<g(?: [^>]*)?>")


def png(svg: Markup, width: int = 1000) -> bytes:
    """Return the picture as PNG, `width` pixels wide: opaque, in 128 colours, without metadata about time or program."""
    return in_few_colours(_pixels(str(svg), width))


# The ground, and what lies on it


class Backdrop:
    """The background below all moving parts of a picture, `width` pixels wide."""

    def __init__(self, head: str, still: str, width: int) -> None:
        self.head, self.width = head, width
        self.image = _whole(f"{head}{still}</svg>", width)

    def box(self, line: str) -> tuple[int, int, int, int] | None:
        """Return where a line draws, with room to spare: left, top, right and bottom in pixels; None where it draws nothing."""
        coarse = max(self.width // COARSE, 1)
        # in plain colours: a fine pattern is not to be seen so small
        if not (found := _opened(_drawn(_PAINT.sub(r"\1#000", f"{self.head}{line}</svg>"), coarse)).getbbox()):
            return None
        left, top = (max((n - 1) * self.width // coarse, 0) for n in found[:2])
        right, bottom = (
            min((n + 1) * self.width // coarse, most) for n, most in zip(found[2:], self.image.size, strict=True)
        )
        return left, top, right, bottom

    def part(self, left: int, top: int, right: int, bottom: int) -> str:
        """Return the head of a picture that shows this part alone, at the same scale."""
        wide, high = right - left, bottom - top
        pixels_wide, pixels_high = self.image.size

        def smaller(box: re.Match[str]) -> str:
            x, y, *size = map(float, box.groups())
            across, down = size[0] / pixels_wide, size[1] / pixels_high  # apart, where pixels do not come out even
            shown = f"{x + left * across} {y + top * down} {wide * across} {high * down}"
            return f'width="{wide}" height="{high}" viewBox="{shown}" preserveAspectRatio="none"'

        return _BOX.sub(smaller, self.head, count=1)


def _pixels(svg: str, width: int) -> Image:
    head, begins, rest = svg.partition(STILL)
    still, ends, moving = rest.partition(MOVING)
    if not (begins and ends):
        return _whole(svg, width)
    ground = _ground(head, still, width)
    whole = ground.image.copy()
    for line in _lines(moving):
        if (piece := _piece(ground, line)) is not None:
            whole.paste(piece[0], piece[1], mask=piece[0])
    return whole


def _whole(svg: str, width: int) -> Image:
    return _opened(
        kept("drawings", [svg, str(width), code_of("resvg_py", *_FONTS)], partial(_drawn, svg, width, PAPER))
    ).convert("RGB")


def _lines(moving: str) -> Iterator[str]:
    """Yield the moving lines, each within its layers."""
    layers: list[str] = []
    for line in moving.replace("</svg>", "").split("\n"):
        if _LAYER.fullmatch(line):
            layers.append(line)
        elif line == "</g>":
            layers.pop()
        elif line:
            yield f"{''.join(layers)}{line}{'</g>' * len(layers)}"


_ground = lru_cache(GROUNDS)(Backdrop)


@lru_cache(PIECES)
def _piece(ground: Backdrop, line: str) -> tuple[Image, tuple[int, int]] | None:
    """Return the pixels of a line, and where they lie; a kept file has the place in its first line, then the PNG."""

    def make() -> bytes:
        box = ground.box(line)
        return b"%d %d\n" % box[:2] + _drawn(f"{ground.part(*box)}{line}</svg>") if box else b""

    place, _end, drawn = kept(
        "drawings", [ground.head, line, str(ground.width), code_of("resvg_py", *_FONTS)], make
    ).partition(b"\n")
    return (_opened(drawn), cast("tuple[int, int]", tuple(map(int, place.split())))) if drawn else None


def _drawn(svg: str, width: int | None = None, paper: str | None = None) -> bytes:
    import resvg_py

    return resvg_py.svg_to_bytes(
        svg_string=svg, width=width, background=paper, skip_system_fonts=True,
        font_files=_FONTS if "<text" in svg else [],
    )  # fmt: skip


def _opened(drawn: bytes) -> Image:
    from PIL.PngImagePlugin import PngImageFile

    return PngImageFile(io.BytesIO(drawn)).convert("RGBA")


# Few colours


def in_few_colours(image: Image) -> bytes:
    """Return a picture as PNG in 128 colours."""
    from PIL import Image

    palette = Image.new("P", (1, 1))
    palette.putpalette(
        [
            part
            for colour in _palette(cast("list[tuple[int, Colour]]", image.getcolors(FEW) or image.getcolors(MANY)))
            for part in colour
        ]
    )
    out = io.BytesIO()
    out.name = "drawn.png"  # by its name: no other format is loaded
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(out, compress_level=PRESSED)
    return out.getvalue()


def _palette(counted: list[tuple[int, Colour]]) -> list[Colour]:
    """Return the most frequent colours, so that flat grounds stay what they are; none is too near to another."""
    ranked = sorted(
        sorted(counted, key=itemgetter(1)), key=itemgetter(0), reverse=True
    )  # among equals the darkest first
    chosen: list[Colour] = []
    near: defaultdict[Colour, list[Colour]] = defaultdict(list)  # those in a cell of colours, and in the cells about it
    for _, colour in ranked[:CANDIDATES]:
        r, g, b = colour
        cell = r // APART, g // APART, b // APART
        if all((r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2 >= APART**2 for x, y, z in near[cell]):
            chosen.append(colour)
            if len(chosen) == COLOURS:
                break
            for i, j, k in product(*((n - 1, n, n + 1) for n in cell)):
                near[i, j, k].append(colour)
    return chosen
