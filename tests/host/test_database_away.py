"""A host whose database is away for a while: the program goes on, takes what came meanwhile, and ends when it is told to.

The first tests drive the installed program as an operator does, with a server that is taken away. The last ones fail each single
statement of a start and of a cycle.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from pbem.errors import WorldError
from pbem.host import Office, Running
from pbem.host.run import when_there
from pbem.host.store.moving import move
from pbem.host.store.wire import ServerDatabase
from pbem.mail import Maildir
from tests.a_postgres import Postgres, a_postgres, name_its_place, of_a_file, schema_for, why_not

from .post import moment
from .several import several

pytestmark = of_a_file("it goes from there to a server of these tests' own, in any run")
of_a_server = pytest.mark.skipif(bool(why_not()), reason=why_not())

LONGEST = 90
"""So many seconds a program may be silent before it is taken for dead: none of them is waited for where all is well."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with a_postgres() as server:
        yield server


@pytest.fixture
def host(tmp_path: Path, postgres: Postgres) -> Path:
    """The folder of a host whose store is in a database, with a game whose first question is open."""
    (game,) = several(tmp_path, 1)
    game.begin()
    (tmp_path / "order").write_bytes(game.order(game.asked()[0]))
    game.office.close()
    address = schema_for(postgres.address, tmp_path)
    move(shutil.move(tmp_path / "host" / "pbem.sqlite", tmp_path), address)
    name_its_place(tmp_path / "host", address)
    settings = tmp_path / "host" / "host.toml"
    lines = settings.read_text("utf-8")
    assert "\nevery" not in lines
    settings.write_text("every = 1\n" + lines, "utf-8")
    return tmp_path / "host"


class Program:
    """“pbem host run” at work."""

    def __init__(self, host: Path) -> None:
        words = [sys.executable, "-m", "pbem", "host", "run", "--dir", str(host)]
        told = os.environ | {"PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=told)
        self.said: list[str] = []

    def hear(self, words: str) -> str:
        """Wait until it says something with these words. It must be at work as long as that."""
        assert self.process.stdout is not None
        watch = Timer(LONGEST, self.process.kill)
        watch.start()
        try:
            for line in self.process.stdout:
                self.said.append(line)
                if re.search(words, line):
                    return line
        finally:
            watch.cancel()
        raise AssertionError(f"it ended with {self.process.wait()}, and never said “{words}”:\n{''.join(self.said)}")

    def end(self) -> int:
        """Tell it to end; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.stdout is not None
        self.said += self.process.stdout.readlines()
        return self.process.wait(LONGEST)


@contextmanager
def at_work(host: Path) -> Iterator[Program]:
    program = Program(host)
    with program.process:
        try:
            yield program
        finally:
            program.process.kill()


@pytest.mark.slow
@of_a_server
def test_a_server_that_is_away_during_a_cycle_ends_no_host(host: Path, postgres: Postgres) -> None:
    """The host says what it cannot do and does it in the first cycle after the server returns. It also reopens its web
    address."""
    with at_work(host) as program:
        program.hear("waiting for mail")
        for how in ("immediate", "fast", "immediate"):
            postgres.stop(how)
            program.hear("^store: The host's store")
            postgres.start()
            program.hear("^store: it works again")
        postgres.stop()
        Maildir(host / "mail" / "host").deliver((host.parent / "order").read_bytes())
        program.hear("^store: The host's store")
        postgres.start()
        program.hear("^order: ")
        assert program.end() == 0, "".join(program.said)


@pytest.mark.slow
@of_a_server
def test_a_host_that_starts_while_the_server_is_away_waits_for_it(host: Path, postgres: Postgres) -> None:
    """It tries again after 1, 2 and 5 seconds, then every 15, and can be stopped meanwhile."""
    postgres.stop()
    with at_work(host) as program:
        try:
            assert "tries again: The host's store" in program.hear("The host cannot start yet")
        finally:
            postgres.start()
        program.hear("waiting for mail")
        assert program.end() == 0, "".join(program.said)


@pytest.mark.slow
@of_a_server
def test_a_host_that_waits_for_its_server_can_be_stopped(host: Path, postgres: Postgres) -> None:
    postgres.stop()
    try:
        with at_work(host) as program:
            program.hear("The host cannot start yet")
            assert program.end() == 0, "".join(program.said)
    finally:
        postgres.start()


class Losing:
    """Loses the connection at one statement of each stretch, the first at first, and then the next one."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.number = self.done = 0
        run = ServerDatabase.execute

        def watched(db: ServerDatabase, sql: str, args: Any = ()) -> Any:
            self.done += 1
            if self.done == self.number:
                db.conn.close()
                raise WorldError("the server is away")
            return run(db, sql, args)

        patch.setattr(ServerDatabase, "execute", watched)

    def next(self) -> bool:
        """Begin the next stretch; was the last one cut?"""
        was_cut, self.done = self.done >= self.number, 0
        self.number += 1
        return was_cut


@pytest.mark.slow
@of_a_server
def test_whichever_statement_of_a_cycle_fails_the_next_cycle_follows(
    host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office, said = Office(host), list[str]()
    office.settings = office.settings.model_copy(update={"every": 0.01})
    running = Running(office, lambda: moment(1000), said.append)
    running._begin()
    running._go_round()
    losing = Losing(monkeypatch)
    while losing.next():
        running._next_look = ""
        running._go_round()
    assert losing.number > 20, "each of them was lost once"
    assert any("the server is away" in line for line in said)
    losing.number = 0
    running._next_look = ""
    running._go_round()
    assert not any(running._known.values())
    assert office.troubles() == []
    office.close()


@pytest.mark.slow
@of_a_server
def test_whichever_statement_of_a_start_fails_it_is_tried_again(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    losing, waits = Losing(monkeypatch), list[float]()

    def rest(seconds: float) -> bool:
        waits.append(seconds)
        losing.number = 0
        return False

    number = 0
    while losing.next():
        number = losing.number
        office = when_there(lambda: Office(host), lambda _: None, rest)
        assert office is not None
        running = Running(office, lambda: moment(1000), lambda _: None)
        assert when_there(running._begin, lambda _: None, rest)
        office.close()
        losing.number, losing.done = number, number if waits else 0
        waits.clear()
    assert number > 7


def test_a_cycle_in_which_anything_fails_is_followed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reads that stood outside of every guard, and whatever may stand there later. No database is wanted for this."""
    (game,) = several(tmp_path, 1)
    office, said, failing = game.office, list[str](), list[str]()
    office.settings = office.settings.model_copy(update={"every": 0.01})
    running = Running(office, lambda: moment(1000), said.append)
    running._begin()
    for owner, name in (
        (office, "stumbled"), (office.sending, "hang_up"), (office, "note"), (office.robot.arrivals, "held"),
        (running, "_look_around"), (running, "_attend"), (office.robot, "tick"),
    ):  # fmt: skip
        with monkeypatch.context() as patch:

            def fail(*_: object, name: str = name) -> None:
                failing.append(name)
                raise RuntimeError(f"{name} fails")

            patch.setattr(owner, name, fail)
            running._next_look = ""
            running._go_round()
    assert {"stumbled", "hang_up", "_look_around", "_attend", "tick"} <= set(failing)
    running._next_look = ""
    running._go_round()
    assert not any(running._known.values())
    game.office.close()
