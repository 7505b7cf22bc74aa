"""A round of Lords of Scotland by three: `python -m tests.page.a_round_by_page MODULES [SEED]`.

One sits at a desktop over `pbem web`, one has a telephone on which the page runs by itself, one is in the terminal.
Their letters go as in a year by the page (`a_year_by_page.py`). After the round each of them sees the same public table.
"""

from __future__ import annotations

import sys
from collections.abc import Collection

from .by_page import Browsers, House, Places, Table, Terminal, driven

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


def a_round(places: Places) -> str:
    """Sit down, play, and look at the end; return what there was."""
    browsers, terminal = places.browsers, Terminal(places.folder)
    house = House(places.folder, "lords", {"players": 3})
    first, second, third = house.seats
    table = Table(house, {first: browsers, second: browsers, third: terminal})
    browsers.tell(first, "comes", address=places.desk)
    browsers.tell(second, "comes", address=places.page, phone=True)
    table.sit_down()
    play(table, (first, second))
    check(house, browsers, terminal, (first, second))
    house.office.close()
    return f"a round by three: {dict(table.seen)}"


if __name__ == "__main__":
    sys.exit(driven(sys.argv[1:], 2, __doc__, a_round))
