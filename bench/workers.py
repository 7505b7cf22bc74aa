"""Prints what a store costs: how many mails one, two and four workers take on PostgreSQL, and what a mail costs with many games.

    PBEM_GAMES=examples python -m bench.workers [--games 60] [--stock 100 10000 100000] [--rounds 3]

A PostgreSQL server is made for it, which waits for the disk. The mails are orders in games of Tiny, each between players of its
own: a game that costs the host little, so that the store shows. Every one is read, checked, entered, answered and committed.

First the workers, each a process of its own that has taken two mails before, with its share of the games. Beside each figure stands
the floor of the same run: the same transactions, with the same rows to write and nothing to read or to reckon, as fast as that many
clients can say them. The rounds go in turns; the best of each counts, as nothing makes a machine quicker than it is.

Then the stock: so many more games, with their seats, logs, mails and letters, in the store in a file and in the database. What a
mail costs is processor time, of the program and of the server's process that serves it, so that other work of the machine does not
count.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pbem.host import Robot, Store
from pbem.host.condition import figures
from pbem.host.store.moving import move
from pbem.host.store.server import StoreServer
from pbem.host.store.wire import ServerDatabase
from pbem.host.store.words import in_server, to_server
from tests.a_postgres import Postgres, a_postgres, schema_for, why_not
from tests.host.post import HOST, key_of, moment
from tests.host.several import several

MOST = 4
"""So many workers at most."""
AIM = 1.5
"""With a thousand times as many games a mail should cost at most so much more."""
AT = moment(5000)
Statement = tuple[str, tuple[Any, ...] | dict[str, Any]]
FORK = get_context("fork")


class Recorded:
    """What a worker writes, transaction by transaction; rows bear the numbers that they were given."""

    def __init__(self) -> None:
        self.done: list[list[Statement]] = []
        self._now: list[Statement] = []

    @contextmanager
    def listening(self) -> Iterator[None]:
        # ruff: noqa: SLF001 - what is measured has no other ear
        run, commit, undo, insert = (
            ServerDatabase.execute,
            ServerDatabase.commit,
            ServerDatabase.undo,
            StoreServer.numbered,
        )

        def spied_run(db: ServerDatabase, sql: str, args: Any = ()) -> Any:
            if sql.startswith(("insert", "update", "delete")):
                values = {**args} if isinstance(args, dict) else tuple(map(to_server, args))
                self._now.append((in_server(sql), values))
            return run(db, sql, args)

        def spied_commit(db: ServerDatabase, number: str) -> None:
            commit(db, number)
            self.done.append(self._now)
            self._now = []

        def spied_undo(db: ServerDatabase) -> None:
            undo(db)
            self._now = []

        def spied_numbered(place: StoreServer, table: str, columns: Any) -> int:
            number = insert(place, table, columns)
            if "id" in place._written(table) and "id" not in columns:
                named = {**columns, "id": number}
                sql = f"insert into {table} ({', '.join(named)}) values ({', '.join(['%s'] * len(named))})"  # noqa: S608
                self._now[-1] = sql, tuple(map(to_server, named.values()))
            return number

        ServerDatabase.execute, ServerDatabase.commit = spied_run, spied_commit  # type: ignore[assignment, method-assign]
        ServerDatabase.undo, StoreServer.numbered = spied_undo, spied_numbered  # type: ignore[assignment, method-assign]
        try:
            yield
        finally:
            ServerDatabase.execute, ServerDatabase.commit = run, commit  # type: ignore[method-assign]
            ServerDatabase.undo, StoreServer.numbered = undo, insert  # type: ignore[method-assign]


def orders_of(folder: Path, games: int) -> list[list[bytes]]:
    """Make a host with so many games whose first question is open; return the orders that answer it, game by game."""
    made = several(folder, games)
    letters = []
    for game in made:
        game.begin()
        letters.append([game.order(seat) for seat in game.asked()])
    made[0].office.store.db.execute("pragma wal_checkpoint(truncate)").fetchall()
    made[0].office.close()
    return letters


def at_once(work: Sequence[Callable[[Callable[[], None]], None]], server: int) -> tuple[float, float]:
    """Let processes do their work, all from one moment on; return how many seconds the last one took, and what all of them cost the
    processors, with those of the server (the number of its first process) that served them.
    """
    gate, costs = FORK.Barrier(len(work) + 1), FORK.Queue()

    def one(do: Callable[[Callable[[], None]], None]) -> None:
        begun: list[float] = []

        def wait() -> None:
            gate.wait()
            begun.append(time.process_time())

        do(wait)
        costs.put(time.process_time() - begun[0])

    children = [FORK.Process(target=one, args=(do,)) for do in work]
    for child in children:
        child.start()
    before = of_server(server)
    gate.wait()
    begin = time.perf_counter()
    cost = sum(costs.get(timeout=600) for _ in children)
    took = time.perf_counter() - begin
    for child in children:
        child.join()
    assert not any(child.exitcode for child in children)
    return took, cost + of_server(server) - before


def of_server(first: int) -> float:
    """Seconds of processor time of a server, all of its processes, those that have ended too."""
    total = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            number, fields = int(path.parent.name), path.read_text("utf-8").rpartition(")")[2].split()
            if number == first:
                total += sum(map(int, fields[11:15]))
            elif int(fields[1]) == first:
                total += sum(map(int, fields[11:13]))
    return total / os.sysconf("SC_CLK_TCK")


def decide(place: str, before: Sequence[bytes], mails: Sequence[bytes]) -> Callable[[Callable[[], None]], None]:
    """A worker that takes mails."""

    def work(wait: Callable[[], None]) -> None:
        with closing(Store(place)) as store:
            robot = Robot(store, key_of("host"), HOST)
            for raw in before:
                robot.take(raw, AT)
            wait()
            for raw in mails:
                assert robot.take(raw, AT).startswith("order: ")

    return work


def write(place: str, transactions: Sequence[Sequence[Statement]]) -> Callable[[Callable[[], None]], None]:
    """A client that writes what a worker has written, and does nothing else."""

    def work(wait: Callable[[], None]) -> None:
        with closing(ServerDatabase(place)) as db:
            wait()
            for statements in transactions:
                db.conn.execute("begin", prepare=False)
                for sql, values in statements:
                    db.conn.execute(sql, values)
                db.conn.execute("commit", prepare=False)

    return work


def in_database(folder: Path, address: str) -> str:
    """Put a copy of the host's store into a database, as a store that has been moved takes nothing any more; return the address."""
    copy = folder / "copy.sqlite"
    shutil.copy(folder / "host" / "pbem.sqlite", copy)
    move(copy, address)
    copy.unlink()
    return address


