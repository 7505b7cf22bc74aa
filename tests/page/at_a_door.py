"""Two seats play at a real host's door, by clicks: `python -m tests.page.at_a_door MODULES`, a folder with puppeteer-core.

One has the page that the door serves, in a browser of desktop size; the other has `pbem web`, in one as narrow as a phone. Both
join, say that they are ready, and play some turns of Hammer of the Scots; nobody sends or fetches a mail after the invitation. It
is no test of pytest's, as `tests/page/in_browser.py` is none; the built page is taken from where `make page` lays it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

from docs.pictures import CHROMIUM
from pbem.host.observers import STANDING
from pbem.ledger import verify
from pbem.page.service import Service
from pbem.page.serving import DeskServer
from pbem.page.single import BUILT
from tests.door.doors import at_work, settings
from tests.host.post import Club, a_club
from tests.servers.real import free_ports
from tests.stored import stored_rows

HERE = Path(__file__).parent


CUP: dict[str, Any] = {
    "event": "Border Cup 00000000", "name": "Border Cup", "game": "Hammer of the Scots", "kind": "swiss", "over": False,
    "table": [
        {"name": name, "key": "", "half_points": points, "buchholz": 3, "sonneborn_berger": 2, "won": 0, "games": 1}
        for name, points in (("<b>Ann</b>", 3), ("Bob", 1))
    ],
    "teams": [], "strangers": [],
    "rounds": [[
        {"players": ["<b>Ann</b>", "Bob"], "half_points": [1, 1], "game": "", "ruled": True, "bids": {"bid": "E1"}},
        {"players": ["Cat"], "half_points": [2], "game": "", "ruled": False},
    ]],
}  # fmt: skip
"""An event as a host notes it for everybody, with a name that is no markup."""
TOLD = [
    "Border Cup", "Player Points Won Games Buchholz Sonneborn-Berger", "1 <b>Ann</b> 1½ 0 1 1½ ½", "2 Bob ½ 0 1 1½ ½",
    "1 <b>Ann</b> ½ – Bob ½ bid E1 · by the organiser", "– Cat rests",
]  # fmt: skip


def invited(club: Club, folder: Path, text: str) -> dict[str, str]:
    """Let both be invited by letters that say where the door is; return the files of these."""
    club.deliver()
    with at_work(club, text, minute=1):
        pass
    files = {}
    for seat in club.desks:
        club.office.robot.invite(club.number, seat, club.now())
    for seat, letters in club.deliver().items():
        files[seat] = str(folder / f"{seat}.eml")
        Path(files[seat]).write_bytes(letters[-1])
    return files


def wrong(found: dict[str, Any], club: Club) -> Iterator[str]:
    """Go through what is not as it should be."""
    told = verify(club.log().dump())
    if told.verdict != "unfinished":
        yield f"the log is {told.verdict}: {told.reason}"
    doors = {row["door"] for row in stored_rows(club.office.store, "select door from inbox")}
    if doors != {"door"}:
        yield f"letters came by {doors}"
    yield from (f"{one}" for one in found["wrong"])
    yield from (f"it asks for {address}" for address in found["elsewhere"])
    yield from (f"the browser says {line}" for line in found["said"])
    if found["standing"] != TOLD:
        yield f"of the event stands there: {found['standing']}"
    for seat, data in found["logs"].items():
        own = verify(bytes(data), seat)
        if own.verdict != "unfinished":
            yield f"the copy of {seat} is {own.verdict}: {own.reason}"


def main(arguments: list[str]) -> int:
    """Drive the browsers and judge; return the exit code."""
    browser = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    page = Path(os.environ.get("PBEM_PAGE", BUILT))
    if browser is None or len(arguments) != 1 or not (page / "worker.mjs").exists():
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name, a_club(Path(name) / "club", game="hammer") as club:
        (port,) = free_ports(1)
        address = f"http://127.0.0.1:{port}/"
        text = settings(address, f'page = "{page}"\n', port)
        files = invited(club, Path(name), text)
        club.office.store.put_note(f"{STANDING}{CUP['event']}", json.dumps(CUP))
        with at_work(club, text, minute=60), DeskServer(Service(Path(name) / "bob")) as web:
            Thread(target=web.serve_forever, daemon=True).start()
            seats = dict(zip(club.desks, (address, web.address), strict=True))
            tasks = {"seats": [{"seat": seat, "page": at, "invitation": files[seat]} for seat, at in seats.items()]}
            (Path(name) / "tasks.json").write_text(json.dumps(tasks), "utf-8")
            command = ["node", str(HERE / "at_a_door.mjs"), arguments[0], f"{name}/tasks.json", *arguments[1:]]
            done = subprocess.run(
                command,
                check=False,
                env={**os.environ, "CHROMIUM": browser},
                capture_output=True,
                text=True,
                timeout=400,
            )
            web.shutdown()
        if done.returncode:
            print(done.stdout[-3000:], done.stderr[:6000])
            return 1
        found = json.loads(done.stdout)
        faults = [*wrong(found, club)]
    print(f"two seats at a door: {found['orders']} orders by clicks, {found['asked']} requests, none to anybody else")
    print("".join(f"WRONG: {fault}\n" for fault in faults), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
