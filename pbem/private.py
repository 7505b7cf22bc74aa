"""Folders and files that only the user can read: folders 0700, files 0600, whatever the umask is.

Everything that a host or a player keeps is made here: keys, stores, copies of games, letters, notes. Files for others, such as
evidence or the page of a replay, are not. Windows has no such modes; there a folder is as private as its parent.

Files that must survive a power failure are written with `put` or `move`. These are atomic: when they return, the file is on the
disk with its name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Literal

PART = ".part"
"""So the name of a file ends that is being written."""
_OTHERS = 0o077
_POSIX = os.name == "posix"


def make_folder(path: Path) -> None:
    """Make a folder, with those above it that are missing; one that is there stays as it is."""
    if not path.is_dir():
        make_folder(path.parent)
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)


def opened(path: Path, mode: Literal["wb", "ab", "r+b"]) -> IO[bytes]:
    """Open a file to write into it; one that others could read is shut first."""
    return open(path, mode, opener=_opener)  # a Path's own `open` takes no opener


def write(path: Path, data: bytes) -> None:
    """Write a whole file. An OSError names it, as one of a disk that is full does not by itself."""
    with _naming(path), opened(path, "wb") as file:
        file.write(data)


def put(path: Path, data: bytes) -> None:
    """Write a whole file in place of an older one, so that after a crash the one or the other is there.

    An OSError names it; then the older one is there as it was, and nothing beside it.
    """
    path = path.resolve() if path.is_symlink() else path
    part = path.with_name(f"{path.name}{PART}")
    try:
        with _naming(path), opened(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise
    move(part, path)


def move(path: Path, to: Path) -> None:
    """Rename a file that is already on the disk, replacing any file of that name; the new name is on the disk, too."""
    path.replace(to)
    if _POSIX:  # elsewhere a folder cannot be opened
        folder = os.open(to.parent, os.O_RDONLY)
        try:
            with suppress(OSError):  # a file system of a network may know no such thing
                os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let what the system says of a file that is written say of which."""
    try:
        yield
    except OSError as why:
        if why.filename is None:
            why.filename = str(path)
        raise


def touch(path: Path) -> None:
    """Create an empty private file for a program that writes by its own means, or make an existing one private."""
    os.close(_opener(str(path), os.O_RDWR | os.O_CREAT))


def shut(path: Path) -> None:
    """Keep others from reading or changing a file or folder, if it exists; without effect if you do not own it."""
    if _POSIX:
        with suppress(FileNotFoundError, PermissionError):
            path.chmod(path.stat().st_mode & ~_OTHERS & 0o7777)


def open_to_others(path: Path) -> Iterator[Path]:
    """Yield what others on this machine can read or change: a file or folder, and its contents.

    Nobody else can reach the contents of a private folder.
    """
    with suppress(FileNotFoundError):  # a letter that was taken meanwhile
        if _POSIX and not path.is_symlink() and path.stat().st_mode & _OTHERS:
            yield path
            if path.is_dir():
                for inside in sorted(path.iterdir()):
                    yield from open_to_others(inside)


def _opener(path: str, flags: int) -> int:
    if Path(path).is_file():
        shut(Path(path))
    return os.open(path, flags, 0o600)
