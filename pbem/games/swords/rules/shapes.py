"""Formations: four orthogonally connected squares of a player board, and what shape they have, however turned and mirrored.

Pure geometry: nothing here knows the owners of cubes, or the uses of a shape.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache

LINE, BOX, T, S, L = "line", "box", "T", "S", "L"
SHAPES = (LINE, BOX, T, S, L)
FOUR = 4
Squares = tuple[str, ...]


@cache
def neighbours(square: str) -> tuple[str, ...]:
    """Return the squares that lie orthogonally beside one, on the board or off it.

    >>> neighbours("B2")
    ('B1', 'A2', 'C2', 'B3')
    """
    column, row = ord(square[0]), int(square[1:])
    return (f"{square[0]}{row - 1}", f"{chr(column - 1)}{row}", f"{chr(column + 1)}{row}", f"{square[0]}{row + 1}")


def ordered(squares: Collection[str]) -> Squares:
    """Return squares in reading order: row by row.

    >>> ordered(["B2", "A2", "C1"])
    ('C1', 'A2', 'B2')
    """
    return tuple(sorted(squares, key=lambda square: (int(square[1:]), square[0])))


def group(covered: Collection[str], square: str) -> Squares:
    """Return the group of connected covered squares around a square; () if that is not covered.

    >>> group(["A1", "A2", "C1", "B2"], "A1")
    ('A1', 'A2', 'B2')
    """
    found, todo = list[str](), [square] if square in covered else []
    while todo:
        here = todo.pop()
        if here not in found:
            found.append(here)
            todo += [beside for beside in neighbours(here) if beside in covered]
    return ordered(found)


def formations(members: Squares, square: str, used: Sequence[Squares] = ()) -> Iterator[Squares]:
    """Go through the formations of a group that hold one square, and share nothing but it with those used already."""
    free = [member for member in members if member == square or not any(member in four for four in used)]
    yield from _fours(ordered(free), square)


@cache
def _fours(members: Squares, square: str) -> tuple[Squares, ...]:
    found = {frozenset((square,))}
    for _size in range(FOUR - 1):
        found = {
            some | {beside} for some in found for here in some for beside in neighbours(here) if beside in members
        } - found
    return tuple(sorted((ordered(some) for some in found if len(some) == FOUR), key=_reading))


def _reading(squares: Squares) -> list[tuple[int, str]]:
    return [(int(square[1:]), square[0]) for square in squares]


def shape(squares: Collection[str]) -> str:
    """Return the shape of a formation.

    >>> shape(["A1", "A2", "B2", "B3"]), shape(["B1", "A2", "B2", "C2"]), shape(["A1", "A2", "A3", "B3"])
    ('S', 'T', 'L')
    """
    degrees = sorted(sum(beside in squares for beside in neighbours(square)) for square in squares)
    columns, rows = {square[0] for square in squares}, {square[1:] for square in squares}
    if len(columns) == 1 or len(rows) == 1:
        return LINE
    if degrees == [2, 2, 2, 2]:
        return BOX
    if degrees == [1, 1, 1, 3]:
        return T
    return S if _ends_differ(squares) else L


def _ends_differ(squares: Collection[str]) -> bool:
    """Do the ends of a bent row of four differ in column and in row, by the two of a middle that is bent twice?"""
    ends = [s for s in squares if sum(beside in squares for beside in neighbours(s)) == 1]
    across = abs(ord(ends[0][0]) - ord(ends[1][0]))
    down = abs(int(ends[0][1:]) - int(ends[1][1:]))
    middle = [s for s in squares if s not in ends]
    upright = middle[0][0] == middle[1][0]
    return {across, down} == {1, 2} and (across == 2) == upright