def throughput(server: Postgres, folder: Path, letters: list[list[bytes]], rounds: int) -> None:
    """Print how many mails so many workers take in a second, and the floor; what each costs the processors, with the server's."""
    warm, letters = letters[:MOST], letters[MOST:]
    mails = sum(map(len, letters))
    recorded: dict[int, Recorded] = {}
    place = in_database(folder, schema_for(server.address, "recorded"))
    with closing(Store(place)) as store:
        robot = Robot(store, key_of("host"), HOST)
        for no, game in enumerate(letters):
            recorded[no] = Recorded()
            with recorded[no].listening():
                for raw in game:
                    robot.take(raw, AT)
    rows = sum(len(one) for record in recorded.values() for one in record.done)
    many = sum(len(record.done) for record in recorded.values())
    print(f"{mails} orders in {len(letters)} games: {many} transactions that write, with {rows} statements")
    best, least = dict[tuple[int, str], float](), dict[tuple[int, str], float]()
    for again in range(rounds):
        for workers in (1, 2, 4):
            shares = [range(no, len(letters), workers) for no in range(workers)]
            for what in ("decided", "floor"):
                place = in_database(folder, schema_for(server.address, f"{again} {workers} {what}"))
                if what == "decided":
                    work = [
                        decide(place, warm[no], [raw for one in share for raw in letters[one]])
                        for no, share in enumerate(shares)
                    ]
                else:
                    work = [write(place, [one for no in share for one in recorded[no].done]) for share in shares]
                took, cost = at_once(work, server.number)
                best[workers, what] = max(mails / took, best.get((workers, what), 0))
                least[workers, what] = min(1000 * cost / mails, least.get((workers, what), 10**6))
    print(f"  {'workers':>7} {'mails/s':>8} {'floor':>8} {'of it':>6} {'to one':>7} {'one mail':>10} {'floor':>10}")
    for workers in (1, 2, 4):
        done, floor = best[workers, "decided"], best[workers, "floor"]
        costs = " ".join(f"{least[workers, what]:7.1f} ms" for what in ("decided", "floor"))
        print(f"  {workers:7} {done:8.1f} {floor:8.1f} {done / floor:6.0%} {done / best[1, 'decided']:7.2f} {costs}")


