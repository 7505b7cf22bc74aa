"""A picture as an SVG with its fonts inside: one file that looks the same everywhere. `pbem.look.pixels` makes PNGs.

A game draws its position as SVG (`pbem.look.Look.picture`) and names one of the three families below for every text. Their fonts
are in `fonts/`, so that each program draws the same letters, whatever fonts its machine has.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from .markup import joined, markup, stylesheet

if TYPE_CHECKING:
    from markupsafe import Markup

FOLDER = Path(__file__).resolve().parent / "fonts"
FAMILIES = {"pbem Serif": "serif", "pbem Serif Italic": "serif-italic", "pbem Sans": "sans"}
"""Family name -> the file with its font, as .ttf and as .woff2."""
STILL, MOVING = markup("<!--still-->"), markup("<!--moving-->")
"""The part between these marks is the same in every picture of a game, and below the rest."""


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
