"""Modules that few people need (games of two, puzzles, lessons, old rules, mail servers) are fetched when they are imported.

Each is an archive next to the page's files (`build`), and is accepted only with the hash that the build wrote into the page. The
layers below the page don't know this: they import a module as usual. The browser keeps fetched archives for use without a network.
"""

from __future__ import annotations

import re
import sys
import zipfile
from collections.abc import Callable, Sequence
from importlib import import_module, invalidate_caches
from importlib.machinery import ModuleSpec, PathFinder
from io import BytesIO
from pathlib import Path
from types import ModuleType

from pbem.errors import WorldError
from pbem.i18n import N_, _, words

TWO, PUZZLES, LESSONS, LENT, SERVERS = (
    f"later/{name}.zip" for name in ("two", "puzzles", "lessons", "lent", "servers")
)
LATER: dict[str, re.Pattern[str]] = {
    TWO: re.compile(
        r"pbem/(ledger/(deck\.py|shuffle\.py|pair/)|referee/(pair/|peer\.py)|player/pair/|games/without_host\.py|page/pair/"
        r"|games/\w+/knowing\.py$|reports/friends\.py)"
    ),
    PUZZLES: re.compile(
        r"pbem/(games/((positions|proving|puzzles|reckoning)\.py|\w+/(setting_up\.py|puzzles/|i18n/\w+/puzzles\.mo$))"
        r"|(reports|page)/solving\.py)"
    ),
    LENT: re.compile(r"pbem/games/(archived|running|serving|shelf)\.py"),
    SERVERS: re.compile(r"pbem/mail/(imap|letterbox|smtp)\.py"),
    LESSONS: re.compile(r"pbem/(games/((lessons|taught)\.py|\w+/(lesson/|i18n/\w+/lesson\.mo$))|page/teaching\.py)"),
}
"""By the archive: which files of pbem lie in it."""
MISSING = {
    TWO: N_(
        "The files for games of two are beside this page, but could not be fetched. Try again when "
        "you have a network; after that they work without one."
    ),
    PUZZLES: N_(
        "The files for puzzles and positions are beside this page, but could not be fetched. Try "
        "again when you have a network; after that they work without one."
    ),
    SERVERS: N_(
        "The files for mail servers are beside this page, but could not be fetched. Try again when you have a network."
    ),
    LENT: N_(
        "The files for judging by the rules are beside this page, but could not be fetched. Try "
        "again when you have a network; after that they work without one."
    ),
    LESSONS: N_(
        "Rules and lessons lie beside this page, but could not be fetched. Try again when there is a network; from then "
        "on they are here without one."
    ),
}


def archive_of(path: str) -> str:
    """Return the archive in which a file of pbem is fetched later; empty for one that is there at first."""
    return next((archive for archive, paths in LATER.items() if paths.match(path)), "")


class LaterFinder:
    """A finder of modules that were not present at first; it comes after Python's own finders. `fetched` returns an archive."""

    def __init__(self, fetched: Callable[[str], bytes | None], folder: Path) -> None:
        self._fetched, self._folder, self._here = fetched, folder, set[str]()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how a module is loaded; None for one that does not come later. Raises WorldError where it is not to be had."""
        place = name.replace(".", "/")
        wanted = archive_of(f"{place}.py") or archive_of(f"{place}/")
        if not wanted or wanted in self._here:
            return None
        data = self._fetched(wanted)
        if data is None:
            raise WorldError(_(MISSING[wanted]))
        with zipfile.ZipFile(BytesIO(data)) as archive:
            archive.extractall(self._folder)  # its hash is the one that the build wrote
        self._here.add(wanted)
        invalidate_caches()
        words.cache_clear()  # what came may speak other languages, too
        return PathFinder.find_spec(name, path, target)


def look_there() -> None:
    """Let Python find what comes later, in a page's worker."""
    folder = Path(__file__).parents[2]
    sys.meta_path.append(LaterFinder(lambda archive: _bytes(import_module("pbem_shelf").later(archive)), folder))


def _bytes(found: object) -> bytes | None:
    return None if found is None else bytes(found.to_bytes())  # type: ignore[attr-defined]  # as JavaScript gives it
