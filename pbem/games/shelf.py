"""The shelf: rules of other versions as data that still runs, an archive for each game, version and SHA-256.

An archive contains everything that is imported in play: pbem's own modules, the game's, its data and the words of both. It is a zip
file, and its bytes depend on these alone. It is unpacked and lent (`archived`) like a folder with another pbem, for as long as it
is needed. `python -m pbem.releasing shelve` makes it. The caller says where the shelf is (a folder, or files beside the page) and
how to run what was unpacked: a browser has neither folders nor processes.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Protocol, Self, TypeAlias

from pbem.errors import UsageError, WorldError
from pbem.i18n import _
from pbem.kernel import Game

from .manifests import files_below, manifest, read_module
from .pack import GamePack
from .running import PATIENCE, rules_in

_ALWAYS = ("pbem", "pbem.errors", "pbem.games", "pbem.kernel", "pbem.i18n")
"""The modules that a program asks for when it lends rules."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
Key: TypeAlias = tuple[str, int] | tuple[str, int, str]
"""A game's id and version; and the SHA-256 of its manifest, if only that will do."""
Lent: TypeAlias = tuple[Game, str]
Lend: TypeAlias = Callable[[Path, str], AbstractContextManager[Lent]]
"""Lends the rules of a game out of a folder with another pbem."""


def archive_name(game_id: str, version: int, sha256: str) -> str:
    """Return the name of the archive with these rules."""
    return f"{game_id}-{version}-{sha256}.zip"


def archive(pack: GamePack) -> bytes:
    """Return the archive of the rules that are here: the same bytes for the same files."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, data in sorted(_parts(pack).items()):
            member = zipfile.ZipInfo(path, _LONG_AGO)
            member.compress_type, member.external_attr, member.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            packed.writestr(member, data)
    return made.getvalue()


def shelve(pack: GamePack, folder: Path) -> Path:
    """Put the rules that are here on a shelf; return the archive. Raises UsageError where they do not run from there."""
    sha256 = manifest(pack)[1]
    place = folder / archive_name(pack.rules.id, pack.rules.version, sha256)
    data = archive(pack)
    with tempfile.TemporaryDirectory() as unpacked:
        unpack(data, Path(unpacked))
        with rules_in(Path(unpacked), pack.rules.id) as (game, found):
            if (game.version, found) != (pack.rules.version, sha256):
                raise UsageError(
                    _("The packed rules of {game} differ from the rules that are here.", game=pack.rules.title)
                )
    folder.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place


def _parts(pack: GamePack) -> dict[str, bytes]:
    """Return the files that a game needs to run, by their paths."""
    found: dict[str, bytes] = {}
    todo = [*_ALWAYS, pack.package, type(pack.rules).__module__]
    tops = {name.split(".")[0] for name in todo}
    while todo:
        name = todo.pop()
        module = read_module(name) if name.split(".")[0] in tops else None
        if module is None or module.path in found:
            continue
        found[module.path] = module.file.read_bytes()
        parts = name.split(".")
        todo += [".".join(parts[:count]) for count in range(1, len(parts))]
        for start, what in module.imports():
            todo += [start, f"{start}.{what}"]
    found |= {path: file.read_bytes() for path, file in files_below(pack.package, "data")}
    for package in ("pbem", pack.package):
        top = package.replace(".", "/")
        inside = [path.removeprefix(f"{top}/").split("/") for path in found if path.startswith(f"{top}/")]
        speaking = {parts[0] if parts[1:] else top.split("/")[-1] for parts in inside}
        for path, file in files_below(package, "i18n"):
            if path.endswith(".mo") and Path(path).stem in speaking:
                found[path] = file.read_bytes()
    return found


# -- what is taken off it -----------------------------------------------------------------------------------------------


class Stock(Protocol):
    """The content of a shelf."""

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
    """Rules lent from a shelf for as long as it is open, except installed ones, which are at hand already.

    `taken` are the titles and versions of the rules used.
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
        """Yield the keys of the rules on the shelf."""
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


class Lender(Borrowed):
    """Rules that are lent in processes of their own: out of folders that somebody names, and off the shelf.

    A folder is asked for every version of a game that is wanted, also for one that is installed.
    """

    def __init__(
        self, folders: Sequence[Path], shelf: Path, installed: Callable[[str], Lent], patience: float = PATIENCE
    ) -> None:
        super().__init__(InFolder(shelf), installed, partial(rules_in, patience=patience))
        self._folders = folders
        self._out_of: dict[tuple[Path, str], Lent] = {}

    def __getitem__(self, key: Key) -> Lent:
        game_id, version, sha256 = (*key, "")[:3]
        for folder in self._folders:
            game, found = self._out_of_folder(folder, game_id)
            if game.version == version and sha256 in ("", found):
                return game, found
        return super().__getitem__(key)

    def __bool__(self) -> bool:
        return True  # a folder may have more than can be listed

    def _out_of_folder(self, folder: Path, game_id: str) -> Lent:
        if (folder, game_id) not in self._out_of:
            self._out_of[folder, game_id] = self._open.enter_context(self._lend(folder, game_id))
        return self._out_of[folder, game_id]
