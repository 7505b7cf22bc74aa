"""The position for a terminal: the map in characters with the blocks in it, and below it what does not fit.

It shows a single view, in 80 columns. E and red are the English, S and blue the Scots, so it works without colour. Names that are
cut short on the map are in full below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from pbem.i18n import N_
from pbem.look import Span

from ...rules import AREAS, BLOCK_OF, ENGLISH, SCOTTISH, SIDES, SLUG
from ...rules.said import _, named
from ...views import HammerView
from ..board import NORTH_TO_SOUTH, board_parts, known, limit
from ..words import LETTER, capital, hanging, the
from .ground import HEIGHT, WIDTH, Stretch, line_at, windows

COLOUR = {ENGLISH: "red", SCOTTISH: "blue"}
_LEGEND = (
    ((N_("E3"), "bold red"), (N_(" English, "), ""), (N_("S2"), "bold blue"),
     (N_(" Scottish blocks; those that you see, with strength"), "")),
    (("═", "green"), (N_(" 6 may cross  "), ""), ("╌", "yellow"), (N_(" red border: 2, stop there  "), ""),
     ("!", "bold reverse"), (N_(" contested  2+ castle, cathedral"), "")),
)  # fmt: skip
_CUTS = (99, 8, 5, 3, 0)
"""How many letters of a word of a name are written, from the best to the last resort: counts alone."""
_SHORT = {"Infantry": "Inf", "Archers": "Arch", "Knights": "Kn"}

Spans: TypeAlias = "tuple[Span, ...]"


def terminal(view: HammerView) -> list[Spans]:
    """Return the lines that a terminal shows."""
    head, fight, borders, nobles = board_parts(view)
    lines = [
        *map(_plain, head),
        (),
        *_map(view),
        *(tuple(Span(_(text), style) for text, style in line) for line in _LEGEND),
    ]
    for part in (fight, _blocks(view), borders, nobles):
        lines += [(), *map(_plain, part)] if part else []
    return lines


def _plain(line: str) -> Spans:
    """Return a line with the sides in their colours where it begins with them."""
    for side in SIDES:
        for name in (capital(the(side)), f"  {capital(the(side))}"):
            if line.startswith(name):
                return Span(name, COLOUR[side]), Span(line.removeprefix(name))
    return (Span(line),) if line else ()


def _blocks(view: HammerView) -> list[str]:
    """Return in full what the map shows in short: the blocks that this seat knows, with their ratings."""
    found = [(area, _("; ").join(known(view, area))) for areas in NORTH_TO_SOUTH.values() for area in areas]
    lines = [line for area, text in found if text for line in hanging(f"  {named(area):<11}", text)]
    head = _("Your blocks: strength (combat)") if view.seat else _("Face-up")
    return [head, *lines] if lines else []


# The map


def _map(view: HammerView) -> list[Spans]:
    """Return the map with the blocks written into its areas."""
    grid = [[Span(*line_at(row, column)) for column in range(WIDTH)] for row in range(HEIGHT)]
    for area in AREAS:
        runs, lines = _written(view, area)
        middle = (max(run.left for run in runs) + min(run.right for run in runs)) // 2
        for run, line in zip(runs, lines, strict=True):
            width = _width(line)
            column = max(run.left, min(middle - width // 2, run.right - width))
            for letter in (Span(letter, span.style) for span in line for letter in span.text):
                grid[run.row][column] = letter
                column += 1
    return [_joined(row) for row in grid]


def _joined(row: Iterable[Span]) -> Spans:
    """Return a row's letters, those of one style together, without blanks at its end."""
    found: list[Span] = []
    for letter, style in row:
        if found and found[-1].style == style:
            found[-1] = Span(found[-1].text + (letter or " "), found[-1].style)
        else:
            found.append(Span(letter or " ", style))
    if found:
        found[-1] = Span(found[-1].text.rstrip(), found[-1].style)
    return tuple(span for span in found if span.text)


def _written(view: HammerView, area: str) -> tuple[Sequence[Stretch], list[Spans]]:
    """Return the text of an area and its rows: with names as long as there is room for, or otherwise only counts."""
    for cut in _CUTS:
        text = _text(view, area, cut)
        for blank in (1, 0):
            for window in windows(area, len(text), blank):
                lines = list(_folded(text, [run.right - run.left for run in window]))
                if len(lines) == len(window):
                    return window, lines
    raise AssertionError(f"{area} has no room for its name")


def _width(line: Spans) -> int:
    return sum(len(span.text) for span in line)


def _text(view: HammerView, area: str, cut: int) -> list[list[Span]]:
    """Return the head of an area and each side's blocks, as words to be folded; each name is shortened by `cut`."""
    contested = area in view.contested
    lines = [[Span(f"{named(area)} {limit(area)}{'!' if contested else ''}", "bold reverse" if contested else "bold")]]
    for side in SIDES:
        if n := view.count(area, side):
            names = (
                [f"{_short(name, cut)} {strength or ''}".rstrip() for name, strength in _seen(view, area, side)]
                if cut
                else []
            )
            count = Span(_(LETTER[side]) + str(n), f"bold {COLOUR[side]}")
            lines.append([count, *(Span(name, COLOUR[side]) for name in names)])
    return lines


def _seen(view: HammerView, area: str, side: str) -> Iterator[tuple[str, int]]:
    """Yield a side's blocks in an area that this seat knows, with their strength if known."""
    if side == view.seat:
        yield from ((name, view.blocks[SLUG[name]].strength) for name in view.groups.get(area, ()))
    else:
        shown = ((BLOCK_OF[key], found) for key, found in view.revealed.items())
        yield from ((name, found.strength) for name, found in shown if (found.at, found.side) == (area, side))


def _short(name: str, cut: int) -> str:
    """Return a name with its kind shortened, each word to at most `cut` letters.

    >>> _short("Lancaster Archers", 99), _short("Lancaster Archers", 3), _short("Wallace", 5)
    ('Lancaster Arch', 'Lan Arc', 'Walla')
    """
    return " ".join(_SHORT.get(word, word)[:cut] for word in name.split())


def _folded(text: Sequence[Sequence[Span]], widths: Sequence[int]) -> Iterator[Spans]:
    """Go through lines of words, folded where they are longer than the rows are wide; too many lines if they do not fit."""
    row = 0
    for words in text:
        line: tuple[Span, ...] = ()
        for word in words:
            longer = (*line, Span(" "), word) if line else (word,)
            if row < len(widths) and _width(longer) <= widths[row]:
                line = longer
                continue
            yield line
            row, line = row + 1, (word,)
            if row >= len(widths) or _width(line) > widths[row]:
                yield from [line] * len(widths)
                return
        yield line
        row += 1
