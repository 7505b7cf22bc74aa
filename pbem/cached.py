"""What is made once and kept: in memory for the next report, and in the user's cache folder for the next command.

The folder is `pbem` in `XDG_CACHE_HOME` or `~/.cache`. Compiled templates are code, so it is used only if nobody but its owner can
put anything there: it belongs to the user, only the user can open it, and no other user can rename it or a folder above it.
Otherwise nothing is kept, and each command makes everything itself. A file is found by the hash of what it was made from and of the
versions that made it. It contains the hash of its content, so a damaged file counts as missing. You can delete the folder at any
time.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from operator import is_
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pbem import __version__, private

if TYPE_CHECKING:
    from jinja2 import BytecodeCache
    from jinja2.bccache import Bucket

MOST = 4000
"""The maximum number of files of one kind; beyond it, the older half is deleted."""
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
        files = list(place.parent.iterdir())
        for old in sorted(files, key=lambda file: file.stat().st_mtime)[: len(files) // 2 if len(files) > MOST else 0]:
            old.unlink()


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


@cache
def made_by(package: str, *files: str) -> str:
    """Return the version of an installed package, with a digest of the files that it works with."""
    from importlib.metadata import version

    return f"{version(package)} {hashlib.sha256(b''.join(Path(file).read_bytes() for file in files)).hexdigest()}"


def compiled_templates(settings: bytes) -> BytecodeCache:
    """Return where Jinja keeps its templates compiled; `settings` is what the templates' meaning depends on beside their text."""
    import jinja2

    versions = jinja2.__version__.encode()

    class Compiled(jinja2.BytecodeCache):
        def load_bytecode(self, bucket: Bucket) -> None:
            if (found := read("templates", [versions, settings, bucket.key, bucket.checksum])) is not None:
                bucket.bytecode_from_string(found)

        def dump_bytecode(self, bucket: Bucket) -> None:
            write("templates", [versions, settings, bucket.key, bucket.checksum], bucket.bytecode_to_string())

    return Compiled()


# in memory


class Hears(Protocol):
    """An object with a `view`, and beside that what it remembers of the facts that it has heard."""

    def hear(self, facts: Sequence[Any]) -> Any:
        """Take in facts."""
        ...


M = TypeVar("M", bound=Hears)
_HEARD: deque[tuple[type, str, tuple[Any, ...], dict[str, Any]]] = deque(maxlen=64)


def heard(new: M, whose: str, facts: Sequence[Any]) -> M:
    """Let a new memory take in facts. It begins with what an earlier one of the same seat remembers of their beginning.

    The beginning must be the same objects, as a host has them: a report then costs what is new in it.
    """
    begun = (
        (told, memory) for kind, seat, told, memory in _HEARD
        if kind is type(new) and seat == whose and len(told) <= len(facts) and all(map(is_, told, facts))
    )  # fmt: skip
    told, memory = next(begun, ((), {}))
    vars(new).update({name: _apart(value) for name, value in memory.items() if name != "view"})
    new.hear(facts[len(told) :])
    _HEARD.appendleft((type(new), whose, tuple(facts), vars(new)))
    return new


def _apart(value: Any) -> Any:
    """Return a copy of dictionaries and sets, in each other as well."""
    if isinstance(value, dict):
        return {key: _apart(one) for key, one in value.items()}
    return set(value) if isinstance(value, set) else value
