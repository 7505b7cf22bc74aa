"""A whole year of Hammer of the Scots by two people at the page: `python -m tests.page.a_year_by_page MODULES [SEED [PICTURES]]`.

The English sit at a desktop over `pbem web`, and their letters leave as files; the Scots have a telephone, on which the page
runs by itself, and theirs leave as mailto links where these are short enough. Both make their keys, take their seats, and play by
clicks and taps alone; what the host writes comes back as dropped files. They play on until a year with its winter is over and there
were battles, events and plans; then the English resign, and the log, whole, is judged by the audit and by both pages.

It is no test of pytest's, as Chromium and playwright-core (MODULES is a folder with it) come from outside: `.ci/run` runs it.
"""

from __future__ import annotations

import sys
from typing import Any

from .by_page import House, Places, Table, driven

MOST, FEW = 140, 12
"""So many orders at the most, so that a fault ends it; and after so many the telephone's tab is closed."""
DESKTOP, PHONE = "english", "scottish"


class Year(Table):
    """The two, and what of a year they have had."""

    def answer(self, seat: str, **wishes: object) -> dict[str, Any]:
        """Let somebody who is asked answer, with an event and plans as long as there were none; count what it was."""
        done = super().answer(seat, event=not self.seen["event"], plan=not self.seen["plan"], **wishes)
        first = done["order"][0]
        self.seen["battle"] += done["scene"]
        self.seen["event"] += first.startswith("CARD ") and not first.startswith("CARD Move")
        self.seen["plan"] += any(line.startswith("PLAN ") for line in done["order"])
        return done

    def covered(self) -> bool:
        """Is a year over, and were there a battle, an event, a plan?"""
        return self.over_winter() and all(self.seen[kind] for kind in ("battle", "event", "plan"))

    def over_winter(self) -> bool:
        """Has the second year begun, as the page of the English tells it?"""
        said = self.tell(DESKTOP, "story")
        return "Winter" in said and "1298, Game Turn 1" in said

    def play(self) -> None:
        """Play a year, and on until all that it should have is seen; meanwhile the telephone's tab is closed once."""
        left = False
        while self.house.asked() and self.seen["order"] < MOST:
            self.turn()
            if self.seen["order"] > FEW and not left:
                left = True
                self.tell(PHONE, "leavesAndComes")
            if left and self.covered():
                return
        raise AssertionError(f"after {self.seen['order']} orders: {dict(self.seen)}")

    def end(self) -> None:
        """The English resign; both have the end, and judge the whole log."""
        self.send(DESKTOP, self.tell(DESKTOP, "says", what="Resign"))
        self.bring()
        assert self.house.verdict() == "clean", self.house.verdict()
        whole = self.house.folder / "whole.pbem"
        whole.write_bytes(self.house.log().dump())
        for seat in self.house.seats:
            assert self.tell(seat, "ends").startswith("You "), seat
            told = self.tell(seat, "judges", file=str(whole))
            assert "clean" in told, told


def a_year(places: Places) -> str:
    """Sit down, play, and have it judged; return what there was."""
    browsers = places.browsers
    house = House(places.folder, "hammer", {})
    table = Year(house, dict.fromkeys(house.seats, browsers))
    browsers.tell(DESKTOP, "comes", address=places.desk)
    browsers.tell(PHONE, "comes", address=places.page, phone=True)
    table.sit_down()
    table.play()
    table.end()
    for who in (DESKTOP, PHONE) if sys.argv[3:] else ():
        browsers.tell(who, "photographs", path=f"{sys.argv[3]}/year-{who}.png")
    house.office.close()
    return f"a year by the page: {dict(table.seen)}"


if __name__ == "__main__":
    sys.exit(driven(sys.argv[1:], 3, __doc__, a_year))
