"""Prints what it costs to watch over a host, with 100, 1,000 and 4,000 games in its store: `pbem host check`, `status` and `pages`.

    python -m bench.watch [--games 100 1000 4000] [--game hammer] [--seed 1] [--times 3]

The store is that of `bench.load`: one game, some turns old, and its rows under other numbers. Each measure is a process of
its own, as a timer starts it: the processor's time behind its imports, and how much more memory it takes than they did. The floor
is measured in the same run: the bytes of all logs, each line hashed once. Of `pages` nothing has changed since they were written;
all games are shown.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time

from bench.games import key_of
from bench.load import Town
from pbem.cli.club_pages import write
from pbem.games import find
from pbem.host import Office, found_well, observers
from pbem.host.checking import check as check_host
from pbem.host.store import STORE, StoredLedger

NOW = "2031-01-01T00:00:00Z"
PART = '\n[pages]\nfolder = "pages"\ntitle = "Club"\nwatch = "all"\n'


def read(office: Office) -> None:
    """Read the bytes of all logs, and hash each line: nobody can say of a log that it is whole for less."""
    for table in ("entries", "attachments"):
        for row in office.store.db.query(f"select line from {table}"):  # noqa: S608 - our own words
            sha256(row["line"]).digest()


def lines(office: Office) -> None:
    """Read the same bytes game by game, each line as the format asks for it: what it takes to know a log from nonsense."""
    for number in office.store.game_numbers():
        StoredLedger(office.store, number, ()).as_it_lies()


def whole(office: Office) -> None:
    """Let the store look at itself: most of what a check of a file costs beside the logs."""
    office.store.check()


def check(office: Office) -> None:
    """What `pbem host check` does."""
    wrong = [said for well, said in check_host(office, NOW) if not well]
    assert not wrong, wrong


def anew(office: Office) -> None:
    """What `pbem host check` does where nothing is noted, as after an update."""
    office.store.forget(*[f"{found_well.NAME}{number}" for number in office.store.notes(found_well.NAME)])
    check(office)


def status(office: Office) -> None:
    """What `pbem host status` does."""
    office.status(NOW)


def pages(office: Office) -> None:
    """What `pbem host pages` does where nothing has changed."""
    assert office.settings.pages is not None
    site = write(office, office.settings.pages)
    assert site.made == 0, site.made
    assert not site.troubles, site.troubles


MEASURES: dict[str, Callable[[Office], None]] = {
    one.__name__: one for one in (read, lines, whole, status, pages, anew, check)
}


def measured(what: str, folder: Path) -> None:
    """Print the seconds of the processor and the kilobytes that one of them has taken."""
    office = Office(folder)
    if what == "anew":  # it compares each log with the row of its game, and the log of a clone is the first one's
        with office.store.decision():
            office.store.db.execute("drop index if exists games_by_g")
            office.store.db.execute("update games set g = (select g from games where id = 1)")
    before, began = getrusage(RUSAGE_SELF).ru_maxrss, process_time()
    MEASURES[what](office)
    spent = process_time() - began
    print(json.dumps([spent, getrusage(RUSAGE_SELF).ru_maxrss - before]))
    office.close()


def in_a_process(what: str, folder: Path) -> tuple[float, int]:
    """Return the seconds of the processor and the kilobytes that a measure takes in a process of its own."""
    words = [sys.executable, "-m", "bench.watch", "--one", what, str(folder)]
    said = subprocess.run(words, check=True, capture_output=True, text=True)  # noqa: S603 - ourselves
    spent, grown = json.loads(said.stdout)
    return spent, grown


def a_host(town: Town, folder: Path) -> None:
    """Make a host of a store that was filled, whose pages are written."""
    town.store.db.execute("pragma wal_checkpoint(truncate)").fetchall()
    if not folder.exists():
        Office.create(folder, key_of(town.seed, "host"), "host@localhost").close()
        with (folder / "host.toml").open("a", encoding="utf-8") as settings:
            settings.write(PART)
    shutil.copyfile(town.folder / "host.db", folder / STORE)
    office = Office(folder)
    for number in office.store.game_numbers():
        observers.let_everybody(office.store, number, "all" if number == 1 else "")
    assert office.settings.pages is not None
    site = write(office, office.settings.pages)
    (row,), listed = site.rows, []
    for number in office.store.game_numbers():
        observers.let_everybody(office.store, number, "all")
        game = office.robot.house.game(number)
        names = [name.replace(row.id[:16], game.g[:16]) for name in row.files]
        for name, made in zip(names, row.files, strict=True):
            if name != made:  # a page is as long as another: they are looked for, and not read
                (site.folder / name).write_bytes(b"as that of the first")
        listed.append(asdict(row) | {"id": game.g, "files": names})
    told = json.loads((site.folder / "club.json").read_text("utf-8"))
    (site.folder / "club.json").write_text(json.dumps(told | {"games": listed}), "utf-8")
    office.close()


def main() -> None:
    """Fill a store, and print what watching over it costs."""
    parser = argparse.ArgumentParser(prog="python -m bench.watch", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, nargs="+", default=[100, 1_000, 4_000])
    parser.add_argument("--game", default="hammer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=3, help="so often each is measured; the least counts")
    parser.add_argument("--one", nargs=2, metavar=("WHAT", "FOLDER"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        measured(args.one[0], Path(args.one[1]))
        return
    with tempfile.TemporaryDirectory() as name:
        town = Town(find(args.game), Path(name), args.seed)
        for games in args.games:
            town.grow(games)
            a_host(town, folder := Path(name) / "host")
            sizes = "select sum(length(line)) from entries union all select sum(length(line)) from attachments"
            size = sum(size for (size,) in town.store.read(sizes))
            print(f"{games:,} games, {size / 1e6:,.0f} MB of logs")
            floor = 0.0
            for what in MEASURES:
                spent, grown = min(in_a_process(what, folder) for _ in range(args.times))
                floor = floor or spent
                print(
                    f"  {what:7} {spent:8.2f} s {1000 * spent / games:8.2f} ms a game {spent / floor:7.1f} times the floor"
                    f" {grown / 1024:7.0f} MB more",
                    flush=True,
                )
        town.store.db.close()


if __name__ == "__main__":
    main()
