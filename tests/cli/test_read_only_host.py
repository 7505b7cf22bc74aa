"""A host is watched over by the installed command from a disk that cannot be written to, and without the host's key."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.host.post import a_club

from .odd_uses import the_example_game_is_found

__all__ = ["the_example_game_is_found"]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="modes and mounts of POSIX")]
Run = Callable[..., "subprocess.CompletedProcess[str]"]
_MOUNTED = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'


@pytest.fixture
def host(tmp_path: Path) -> Path:
    """The folder of a host with a game, its key taken away."""
    with a_club(tmp_path / "club", hours=24) as club:
        club.begin()
    folder = tmp_path / "club" / "host"
    (folder / "key").unlink()
    return folder


def run(host: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run the command where the host's folder cannot be written to: by its mode, or for root by a mount of the command's own."""
    command = [sys.executable, "-m", "pbem", "host", *map(str, words), "--dir", str(host)]
    if os.geteuid() == 0:
        if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "true"], check=False).returncode:
            pytest.skip("root may mount nothing here")
        command = ["unshare", "-m", "sh", "-c", _MOUNTED, "sh", str(host), *command]
    else:
        host.chmod(0o500)
    env = dict(os.environ, PBEM_GAMES=str(Path(__file__).parents[2] / "examples"))
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


def test_status_and_games_need_neither_key_nor_a_disk_that_can_be_written_to(host: Path) -> None:
    found = run(host, "status", "--json")
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["games_playing"] == 1
    assert 'pbem_games{stage="playing"} 1\n' in run(host, "status", "--prometheus").stdout
    assert run(host, "games").stdout.startswith("   1  ")


def test_a_store_that_cannot_be_written_to_is_backed_up_and_exported(host: Path, tmp_path: Path) -> None:
    for words in (("backup", tmp_path / "saved"), ("export", 1, "--out", tmp_path / "log")):
        found = run(host, *words)
        assert found.returncode == 0, found.stderr
    verified = subprocess.run(
        [sys.executable, "-m", "pbem", "verify", str(tmp_path / "log")], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_a_journal_that_belongs_to_the_store_is_not_left_out(host: Path, tmp_path: Path) -> None:
    """What a host that was killed had decided last lies in the journal beside the file."""
    import sqlite3

    killed = tmp_path / "killed"
    db = sqlite3.connect(host / "pbem.sqlite")
    db.execute("pragma wal_autocheckpoint = 0")
    with db:
        db.execute("insert into meta (name, value) values ('backed up', '2030-01-01T00:00:00Z')")
    shutil.copytree(host, killed)
    db.close()
    (killed / "pbem.sqlite-shm").unlink()
    found = run(killed, "status", "--json")
    assert json.loads(found.stdout)["last_backup"] == "2030-01-01T00:00:00Z"
    assert run(killed, "backup", tmp_path / "saved").returncode == 0


def test_what_has_to_write_says_that_it_cannot(host: Path) -> None:
    found = run(host, "run", "--once")
    assert found.returncode != 0
    assert "key" in found.stderr
