"""A round of Lords of Scotland by three: `python -m tests.page.a_round_by_page MODULES [SEED]`.

One sits at a desktop over `pbem web`, one has a telephone on which the page runs by itself, one is in the terminal.
Their letters go as in a year by the page (`a_year_by_page.py`). After the round each of them sees the same public table.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Collection
from pathlib import Path

from pbem.page.single import BUILT

from .by_page import Browsers, House, Table, Terminal, desk_served, page_served

MOST = 60


def play(table: Table, at_pages: Collection[str]) -> None:
    """Play until the second round has begun, as the page tells it to who was asked; others may have been told nothing yet."""
    said = ""
    while "Round 2" not in said:
        assert table.seen["order"] < MOST, dict(table.seen)
        asked = table.house.asked()
        table.turn()
        said = "".join(table.tell(seat, "story") for seat in asked if seat in at_pages)


def check(house: House, browsers: Browsers, terminal: Terminal, seats: tuple[str, ...]) -> None:
    """The log is in order as far as it goes, and so are the copies of all three."""
    assert house.verdict() == "unfinished", house.verdict()
    copy = house.folder / "copy.pbem"
    for seat in seats:
        browsers.tell(seat, "saves", path=str(copy))
        told = browsers.tell(seat, "judges", file=str(copy))
        assert "unfinished" in told, told
    said = terminal.pbem("check")
    assert "your copy is in order" in said, said


def main(arguments: list[str]) -> int:
    """Play; return the exit code."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    seed, reports, began = int((arguments[1:] or ["1"])[0]), list[str](), time.monotonic()
    page = Path(os.environ.get("PBEM_PAGE", BUILT))
    with (
        tempfile.TemporaryDirectory() as name,
        page_served(page, reports) as served,
        desk_served(Path(name, "d")) as desk,
    ):
        browsers, terminal = Browsers(arguments[0], seed), Terminal(Path(name))
        try:
            house = House(Path(name), "lords", {"players": 3})
            first, second, third = house.seats
            table = Table(house, {first: browsers, second: browsers, third: terminal})
            browsers.tell(first, "comes", address=desk)
            browsers.tell(second, "comes", address=served, phone=True)
            table.sit_down()
            play(table, (first, second))
            check(house, browsers, terminal, (first, second))
            faults = [*browsers.tell("", "faults"), *(f"the policy was broken: {report}" for report in reports)]
            house.office.close()
        finally:
            browsers.close()
    print(f"a round by three: {dict(table.seen)}, in {time.monotonic() - began:.0f} s")
    print("".join(f"WRONG: {fault}\n" for fault in faults), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
