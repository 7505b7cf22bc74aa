"""Puzzles and lessons at the built page, by clicks, taps and keys: `python -m tests.page.puzzles_by_page MODULES [PAGE] [IMAGES]`.

One puzzle of each game is solved, one fails first; every lesson is taken to its end. In English and French, on a telephone, without
a network, in the single file. What is done stands in `puzzles.mjs` and `lessons.mjs`, which want playwright-core and axe-core in
MODULES, and Chromium.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
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
    packs = [find(name) for name in shipped()]
    puzzles = {pack.rules.id: len(own) for pack in packs if (own := kept(pack))}
    lessons = {pack.rules.id: len(pack.lesson.steps) for pack in packs if pack.lesson}
    reports: list[str] = []
    with served(page, reports) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        words = [modules, address, str(page.with_name(NAME)), pictures]
        faults = [*_done("puzzles", browser, words, puzzles), *_done("lessons", browser, words, lessons)]
        server.shutdown()
    faults += [f"the policy was broken: {report}" for report in reports]
    print("\n".join(faults))
    return 1 if faults else 0


def _done(what: str, browser: str, words: list[str], counts: Mapping[str, int]) -> Iterator[str]:
    """Let one script do its part, and go through what went wrong."""
    environment = {**os.environ, "CHROMIUM": browser}
    command = ["node", str(HERE / f"{what}.mjs"), *words]
    done = subprocess.run(
        command, check=False, env=environment, input=json.dumps(counts), capture_output=True, text=True
    )
    if done.returncode:
        yield done.stderr[-3000:]
        return
    found = json.loads(done.stdout)
    yield from found["faults"]
    print(f"   {what}: each game's done, {found['kept']} times axe-core's rules kept")


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(main(given[0], Path(given[1]) if len(given) > 1 else BUILT, given[2] if len(given) > 2 else ""))
