"""Locks between the programs of one host that work on every system: each is an empty SQLite file, locked by SQLite.

Programs that work in a folder share a lock while its store is open; a program that replaces the store locks it exclusively.

A lock ends with the program that holds it, however that ends. The file remains, and stays empty. Only SQLite opens it: if a process
closes a file in another way, its locks on the file are lost (POSIX).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem import private
from pbem.errors import StoreAway, UsageError
from pbem.i18n import _

_WORKING = "working"


class Lock:
    """A lock that is held until `close`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def close(self) -> None:
        """Let it go."""
        self._connection.close()


def shared(path: Path, wait: float = 0) -> Lock | None:
    """Return a lock that others may share, or None where somebody is alone there for `wait` seconds. Raises OSError."""
    return _locked(path, wait, "begin", "select count(*) from sqlite_master")


def alone(path: Path, wait: float = 0) -> Lock | None:
    """Return a lock that nobody shares, or None where others hold it for `wait` seconds. Raises OSError."""
    return _locked(path, wait, "begin exclusive")


@contextmanager
def at_once(path: Path) -> Iterator[bool]:
    """Be alone there, if nobody is there now; is that so? Raises OSError."""
    lock = alone(path)
    try:
        yield lock is not None
    finally:
        if lock is not None:
            lock.close()


@contextmanager
def writable(folder: Path) -> Iterator[None]:
    """Raise WorldError where a lock in a folder cannot be made."""
    try:
        yield
    except OSError as error:
        raise StoreAway(
            _("The host's folder {folder} cannot be written to: {why}.", folder=folder, why=error.strerror)
        ) from error


def present(folder: Path) -> Lock:
    """Be at work in a folder, until the lock that is returned is closed. Raises WorldError where its store is being replaced."""
    with writable(folder):
        lock = shared(folder / _WORKING, wait=1)  # one who tries to be alone, and cannot, is in the way for a moment
    if lock is None:
        raise StoreAway(_("The store in {folder} is being replaced by a backup. Try again.", folder=folder))
    return lock


@contextmanager
def nobody_else(folder: Path) -> Iterator[None]:
    """Be alone in a folder. Raises UsageError while a program of the host is at work there."""
    with writable(folder):
        lock = alone(folder / _WORKING)
    if lock is None:
        raise UsageError(
            _("A host is at work in {folder}. Stop it first: what it decides now would be lost.", folder=folder)
        )
    try:
        yield
    finally:
        lock.close()


def _locked(path: Path, wait: float, *statements: str) -> Lock | None:
    if path.exists():
        private.shut(path)
    else:
        private.touch(path)
    connection = sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)
    try:
        for statement in statements:
            connection.execute(statement).fetchall()
    except sqlite3.Error as error:
        connection.close()
        if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return None
        raise OSError(0, str(error), str(path)) from error
    return Lock(connection)