STOCK = """
insert into games (id, g, game, opts, nonce, stage, hours, title, made, at, ask, asked, due, result, snapshot) NUMBERS
    select i, 'zz' || NUMBER, 'tiny', '{}', '', 'playing', 72, 'Stock', 'AT', 'AT', 3, '[]', '2040-01-01T00:00:00Z', null, '{}'
    from n;
insert into seats (game, seat, address, key, link_n, sent_n) NUMBERS
    select i, seat, seat || NUMBER || '@example.net', 'k', 1, 3 from n, (select 'ann' as seat union all select 'bob') s;
insert into paces (game, promised, forced) NUMBERS select i, '', '[]' from n;
insert into courses (game, n, course) NUMBERS select i, 5, '{}' from n;
insert into entries (game, n, hash, line) NUMBERS
    select i, k, '', cast('{"k":"say","x":"0123456789012345678"}' as BYTES) from n, SIX;
insert into outbox (message_id, game, seat, address, at, kind, sender, sent, attempts, not_before, last_error, raw) NUMBERS
    select NUMBER || '.' || k, i, 'ann', 'ann' || NUMBER || '@example.net', 'AT', 'report', '', 1, 0, '', '', cast('' as BYTES)
    from n, SIX;
insert into inbox (sha256, essence, said, at, door, game, outcome, raw) NUMBERS
    select '', NUMBER || '.' || k, '', 'AT', '', i, 'order: ann', cast('' as BYTES) from n, SIX
"""


def stock_up(store: Store, before: int, games: int) -> None:
    """Fill a store with games that nobody plays just now: their rows alone, from one number to another."""
    first, last = 10**6 + before, 10**6 + games - 1
    words = {
        "NUMBERS": f"with recursive n(i) as (select {first} union all select i + 1 from n where i < {last})",  # noqa: S608
        "NUMBER": "cast(i as text)",
        "SIX": f"({' union all '.join(f'select {k} as k' for k in range(6))}) s",
        "BYTES": "bytea" if isinstance(store.place, StoreServer) else "blob",
        "'AT'": f"'{AT}'",
    }
    sql = STOCK
    for name, value in words.items():
        sql = sql.replace(name, value)
    with store.decision():
        for statement in sql.split(";"):
            store.db.execute(statement.strip())
    store.db.execute("analyze")


def worked(store: Store) -> float:
    """Seconds of processor time that this program has had, and the server's process that serves it."""
    own = time.process_time()
    if not isinstance(store.place, StoreServer):
        return own
    fields = Path(f"/proc/{store.db.session}/stat").read_text("utf-8").rpartition(")")[2].split()
    return own + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stock(server: str, folder: Path, letters: list[list[bytes]], sizes: Sequence[int]) -> None:
    """Print what a mail costs with so many games in the store."""
    in_file, at_server = folder / "host" / "pbem.sqlite", in_database(folder, schema_for(server, "stock"))
    each = len(letters) // len(sizes)
    print(
        f"  {'games':>8} {'file':>9} {'to first':>9} {'database':>9} {'to first':>9}   (processor time of one mail, ms)"
    )
    found: dict[Path | str, list[float]] = {in_file: [], at_server: []}
    with closing(Store(in_file)) as file, closing(Store(at_server)) as database:
        robots = {
            place: Robot(store, key_of("host"), HOST) for place, store in ((in_file, file), (at_server, database))
        }
        before = len(letters)
        for no, games in enumerate(sizes):
            for store in (file, database):
                if games > before:
                    stock_up(store, before, games)
            before = max(before, games)
            raws = [raw for game in letters[no * each : (no + 1) * each] for raw in game]
            for place, robot in robots.items():
                figures(robot.store)
                begin = worked(robot.store)
                for raw in raws:
                    assert robot.take(raw, AT).startswith("order: ")
                found[place].append((worked(robot.store) - begin) / len(raws))
            shown = " ".join(f"{1000 * at[-1]:9.1f} {at[-1] / at[0]:9.2f}" for at in found.values())
            print(f"  {games:8,} {shown}", flush=True)
    for name, took in zip(("file", "database"), found.values(), strict=True):
        ratio = took[-1] / took[0]
        print(f"  {name}: {ratio:.2f} times as much (at most {AIM}: {'kept' if ratio <= AIM else 'MISSED'})")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.workers", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--stock", type=int, nargs="+", default=[100, 10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    if why_not():
        print(f"skipped: {why_not()}")
        return
    with tempfile.TemporaryDirectory() as name, a_postgres(durable=True) as server:
        folder = Path(name)
        letters = orders_of(folder, args.games)
        print(f"Tiny on PostgreSQL, {os.cpu_count()} processors")
        throughput(server, folder, letters, args.rounds)
        stock(server.address, folder, letters, args.stock)


if __name__ == "__main__":
    main()
