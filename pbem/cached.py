"""What is made once and kept in the user's cache folder for the next command.

The folder is `pbem` in `XDG_CACHE_HOME` or `~/.cache`. Compiled templates are code. So the folder is used only if nobody but its
owner can put anything there. It belongs to the user, only the user can open it, and nobody can rename it or a folder above it.
Otherwise nothing is kept, and each command makes everything itself.

A file is found by the hash of its sources and of the versions that made it. It contains the hash of its content, so a damaged file
counts as missing. You can delete the folder at any time.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import __version__, private

if TYPE_CHECKING:
    from jinja2 import BytecodeCache
    from jinja2.bccache import Bucket

MOST, _COUNTS = 4000, "00"
"""The maximum number of files of one kind, and how the name of a file begins that has all counted: one in 256. If there are more,
the older half is deleted."""
_DIGEST = 32
_WRITABLE, _OTHERS = stat.S_IWGRP | stat.S_IWOTH, stat.S_IRWXG | stat.S_IRWXO


def kept(kind: str, made_from: Sequence[str | bytes], make: Callable[[], bytes]) -> bytes:
    """Return a kept file of a kind, found by the hash of its sources; make and keep it if there is none."""
    if (found := read(kind, made_from)) is not None:
        return found
    write(kind, made_from, made := make())
    return made


def read(kind: str, made_from: Sequence[str | bytes]) -> bytes | None:
    """Return what is kept, or None; also where a file is damaged."""
    place = _file(kind, made_from)
    with suppress(OSError):
        data = place.read_bytes() if place else b""
        if hashlib.sha256(data[_DIGEST:]).digest() == data[:_DIGEST]:
            return data[_DIGEST:]
    return None


def write(kind: str, made_from: Sequence[str | bytes], data: bytes) -> None:
    """Keep something if there is a private folder with room for it."""
    place = _file(kind, made_from)
    if place is None:
        return
    with suppress(OSError):  # with a full disk it is made again next time
        private.make_folder(place.parent)
        part = place.with_name(f"{place.name}.{os.getpid()}{private.PART}")
        private.write(part, hashlib.sha256(data).digest() + data)
        part.replace(place)
        if place.name.startswith(_COUNTS) and len(files := list(place.parent.iterdir())) > MOST:
            for old in sorted(files, key=lambda file: file.stat().st_mtime)[: len(files) // 2]:
                old.unlink()


def is_known(by: str, what: str, of: Sequence[str | bytes]) -> bool:
    """Return whether the present code of the package `by` has found this to be true, of just these bytes."""
    return read("found", [code_of(by), what, *of]) is not None


def note(by: str, what: str, of: Sequence[str | bytes]) -> None:
    """Note that the package `by` has found this to be true."""
    write("found", [code_of(by), what, *of], b"")


def true(by: str, what: str, of: Sequence[str | bytes], check: Callable[[], bool]) -> bool:
    """Return whether something is true: it was found before, or `check` says so now. It is checked again if it is not."""
    if is_known(by, what, of):
        return True
    if found := check():
        note(by, what, of)
    return found


@cache
def code_of(package: str, *more: str) -> str:
    """Return the sizes and times of an installed package's files, and of others that it works with; the package is not imported.

    Between two releases code changes under the same version.
    """
    folder = Path(str(find_spec(package).origin)).parent  # type: ignore[union-attr]
    own = [file for file in sorted(folder.rglob("*")) if file.suffix in (".py", ".so", ".pyd")]
    found = [(file.name, file.stat()) for file in (*own, *map(Path, more))]
    return " ".join(f"{name} {one.st_size} {one.st_mtime_ns}" for name, one in found)


def _file(kind: str, made_from: Sequence[str | bytes]) -> Path | None:
    """Return where something is kept, or None without a private folder."""
    where = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = _private_folder(where)
    digest = hashlib.sha256(f"{__version__} {sys.version}".encode())
    for part in made_from:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data) + data)
    return folder / kind / digest.hexdigest() if folder else None


@cache
def _private_folder(where: str) -> Path | None:
    with suppress(OSError, RuntimeError):  # nobody's home, or a disk that cannot be written to
        folder = Path(where).expanduser().resolve() / "pbem"
        if os.name == "posix" and folder.is_absolute():
            private.make_folder(folder)
            return folder if is_private(folder) else None
    return None


def is_private(folder: Path) -> bool:
    """Return whether a folder, no symbolic link, is the user's own, and others can neither use nor replace it."""
    user, found = os.getuid(), folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != user or found.st_mode & _OTHERS:
        return False
    above = [place.lstat() for place in folder.parents]
    return all(
        one.st_uid in (user, 0) and (not one.st_mode & _WRITABLE or one.st_mode & stat.S_ISVTX) for one in above
    )  # a folder for all, as /tmp, lets nobody rename what is another's


def compiled_templates(settings: bytes) -> BytecodeCache:
    """Return the store of Jinja's compiled templates; `settings` is what their meaning depends on, their text apart."""
    import jinja2

    versions = jinja2.__version__.encode()

    class Compiled(jinja2.BytecodeCache):
        def load_bytecode(self, bucket: Bucket) -> None:
            if (found := read("templates", [versions, settings, bucket.key, bucket.checksum])) is not None:
                bucket.bytecode_from_string(found)

        def dump_bytecode(self, bucket: Bucket) -> None:
            write("templates", [versions, settings, bucket.key, bucket.checksum], bucket.bytecode_to_string())

    return Compiled()
