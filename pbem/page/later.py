"""What only those need who play games of two: it is no part of the first visit, and is fetched when the first of it is imported.

It lies beside the page's files as one archive (`build`), and counts only with the hash that the build wrote into the page. Nothing
below the page knows of this: a module is imported, and is there. What was fetched, the browser keeps for when there is no network.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable, Sequence
from importlib import import_module, invalidate_caches
from importlib.machinery import ModuleSpec, PathFinder
from io import BytesIO
from pathlib import Path
from types import ModuleType

from pbem.errors import WorldError
from pbem.i18n import _

PATHS = (
    "pbem/ledger/deck.py",
    "pbem/ledger/group.py",
    "pbem/ledger/pair/",
    "pbem/referee/pair/",
    "pbem/referee/peer.py",
    "pbem/player/pair/",
    "pbem/games/without_host.py",
    "pbem/page/two.py",
)
KNOWING = "/knowing.py"
"""So the modules end that say who knows what in a game, and the one by which they say it."""


def comes_later(path: str) -> bool:
    """Does a file of pbem belong to what is fetched later?"""
    return path.startswith(PATHS) or (path.startswith("pbem/") and path.endswith(KNOWING))


class LaterFinder:
    """Finds modules that were not there at first; stands behind the finders that Python has. `fetched` returns the archive."""

    def __init__(self, fetched: Callable[[], bytes | None], folder: Path) -> None:
        self._fetched, self._folder, self._is_here = fetched, folder, False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how a module is loaded; None for one that does not come later. Raises WorldError where it is not to be had."""
        place = name.replace(".", "/")
        if self._is_here or not (comes_later(f"{place}.py") or comes_later(f"{place}/")):
            return None
        data = self._fetched()
        if data is None:
            raise WorldError(
                _(
                    "What games of two need lies beside this page, but could not be fetched. Try again when there is a network; "
                    "from then on it is here without one."
                )
            )
        with zipfile.ZipFile(BytesIO(data)) as archive:
            archive.extractall(self._folder)  # its hash is the one that the build wrote
        self._is_here = True
        invalidate_caches()
        return PathFinder.find_spec(name, path, target)


def look_there() -> None:
    """Let Python find what comes later, in a page's worker."""
    folder = Path(__file__).parents[2]
    sys.meta_path.append(LaterFinder(lambda: _bytes(import_module("pbem_shelf").later()), folder))


def _bytes(found: object) -> bytes | None:
    return None if found is None else bytes(found.to_bytes())  # type: ignore[attr-defined]  # as JavaScript gives it
