"""One program at a time in the games of two of a desk: whoever signs holds a lock from his first look to his last file.

A page that stands open and a command beside it would else sign two turns in one place. The system keeps the lock, and takes it
from a program that ends, however it ends; the file that bears it stays. As long as it is held the number of the process that does
stands in there, for whoever comes second: he says who it is, and does not wait for ever. Where there are no locks, as in a
browser, whose tabs have one of their own, or in some folders of a network, there is none here.
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
"""How often the lock is asked for; with the pauses half a minute, longer than any program holds it that is not stopped."""
UNTOLD = 50
"""How often by who cannot be told meanwhile what he waits for."""
_PAUSE = 0.2
_LOCKED = 1
"""Bytes that are locked at the beginning: where a lock keeps readers out, the number behind them is read all the same."""


class Alone(Protocol):
    """A seat at whose game one program at a time is."""

    def alone(self) -> AbstractContextManager[None]:
        """Hold the lock of the game."""


class HeldError(WorldError):
    """Another program holds the lock, and does not let it go."""


@contextmanager
def held(path: Path, tell: Callable[[str], None] | None = None, tries: int = TRIES) -> Iterator[None]:
    """Hold the lock of a file; whoever comes second is told so by `tell`, and waits a while until the first is done.

    Raises HeldError after so many tries.
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
    """Say who holds the lock, and what can be done."""
    home = path.parent.parent
    told = _("Another program of yours is at work on the games of two in {home}.", home=home)
    way = _("If you have stopped one with Ctrl-Z, “fg” in its terminal lets it go on.")
    if number := _holder(file):
        told = _(
            "Another program of yours, process {number}, is at work on the games of two in {home}.",
            number=number,
            home=home,
        )
        way = _(
            "If you have stopped it with Ctrl-Z, “fg” in its terminal lets it go on; or end it (“kill -9 {number}”): what it "
            "has signed stays.",
            number=number,
        )
    return f"{told} {what} {way}"


def _holder(file: int) -> str:
    """The number of the process that holds the lock; "" where it has not said."""
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
    """Take the lock of an open file, if nobody holds it: it is given back when the file is closed.

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
    """Let no other program come between what is read of a game and what is written."""

    @wraps(act)
    def behind_others(seat: S, *args: P.args, **kwargs: P.kwargs) -> T:
        with seat.alone():
            return act(seat, *args, **kwargs)

    return cast("Callable[Concatenate[S, P], T]", behind_others)
