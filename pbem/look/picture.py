"""Pictures as files: an SVG with its fonts inside, and a PNG small enough for mail.

A game draws its position as SVG (`pbem.look.Look.picture`) and names one of the three families below for every
text: they lie in `fonts/`, so that each program draws the same letters, whatever fonts its machine has.
"""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .markup import joined, markup, stylesheet

if TYPE_CHECKING:
    from markupsafe import Markup
    from PIL.Image import Image

FOLDER = Path(__file__).resolve().parent / "fonts"
FAMILIES = {"pbem Serif": "serif", "pbem Serif Italic": "serif-italic", "pbem Sans": "sans"}
"""What the families are called -> the file that holds each, as .ttf and as .woff2."""
STILL, MOVING = markup("<!--still-->"), markup("<!--moving-->")
"""What stands between these is the same in every picture of a game, and lies below the rest: it is drawn once for all PNGs."""
PAPER = "#ffffff"
COLOURS, APART, CANDIDATES = 128, 10, 4000
"""How many colours a PNG has, how far they are apart, and how many of the most frequent are looked at."""
PRESSED = 6
"""How hard a PNG is pressed: the hardest takes seven times as long for a twentieth less."""
FEW, MANY = 1 << 16, 1 << 24
"""How many colours are looked for: room for all that there are takes forty times as long as room for those of a drawing."""
Colour = tuple[int, int, int]


def with_fonts(svg: Markup) -> Markup:
    """Return the picture with the fonts that it uses inside: one file that looks the same everywhere."""
    end = svg.index(">", svg.index("<svg")) + 1
    return joined([svg[:end], stylesheet(font_faces()), svg[end:]])


@cache
def font_faces() -> str:
    """Return the three families as CSS, with their letters inside."""
    return "".join(
        f'@font-face{{font-family:"{name}";src:url(data:font/woff2;base64,{_base64(file)}) format("woff2")}}'
        for name, file in FAMILIES.items()
    )


def _base64(file: str) -> str:
    return b64encode((FOLDER / f"{file}.woff2").read_bytes()).decode("ascii")


def png(svg: Markup, width: int = 1000) -> bytes:
    """Return the picture as PNG, so many pixels wide: opaque, in 128 colours, without a word about when or by what."""
    head, mark, rest = svg.partition(STILL)
    if not mark:
        return in_few_colours(_raster(svg, width, PAPER).convert("RGB"))
    still, _, moving = rest.partition(MOVING)
    whole = _ground(joined([head, still, markup("</svg>")]), width).copy()
    above = _raster(joined([head, moving]), width)
    whole.paste(above, mask=above)
    return in_few_colours(whole)


@lru_cache(maxsize=4)
def _ground(svg: Markup, width: int) -> Image:
    return _raster(svg, width, PAPER).convert("RGB")


def _raster(svg: Markup, width: int, ground: str | None = None) -> Image:
    import resvg_py
    from PIL import Image

    drawn = resvg_py.svg_to_bytes(
        svg_string=str(svg), width=width, background=ground, skip_system_fonts=True,
        font_files=[str(FOLDER / f"{file}.ttf") for file in FAMILIES.values()],
    )  # fmt: skip
    return Image.open(io.BytesIO(bytes(drawn))).convert("RGBA")


def in_few_colours(image: Image) -> bytes:
    """Return a picture as PNG in 128 colours."""
    from PIL import Image

    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in _palette(_counted(image)) for part in colour])
    out = io.BytesIO()
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", compress_level=PRESSED)
    return out.getvalue()


def _counted(image: Image) -> list[tuple[int, Colour]]:
    return cast("list[tuple[int, Colour]]", image.getcolors(FEW) or image.getcolors(MANY))


def _palette(counted: Iterable[tuple[int, Colour]]) -> list[Colour]:
    """Return the most frequent colours, so that flat grounds stay what they are; none is too near to another."""
    chosen: list[Colour] = []
    for _, colour in sorted(counted, key=lambda found: (-found[0], found[1]))[:CANDIDATES]:
        r, g, b = colour
        if all((r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2 >= APART**2 for x, y, z in chosen):
            chosen.append(colour)
            if len(chosen) == COLOURS:
                break
    return chosen
