"""A host that is killed (SIGKILL) while it works, at a step counted beforehand, and started again.

    python -m tests.host.killed_host storm DIR SEED KILLS
    python -m tests.host.killed_host each DIR STEP …
    python -m tests.host.killed_host open DIR STEP …
    python -m tests.host.killed_host workers DIR SEED KILLS WORKERS [RESTARTS SERVER]

The first does so KILLS times, or until all mail has been taken, then lets the host come to its end; before each start some
mails of DIR/later arrive. It prints how often the host was killed, and how many steps the last run took. The second kills the
host in every DIR/STEP once, at that step; the third does so while a rated game is opened, lets DIR/calm open one, and prints how
many steps that takes. The fourth is the first with WORKERS programs of one host at work at the same time, each in a folder of its
own (DIR/worker0, …); meanwhile the PostgreSQL server in the folder SERVER is restarted RESTARTS times. A step is an SQL statement,
or a file opened or renamed in the host's folder.

Each host starts and works by the code of “pbem host run”, and this harness catches no error on its behalf: what would end the
product ends the test.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any, TypeAlias

from pbem.host import Office, Running
from pbem.host.run import when_there
from pbem.host.store import is_server
from pbem.ledger.terms import terms
from tests.a_postgres import Postgres

NOW = "2030-06-01T00:00:00Z"
LONGEST = 400


class Steps:
    """Counts what the host does, and kills it at the given step (0: never)."""

    def __init__(self, folder: Path, kill_at: int) -> None:
        self.folder, self.kill_at, self.done = str(folder), kill_at, 0

    def count(self, *_: object) -> None:
        self.done += 1
        if self.done == self.kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self, event: str, args: tuple[Any, ...]) -> None:
        """An audit hook of Python."""
        if event in ("open", "os.rename") and str(args[0]).startswith(self.folder):
            self.count()


class UntilDone(Running):
    """A host that runs on until a look around has met no trouble and nothing waits; it changes nothing about how it works."""

    def _attend(self) -> bool:
        if self._queue.empty() and not any(self._known.values()):
            self.stop()
            return False
        return super()._attend()


def do_all(office: Office) -> None:
    office.settings = office.settings.model_copy(update={"every": 1})
    UntilDone(office, lambda: NOW, said.append).run()


said: list[str] = []
"""What the host at work in this process has said."""


def open_a_game(office: Office) -> None:
    seats = {"ann": "ann@example.org", "bob": "bob@example.org"}
    office.robot.new_game("tiny", {"players": 2, "turns": 2}, seats, "Another", terms(0, rated=True), "anew", NOW)
    office.send(NOW)


Work: TypeAlias = Callable[[Office], None]


def work(folder: Path, kill_at: int, what: Work = do_all) -> int:
    """Let the host do all that there is to do, or `what`; return the number of steps."""
    steps = Steps(folder, kill_at)
    sys.addaudithook(steps.watch)
    office = when_there(lambda: Office(folder / "host"), said.append, rested)
    assert office is not None
    told = office.store.db if is_server(office.store.path) else office.store.db.conn
    told.set_trace_callback(steps.count)
    what(office)
    told.set_trace_callback(None)
    office.close()
    return steps.done


def rested(seconds: float) -> bool:
    """Wait as “pbem host run” does; nobody tells this one to stop."""
    return Event().wait(seconds)


def killed(folder: Path, kill_at: int, what: Work = do_all) -> bool:
    """Let the host work in a process of its own; was it killed?"""
    return ended(begun(folder, kill_at, what))


def begun(folder: Path, kill_at: int, what: Work = do_all) -> int:
    """Let the host begin to work in a process of its own; its number."""
    child = os.fork()
    if not child:
        try:
            work(folder, kill_at, what)
            os._exit(0)
        except BaseException:  # noqa: BLE001 - whatever it is, the parent must hear of it
            traceback.print_exc()
            os._exit(1)
    return child


def ended(child: int) -> bool:
    """Wait until a process comes to its end; was it killed?"""
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status):
        raise SystemExit("the host failed by itself")
    return os.WIFSIGNALED(status)


def arrive(folder: Path, most: int) -> bool:
    """Let some mails arrive that were sent; were there any?"""
    sent = sorted((folder / "later").glob("*"), key=lambda path: path.stat().st_mtime)[:most]
    for path in sent:
        path.rename(folder / "host" / "mail" / "host" / "new" / path.name)
    return bool(sent)


def storm(folder: Path, seed: str, kills: int) -> None:
    chance, count = random.Random(seed), 0
    while count < kills and arrive(folder, chance.randint(1, 4)):
        count += killed(folder, chance.randint(1, LONGEST))
    arrive(folder, 1000)
    print(count, work(folder, 0))


def storm_of_workers(folder: Path, seed: str, kills: int, workers: int, restarts: int = 0, server: str = "") -> None:
    chance, count, restarted = random.Random(seed), 0, 0
    postgres = Postgres(Path(server)) if server else None
    while (count < kills or restarted < restarts) and arrive(folder, chance.randint(1, 6)):
        may_die = count < kills
        at_work = [begun(folder / f"worker{no}", chance.randint(1, LONGEST) * may_die) for no in range(workers)]
        if postgres is not None and restarted < restarts and chance.random() < 0.3:
            postgres.restart(chance.choice(("immediate", "fast")))
            restarted += 1
        count += sum(map(ended, at_work))
    arrive(folder, 1000)
    at_work = [begun(folder / f"worker{no}", 0) for no in range(workers)]
    if sum(map(ended, at_work)):
        raise SystemExit("killed without being told to")
    print(count, work(folder, 0), restarted)


def each(folder: Path, steps: list[int]) -> None:
    for step in steps:
        if not killed(folder / str(step), step) or killed(folder / str(step), 0):
            raise SystemExit(f"not killed at step {step}, or again without being told to")


def opening(folder: Path, steps: list[int]) -> None:
    for step in steps:
        if not killed(folder / str(step), step, open_a_game):
            raise SystemExit(f"not killed at step {step}")
    print(work(folder / "calm", 0, open_a_game))


if __name__ == "__main__":
    if sys.argv[1] == "storm":
        storm(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
    elif sys.argv[1] == "workers":
        restarts, server = [*sys.argv[6:], "0", ""][:2]
        storm_of_workers(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), int(restarts), server)
    elif sys.argv[1] == "open":
        opening(Path(sys.argv[2]), list(map(int, sys.argv[3:])))
    else:
        each(Path(sys.argv[2]), list(map(int, sys.argv[3:])))
