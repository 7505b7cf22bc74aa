"""A killed host loses nothing and does nothing twice: kill -9 while it takes mail, decides and sends."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.a_postgres import of_a_file
from tests.host.killed import (
    ROOT,
    left_by,
    mails,
    run,
)

__all__ = ["mails"]  # fixtures

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
    of_a_file("those who have a database are killed in test_workers and test_storm, in any run"),
]

KILLS = 50


def test_a_host_killed_at_random_moments_comes_to_the_same_end(mails: Path, tmp_path: Path) -> None:
    """One transaction holds a decision and its letters. The next start decides stored mail and sends unsent letters."""
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
