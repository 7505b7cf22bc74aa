"""The files that count as the rules of a game: the modules that its play depends on, each in its normal form, and its data.

The modules are found by following imports. They start from the modules with the classes of `GAME` (the game's own and its base
classes) and from the reader of premoves. They include everything imported from pbem and from the game's package. Four things are
not followed:

- `pbem.errors` and `pbem.i18n`: they make sentences for people, and no play depends on a sentence;
- packages of other authors, and Python's own;
- imports below `if TYPE_CHECKING`;
- a package's `__init__` that does nothing but import: it passes names on, so the names are traced to their source.

So looks, built-in players, positions in words and counts are left out, wherever they are: no rules import them. A rule that does
import one has it in the manifest from then on.

Reading a game's rules in this way takes longer than loading them. What is learned of a source depends only on its bytes and on the
method of reading. So it is cached beside Python's compiled modules, under the SHA-256 of both, and cannot be out of date. If
nothing can be cached, or the cache cannot be read, everything is learned again.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .normal import hands_on, imports, normal_form
from .pack import GamePack, find

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from pbem.kernel import Game

KERNEL = "pbem.kernel"
ALWAYS = (f"{KERNEL}.ahead",)
"""What decides play though no game needs to import it."""
_VERSIONS = 1_000_000
MOST_KEPT = 2_000
"""The maximum number of sources in the cache."""
SENTENCES = ("pbem.errors.", "pbem.i18n.")


class HashedFile(NamedTuple):
    """A file that counts as rules: its path, from the folder above its top package, and the part that counts."""

    path: str
    normal: bytes


def manifest(game: str | GamePack) -> tuple[str, str]:
    """Return what decides a game's play (PROTOCOL 6), as the text of a `sha256sum` file, and that text's own SHA-256.

    It lists the files that count as rules, by sorted path, with the SHA-256 of their normal forms. They are read once.
    """
    return _manifest(find(game) if isinstance(game, str) else game)


@cache
def _manifest(pack: GamePack) -> tuple[str, str]:
    found = _digests(_Closure(pack))
    for path, file in files_below(pack.package, "data"):
        found[path] = hashlib.sha256(normal_data(path, file.read_bytes())).hexdigest()
    text = _listed(found)
    return text, hashlib.sha256(text.encode()).hexdigest()


def _digests(closure: _Closure) -> dict[str, str]:
    """Return the SHA-256 of each module's normal form, by path."""
    found = {module.path: module.source.normal for module in closure.modules.values()}
    read_module.cache_clear()
    _KEPT.keep()
    return found


def _listed(digests: Mapping[str, str]) -> str:
    return "".join(f"{digests[path]}  {path}\n" for path in sorted(digests))


def installed(game_id: str) -> tuple[Game, str]:
    """Return the installed rules of a game, and the SHA-256 of their manifest. Raises UsageError if the game is not installed."""
    return find(game_id).rules, manifest(game_id)[1]


def counted(game: str | GamePack) -> tuple[HashedFile, ...]:
    """Return the files that count as a game's rules, by path."""
    return _counted(find(game) if isinstance(game, str) else game)


@cache
def players_version(pack: GamePack) -> int:
    """Return a number for all that a game's built-in players play by, their own sources and the rules: others have another.

    It is below a million, as entry 0 has it, and made of the SHA-256 of a list as that of the manifest.
    """
    text = _listed(_digests(_Closure(pack, f"{pack.package}.bots")))
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % _VERSIONS


@cache
def _counted(pack: GamePack) -> tuple[HashedFile, ...]:
    found = {module.path: normal_form(module.source.tree).encode() for module in _Closure(pack).modules.values()}
    for path, file in files_below(pack.package, "data"):
        found[path] = normal_data(path, file.read_bytes())
    read_module.cache_clear()  # trees are large
    return tuple(HashedFile(path, found[path]) for path in sorted(found))


def normal_data(path: str, data: bytes) -> bytes:
    """Return what counts of a file of data: of JSON the values, not how it is laid out."""
    if not path.endswith(".json"):
        return data
    return json.dumps(json.loads(data), separators=(",", ":")).encode() + b"\n"


class Module(NamedTuple):
    """The source of a module, which need not have been imported."""

    name: str
    file: Traversable
    source: Source
    is_package: bool = False

    @property
    def path(self) -> str:
        return self.name.replace(".", "/") + ("/__init__.py" if self.is_package else ".py")

    @property
    def hands_on(self) -> bool:
        """Is it an `__init__` that does nothing but import?"""
        return self.is_package and self.source.hands_on

    def imports(self) -> Iterator[tuple[str, str]]:
        """Go through its imports: module and name, "" for the module itself, "*" for all names."""
        above = self.name.split(".") if self.is_package else self.name.split(".")[:-1]
        for level, module, name in self.source.imports:
            start = above[: len(above) - level + 1] if level else []
            yield ".".join([*start, *filter(None, [module])]), name


