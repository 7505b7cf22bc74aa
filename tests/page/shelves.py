"""A shelf for tests: Tiny as it is, and as a later version of it, as somebody would have put them there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def a_shelf(folder: Path) -> Path:
    """Fill a shelf below a folder with versions 1 and 2 of Tiny, which play alike; return it."""
    shelf, later = folder / "shelf", folder / "later"
    shutil.copytree(ROOT / "examples" / "tiny_game", later / "tiny_game", ignore=shutil.ignore_patterns("__pycache__"))
    game = later / "tiny_game" / "rules" / "game.py"
    text = game.read_text("utf-8")
    assert "version = 1" in text
    game.write_text(text.replace("version = 1", "version = 2"), "utf-8")
    for games in (ROOT / "examples", later):
        command = [sys.executable, "-m", "pbem.releasing", "shelve", "tiny", "--shelf", str(shelf)]
        environment = {**os.environ, "PBEM_GAMES": str(games), "PYTHONPATH": str(ROOT)}
        subprocess.run(command, check=True, capture_output=True, env=environment, cwd=ROOT)
    return shelf
