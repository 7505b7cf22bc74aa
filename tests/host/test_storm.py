"""Several games and workers, one database; workers are killed and the database is restarted: nothing is lost, nothing done twice.

So many kills and restarts as PBEM_STORM says (`PBEM_STORM=200,10`); a few where it says nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.host import Office, StoredLedger
from pbem.ledger import verify
from pbem.mail import Maildir
from tests.a_postgres import Postgres, a_postgres, of_a_file, schema_for, why_not
from tests.stored import stored_rows

from .killed import ROOT, run
from .post import EPOCH
from .several import SEATS, several
from .workers import in_database

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    of_a_file("it goes from there to a server of these tests' own, in any run"),
]

KILLS, RESTARTS = map(int, os.environ.get("PBEM_STORM", "20,2").split(","))
WORKERS, GAMES = 4, 6


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with a_postgres() as server:
        yield server


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host with games just opened, and in `later` every mail of all of them, good and bad, some of them twice."""
    folder = tmp_path_factory.mktemp("mails")
    games = several(folder, GAMES)
    games[0].office.store.db.execute("pragma wal_checkpoint(truncate)").fetchall()
    before = folder / "before"
    shutil.copytree(folder / "host", before / "host")
    (before / "later").mkdir()
    box = Maildir(folder / "sent")
    for game in games:
        game.begin()
        while game.asked():
            game.take(b"From: bob%d@example.org\r\nSubject: hm\r\n\r\nwhat?\r\n%d\r\n" % (game.no, game.minute))
            raw = game.order(game.asked()[0])
            game.take(raw)
            game.take(b"Received: by another way\r\n" + raw)
            game.read_all()
        for minute, raw in game.sent:
            path = box.deliver(raw, EPOCH + 60 * minute)
            path.rename(before / "later" / path.name)
    games[0].office.close()
    return before


def left_by(folder: Path) -> Mapping[str, Any]:
    """All that a host holds and has sent, game by game: in which order games went on beside each other is nobody's concern."""
    office = Office(folder / "host")
    rows = partial(stored_rows, office.store)
    left: dict[str, Any] = {
        f"log {game}": StoredLedger(office.store, game, SEATS).whole().dump() for game in range(1, GAMES + 1)
    }
    for game in range(1, GAMES + 1):
        left[f"row {game}"] = [
            {name: value for name, value in row.items() if name not in ("rowid", "fence")}
            for row in rows("select * from games where id = ?", game)
        ]
        left[f"held {game}"] = rows(
            "select held.game, seat, key, after_n from held join attachments on attachments.id = attachment "
            "where held.game = ? order by seat, after_n, key",
            game,
        )
        left[f"decided {game}"] = rows("select at, outcome from inbox where game = ? order by at, outcome", game)
        for seat in SEATS:
            sql = "select message_id, at, sent, attempts, last_error, raw from outbox where address = ? order by id"
            left[f"letters to {seat}{game}"] = rows(sql, f"{seat}{game}@example.org")
    left["decided"] = rows("select sha256, at, outcome, raw from inbox order by at, outcome, sha256")
    left["undecided"] = rows("select count(*) as n from inbox where outcome = ''")
    left["notes"] = rows("select name, value from meta where name <> 'clock' order by name")
    boxes = folder / "host" / "mail"
    left["boxes"] = {
        str(path.relative_to(boxes)): path.read_bytes()
        for path in boxes.rglob("*.eml")
        if path.parent.name != "tmp" and ".receipt." not in path.name  # see tests/host/killed.py
    }  # fmt: skip
    office.close()
    return left


def test_games_with_many_workers_end_as_with_one(
    mails: Path, tmp_path: Path, postgres: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    """Workers are killed and the database is restarted at random. Logs, decisions and letters are the same bytes, in
    the same order per address, as on one host."""
    shutil.copytree(mails, tmp_path / "calm")
    assert run(tmp_path / "calm", "", 0)[0] == 0
    calm = left_by(tmp_path / "calm")
    for game in range(1, GAMES + 1):
        assert verify(calm[f"log {game}"]).verdict == "clean"
        assert calm[f"row {game}"][0]["stage"] == "ended"
    killed = restarted = rounds = 0
    while killed < KILLS or restarted < RESTARTS:
        folder = in_database(mails, tmp_path / str(rounds), schema_for(postgres.address, f"round {rounds}"), WORKERS)
        words = [folder, f"round {rounds}", KILLS - killed, WORKERS, RESTARTS - restarted, postgres.folder]
        driver = [sys.executable, "-m", "tests.host.killed_host", "workers", *map(str, words)]
        done = subprocess.run(driver, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        count, _steps, again = map(int, done.stdout.split())
        killed, restarted, rounds = killed + count, restarted + again, rounds + 1
        stormy = left_by(folder)
        for name, value in calm.items():
            assert stormy[name] == value, f"{name}, in round {rounds - 1}"
        assert stormy.keys() == calm.keys()
    with capsys.disabled():
        if "PBEM_STORM" in os.environ:
            print(
                f"{killed} kills, {restarted} restarts, {rounds} rounds of {GAMES} games and {len(calm['decided'])} mails"
            )
