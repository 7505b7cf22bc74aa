"""The page's figures in Chromium, each beside a floor of the same run: `python -m bench.page [MODULES]`.

MODULES is a folder with playwright-core; without it npm fetches that into `.cache/`. What is measured is what somebody waits for:
from the click, or the file's being chosen, until it is on the screen; over the page that runs in the browser by itself, and over
`pbem web`. The floors: for the start Pyodide as it comes with a model of pydantic, in the same browser; for all else the service
itself, called in this process without any page. Believe nothing of it while the machine does something else: the load is printed.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.games import play_at_a_table
from pbem.games import find
from pbem.page import Service
from pbem.page.build import PARTS, build
from pbem.page.parts import BuildParts, run
from tests.host.post import a_club
from tests.page.by_page import desk_served, page_served
from tests.page.calling import ok
from tests.page.in_browser import LIMIT, bare, transfer

MODULES = PARTS.parent / "browser"
PLAYWRIGHT = "playwright-core@1.65.1"
ENTRIES, TIMES, ORDERS, REPORTS = 1500, 3, 6, 8
SEAT = "english"
ASKED = {"touches": 100, "positions": 300, "reports": 500, "log": 6000}
"""Milliseconds at the most, on a quiet machine; `pbem web` in half of them."""
STARTS = (("first visit", "first", "bareFirst", 1.5), ("from the cache", "cached", "bareCached", 1.3))
"""So many times as long as the floor may a start take."""


def a_game() -> bytes:
    """Return the log of a whole game of some 1,500 entries: of a few the nearest."""
    pack = find("hammer")
    games = [play_at_a_table(pack, pack.complete({"scenario": "bruce"}), seed).ledger.log for seed in range(1, 5)]
    return min(games, key=lambda log: abs(len(log.entries) - ENTRIES)).dump()


def letters(folder: Path) -> tuple[bytes, list[Path]]:
    """Lay `english`, a desk, in the folder; return it as a file, and the next reports that it has not read."""
    with a_club(folder / "club", game="hammer") as club:
        club.begin()
        shutil.copytree(club.folder / SEAT, folder / SEAT)
        before = len(club.received[SEAT])
        while len(found := [raw for raw in club.received[SEAT][before:] if b".report." in raw]) < REPORTS:
            club.turn()
    places = [folder / f"{n}.eml" for n in range(REPORTS)]
    for place, raw in zip(places, found, strict=False):
        place.write_bytes(raw)
    return b64decode(ok(Service(folder / SEAT), "save")["data"]), places


def milliseconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def floors(folder: Path, saved: bytes, reports: Sequence[Path], log: bytes) -> dict[str, float]:
    """Return the medians of the same calls without a page."""
    service = Service(folder / "floor")
    ok(service, "restore", data=b64encode(saved).decode())
    game = ok(service, "begin", game="hammer", seed="floor")["game"]
    touches, positions = [], []
    for _order in range(ORDERS):
        draft: list[str] = []
        while not (found := ok(service, "touches", game=game, draft=draft))["closed"]:
            draft = found["touches"][-1 if draft else 0]["draft"]
            touches.append(milliseconds(lambda draft=draft: service.answer(_call("touches", game=game, draft=draft))))  # type: ignore[misc]
        more = ok(service, "sign", game=game, text="\n".join(draft))["more"]
        while more:
            more = ok(service, "go_on", game=game)["more"]
        positions.append(milliseconds(lambda: service.answer(_call("position", game=game))))
    took = [milliseconds(lambda one=one: service.answer(_read("read", one.read_bytes()))) for one in reports]  # type: ignore[misc]
    judged = milliseconds(lambda: service.answer(_read("check", log)))
    return {"touches": _median(touches), "positions": _median(positions), "reports": _median(took), "log": judged}


def _call(name: str, **more: object) -> str:
    return json.dumps({"call": name, **more})


def _read(name: str, data: bytes) -> str:
    return _call(name, data=b64encode(data).decode())


def _median(found: Sequence[float]) -> float:
    return statistics.median(found)


def measured(
    modules: Path, folder: Path, log: bytes, saved: bytes, reports: Sequence[Path]
) -> tuple[dict[str, Any], int, int]:
    """Build the page, let the browser measure, and return what it found, and the bytes of a first visit and of its floor."""
    page, parts, complaints = folder / "page", BuildParts(PARTS), list[str]()
    build(page, parts)
    bare(page / "bare", parts)
    places = {"log": folder / "game.pbem", "saved": folder / "desk.zip", "tasks": folder / "tasks.json"}
    places["log"].write_bytes(log)
    places["saved"].write_bytes(saved)
    with page_served(page, complaints) as served, desk_served(folder / SEAT) as web:
        told = {
            "served": served,
            "web": web,
            "times": TIMES,
            "orders": ORDERS,
            "reports": [str(one) for one in reports],
        }
        told |= {name: str(places[name]) for name in ("log", "saved")}
        places["tasks"].write_text(json.dumps(told), "utf-8")
        command = ["node", str(Path(__file__).with_suffix(".mjs")), str(modules), str(places["tasks"])]
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - our own driver
    if done.returncode or complaints:
        raise SystemExit(done.stderr + "\n".join(complaints))
    floor = sum(len(gzip.compress(file.read_bytes(), 9)) for file in (page / "bare").iterdir())
    return json.loads(done.stdout), transfer(page), floor


def main(arguments: Sequence[str]) -> int:
    """Measure, and print."""
    modules = Path(arguments[0]) if arguments else MODULES / "node_modules"
    if not (modules / "playwright-core").is_dir():
        run("npm", "install", "--silent", "--no-save", "--prefix", str(modules.parent), PLAYWRIGHT)
    with tempfile.TemporaryDirectory() as name:
        folder, log = Path(name), a_game()
        saved, reports = letters(folder)
        floor = floors(folder, saved, reports, log)
        found, size, least = measured(modules, folder, log, saved, reports)
    print(f"The page in Chromium {found['version']}; load {os.getloadavg()[0]:.1f}.")
    print(f"  first visit: {size:,} bytes compressed, of {LIMIT:,}; floor {least:,}; ratio {size / least:.2f}")
    for what, ours, theirs, most in STARTS:
        took, shortest = min(found[ours]), min(found[theirs])
        print(f"  ready, {what}: {took:.0f} ms; floor {shortest:.0f} ms; ratio {took / shortest:.2f}, of {most}")
    entries = sum(line.startswith(b"{") for line in log.splitlines())
    print(
        f"  medians in ms: in the worker, of; pbem web, of; floor (the log: {entries} entries, {found['worker']['said']})"
    )
    for what, most in ASKED.items():
        told(what, most, [found[which][what] for which in ("worker", "web")], floor[what])
    return 0


def told(what: str, most: int, both: Sequence[float | list[float]], floor: float) -> None:
    """Print a row: of the worker and of `pbem web`."""
    worker, web = ([one] if isinstance(one, float | int) else one for one in both)
    row = f"{_median(worker):7.0f}, {most:5}; {_median(web):7.0f}, {most // 2:5}; {floor:7.1f}"
    print(f"  {what:<10} {row}   the slowest in the worker {max(worker):.0f}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
