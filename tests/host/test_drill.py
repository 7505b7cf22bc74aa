"""A backup is restored in a scratch folder, and its games audited: a drill that says what it found, by sentences and exit code."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from pbem.cli import upkeep
from pbem.host.store.backup import back_up
from tests.cli.odd_uses import pbem, the_example_game_is_found
from tests.cli.program import Program

from .post import a_club

__all__ = ["pbem", "the_example_game_is_found"]
NOW = "2030-06-01T06:00:00Z"


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bytes]:
    with a_club(tmp_path_factory.mktemp("club")) as club:
        club.begin().turn()
        back_up(club.office.store, club.folder / "saved")
        yield (club.folder / "saved").read_bytes()


@pytest.fixture
def saved(backup: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Last night's backup, in a folder with the one of the day before."""
    monkeypatch.setattr(upkeep, "now", lambda: NOW)
    for name, hours in (("Fri.sqlite", 30), ("Sat.sqlite", 3)):
        (tmp_path / name).write_bytes(backup)
        at = datetime.fromisoformat(NOW).timestamp() - hours * 3600
        os.utime(tmp_path / name, (at, at))
    return tmp_path / "Sat.sqlite"


def test_the_newest_backup_is_restored_and_audited_and_stays_as_it_is(saved: Path, pbem: Program) -> None:
    before = saved.read_bytes()
    code, said = pbem("host", "drill", saved.parent)
    assert code == 0, said
    assert f"well   {saved} is 3 hours old." in said
    assert "Games in it: 1. Audited and right: 1." in said
    assert saved.read_bytes() == before
    assert sorted(path.name for path in saved.parent.iterdir()) == ["Fri.sqlite", "Sat.sqlite"]


def test_a_backup_of_the_night_before_is_not_last_nights(saved: Path, pbem: Program) -> None:
    code, said = pbem("host", "drill", saved.with_name("Fri.sqlite"))
    assert (code, "WRONG  " in said, "is 30 hours old" in said) == (1, True, True)


def test_what_is_damaged_in_a_backup_is_named(saved: Path, pbem: Program) -> None:
    at = saved.stat().st_mtime
    with closing(sqlite3.connect(saved)) as db, db:
        db.execute(
            "update entries set line = cast(replace(cast(line as text), '\"n\":2', '\"n\":3') as blob) where n = 2"
        )
    os.utime(saved, (at, at))
    code, said = pbem("host", "drill", saved)
    assert code == 1
    assert "WRONG  " in said
    assert "game 1" in said.lower()
    assert "Audited and right: 0." in said


@pytest.mark.parametrize("harm", [b"", b"no store at all" * 100])
def test_what_is_no_backup_is_called_so(saved: Path, pbem: Program, harm: bytes) -> None:
    saved.write_bytes(harm)
    code, said = pbem("host", "drill", saved)
    assert code == 1
    assert str(saved) in said
    assert "WRONG  " in said


def test_a_folder_without_a_backup_is_named(tmp_path: Path, pbem: Program) -> None:
    code, said = pbem("host", "drill", tmp_path)
    assert (code, "has no backup" in said) == (2, True)
