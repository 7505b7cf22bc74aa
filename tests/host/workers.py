"""What several tests need of workers: in_database, workers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from pbem.host.store.moving import move
from tests.a_postgres import name_its_place

from .killed import ROOT

WORKERS = 3


def in_database(mails: Path, folder: Path, address: str, workers: int = WORKERS) -> Path:
    """The same host in another folder, with its store in a database."""
    shutil.copytree(mails, folder)
    host = folder / "host"
    move(host / "pbem.sqlite", address)
    for path in host.glob("pbem.sqlite*"):
        path.unlink()
    name_its_place(host, address)
    for no in range(workers):  # as on machines of their own, with the mail on one disk
        worker = folder / f"worker{no}" / "host"
        worker.mkdir(parents=True)
        (worker / "mail").symlink_to(host / "mail")
        for name in ("host.toml", "key"):
            shutil.copy2(host / name, worker)
    return folder


def workers(folder: Path, seed: str, kills: int) -> int:
    """Let several hosts work at once, killed so many times; return how often one was."""
    driver = [sys.executable, "-m", "tests.host.killed_host", "workers", str(folder), seed, str(kills), str(WORKERS)]
    done = subprocess.run(driver, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[0])
