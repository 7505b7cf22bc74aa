"""Rules of other versions in a page: they lie beside its files, and one is fetched when a log needs it.

Which there are, the build has written into the page; what comes counts only with the hash that it wrote. They run by turns with
ours (`pbem.games.running`), for a page has no processes; `pbem web` lends them as the commands do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from pbem.errors import WorldError
from pbem.games import installed
from pbem.i18n import _

if TYPE_CHECKING:
    from pbem.games.shelf import Borrowed, Stock

Lends: TypeAlias = "Callable[[], AbstractContextManager[Borrowed]]"
"""Opens what lends rules of other versions."""


def nothing() -> AbstractContextManager[Borrowed]:
    """Lend no rules but those that are here."""
    return _off(_Empty())


def fetched() -> AbstractContextManager[Borrowed]:
    """Lend the rules that are next to the page."""
    return _off(_Fetched())


def _off(stock: Stock) -> Borrowed:
    from pbem.games.running import rules_beside  # a page that judges no log need not load it
    from pbem.games.shelf import Borrowed

    return Borrowed(stock, installed, rules_beside)


class _Empty:
    def names(self) -> Sequence[str]:
        return ()

    def read(self, name: str) -> bytes:
        raise FileNotFoundError(name)


class _Fetched:
    """What the worker can fetch, as `carrier/shelf.mjs` says."""

    def names(self) -> Sequence[str]:
        return sorted(import_module("pbem_shelf").names)

    def read(self, name: str) -> bytes:
        found = import_module("pbem_shelf").fetched(name)
        if found is None:
            raise WorldError(
                _("Older rules lie beside this page, but could not be fetched. Try again when there is a network.")
            )
        return bytes(found.to_bytes())
