"""What several tests need of turns: run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.chaos.installed import PBEM

from .real import PASSWORD

PATIENCE = 200
"""So often one looks for new mail before it is said that none comes."""


def run(home: Path, *arguments: str, typed: str = "") -> str:
    env = {**os.environ, "PBEM_HOME": str(home), "PBEM_TEST_PASSWORD": PASSWORD}
    done = subprocess.run([str(PBEM), *arguments], input=typed, capture_output=True, text=True, check=False, env=env)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr
