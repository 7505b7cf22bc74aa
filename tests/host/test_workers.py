"""Several workers of one host on a store in a database, killed while they work: nothing is lost, and nothing done twice."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from pbem.host import Office, StoredLedger
from pbem.host.store import SENT
from tests.a_postgres import a_server, of_a_file, schema_for, why_not
from tests.host.workers import in_database, workers
from tests.stored import stored_row, stored_rows

from .killed import left_by, mails, run
from .post import a_club, moment

__all__ = ["mails"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    of_a_file("it goes from there to a server of these tests' own, in any run"),
]

KILLS = 30


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with a_server() as address:
        yield address


def test_workers_killed_at_random_moments_come_to_the_same_end(mails: Path, tmp_path: Path, postgres: str) -> None:
    """To the same as one host with a file that nobody kills: the same log, decisions, letters and mailboxes, byte for byte."""
    shutil.copytree(mails, tmp_path / "calm")
    assert run(tmp_path / "calm", "", 0)[0] == 0
    calm = left_by(tmp_path / "calm")
    assert calm["game"][0]["stage"] == "ended"
    count = rounds = 0
    while count < KILLS:
        folder = in_database(mails, tmp_path / str(rounds), schema_for(postgres, f"round {rounds}"))
        count += workers(folder, f"round {rounds}", KILLS - count)
        rounds += 1
        stormy = left_by(folder)
        for name, value in calm.items():
            assert stormy[name] == value, f"{name}, in round {rounds}"
    assert count >= KILLS


def test_a_question_is_closed_and_told_of_once_whoever_looks(tmp_path: Path, postgres: str) -> None:
    with a_club(tmp_path / "club", hours=24) as club:
        club.begin()
        before = stored_row(club.office.store, "select count(*) as n from outbox")
    folder = in_database(tmp_path / "club", tmp_path / "both", schema_for(postgres, tmp_path))
    both, at = Barrier(2), moment(3 * 24 * 60)

    def look(no: int) -> int:
        office = Office(folder / f"worker{no}" / "host")
        both.wait()
        closed = office.robot.tick(at)
        office.work(at)
        office.close()
        return closed

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(look, range(2))) == 1
    office = Office(folder / "host")
    letters = stored_rows(office.store, "select message_id, sent from outbox order by id")
    skips = [entry["ask"] for entry in StoredLedger(office.store, 1, ("ann", "bob")).entries() if entry["k"] == "skip"]
    office.close()
    assert len(skips) == 2, "one for each of both, who were silent"
    assert len(set(skips)) == 1
    assert before is not None
    assert len(letters) > before["n"]
    assert {letter["sent"] for letter in letters} == {SENT}
    delivered = [path for path in (folder / "host" / "mail").rglob("*.eml") if path.parent.name != "tmp"]
    assert len(delivered) == len(letters)
