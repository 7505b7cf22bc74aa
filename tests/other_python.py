"""Another Python, which has of all packages only those it is given."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def python(script: str, *args: str, path: list[Path], games: Path | None = None) -> str:
    """Run a script in another Python that finds its packages on `path` alone."""
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PBEM_GAMES")}
    env |= {"PYTHONPATH": os.pathsep.join(map(str, path)), **({"PBEM_GAMES": str(games)} if games else {})}
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, *args], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
