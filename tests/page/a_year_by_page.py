"""A whole year of Hammer of the Scots by two people at the page: `python -m tests.page.a_year_by_page MODULES [SEED [PICTURES]]`.

The English sit at a desktop over `pbem web`, and their letters leave as files; the Scots have a telephone, on which the page
runs by itself, and theirs leave as mailto links where these are short enough. Both make their keys, take their seats, and play by
clicks and taps alone; what the host writes comes back as dropped files. They play on until a year with its winter is over and there
were battles, events and plans; then the English resign, and the log, whole, is judged by the audit and by both pages.

It is no test of pytest's, as Chromium and playwright-core (MODULES is a folder with it) come from outside: `.ci/run` runs it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from pbem.page.build import OUT

from .by_page import Browsers, House, desk_served, page_served, posted

MOST = 140
"""So many orders at the most, so that a fault ends it."""
DESKTOP, PHONE = "english", "scottish"


class Table:
    """The two, their host, and the letters between them."""

    def __init__(self, house: House, browsers: Browsers) -> None:
        self.house, self.browsers = house, browsers
        self.seen: Counter[str] = Counter()

    def send(self, who: str, letter: dict[str, str]) -> None:
        """Let a letter go by a mail program to the host."""
        self.seen["mailto" if "mailto" in letter else "file"] += 1
        decided = self.house.take(posted(letter, self.house.mail_of(who)))
        assert decided.endswith(f": {who}"), (who, decided)

    def bring(self) -> None:
        """Everybody drops what has come for him."""
        for seat, files in self.house.deliver().items():
            said = self.browsers.tell(seat, "drops", files=[str(file) for file in files])
            assert len(said) >= len(files), said
            assert not [text for text in said if "Left alone" in text or "damaged" in text], said
            self.seen["letters in"] += len(files)

    def sit_down(self) -> None:
        """All take their seats, and say that they are ready."""
        for seat in self.house.seats:
            self.browsers.tell(seat, "key", mail=self.house.mail_of(seat))
        for _ in ("invitation", "keys"):
            self.bring()
            for seat in self.house.seats:
                self.send(seat, self.browsers.tell(seat, "joins"))
        self.bring()

    def answer(self, seat: str) -> None:
        """Let somebody who is asked answer; count what it was."""
        done = self.browsers.tell(seat, "answers", event=not self.seen["event"], plan=not self.seen["plan"])
        first = done["order"][0]
        self.seen["order"] += 1
        self.seen["battle"] += done["scene"]
        self.seen["event"] += first.startswith("CARD ") and not first.startswith("CARD Move")
        self.seen["plan"] += any(line.startswith("PLAN ") for line in done["order"])
        for kind in ("touches", "drawn", "undone"):
            self.seen[kind] += done[kind]
        self.send(seat, done["letter"])

    def covered(self) -> bool:
        """Was there a winter, and a card of the next year, a battle, an event, a plan?"""
        ended = [row for row in self.house.log().entries if row.k == "ask"]
        return bool(ended) and self.over_winter() and all(self.seen[kind] for kind in ("battle", "event", "plan"))

    def over_winter(self) -> bool:
        """Has the second year begun, as the page of the English tells it?"""
        said = self.browsers.tell(DESKTOP, "story")
        return "Winter" in said and "1298, Game Turn 1" in said

    def play(self) -> None:
        """Play a year, and on until all that it should have is seen."""
        left = False
        while self.house.asked() and self.seen["order"] < MOST:
            for seat in self.house.asked():
                self.answer(seat)
            self.bring()
            if self.seen["order"] > 20 and not left:
                left = True
                self.browsers.tell(PHONE, "leavesAndComes")
            if self.seen["order"] > 20 and self.covered():
                return
        raise AssertionError(f"after {self.seen['order']} orders: {dict(self.seen)}")

    def end(self) -> None:
        """The English resign; both have the end, and judge the whole log."""
        self.send(DESKTOP, self.browsers.tell(DESKTOP, "says", what="Resign"))
        self.bring()
        log = self.house.log()
        assert self.house.verdict() == "clean", self.house.verdict()
        whole = self.house.folder / "whole.pbem"
        whole.write_bytes(log.dump())
        for seat in self.house.seats:
            assert "over" in self.browsers.tell(seat, "shows"), seat
            told = self.browsers.tell(seat, "judges", file=str(whole))
            assert "clean" in told, told


def main(arguments: list[str]) -> int:
    """Play; return the exit code."""
    if not 1 <= len(arguments) <= 3:
        print(__doc__, file=sys.stderr)
        return 2
    seed, reports, began = int((arguments[1:] or ["1"])[0]), list[str](), time.monotonic()
    page = Path(os.environ.get("PBEM_PAGE", OUT))
    with (
        tempfile.TemporaryDirectory() as name,
        page_served(page, reports) as served,
        desk_served(Path(name, "d")) as desk,
    ):
        browsers = Browsers(arguments[0], seed)
        try:
            table = Table(House(Path(name), "hammer", {}), browsers)
            browsers.tell(DESKTOP, "comes", address=desk)
            browsers.tell(PHONE, "comes", address=served, phone=True)
            table.sit_down()
            table.play()
            table.end()
            for who in (DESKTOP, PHONE) if arguments[2:] else ():
                browsers.tell(who, "photographs", path=f"{arguments[2]}/year-{who}.png")
            faults = [*browsers.tell("", "faults"), *(f"the policy was broken: {report}" for report in reports)]
            table.house.office.close()
        finally:
            browsers.close()
    print(f"a year by the page: {dict(table.seen)}, in {time.monotonic() - began:.0f} s")
    print("".join(f"WRONG: {fault}\n" for fault in faults), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
