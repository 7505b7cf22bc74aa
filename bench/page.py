"""The page's figures in Chromium, each beside a floor of the same run.

    python -m bench.page [MODULES] [--games GAME…] [--times 2] [--orders 20] [--looks 40]

MODULES is a folder with playwright-core; without it npm fetches that into `.cache/`. What is measured is what somebody waits for:
from the click, or the file's being chosen, until it is on the screen; over the page that runs in the browser by itself, and over
`pbem web`. Counted are the clicks of a game turn with many battles, pressed one by one on what lights up, and how large the map is
drawn. The floors: for the start Pyodide as it comes with a model of pydantic, in the same browser; for the last position a page
without a script; for all else the service
itself, called in this process without any page. Beside each stands what the page's program took of the processor, which other work
on the machine stretches little; believe nothing else of it while the machine does something besides: the load is printed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from bench.games import play_at_a_table
from pbem.errors import WorldError
from pbem.games import find
from pbem.page.baking import RUNTIME, packed
from pbem.page.build import PARTS, build
from pbem.page.parts import BuildParts, run
from pbem.page.service import Service
from tests.host.post import a_club
from tests.page.by_page import desk_served, page_served
from tests.page.calling import ok
from tests.page.clicks import Clicks, turns
from tests.page.in_browser import LIMIT, transfer

MODULES = PARTS.parent / "browser"
PLAYWRIGHT = "playwright-core@1.65.1"
ENTRIES, REPORTS = 1500, 8
QUESTIONS = 1000
GAMES = ["hammer", "lords", "swords", "tiny"]
EXAMPLES = ["tiny"]
"""Which of them are no part of a built page."""
BESIDE = ["choice:PLAN", "choice:AHEAD", "end"]
SEAT = "english"
BATTLE = "battle action"
CARRIERS = {"worker": 1, "web": 2}
"""Who carries the calls, and what part of the time each may take."""
ASKED = {"touches": 100, "positions": 300, "reports": 500, "log": 6000}
"""Milliseconds at the most, on a quiet machine; `pbem web` in half of them."""
PYDANTIC = ("pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection")
STARTS = (("first visit", "first", "bareFirst", 1.5), ("from the cache", "cached", "bareCached", 1.3))
"""So many times as long as the floor may a start take."""


SPENT = (
    ("first visit", "first", "bareFirst"),
    ("from the cache", "cached", "bareCached"),
    ("the last position seen", "last", "empty"),
    ("that position can be touched", "touched", "bareCached"),
)


def a_game() -> bytes:
    """Return the log of a whole game of some 1,500 entries: of a few the nearest."""
    pack = find("hammer")
    games = [play_at_a_table(pack, pack.complete({"scenario": "bruce"}), seed).ledger.log for seed in range(1, 3)]
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


def a_turn(folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    """Return a desk before the turn of Hammer with most battles in three years, and the clicks that answer its questions."""
    played = turns(folder / "years", folder / "before")
    year, turn = played.heavy
    home = folder / "before" / f"{year}-{turn}"
    shutil.copytree(home, folder / "turn")
    service, questions = Service(folder / "turn"), []
    for one in played.answered[played.heavy]:
        while not ok(service, "position", game=played.game)["asked"]:
            ok(service, "go_on", game=played.game)
        way, signed = Clicks(service, played.game, drags=True).way(one.order)
        questions.append({"asked": one.asked, "way": [click._asdict() for click in way], "signed": signed})
        ok(service, "sign", game=played.game, text=one.order)
    return home, questions


def processor(call: Callable[[], object]) -> float:
    """How many milliseconds of the processor a call takes, whatever else the machine does."""
    began = time.process_time()
    call()
    return (time.process_time() - began) * 1000


class Floor:
    """The same calls without a page: a whole game of each kind by touches drawn by chance, in milliseconds of the processor."""

    def __init__(self, folder: Path) -> None:
        self.service = Service(folder / "floor")
        self.touches: dict[str, list[float]] = {}
        self.positions: dict[str, list[float]] = {}

    def play(self, game: str) -> None:
        """Play it to the end, and measure each question's position and each draft's touches."""
        chance = Random(game)
        name, more = ok(self.service, "begin", game=game, seed="floor").values()
        touches, positions = self.touches.setdefault(game, []), self.positions.setdefault(game, [])
        for _question in range(QUESTIONS):
            while more:
                more = ok(self.service, "go_on", game=name)["more"]
            positions.append(processor(lambda: self.service.answer(_call("position", game=name))))
            if ok(self.service, "position", game=name)["over"]:
                return
            order = self.order(name, chance, touches)
            more = ok(self.service, "sign", game=name, text=order)["more"]

    def order(self, name: str, chance: Random, touches: list[float]) -> str:
        """Return an order that is composed of touches drawn by chance; what each took is added to `touches`."""
        drawing = ok(self.service, "position", game=name)["drawing"]
        draft, ground = list[str](), drawing["ground"] if drawing else ""  # which the page has
        while True:
            call = _call("touches", game=name, draft=draft, ground=ground)
            touches.append(processor(lambda call=call: self.service.answer(call)))  # type: ignore[misc]
            found = ok(self.service, "touches", game=name, draft=draft)
            on = [one["draft"] for one in found["touches"] if one["at"] not in BESIDE]
            if found["closed"] and (not on or chance.random() < 0.3):
                return "\n".join(draft)
            draft = chance.choice(on)

    def letters(self, saved: bytes, reports: Sequence[Path]) -> float:
        """Read reports; return the median."""
        ok(self.service, "restore", data=b64encode(saved).decode())
        return _median([processor(lambda one=one: self._read("read", one.read_bytes())) for one in reports])  # type: ignore[misc]

    def log(self, log: bytes) -> float:
        """Verify a log."""
        return processor(lambda: self._read("check", log))

    def _read(self, name: str, data: bytes) -> None:
        self.service.answer(_call(name, data=b64encode(data).decode()))


def _call(name: str, **more: object) -> str:
    return json.dumps({"call": name, **more})


def _median(found: Sequence[float]) -> float:
    return statistics.median(found)


def bare(folder: Path, parts: BuildParts) -> None:
    """Lay Pyodide as it comes beside the page, and pydantic: the floor."""
    folder.mkdir()
    runtime = parts.npm("pyodide")
    for name in (*RUNTIME, "pyodide-lock.json"):
        (folder / name).write_bytes(runtime[name])
    files = {path: data for name, wheel in parts.wheels() if name in PYDANTIC for path, data in wheel.items()}
    (folder / "pydantic.zip").write_bytes(packed(files, zipfile.ZIP_DEFLATED))
    shutil.copy(Path(__file__).with_name("bare.mjs"), folder / "worker.mjs")


def measured(
    args: argparse.Namespace, folder: Path, log: bytes, saved: bytes, reports: Sequence[Path]
) -> tuple[dict[str, Any], int, int]:
    """Build the page, let the browser measure, and return what it found, and the bytes of a first visit and of its floor."""
    page, parts, complaints = folder / "page", BuildParts(PARTS), list[str]()
    build(page, parts)
    bare(page / "bare", parts)
    places = {"log": folder / "game.pbem", "saved": folder / "desk.zip", "tasks": folder / "tasks.json"}
    places["log"].write_bytes(log)
    places["saved"].write_bytes(saved)
    home, turn = a_turn(folder)
    with page_served(page, complaints) as served, desk_served(folder / SEAT) as web, desk_served(home) as at_turn:
        told = {
            "served": served,
            "web": web,
            "times": args.times,
            "orders": args.orders,
            "looks": args.looks,
            "games": args.games,
            "built": [game for game in args.games if game not in EXAMPLES],
            "reports": [str(one) for one in reports],
            "turn": {"address": at_turn, "questions": turn},
        }
        told |= {name: str(places[name]) for name in ("log", "saved")}
        places["tasks"].write_text(json.dumps(told), "utf-8")
        command = ["node", str(Path(__file__).with_suffix(".mjs")), str(args.modules), str(places["tasks"])]
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own driver
    if done.returncode or complaints:
        raise SystemExit("\n".join(complaints) or "The browser did not come to the end.")
    floor = sum(len(gzip.compress(file.read_bytes(), 9)) for file in (page / "bare").iterdir())
    return json.loads(done.stdout), transfer(page), floor


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.page", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument(
        "modules", nargs="?", type=Path, default=MODULES / "node_modules", help="a folder with playwright-core"
    )
    parser.add_argument("--games", nargs="+", default=GAMES, choices=GAMES)
    parser.add_argument("--times", type=int, default=2, help="so often the page is started")
    parser.add_argument(
        "--orders", type=int, default=20, help="of each game in a browser; the floor plays it to its end"
    )
    parser.add_argument("--looks", type=int, default=40, help="so many moments of each game are looked at in a browser")
    args = parser.parse_args()
    os.environ.setdefault("PBEM_GAMES", "examples")
    modules, before = args.modules, os.getloadavg()[0]
    if missing := [one for one in ("chromium", "node", "npm") if not shutil.which(one)]:
        print(f"skipped: no {', no '.join(missing)} here: what the page takes is not measured")
        return
    if not (modules / "playwright-core").is_dir():
        try:
            run("npm", "install", "--silent", "--no-save", "--prefix", str(modules.parent), PLAYWRIGHT)
        except WorldError as error:
            print(f"skipped: what drives the browser cannot be fetched: {error}")
            return
    with tempfile.TemporaryDirectory() as name:
        folder, log = Path(name), a_game()
        saved, reports = letters(folder)
        floor = Floor(folder)
        for game in args.games:
            floor.play(game)
        least_log, least_report = floor.log(log), floor.letters(saved, reports)
        found, size, least = measured(args, folder, log, saved, reports)
    print(f"The page in Chromium {found['version']}; load {before:.1f} before, {os.getloadavg()[0]:.1f} after.")
    print(f"  first visit: {size:,} bytes compressed, of {LIMIT:,}; floor {least:,}; ratio {size / least:.2f}")
    for what, ours, theirs, most in STARTS:
        took, shortest = min(found[ours]), min(found[theirs])
        print(f"  ready, {what}: {took:.0f} ms; floor {shortest:.0f} ms; ratio {took / shortest:.2f}, of {most}")
    for what, ours, theirs in SPENT:
        took, least = min(found["used"][ours]), min(found["used"][theirs])
        print(f"  {what}: {took:.0f} ms of the processor; floor {least:.0f} ms; ratio {took / least:.2f}")
    each = found["clicks"].pop("each")
    print(
        f"  clicks of a turn with {sum(asked == BATTLE for asked, _n in each)} battle questions: {sum(n for _asked, n in each)}"
    )
    print(f"    of each: {', '.join(f'{asked} {n}' for asked, n in each)}")
    for screen, moments in found["clicks"].items():
        for moment, one in moments.items():
            print(
                f"  {screen}, {moment}: blocks {one['block']:.0f} pixels wide; the map takes {one['share']:.0%} of the screen"
            )
    print("  ms: median / 95th / worst, of; what the page's program took of the processor; floor")
    floors = {"touches": floor.touches, "positions": floor.positions}
    for where, half in CARRIERS.items():
        for game, each in found[where]["games"].items():
            for what, found_there in floors.items():
                most = ASKED[what] // half
                told(f"{where}, {game}, {what}", each[what], most, each[f"{what}Used"], found_there[game])
        told(f"{where}, reports", found[where]["reports"], ASKED["reports"] // half, [], [least_report])
        told(f"{where}, log", [found[where]["log"]], ASKED["log"] // half, [], [least_log])
    entries = sum(line.startswith(b"{") for line in log.splitlines())
    print(f"  The log has {entries} entries: {found['worker']['said']}.")


def told(what: str, took: Sequence[float], most: int, used: Sequence[float], floor: Sequence[float]) -> None:
    """Print a row; what takes longer than it may is marked."""
    late = " !" if _median(took) > most else ""
    print(f"  {what:<27}{len(took):5} {_spread(took)}, {most:5}{late:2} {_spread(used)} {_spread(floor)}")


def _spread(found: Sequence[float]) -> str:
    if not found:
        return " " * 20
    ordered = sorted(found)
    return " /".join(f"{one:6.1f}" for one in (_median(found), ordered[int(len(found) * 0.95)], ordered[-1]))


if __name__ == "__main__":
    main()
