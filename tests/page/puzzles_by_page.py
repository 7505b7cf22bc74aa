"""Puzzles at the built page, by clicks, taps and keys: `python -m tests.page.puzzles_by_page MODULES [PAGE] [PICTURES]`.

One of each game is solved, one fails first; in English and French, on a telephone, without a network, in the single file. What
is done stands in `puzzles.mjs`, which wants playwright-core and axe-core in MODULES, and Chromium.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Thread

from docs.pictures import CHROMIUM
from pbem.games import find, shipped
from pbem.games.puzzles import kept
from pbem.page.single import BUILT, NAME

from .serving import served

HERE = Path(__file__).parent


def main(modules: str, page: Path, pictures: str = "") -> int:
    """Let it be done, and say what went wrong; return the exit code."""
    browser = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if browser is None or not (page / "page.json").exists():
        print("Chromium or the built page is missing.")
        return 1
    reports: list[str] = []
    counts = {name: len(own) for name in shipped() if (own := kept(find(name)))}
    with served(page, reports) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        command = ["node", str(HERE / "puzzles.mjs"), modules, address, str(page.with_name(NAME)), pictures]
        environment = {**os.environ, "CHROMIUM": browser}
        done = subprocess.run(
            command, check=False, env=environment, input=json.dumps(counts), capture_output=True, text=True
        )
        server.shutdown()
    if done.returncode:
        print(done.stderr[-3000:])
        return 1
    found = json.loads(done.stdout)
    faults = [*found["faults"], *(f"the policy was broken: {report}" for report in reports)]
    print("\n".join(faults) or f"   puzzles: each game's solved, {found['kept']} times axe-core's rules kept")
    return 1 if faults else 0


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(main(given[0], Path(given[1]) if len(given) > 1 else BUILT, given[2] if len(given) > 2 else ""))
