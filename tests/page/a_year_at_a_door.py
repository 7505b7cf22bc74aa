"""A year of Hammer of the Scots at a host's door: `python -m tests.page.a_year_at_a_door MODULES one|both [SEED [PATH]]`.

The Scots have a telephone with the page that a door serves: what they sign goes there by itself, and what is new comes by itself.
The English sit at a desktop: with the page from the same door (`both`), or (`one`) from a server that is no door; then it reaches
none, and their letters leave and come as files. The host is one, at work, with its door on this machine. They play as in
`a_year_by_page`, until a year has had all that it should have; where both are at the door, which tells no more of the game,
only its first turns. The same is judged at the end. Then somebody without a key looks on, at the page of the same door: at the
game that is over.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Collection
from pathlib import Path
from typing import cast

from pbem.host.condition import figures
from pbem.host.observers import let_everybody
from pbem.page.single import BUILT
from tests.door.doors import at_work, settings
from tests.host.post import Club, moment
from tests.servers.real import free_ports
from tests.stored import stored_rows

from .a_year_by_page import DESKTOP, FEW, PHONE, Year
from .by_page import Browsers, House, concluded, page_served

USERS = {"one": (PHONE,), "both": (DESKTOP, PHONE)}
"""Who uses the door."""
ONLOOKER = "somebody"
FIRST_TURNS = 2 * FEW
"""So many orders are given where both are at the door."""
BEGUN, AT_WORK = 1, 60
MOST_LOOKS = 10_000
"""So often is looked for a letter that must come, so that a fault ends it."""
TOO_OFTEN, MOST_TURNED = "429 (Too Many Requests)", 12
"""Nobody clicks as quickly as is done here on a quick machine: a door that hears a seat 120 times a minute turns it away, the page
comes again behind longer and longer pauses, and the browser writes each time down."""


class HouseWithADoor(House):
    """A host that is at work beside us; its clock stands, and each who comes to the door is told it."""

    minute = 0

    def now(self) -> str:
        return moment(self.minute)

    def invite(self, text: str) -> None:
        """Let the letters say where the door is, which they know once it was open."""
        self.deliver()
        with at_work(cast(Club, self), text, minute=BEGUN):
            pass
        self.minute = BEGUN
        let_everybody(self.office.store, self.number, "finished")
        for seat in self.seats:
            self.office.robot.invite(self.number, seat, self.now())


class YearAtADoor(Year):
    """The same, where those who use the door send no mail, and drop no letter after the invitation."""

    def __init__(self, house: House, browsers: Browsers, users: Collection[str]) -> None:
        super().__init__(house, dict.fromkeys(house.seats, browsers))
        self.users, self.known = users, set[str]()
        """Who uses the door, and who has been there."""

    def covered(self) -> bool:
        """Have they had what they are to have?"""
        return self.seen["order"] >= FIRST_TURNS if len(self.users) == len(self.house.seats) else super().covered()

    def send(self, who: str, letter: dict[str, str]) -> None:
        if who in self.users:
            assert "Brought" in letter["door"]
            self.known.add(who)
            self.seen["by door"] += 1
        else:
            super().send(who, letter)

    def bring(self) -> None:
        """What has come for him the one drops; to the other it comes by itself, but for the invitation."""
        new = self.house.deliver()
        for _ in range(MOST_LOOKS):  # the host beside us may be about to lay letters there
            if not figures(self.house.office.robot.store)["mails_unsent"]:
                break
            for seat, files in self.house.deliver().items():
                new.setdefault(seat, []).extend(files)
        for seat, files in new.items():
            if seat in self.known:
                continue
            said = self.tell(seat, "drops", files=[str(file) for file in (files[-1:] if seat in self.users else files)])
            assert not [text for text in said if "Left alone" in text], said
            self.seen["letters in"] += len(files)


def played(browsers: Browsers, house: HouseWithADoor, users: Collection[str], pictures: str) -> YearAtADoor:
    """Let them play a year in a house that is at work; return what they have had of it."""
    table = YearAtADoor(house, browsers, users)
    table.sit_down()
    table.play()
    table.end()
    for who in (DESKTOP, PHONE) if pictures else ():
        browsers.tell(who, "photographs", path=f"{pictures}/year-at-a-door-{who}.png")
    ways = {row["door"] for row in stored_rows(house.office.store, "select door from inbox")}
    assert ways == ({"door"} if len(users) == len(house.seats) else {"door", ""}), ways
    return table


def without_haste(faults: list[str]) -> list[str]:
    """Return the faults but for those of the pace, as long as they are few."""
    hasty = [fault for fault in faults if TOO_OFTEN in fault]
    return faults if len(hasty) > MOST_TURNED else [fault for fault in faults if fault not in hasty]


def main(arguments: list[str]) -> int:
    """Play; return the exit code."""
    if not 2 <= len(arguments) <= 4 or arguments[1] not in USERS:
        print(__doc__, file=sys.stderr)
        return 2
    users, seed, began = USERS[arguments[1]], int((arguments[2:] or ["1"])[0]), time.monotonic()
    page = Path(os.environ.get("PBEM_PAGE", BUILT))
    reports = list[str]()
    with tempfile.TemporaryDirectory() as name, page_served(page, reports) as desk:
        (port,) = free_ports(1)
        address = f"http://127.0.0.1:{port}/"
        text = settings(address, f'page = "{page}"\nwatch = "finished"\n', port)
        house = HouseWithADoor(Path(name), "hammer", {})
        house.invite(text)
        browsers = Browsers(arguments[0], seed)
        try:
            with at_work(cast(Club, house), text, minute=AT_WORK):
                house.minute = AT_WORK
                for who in (DESKTOP, PHONE):
                    there = who in users
                    browsers.tell(who, "comes", address=address if there else desk, phone=who == PHONE, door=there)
                table = played(browsers, house, users, "".join(arguments[3:]))
                browsers.tell(ONLOOKER, "comes", address=address)
                seen = browsers.tell(ONLOOKER, "looksOn", **{"as": "the Scots"})
                assert ("1297" if len(users) == len(house.seats) else "1298") in seen, seen
                faults = without_haste(browsers.faults(reports))
            house.office.close()
        finally:
            browsers.close()
    return concluded(f"a year at a door, {arguments[1]}: {dict(table.seen)}", began, faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
