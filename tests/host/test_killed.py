"""A killed host loses nothing and does nothing twice: kill -9 while it takes mail, decides and sends."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.host import Office, StoredLedger
from pbem.mail import Maildir
from tests.a_postgres import of_a_file
from tests.stored import stored_row, stored_rows

from .post import EPOCH, a_club

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
    of_a_file("those who have a database are killed in test_workers and test_storm, in any run"),
]

KILLS = 50
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host with a game just opened, and in `later` every mail of that game, good and bad, some of them twice."""
    folder = tmp_path_factory.mktemp("mails")
    with a_club(folder, players=2, turns=3, terms={"rated": True}) as club:
        before = club.copy_to(folder / "before")
        before.office.close()
        club.begin()
        while club.asked():
            club.take(b"From: bob@example.org\r\nSubject: hm\r\n\r\nwhat is this?\r\n%d\r\n" % club.minute)
            raw = club.order(club.asked()[0])
            club.take(raw)
            club.take(b"Received: by another way\r\n" + raw)
            club.read_all()
        letters = club.sent
    (folder / "before" / "later").mkdir()
    for minute, raw in letters:
        path = Maildir(folder / "post").deliver(raw, EPOCH + 60 * minute)
        path.rename(folder / "before" / "later" / path.name)
    return folder / "before"


def run(folder: Path, seed: str, kills: int) -> tuple[int, int]:
    """Let the host work, killed so many times; return how often it was, and the steps of the last run."""
    driver = [sys.executable, "-m", "tests.host.killed_host", "storm", str(folder), seed, str(kills)]
    done = subprocess.run(driver, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    count, steps = map(int, done.stdout.split())
    return count, steps


def left_by(folder: Path) -> Mapping[str, Any]:
    """All that a host holds and has sent."""
    office = Office(folder / "host")
    ledger = StoredLedger(office.store, 1, ("ann", "bob"))
    rows = partial(stored_rows, office.store)
    game = stored_row(office.store, "select * from games") or {}
    left: dict[str, Any] = {
        "log": ledger.whole().dump(),
        "decided": rows("select sha256, raw, at, outcome from inbox order by id"),
        "letters": rows("select message_id, address, raw, at, sent from outbox order by id"),
        "game": [{name: value for name, value in game.items() if name not in ("rowid", "fence")}],
        "register": rows("select n, line from register order by n"),
        "seats": rows("select game, seat, address, key, link_n, link, sent_n from seats order by seat"),
        "held": rows(
            "select held.game, seat, key, after_n from held join attachments on attachments.id = attachment "
            "order by held.game, seat, after_n, key"
        ),
    }
    boxes = folder / "host" / "mail"
    left["boxes"] = {
        str(path.relative_to(boxes)): path.read_bytes()
        for path in boxes.rglob("*.eml")
        if path.parent.name != "tmp"  # a letter half written is nobody's letter
    }
    office.close()
    return left


def test_a_host_killed_at_random_moments_comes_to_the_same_end(mails: Path, tmp_path: Path) -> None:
    shutil.copytree(mails, tmp_path / "calm")
    assert run(tmp_path / "calm", "", 0)[0] == 0
    calm = left_by(tmp_path / "calm")
    assert calm["game"][0]["stage"] == "ended"
    count = rounds = 0
    while count < KILLS:
        folder = tmp_path / str(rounds)
        shutil.copytree(mails, folder)
        count += run(folder, f"round {rounds}", KILLS - count)[0]
        rounds += 1
        stormy = left_by(folder)
        for name, value in calm.items():
            assert stormy[name] == value, f"{name}, in round {rounds}"
    assert count == KILLS


def test_a_host_killed_at_any_step_of_one_decision(mails: Path, tmp_path: Path) -> None:
    """From the mail that begins the game to the last letter sent: raw mail stored, decided, committed, delivered."""
    start = tmp_path / "start"
    shutil.copytree(mails, start)
    waiting = sorted((start / "later").iterdir(), key=lambda path: path.stat().st_mtime)
    at = next(no for no, path in enumerate(waiting) if ".ready.bob" in path.name)
    for path in waiting[at:]:
        path.rename(tmp_path / path.name)
    run(start, "", 0)
    shutil.copy2(tmp_path / waiting[at].name, start / "host" / "mail" / "host" / "new")
    shutil.copytree(start, tmp_path / "calm")
    last = run(tmp_path / "calm", "", 0)[1]
    calm = left_by(tmp_path / "calm")
    steps = [*range(1, last - 20, 9), *range(last - 20, last)]  # each single step while letters are sent
    for step in steps:
        shutil.copytree(start, tmp_path / str(step))
    each = [sys.executable, "-m", "tests.host.killed_host", "each", str(tmp_path), *map(str, steps)]
    subprocess.run(each, cwd=ROOT, check=True)
    for step in steps:
        stormy = left_by(tmp_path / str(step))
        for name, value in calm.items():
            assert stormy[name] == value, f"{name}, killed at step {step} of {last}"
