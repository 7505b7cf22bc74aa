"""The ground of the map in characters: which area each place of a terminal belongs to, and the lines between them.

It is drawn after our own map (`look.map`), stretched where areas are narrow. Nothing here knows a position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple

from ...rules import BORDER, ENGLAND

LETTER = {
    "R": "Ross", "G": "Garmoran", "M": "Moray", "S": "Strathspey", "B": "Buchan", "L": "Lochaber", "D": "Badenoch",
    "m": "Mar", "a": "Angus", "T": "Atholl", "Y": "Argyll", "x": "Lennox", "h": "Mentieth", "F": "Fife", "k": "Lanark",
    "o": "Lothian", "d": "Dunbar", "C": "Carrick", "s": "Selkirk", "v": "Teviot", "n": "Annan", "w": "Galloway",
    "E": ENGLAND,
}  # fmt: skip
"""What the letters of the drawing mean; a blank is sea."""

_DRAWING = """\
               RRRRRRRRRRRRRRRRRRRRRRRRRRRR
              RRRRRRRRRRRRRRRRRRRRRRRRRR
         RRRRRRRRRRRRRRRRRRRRRRRRRRRRR
       RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR
       RRRRRRRRRRRRRRRRRRRRRRRRRRRRRR       SSSSSSSSSSSSSSSS
       RRRRRRRRRRRRRRRRRRRRRRRRRRRRRMMMMMMSSSSSSSSSSSSSSSSSSBBBBBBBBBBBBB
       RRRRRRRRRRRRRRRRRRRRRRRRRRMMMMMMMMMSSSSSSSSSSSSSSSSSSBBBBBBBBBBBBBBB
      RRRRRRRRRRRRRRRRRRRRRRRRMMMMMMMMMMMSSSSSSSSSSSSSSSSSSBBBBBBBBBBBBBBBBB
       RRRRRRRRRRGGGGMMMMMMMMMMMMMMMMMMMSSSSSSSSSSSSSSSSSSBBBBBBBBBBBBBBBBBB
     GGGGGGGGGGGGGGGGMMMMMMMMMMMMMMMMMMMSSSSSSSSSSSSSSSSBBBBBBBBBBBBBBBBBBBB
     GGGGGGGGGGGGGGGGMMMMMMMMMMMMMDDDDDDDDDDDDDDDDDBBBBBBBBBBBBBBBBBBBBBBBBB
      GGGGGGGGGGGGGGMMMMMMMMMMMMDDDDDDDDDDDDDDDDDDmmmmmmmmmmmmmmmBBBBBBBBBBB
      GGGGGGGGGGGGGGMMMMMMMMMMDDDDDDDDDDDDDDDDDDmmmmmmmmmmmmmmmmmmBBBBBBBBB
     GGGGGGGGGGGGGLLLLLLLLLLDDDDDDDDDDDDDDDDDDmmmmmmmmmmmmmmmmmmmmmBBBBBB
    GGGGGGGGGGGGGLLLLLLLLLLLLDDDDDDDDDDDDDDDmmmmmmmmmmmmmmmmmaaaaaaaaaaa
   GGGGGGGGGGGGLLLLLLLLLLLLLLDDDDDDDDDDDTTTTmmmmmmmmmmmaaaaaaaaaaaaaaaa
     GGGGGGGLLLLLLLLLLLLLLLLLLTTTTTTTTTTTTTTTTTTTTTaaaaaaaaaaaaaaaaaaa
   GGGGGGGLLLLLLLLLLLLLLLLLLLLTTTTTTTTTTTTTTTTTTTTTaaaaaaaaaaaaaaaaaaa
     LLLLLLLLLLLLLLLLLLLLLTTTTTTTTTTTTTTTTTTTTTTTTaaaaaaaaaaaaaaaaaa
      LLLLL   YYYYYYYYYYTTTTTTTTTTTTTTTTTTTTTTFFFFaaaaaaaaaaaaa
            YYYYYYYYYYYYTTTTTTTTTTTTTTTTTTFFFFFFFFFFFFFFFFFFFFF
         YYYYYYYYYYYYxxxxxxxxhhhhhhhhhhhhhhFFFFFFFFFFFFFFFFFFFFFF
        YYYYYYYYYYYYYxxxxxxxxhhhhhhhhhhhhhhhFFFFFFFFFFFFFFFFFFF
        YYYYYYYYYYYYxxxxxxxxxxhhhhhhhhhhhhhhFFFFFFFFFFFFFF
        YYYYYYYYYYYYxxxxxxxxxxxhhhhhhhhhhhhhFFFFFFFFFFFF     dddddd
       YYYYYYYYYYYYxxxxxxxxxxxxhhhhhhhhhhhhh             dddddddddd
        YYYYYYYYYYYxxxxxxxxxxxxkkkkkkkkkkkhhhoooooooooooooooooddddddddddd
        YYYYYYYY   xxxxxxxxxxxxkkkkkkkkkkkkkooooooooooooooooooddddddddddddd
        YYYYYY    xxxxxxxxxxxxxkkkkkkkkkkkkkkoooooooooooooooooddddddddddddddd
        YYYYY     CCCCCCCxxxxxkkkkkkkkkkkkkkkkoooooooooooooooodddddddddddddddd
        YYYY     CCCCCCCCCCCCCkkkkkkkkkkkkkkkkkoooooooooooooodddddddddddddddEE
        YYY       CCCCCCCCCCCCkkkkkkkkkkkkkkkkkssssssssssssssssdddddddddddEEEE
       YYYY       CCCCCCCCCCCCCkkkkkkkkkkkkkkkkssssssssssssssssvvvvvvvvvvvvEEE
       YYY        CCCCCCCCCCCCCCkkkkkkkkkkkkkkksssssssssssssssvvvvvvvvvvvvvEEE
      YYYY         CCCCCCCCCCCCCCkkkkkkkkkkkkkkssssssssssssssvvvvvvvvvvvvvEEEE
      YYY         CCCCCCCCCCCCCCCnnnnnnnnnnnnnnsssssssssssvvvvvvvvvvvvvEEEEEEE
                  CCCCCCCCCCCCCCCnnnnnnnnnnnnnnnnnnnnnsvvvvvvvvvvvvvvvEEEEEEEE
                  CCCCCCCCCCCCCCnnnnnnnnnnnnnnnnnnnnnnnvvvvvvvvvvvvvEEEEEEEEEE
                  wwwwwwwwwwwwwwwwnnnnnnnnnnnnnnnnnnnnnnnvvvvvvvvvvEEEEEEEEEEE
                 wwwwwwwwwwwwwwwwwwnnnnnnnnnnnnnnnnnnnnnnnnvvvvvvEEEEEEEEEEEEE
                 wwwwwwwwwwwwwwwwwwwwnnnnnnnnnnnnnnnnnnnnnEEEEEEEEEEEEEEEEEEEE
                  wwwwwwwwwwwwwwwwwwwwnnnnnnnnnn     EEEEEEEEEEEEEEEEEEEEEEEEE
                   www  wwwwwwwwwwwwww              EEEEEEEEEEEEEEEEEEEEEEEEEE
                            wwwwww                EEEEEEEEEEEEEEEEEEEEEEEEEEEE"""

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_THIN = " │││─╯╮┤─╰╭├─┴┬┼"
_DOUBLE = " ║║║═╝╗╣═╚╔╠═╩╦╬"
_DOTTED = " ╎╎╎╌╯╮┤╌╰╭├╌┴┬┼"
_LOOKS = {"green": (_DOUBLE, "green"), "red": (_DOTTED, "yellow"), "coast": (_THIN, "dim")}
"""Kind of a line -> its characters, by the combination of its four directions, and its style."""

ROWS = tuple(_DRAWING.split("\n"))
HEIGHT, WIDTH = len(ROWS) + 1, max(map(len, ROWS)) + 2


class Stretch(NamedTuple):
    """Places of one row, side by side."""

    row: int
    left: int
    right: int


def area_at(row: int, column: int) -> str:
    """Return the area at a place, "" for the sea; the drawing is set in by one row and one column."""
    line = ROWS[row - 1] if 0 < row <= len(ROWS) else ""
    return LETTER.get(line[column - 1], "") if 0 < column <= len(line) else ""


@cache
def line_at(row: int, column: int) -> tuple[str, str]:
    """Return the character and style of the line that runs through a place, ("", "") if there is none.

    The lines run between a place and those to the right and below, and are drawn upon the place itself.
    """
    here, east = area_at(row, column), area_at(row, column + 1)
    south, across = area_at(row + 1, column), area_at(row + 1, column + 1)
    sides = ((_UP, here, east), (_DOWN, south, across), (_LEFT, here, south), (_RIGHT, east, across))
    found = [(way, _kind(a, b)) for way, a, b in sides if a != b]
    if not found:
        return "", ""
    kinds = Counter(kind for _, kind in found)
    characters, style = _LOOKS[max(_LOOKS, key=lambda kind: kinds[kind])]
    return characters[sum(way for way, _ in found)], style


def _kind(a: str, b: str) -> str:
    if not a or not b:
        return "coast"
    return "red" if BORDER[a, b].red else "green"


def touching() -> set[tuple[str, str]]:
    """Return the pairs of areas, in both orders, that have a line between them."""
    found = set()
    for row in range(HEIGHT):
        for column in range(WIDTH):
            here = area_at(row, column)
            for there in (area_at(row, column + 1), area_at(row + 1, column)):
                if here and there and here != there:
                    found |= {(here, there), (there, here)}
    return found


@cache
def windows(area: str, least: int, blank: int) -> tuple[tuple[Stretch, ...], ...]:
    """Return the windows for text in an area: at least `least` adjacent rows; the fewest rows and the most central first.

    Each row is its longest run of places without a line, less `blank` places at both ends.
    """
    longest = (max(_runs(area, row), key=lambda run: run.right - run.left, default=None) for row in range(HEIGHT))
    inner = (Stretch(run.row, run.left + blank, run.right - blank) for run in longest if run)
    runs = [run for run in inner if run.left < run.right]
    spans = [runs[i : i + n] for n in range(least, len(runs) + 1) for i in range(len(runs) - n + 1)]
    overlapping = [span for span in spans if max(run.left for run in span) < min(run.right for run in span)]
    twice = 2 * sum(run.row * (run.right - run.left) for run in runs)
    size = sum(run.right - run.left for run in runs)
    overlapping.sort(key=lambda span: (len(span), abs((span[0].row + span[-1].row) * size - twice)))
    return tuple(map(tuple, overlapping))


def _runs(area: str, row: int) -> Iterator[Stretch]:
    """Go through the runs of an area's places in a row that bear no line."""
    inside = (area_at(row, column) == area and not line_at(row, column)[0] for column in range(WIDTH))
    column = 0
    for free, places in groupby(inside):
        n = len(list(places))
        if free:
            yield Stretch(row, column, column + n)
        column += n
