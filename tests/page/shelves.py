"""A shelf for tests: Tiny as it is, and as a later version of it, as somebody would have put them there.

`python -m tests.page.shelves PAGE FILE` writes the page of a folder as one file that has this shelf in it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from json import dumps, loads
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.page.build import MADE, SHELF
from pbem.page.single import read, single

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


def single_with_a_shelf(page: Path) -> bytes:
    """Return a built page as one file, as if this shelf had been part of pbem's own."""
    with TemporaryDirectory() as name:
        more = {f"{SHELF}{place.name}": place.read_bytes() for place in sorted(a_shelf(Path(name)).iterdir())}
    files = read(page)
    said = re.search(rb"export const SHELF = (\{.*?\});", files[MADE])
    assert said is not None
    known = loads(said[1]) | {path: sha256(data).hexdigest() for path, data in more.items()}
    made = files[MADE].replace(said[0], f"export const SHELF = {dumps(known)};".encode())
    return single({**files, **more, MADE: made})


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(single_with_a_shelf(Path(sys.argv[1])))
