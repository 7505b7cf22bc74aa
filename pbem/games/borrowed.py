"""Rules that are taken off a shelf as long as they are needed: which archive has them, and how they are lent.

Where the shelf stands (a folder here, beside the page there), and how what was unpacked is made to run, is given: a browser has
neither folders nor processes.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from io import BytesIO
from pathlib import Path
from typing import Protocol, Self, TypeAlias

from pbem.errors import UsageError, WorldError
from pbem.i18n import _
from pbem.kernel import Game

Key: TypeAlias = tuple[str, int] | tuple[str, int, str]
"""A game's id and version; and the SHA-256 of its manifest, where nothing else will do."""
Lent: TypeAlias = tuple[Game, str]
Lend: TypeAlias = Callable[[Path, str], AbstractContextManager[Lent]]
"""Lends the rules of a game out of a folder with another pbem."""


class Stock(Protocol):
    """What stands on a shelf."""

    def names(self) -> Sequence[str]:
        """Return the names of the archives, sorted."""

    def read(self, name: str) -> bytes:
        """Return an archive. Raises OSError, or WorldError."""


class InFolder:
    """A shelf that is a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> Sequence[str]:
        return sorted(place.name for place in self._folder.glob("*-*-*.zip"))

    def read(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()


def unpack(data: bytes, folder: Path) -> None:
    """Lay an archive out in a folder. Raises BadZipFile."""
    with zipfile.ZipFile(BytesIO(data)) as packed:
        packed.extractall(folder)


class Borrowed(Mapping[Key, Lent]):
    """Rules that are lent off a shelf as long as it is open; but not those that are installed, which are at hand already.

    `taken` are the titles and versions of what was taken off it.
    """

    def __init__(self, stock: Stock, installed: Callable[[str], Lent], lend: Lend) -> None:
        self._stock, self._installed, self._lend = stock, installed, lend
        self._open = ExitStack()
        self._lent: dict[str, Lent] = {}
        self.taken: list[tuple[str, int]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._open.close()

    def __getitem__(self, key: Key) -> Lent:
        game_id, version, sha256 = (*key, "")[:3]
        if not self._here(game_id, version, sha256):
            for name, (its_id, its_version, its_sha256) in reversed(list(self._archives())):
                if (its_id, its_version) == (game_id, version) and sha256 in ("", its_sha256):
                    return self._off_the_shelf(name, game_id)
        raise KeyError(key)

    def __iter__(self) -> Iterator[Key]:
        """Go through what stands on the shelf."""
        return (key for _name, key in self._archives())

    def __len__(self) -> int:
        return len(self._stock.names())

    def words(self) -> list[str]:
        """Say which rules were taken off the shelf."""
        return [
            _("Version {version} of the rules of {title} was taken from the shelf.", version=version, title=title)
            for title, version in self.taken
        ]

    def _archives(self) -> Iterator[tuple[str, tuple[str, int, str]]]:
        for name in self._stock.names():
            game_id, version, sha256 = name.removesuffix(".zip").split("-")
            yield name, (game_id, int(version), sha256)

    def _here(self, game_id: str, version: int, sha256: str) -> bool:
        try:
            game, found = self._installed(game_id)
        except UsageError:
            return False
        return game.version == version and sha256 in ("", found)

    def _off_the_shelf(self, name: str, game_id: str) -> Lent:
        if name not in self._lent:
            folder = Path(self._open.enter_context(tempfile.TemporaryDirectory()))
            try:
                unpack(self._stock.read(name), folder)
            except (OSError, zipfile.BadZipFile) as error:
                raise WorldError(
                    _("The rules on the shelf cannot be unpacked: {file}: {why}.", file=name, why=error)
                ) from error
            game, sha256 = self._open.enter_context(self._lend(folder, game_id))
            self._lent[name] = game, sha256
            self.taken.append((game.title, game.version))
        return self._lent[name]
