"""The host's disk: SQLite as it is, between two statements of which the program can be killed, or the disk full or taken."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal
from unittest.mock import patch

from pbem import private
from pbem.mail.maildir import Maildir

if TYPE_CHECKING:
    from .world import World

_READS = ("select", "pragma", "explain", "with", "savepoin", "release")
_WRITES = ("insert", "update", "delete", "replace", "commit")
_NO_SPACE = 28


class Disk:
    """Where the host's store lies."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.full = self.busy = False

    def may_write(self, sql: str) -> None:
        """Before a statement: is there a program still, and room?"""
        word = sql.lstrip()[:8].lower()
        if word.startswith(_READS):
            if self.world.sim.now is not None and self.world.sim.now.program.dead:
                self.world.sim.seam()
            return
        if word.startswith("insert") and "inbox" in sql[:40]:
            self.world.troubles.takes_a_mail()
        self.world.sim.seam()
        if word.startswith("rollback"):
            return
        if self.full and word.startswith(_WRITES) and self.world.chance.random() < 0.5:
            raise _error("database or disk is full", "SQLITE_FULL")
        if self.busy and word.startswith("begin") and self.world.chance.random() < 0.5:
            raise _error("database is locked", "SQLITE_BUSY")

    @contextmanager
    def instead_of_the_disk(self) -> Iterator[None]:
        """Let every store of the host lie here."""
        disk, sim = self, self.world.sim
        opened, done, opened_db = private.opened, Maildir.done, sqlite3.connect

        class Connection(sqlite3.Connection):
            def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
                try:
                    disk.may_write(sql)
                    if "dies over" in str(args) and sql.lower().startswith("insert"):
                        disk.world.troubles.decides_once_more()
                except sqlite3.Error:
                    if self.in_transaction and (sql.lower().startswith("commit") or disk.world.chance.random() < 0.5):
                        self.rollback()  # as SQLite does by itself
                    raise
                return super().execute(sql, *args)

            def __exit__(self, kind: object, error: object, trace: object) -> Literal[False]:
                if kind is None:
                    try:
                        disk.may_write("commit")
                    except sqlite3.Error:
                        self.rollback()
                        raise
                elif sim.now is not None and sim.now.program.dead:
                    return False  # what was not committed is gone with the program
                super().__exit__(kind, error, trace)  # type: ignore[arg-type]
                sim.seam()
                return False

        def connect(path: Any, **how: Any) -> sqlite3.Connection:
            db: sqlite3.Connection
            if "mode=ro" in str(path):  # who looks on
                db = opened_db(path, **how)
                return db
            db = opened_db(path, **how | {"factory": Connection, "check_same_thread": False})
            db.execute("pragma synchronous = off")
            if sim.now is not None:
                sim.now.program.leave.append(db.close)
            return db

        def open_or_not(path: Path, mode: Literal["wb", "ab", "r+b"]) -> IO[bytes]:
            if disk.full and sim.now is not None and disk.is_the_hosts(path) and not path.exists():
                raise OSError(_NO_SPACE, "No space left on device", str(path))
            return opened(path, mode)

        def move(box: Maildir, path: Path) -> None:
            sim.seam()
            done(box, path)
            disk.world.taken_out(path.name)
            sim.seam()

        with (
            patch("sqlite3.connect", connect),
            patch("pbem.private.opened", open_or_not),
            patch.object(Maildir, "done", move),
            patch("os.fsync", lambda _: None),
        ):
            yield

    def is_the_hosts(self, path: Path) -> bool:
        """Does a file lie in the host's folder?"""
        return self.world.home in path.parents


def _error(said: str, name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(said)
    error.sqlite_errorname = name
    return error
