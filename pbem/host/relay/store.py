"""What a relay keeps: sealed letters by box, in one SQLite file. A letter is on the disk before anybody is told that it is.

A box is the SHA-256 of its token. A letter has its bytes, the SHA-256 of them, and the day on which it came. It keeps nothing more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.db import Table

from pbem import private
from pbem.errors import StoreError, system_said
from pbem.i18n import _
from pbem.ledger import sha256_hex
from pbem.records import dataclass

FILE = "relay.sqlite"
"""The name of its file in a host's folder, and where “pbem relay” is started."""
_REPLY = 2 * 1024 * 1024
"""About the most bytes of letters in one reply; one letter goes in any case."""


@dataclass(frozen=True, slots=True)
class Room:
    """The most letters and bytes in a box, and the most bytes in all."""

    letters: int = 64
    box: int = 8 * 1024 * 1024
    all: int = 1024 * 1024 * 1024


class FullStore(StoreError):
    """A letter has no room."""


class RelayStore:
    """The letters in a file, which is made where it is missing. Raises StoreError where it cannot be used."""

    def __init__(self, path: Path, room: Room) -> None:
        self.path, self.room = path, room
        try:
            private.make_folder(path.parent)
            self._db = Database(sqlite3.connect(path))
            path.chmod(0o600)
            with self._guarded():
                self._db.execute("pragma journal_mode = wal")
                self._db.execute("pragma synchronous = full")  # a letter that was taken is on the disk
                self._db.execute("pragma secure_delete = on")
                Table(self._db, "letters").create(
                    {"box": str, "id": str, "bytes": bytes, "day": int}, pk=("box", "id"), if_not_exists=True
                )
                self._size = self._total()
        except OSError as error:
            raise StoreError(
                _("The relay's file {path} cannot be used: {why}", path=path, why=system_said(error))
            ) from error

    def post(self, box: str, sealed: bytes, day: int) -> tuple[str, bool]:
        """Keep a letter; return its id, and whether it is new here. Raises FullStore."""
        name = sha256_hex(sealed)
        with self._guarded():
            if self._one("select 1 from letters where box = ? and id = ?", box, name):
                return name, False
            letters, size = self._one(
                "select count(*), coalesce(sum(length(bytes)), 0) from letters where box = ?", box
            )
            if letters >= self.room.letters or size + len(sealed) > self.room.box:
                raise FullStore(_("The box is full: its reader has fetched nothing for a long time."))
            if self._size + len(sealed) > self.room.all:
                raise FullStore(_("The relay is full, and takes no letter at present."))
            Table(self._db, "letters").insert({"box": box, "id": name, "bytes": sealed, "day": day})
            self._size += len(sealed)
        return name, True

    def fetch(self, box: str) -> tuple[list[bytes], bool]:
        """Return the letters in a box, the oldest first, and whether there are more behind them."""
        found, size = list[bytes](), 0
        with self._guarded():
            for (sealed,) in self._db.execute("select bytes from letters where box = ? order by rowid", (box,)):
                size += len(sealed)
                if found and size > _REPLY:
                    return found, True
                found.append(sealed)
        return found, False

    def is_empty(self, box: str) -> bool:
        """Is nothing in a box?"""
        with self._guarded():
            return not self._one("select 1 from letters where box = ?", box)

    def delete(self, box: str, name: str) -> None:
        """Forget a letter, if it is there."""
        self._forget("box = ? and id = ?", [box, name])

    def forget(self, before: int) -> None:
        """Forget the letters that came before a day."""
        self._forget("day < ?", [before])

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _forget(self, where: str, what: list[object]) -> None:
        with self._guarded():
            Table(self._db, "letters").delete_where(where, what)
            self._size = self._total()

    def _total(self) -> int:
        return int(self._one("select coalesce(sum(length(bytes)), 0) from letters")[0])

    def _one(self, sql: str, *values: object) -> tuple[int, ...]:
        return self._db.execute(sql, values).fetchone() or ()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Raise what is wrong with disk or file as StoreError; FullStore for a full disk."""
        try:
            with self._db.conn:
                yield
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorname", "") == "SQLITE_FULL":
                raise FullStore(_("The relay is full, and takes no letter at present.")) from error
            raise StoreError(_("The relay's file {path} cannot be used: {why}", path=self.path, why=error)) from error