class _Closure:
    """The modules that a game's play follows from, by name."""

    def __init__(self, pack: GamePack, *more: str) -> None:
        self.modules: dict[str, Module] = {}
        self._followed: set[tuple[str, str]] = set()
        self._homes = {KERNEL, pack.package}
        starts = [kind.__module__ for kind in type(pack.rules).__mro__]
        self._tops = {"pbem", pack.package.split(".")[0], *(start.split(".")[0] for start in starts)}
        self._tops -= sys.stdlib_module_names
        for start in (*starts, *ALWAYS, *more):
            self._take(start)

    def _take(self, name: str) -> None:
        """Take a module in, with all that it imports."""
        module = None if name in self.modules else self._read(name)
        if module is None:
            return
        self._take_packages_of(name)
        if not module.hands_on:
            self.modules[name] = module
            for start, what in module.imports():
                self._follow(start, what)

    def _take_packages_of(self, name: str) -> None:
        """Add the `__init__` of each package that contains the module, because it runs first."""
        home = next((home for home in self._homes if f"{name}.".startswith(f"{home}.")), "")
        parts = name.split(".")
        for count in range(len(home.split(".")), len(parts)):
            if home:
                self._take(".".join(parts[:count]))

    def _follow(self, start: str, what: str) -> None:
        """Take in where a name comes from that is imported from `start`."""
        module = None if (start, what) in self._followed else self._read(start)
        if module is None:
            return
        self._followed.add((start, what))
        inner = read_module(f"{start}.{what}") if what else None
        for found in filter(None, [inner, module]):
            self._take(found.name)
        if module.hands_on:
            handed = list(module.imports())
            named = [(origin, name) for origin, name in handed if name == what]
            for origin, name in named or ([] if inner else handed):
                self._follow(origin, name)

    def _read(self, name: str) -> Module | None:
        """Return a module that may be followed, or None."""
        top = name.split(".", maxsplit=1)[0]
        return None if top not in self._tops or f"{name}.".startswith(SENTENCES) else read_module(name)


@cache
def read_module(name: str) -> Module | None:
    """Return the source of a module, or None if it does not exist. Nothing is imported."""
    folder, _, leaf = name.rpartition(".")
    place = _folder(name)
    if place is not None and (file := place / "__init__.py").is_file():
        return Module(name, file, Source(file.read_bytes()), is_package=True)
    above = _folder(folder) if folder else None
    if above is not None and (file := above / f"{leaf}.py").is_file():
        return Module(name, file, Source(file.read_bytes()))
    return None


def _folder(name: str) -> Traversable | None:
    """Return the folder of a package."""
    from importlib.resources import files

    if hasattr(sys.modules.get(name), "__path__"):
        return files(name)
    above, _, leaf = name.rpartition(".")
    place = _folder(above) if above else None
    return place / leaf if place is not None and (place / leaf).is_dir() else None


def files_below(package: str, part: str) -> Iterator[tuple[str, Traversable]]:
    """Go through the files in a folder of a package, such as `data`, with their paths."""
    place = _folder(package)
    if place is not None and (place / part).is_dir():
        yield from _walk(place / part, f"{package.replace('.', '/')}/{part}")


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.name.startswith(".") or entry.name == "__pycache__":
            continue
        if entry.is_dir():
            yield from _walk(entry, f"{path}/{entry.name}")
        else:
            yield f"{path}/{entry.name}", entry


# -- what was learned of sources before ------------------------------------------------------------------------------------


class Imported(NamedTuple):
    """An import: the number of packages up, the module, and the imported name: "" for the module itself, "*" for all names."""

    level: int
    module: str
    name: str


class Source:
    """The source of a module, and its properties."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax."""
        return ast.parse(self.data)

    @cached_property
    def _notes(self) -> dict[str, Any]:
        return _KEPT.about(self.data)

    @property
    def hands_on(self) -> bool:
        """Does it nothing but import?"""
        if "hands_on" not in self._notes:
            self._notes["hands_on"] = hands_on(self.tree)
        return bool(self._notes["hands_on"])

    @property
    def imports(self) -> list[Imported]:
        """All that it imports when it is run."""
        if "imports" not in self._notes:
            self._notes["imports"] = [*_imported(self.tree)]
        return [Imported(*said) for said in self._notes["imports"]]

    @property
    def normal(self) -> str:
        """The SHA-256 of its normal form, in hex."""
        if "normal" not in self._notes:
            self._notes["normal"] = hashlib.sha256(normal_form(self.tree).encode()).hexdigest()
        return str(self._notes["normal"])


def _imported(tree: ast.Module) -> Iterator[Imported]:
    for node in imports(tree):
        for alias in node.names:
            if isinstance(node, ast.Import):
                yield Imported(0, alias.name, "")
            else:
                yield Imported(node.level, node.module or "", alias.name)


class _Kept:
    """The cache file, read on first use."""

    def __init__(self) -> None:
        self._before = ""

    @cached_property
    def _place(self) -> Path | None:
        with contextlib.suppress(NotImplementedError):
            return Path(cache_from_source(__file__)).with_suffix(".json")
        return None

    @cached_property
    def _way(self) -> str:
        """How sources are read: by this, and by what writes normal forms."""
        ways = [Path(__file__), Path(__file__).with_name("normal.py")]
        return hashlib.sha256(b"".join(way.read_bytes() for way in ways)).hexdigest()

    @cached_property
    def _known(self) -> dict[str, dict[str, Any]]:
        try:
            self._before = self._place.read_text() if self._place else ""
            said = json.loads(self._before)
            return dict(said["known"]) if said["way"] == self._way else {}
        except (OSError, ValueError, LookupError, TypeError):
            return {}

    def about(self, data: bytes) -> dict[str, Any]:
        """Return the known properties of a source; additions to this dict are saved by `keep`."""
        found = self._known.setdefault(hashlib.sha256(data).hexdigest(), {})
        return found if isinstance(found, dict) else {}

    def keep(self) -> None:
        """Save what was learned since the cache was read, if anything."""
        with contextlib.suppress(OSError):
            known = dict([*self._known.items()][-MOST_KEPT:])
            now = json.dumps({"way": self._way, "known": known})
            if now == self._before or self._place is None or sys.dont_write_bytecode:
                return
            self._place.parent.mkdir(parents=True, exist_ok=True)
            beside = self._place.with_suffix(f".{os.getpid()}")
            try:
                beside.write_text(now)
                beside.replace(self._place)
            finally:
                beside.unlink(missing_ok=True)
            self._before = now


_KEPT = _Kept()
