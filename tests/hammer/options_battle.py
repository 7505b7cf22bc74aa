"""What several tests need of options battle: fought."""

from __future__ import annotations

from pbem.games.hammer.rules.printed import ENGLISH
from tests.hammer.builder import Table


def fought(english: str, scots: str, variants: tuple[str, ...], reserve: str = "", area: str = "Lanark") -> Table:
    """Begin a battle in which the English attack an area, with a reserve if it is named."""
    there = ", ".join(filter(None, (english, reserve)))
    table = Table({area: there}, {area: scots}, variants=variants)
    board = table.start
    for blocks, start in ((english, "Lothian"), (reserve, "Mentieth")):
        for name in filter(None, (word.rstrip(" 1234") for word in blocks.split(", "))):
            board = board.put(board[name]._replace(start=start, via=start))
    table.start = board
    return table.battles((area, ENGLISH, "Lothian", "Lothian"))
