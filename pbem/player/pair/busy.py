"""A lock for the games of two on a desk: a program that signs keeps it from its first read to its last write.

Without it, an open page and a command could sign two turns for the same entry. The operating system keeps the lock, and releases it
when a program ends, however it ends. The lock's file stays. While the lock is held, the file contains the process id of the holder.
A second program names that process, and does not wait for ever. The lock is missing if the system has none: in some network
folders, and in a browser, where tabs have a lock of their own.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EDEADLK
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar, cast

from pbem.errors import WorldError
from pbem.i18n import _

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path


P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="Alone")

TRIES = 150
"""The number of tries to get the lock. With the pauses they take half a minute, longer than any running program keeps it."""
UNTOLD = 50
"""How often by who cannot be told meanwhile what he waits for."""
_PAUSE = 0.2
_LOCKED = 1
"""The number of bytes locked at the start of the file; the process id after them stays readable even under a lock."""


class Alone(Protocol):
    """A seat with a game that one program at a time uses."""

    def alone(self) -> AbstractContextManager[None]:
        """Hold the lock of the game."""


class HeldError(WorldError):
    """Another program has the lock, and does not release it."""


@contextmanager
def held(path: Path, tell: Callable[[str], None] | None = None, tries: int = TRIES) -> Iterator[None]:
    """Hold the lock of a file; a second program is told by `tell`, and waits a while for the first.

    Raises HeldError after `tries` attempts.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    mine = False
    try:
        with suppress(OSError):
            _wait(file, path, tell, tries)
            mine = True
            _name(file, f"{os.getpid()}\n")
        yield
    finally:
        if mine:
            _name(file, "")
        os.close(file)


def _wait(file: int, path: Path, tell: Callable[[str], None] | None, tries: int) -> None:
    for n in range(tries):
        if take(file):
            return
        if n == 1 and tell is not None:  # what holds it for a moment is not worth a word
            tell(_told(file, path, _("This waits until it is done.")))
        if n + 1 < tries:
            pause()
    raise HeldError(_told(file, path, _("Nothing was done here: try again when it is done.")))


def pause() -> None:
    """Wait a little before the lock is asked for again."""
    time.sleep(_PAUSE)


def _told(file: int, path: Path, what: str) -> str:
    """Say who has the lock, and what can be done."""
    home = path.parent.parent
    told = _("Another program of yours is at work on the games of two in {home}.", home=home)
    way = _("If you have stopped one with Ctrl-Z, “fg” in its terminal resumes it.")
    if number := _holder(file):
        told = _(
            "Another program of yours, process {number}, is at work on the games of two in {home}.",
            number=number,
            home=home,
        )
        way = _(
            "If you stopped it with Ctrl-Z, “fg” in its terminal resumes it. Or end it (“kill -9 "
            "{number}”): everything it has signed is kept.",
            number=number,
        )
    return f"{told} {what} {way}"


def _holder(file: int) -> str:
    """Return the number of the process that has the lock; "" if it is not in the file."""
    said = b""
    with suppress(OSError):
        os.lseek(file, _LOCKED, os.SEEK_SET)
        said = os.read(file, 20)
    number = said.decode("ascii", "replace").strip()
    return number if number.isdecimal() else ""


def _name(file: int, number: str) -> None:
    """Leave the number of this process in the file, or take it away; a disk that is full keeps nobody from playing."""
    with suppress(OSError):
        os.ftruncate(file, 0)
        if number:
            os.lseek(file, _LOCKED, os.SEEK_SET)
            os.write(file, number.encode())


def take(file: int) -> bool:
    """Take the lock of an open file, if it is free. It is given back when the file is closed.

    Raises OSError where there are no locks.
    """
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:
        try:
            import msvcrt
        except ImportError:
            return True
        os.lseek(file, 0, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, _LOCKED)  # type: ignore[attr-defined]
        except OSError as why:
            if why.errno in (EACCES, EDEADLK):
                return False
            raise
    else:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return False
    return True


def in_turn(act: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Let no other program write between reading a game and writing it."""

    @wraps(act)
    def behind_others(seat: S, *args: P.args, **kwargs: P.kwargs) -> T:
        with seat.alone():
            return act(seat, *args, **kwargs)

    return cast("Callable[Concatenate[S, P], T]", behind_others)
