"""One program at a time in the games of two of a desk: whoever signs holds a lock from his first look to his last file.

A page that stands open and a command beside it would else sign two turns in one place. The system keeps the lock, and takes it
from a program that ends, however it ends; the file that bears it stays, and stays empty. Where there are no locks, as in a browser,
whose tabs have one of their own, or in some folders of a network, there is none here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EDEADLK
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from pathlib import Path

    from .notes import PairNotes
    from .shelf import PairShelf

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="PairShelf")


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock of a file; whoever comes second waits until the first is done."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        with suppress(OSError):
            take(file)
        yield
    finally:
        os.close(file)


def take(file: int) -> None:
    """Wait for the lock of an open file, and take it; it is given back when the file is closed. Raises OSError."""
    try:
        from fcntl import LOCK_EX, flock
    except ImportError:
        with suppress(ImportError):
            import msvcrt

            while True:
                try:
                    msvcrt.locking(file, msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined]
                except OSError as why:
                    if why.errno != EDEADLK:  # it gives up after ten seconds; then the other is busy still
                        raise
                else:
                    return
    else:
        flock(file, LOCK_EX)


def in_turn(act: Callable[Concatenate[S, PairNotes, P], T]) -> Callable[Concatenate[S, PairNotes, P], T]:
    """Let no other program come between what a method reads of a game and what it writes."""

    @wraps(act)
    def behind_others(self: S, notes: PairNotes, *args: P.args, **kwargs: P.kwargs) -> T:
        with self.alone(notes):
            return act(self, notes, *args, **kwargs)

    return cast("Callable[Concatenate[S, PairNotes, P], T]", behind_others)
