"""Reading a host's store without writing, on a disk that may be read-only."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem import private


def read_only(path: Path) -> sqlite3.Connection:
    """Connect to a store's file without writing. SQLite makes its index of the journal beside the file. Where it cannot, the file
    itself is all that there is, or file and journal are read into memory. Raises sqlite3.Error."""
    connection = connected(path, "mode=ro")
    try:
        connection.execute("select count(*) from sqlite_master").fetchall()
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorname != "SQLITE_CANTOPEN":
            raise
        journal = Path(f"{path}-wal")
        if journal.exists() and journal.stat().st_size:
            return _in_memory(path, journal)
        return connected(path, "mode=ro&immutable=1")
    return connection


def connected(path: Path, how: str) -> sqlite3.Connection:
    """Connect to a file in the way that SQLite is told; no file is made."""
    return sqlite3.connect(f"{path.as_uri()}?{how}", uri=True)


def _in_memory(*files: Path) -> sqlite3.Connection:
    """Return the content of a store's file with its journal, both copied to a place where SQLite can work on them."""
    with TemporaryDirectory(prefix="pbem-") as place:
        for file in files:
            private.write(Path(place, file.name), file.read_bytes())
        with closing(sqlite3.connect(Path(place, files[0].name))) as copied:
            read = sqlite3.connect(":memory:")
            copied.backup(read)
    return read
