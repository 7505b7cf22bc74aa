"""Prints how many mails a host takes in a second, and the slowest of a hundred, with 100, 1,000 and 10,000 games in its store.

    python -m bench.load [--games 100 1000 10000] [--mails 300] [--game hammer] [--seed 1]

One game is played into its first turns by mail; the others are its rows once more, under new numbers and ids. The mails are
orders in games chosen by chance, written beforehand: every one is read, checked, entered and answered, and committed to the
disk. What matters is how the figures change with the number of games: a host looks at the one that a mail is about. The processor's
time is shown too: what else the machine does is not in it.

Then what a game costs on the disk: one is played to its end by mail, with pictures, its letters being sent at once, and the store
is weighed, table by table. What an empty store takes up is no game's.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from bench.games import ByMail, key_of
from pbem.games import GamePack, find
from pbem.host.condition import figures
from pbem.host.outbox import lay_aside
from pbem.host.robot import Robot
from pbem.host.store import WAITING, Store, StoredLedger
from pbem.host.store.keeping import Wanted, overview
from pbem.host.store.rows import LetterRow
from pbem.ledger import sha256_hex
from pbem.referee import Pen

AIM = 1.5
"""With a hundred times as many games a mail should cost at most so much more."""
MOST_BYTES = 3_000_000
"""A game that is on should cost at most so many bytes on the disk."""
ORDERS = 8
"""So many orders have been given in each game."""


class Town:
    """A host whose store is filled with the same game, many times over."""

    def __init__(self, pack: GamePack, folder: Path, seed: int) -> None:
        self.pack, self.folder, self.seed = pack, folder, seed
        self.store = Store(folder / "host.db", new=True)
        self.robot = Robot(self.store, key_of(seed, "host"), "host@example.org")
        self.first = ByMail(pack, {}, seed)
        self.first.open(self.robot)
        while len(self.first.took) < ORDERS:
            self.first.answer_all()
        self.games = 1

    def grow(self, games: int) -> None:
        """Clone the first game until there are so many."""
        self.store.db.register_function(sha256_hex_of, name="id_of", deterministic=True)
        with self.store.decision():
            self.store.db.execute("create temp table if not exists more (id integer primary key)")
            self.store.db.execute("delete from more")
            numbers = range(self.games + 1, games + 1)
            self.store.db.conn.executemany("insert into more values (?)", [(n,) for n in numbers])
            self._clone("games", id="more.id", g="id_of(more.id)")
            for table in ("seats", "paces", "chains", "entries", "answers", "courses", "joins"):
                self._clone(table, game="more.id")
            self._clone("attachments", id="null", game="more.id")
            same = "(select a.id from attachments a join attachments b using (key) where a.game = more.id and b.id = t.attachment)"
            self._clone("held", game="more.id", attachment=same)
            self._clone("outbox", id="null", game="more.id", message_id="more.id || message_id", token="null")
            essence, said = "id_of(more.id || essence)", "''"
            self._clone("inbox", id="null", game="more.id", essence=essence, said=said)
        self.games = games
        self.store.db.execute("pragma wal_checkpoint(truncate)").fetchall()
        os.sync()  # else the disk is busy with the new games while mail is measured

    def _clone(self, table: str, **changed: str) -> None:
        columns = [column.name for column in self.store.db.table(table).columns]
        values = [changed.get(name, f"t.{name}") for name in columns]
        one = "t.id = 1" if table == "games" else "t.game = 1"
        sql = (
            f"insert into {table} ({', '.join(columns)}) select {', '.join(values)} from more, {table} as t where {one}"  # noqa: S608
        )
        self.store.db.execute(sql)

    def orders(self, many: int, chance: random.Random) -> list[tuple[bytes, str]]:
        """Write orders in as many games as it takes: each seat that is asked answers, with its time of arrival."""
        letters: list[tuple[bytes, str]] = []
        unused = [number for (number,) in self.store.read("select id from games where stage = 'playing' and id > 1")]
        chance.shuffle(unused)
        if not unused:  # the first is alone
            return self.first.answers(self.robot, 1, self.first.pens, "alone.")[:many]
        for number in unused:
            g = self.robot.house.game(number).g
            pens = {seat: Pen(key_of(self.seed, seat), g, seat) for seat in self.first.seats}
            self._bind(number, pens)
            letters += self.first.answers(self.robot, number, pens, f"{self.games}.{number}")
            if len(letters) >= many:
                break
        return letters[:many]

    def _bind(self, number: int, pens: Mapping[str, Pen]) -> None:
        """Let the seats of a clone have given links that are bound to its own id, not to that of the first game."""
        ledger = StoredLedger(self.store, number, self.first.seats)
        course = ledger.course
        for seat, pen in pens.items():
            link_n = course.seats[seat].link_n
            course = course.seat_but(seat, anchor=pen.chain.anchor, link=pen.link(link_n))
        self.store.put("courses", game=number, n=ledger.n, course=json.dumps(course.dump()))


def sha256_hex_of(value: object) -> str:
    """The id of a game that is none: nobody checks the log of a clone."""
    return sha256_hex(str(value).encode())


def timed(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def percentile(took: Sequence[float], percent: int) -> float:
    if len(took) < 2:
        return took[0]
    return statistics.quantiles(took, n=100, method="inclusive")[percent - 1]


def weigh(pack: GamePack, seed: int, *, pictures: bool, orders: int = 10**6) -> tuple[int, int, dict[str, int]]:
    """Play a game by mail, to its end or so many orders, and send its letters at once.

    Return how many orders were given, how many bytes the store has grown by, and those of each table with its indexes.
    """
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "host.db", new=True)
        try:
            before = _used(store)
            robot = Robot(store, key_of(seed, "host"), "host@example.org", pictures=pictures)
            game = ByMail(pack, pack.ending({}), seed)
            game.open(robot)
            while len(game.took) < orders and game.answer_all():
                for letter in store.find(LetterRow, sent=WAITING):
                    lay_aside(store, letter.id)
            after = _used(store)
        finally:
            store.db.close()
    grown = {name: after[name] - before.get(name, 0) for name in after}
    return len(game.took), sum(grown.values()), {name: size for name, size in grown.items() if size > 0}


def _used(store: Store) -> dict[str, int]:
    """How many bytes the tables of a store take up, with their indexes; pages that are free are used for what comes next."""
    try:
        return dict(
            store.read("select tbl_name, sum(pgsize) from dbstat join sqlite_schema using (name) group by tbl_name")
        )
    except sqlite3.OperationalError:  # this SQLite was made without that
        pages, free, size = (
            store.read(f"pragma {what}")[0][0] for what in ("page_count", "freelist_count", "page_size")
        )
        return {"all": (pages - free) * size}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, nargs="+", default=[100, 1_000, 10_000])
    parser.add_argument("--mails", type=int, default=300)
    parser.add_argument("--game", default="hammer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-disk", action="store_true", help="do not play and weigh a whole game")
    args = parser.parse_args()
    pack = find(args.game)
    print(f"{pack.rules.title}: one host, one SQLite file; {args.mails} orders each time")
    names = ("median", "99th", "processor", "tick", "games", "status")
    print(f"  {'games':>7} {'file':>8} {'mails/s':>8} " + " ".join(f"{name:>9}" for name in names))
    found: dict[int, tuple[float, float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        town = Town(pack, Path(folder), args.seed)
        for games in args.games:
            town.grow(games)
            mails = town.orders(args.mails, random.Random(games))
            took, worked = [], time.process_time()
            for raw, at in mails:
                begin = time.perf_counter()
                outcome = town.robot.take(raw, at)
                took.append(time.perf_counter() - begin)
                assert outcome.startswith("order: "), outcome
            worked = (time.process_time() - worked) / len(mails)
            last = mails[-1][1]
            beside = [
                timed(partial(town.robot.tick, last)),
                timed(partial(overview, town.robot.store, Wanted())),
                timed(partial(figures, town.store)),
            ]
            slow, size = percentile(took, 99), (town.folder / "host.db").stat().st_size
            found[games] = (statistics.fmean(took), slow, worked)
            shown = " ".join(f"{1000 * t:6.1f} ms" for t in (statistics.median(took), slow, worked, *beside))
            print(f"  {games:>7,} {size / 1e6:5,.0f} MB {1 / statistics.fmean(took):8.1f} {shown}", flush=True)
        town.store.db.close()
    few, many = min(found), max(found)
    mean, slow, worked = (found[many][i] / found[few][i] for i in range(3))
    kept = "kept" if worked <= AIM else "MISSED"
    print(f"A mail with {many:,} games to one with {few:,}")
    print(f"  processor {worked:.2f} (at most {AIM}: {kept}), mean {mean:.2f}, 99th of a hundred {slow:.2f}")
    if not args.no_disk:
        given, grown, tables = weigh(pack, args.seed, pictures=True)
        kept = "kept" if grown <= MOST_BYTES else "MISSED"
        print(
            f"A whole game with pictures, {given} orders: {grown / 1e6:.2f} MB in the store (at most {MOST_BYTES / 1e6}: {kept})"
        )
        for name, size in sorted(tables.items(), key=lambda one: -one[1]):
            print(f"  {name:12} {size / 1e6:6.2f} MB")


if __name__ == "__main__":
    main()
