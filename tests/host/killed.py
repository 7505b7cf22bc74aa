"""What several tests need of killed: mails, run, left_by."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.host import Office, StoredLedger
from pbem.mail import Maildir
from tests.stored import stored_row, stored_rows

from .post import EPOCH, a_club

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
        if path.parent.name != "tmp" and ".receipt." not in path.name
    }  # a letter half written is nobody's; a receipt goes where no report with its lines comes soon, and a storm takes longer
    office.close()
    return left
