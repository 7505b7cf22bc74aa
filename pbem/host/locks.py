"""Locks between the programs of one host, which hold on every system: each is an empty SQLite file, locked as SQLite does it.

They end with the program that holds them, however it ends. The file stays, and stays empty. It is opened by nothing else: where
a process closes a file by another way, its locks on it are gone (POSIX).
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from pbem import private


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
