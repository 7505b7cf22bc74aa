"""A whole game in a storm, in a process of its own: `PBEM_KILLS=500` for a long one, `PBEM_STORM="lords 7"` for another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import real

pytestmark = pytest.mark.slow

KILLS = os.environ.get("PBEM_KILLS", "40")
GAME, SEED = os.environ.get("PBEM_STORM", "tiny 1").split()
ROOT = Path(__file__).resolve().parents[2]


def test_what_came_in_time_counts_in_a_storm() -> None:
    """All these faults happen at once, and the host is killed again and again. Every order that reached the mailbox in
    time is in the log once."""
    if why := real.missing():
        pytest.skip(f"played without real mail servers: {why}")
    storm = [sys.executable, "-m", "tests.servers.storm", GAME, SEED, KILLS]
    games = {**os.environ, "PBEM_GAMES": str(ROOT / "examples")}
    done = subprocess.run(storm, cwd=ROOT, env=games, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"kills {KILLS}" in done.stdout, "the game was over before the storm was"
