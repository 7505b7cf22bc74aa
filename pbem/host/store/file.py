"""The file of a host's store: found and opened, checked, and written to in whole decisions; updated only where that is wanted.

It knows the tables only through `schema`. `with store.decision():` makes its content one transaction: a decision is stored as a
whole or not at all.

A missing store is only created on request. Otherwise an unmounted disk would swallow every order.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TypeVar

from sqlite_utils import Database
from sqlite_utils.db import Column, Table

from pbem import private
from pbem.errors import StoreAway, StoreDamaged, StoreError, WorldError, system_said
from pbem.i18n import _

from .batches import Batches
from .older import Older, OlderStore, check_in_use
from .reading import connected, read_only
from .schema import MIGRATIONS, had, names

T = TypeVar("T")

STORE = "pbem.sqlite"
"""The name of the file in a host's folder."""
KEPT_BY = "the host's key"
"""The note of the store's owner: the fingerprint of a host's key."""

MOVED = "moved to"
"""The note of a store that has been moved: where it is. Nothing is decided in it any more."""

FULL = 1024 * 1024
"""With fewer bytes free a disk is full: SQLite calls that an I/O error as often as not."""
_OF_THE_WORLD = tuple(
    f"SQLITE_{name}" for name in ("FULL", "IOERR", "BUSY", "LOCKED", "READONLY", "CANTOPEN", "CORRUPT", "NOTADB")
)
"""Faults of the disk, or of another program that locks the store."""
_OF_THE_FILE = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
"""Those that stay until somebody puts the file right."""


def is_of_the_world(error: Exception) -> bool:
    """Does an error come from disk, machine or another program, so that the same may go well later?"""
    return isinstance(error, WorldError) or (
        isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorname", "").startswith(_OF_THE_WORLD)
    )


def damaged(path: Path, why: str) -> StoreDamaged:
    """Return the error for a damaged store."""
    return StoreDamaged(
        _(
            "The host's store {path} is damaged ({why}). Trying again does not help. Stop the host, keep "
"a copy of the file and check the disk. “pbem host restore BACKUP --replace” restores a "
"backup; the players' copies restore later entries.",
            path=path, why=why,
        )
    )  # fmt: skip


def unusable(path: Path, error: sqlite3.Error) -> WorldError:
    """Return the error for an unusable store: that it is damaged, or that trying again may help."""
    if getattr(error, "sqlite_errorname", "").startswith(_OF_THE_FILE):
        return damaged(path, str(error))
    return StoreAway(
        _("The host's store {path} cannot be used now: {why}. Try again.", path=path, why=_why(path, error))
    )


def _why(path: Path, error: sqlite3.Error) -> str:
    """Return what SQLite said, and what it doesn't say: that the disk is full."""
    if (free := shutil.disk_usage(path.parent).free) >= FULL:
        return str(error)
    return _("{error}; {kb} kB are free on its disk: make room, old backups or logs", error=error, kb=free // 1024)


def moved(path: Path | str, to: str) -> StoreError:
    """Return the error for a store that has been moved elsewhere: decisions in it would now be lost."""
    return StoreError(
        _(
            "The host's store {path} was moved to {to}. Change the line “store” of host.toml to that (or "
"remove the line, if the store is pbem.sqlite in the host's folder). If the move was "
"interrupted, type “pbem host move-store” again. If the new store is lost, restore this one "
"with “pbem host restore”. Until then no mail is taken.",
            path=path, to=to,
        )
    )  # fmt: skip


class KnownTable(Table):
    """A table of a store: it is there, and its columns stay as they are while the store is open.

    sqlite-utils asks the file for both before each row that it reads or writes; here it is asked once.
    """

    def exists(self) -> bool:
        """Is it there? Opening the store has seen to that."""
        return True

    @cached_property
    def columns(self) -> list[Column]:
        """Its columns, as the file said at first."""
        return super().columns


class KnownDatabase(Database):
    """A database with an SQLite that updates on conflict, as every version does since 3.24.

    sqlite-utils finds that out by making a table. Where the disk is full at that moment, it believes that SQLite cannot, for as
    long as the database is open. Its other way of inserting loses each row that has a column without a default, and says nothing.
    """

    @property
    def supports_on_conflict(self) -> bool:
        """Does it? A test of the file would tell less: an older SQLite refuses the first statement with an error."""
        return True


class StoreFile:
    """The open file of one host's store.

    `new`: if there is none, an empty one is created, with the first `changes` migrations (default: all). Raises StoreError if there
    is none otherwise, or if the file is not a store. `older`: what is done with one of an older pbem.
    `reading`: nothing is written, neither here nor beside it, so its disk may be read-only.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        new: bool = False,
        reading: bool = False,
        older: Older = "refuse",
        changes: int | None = None,
    ) -> None:
        self.path, self.bans, self.changes = Path(path).absolute(), 0, len(names()) if changes is None else changes
        try:
            self._find(new=new, reading=reading)
            connection = read_only(self.path) if reading else connected(self.path, "mode=rw")  # it makes no file
        except OSError as error:
            raise StoreError(
                _("The host's store {path} cannot be opened: {why}.", path=self.path, why=system_said(error))
            ) from error
        except sqlite3.Error as error:
            raise unusable(self.path, error) from error
        self.db = KnownDatabase(connection, execute_plugins=False)
        self.table = cache(partial(KnownTable, self.db))
        """Makes each table once."""
        self.rows = Batches(self.db, self.db.execute, lambda table: list(self.table(table).pks))
        try:
            self._open(new=new, older=older)
            self._file = self._at_path()
        except sqlite3.Error as error:
            self.db.close()
            raise unusable(self.path, error) from error
        except BaseException:
            self.db.close()
            raise

    def _find(self, *, new: bool, reading: bool) -> None:
        """Look for the file before SQLite does, which would take a missing one for an empty store, and throw its journal away."""
        there = [Path(f"{self.path}{ending}") for ending in ("", "-wal", "-shm")]
        if self.path.exists() and not self.path.is_file():
            raise StoreError(
                _("{path} is not a file; it should be the host's store. {help}", path=self.path, help=self._help())
            )
        if not self.path.exists() or not self.path.stat().st_size:
            if there[1].exists() and there[1].stat().st_size:
                raise StoreError(
                    _(
                        "The host's store {path} is missing or empty, but its journal {journal} is there, with the "
"last decisions. Put back the file that belongs to the journal, or move both away. {help}",
                        path=self.path, journal=there[1], help=self._help(),
                    )
                )  # fmt: skip
            if not new:
                raise StoreError(
                    _("The host's store {path} is missing. {help}", path=self.path, help=self._help())
                    if not self.path.exists()
                    else _("The host's store {path} is an empty file. {help}", path=self.path, help=self._help())
                )
            private.touch(self.path)  # what SQLite lays beside it is as private as the file itself
        for file in there if not reading else ():
            private.shut(file)

    def _open(self, *, new: bool, older: Older) -> None:
        self.db.execute("pragma foreign_keys = on")
        self.db.execute("pragma busy_timeout = 10000")
        if not (found := had(self.db, self.path)):
            if self.db.table_names():
                raise StoreError(
                    _(
                        "{path} is not a host's store: it contains other tables. {help}",
                        path=self.path,
                        help=self._help(),
                    )
                )
            if not new:
                raise StoreError(
                    _("The host's store {path} contains no tables. {help}", path=self.path, help=self._help())
                )
            self.db.enable_wal()
        if found and older == "refuse" and found != names():
            raise OlderStore(self.path, found, names())
        wanted = names()[: self.changes]
        if found != wanted and older != "leave":
            self.db.conn.execute("begin immediate")
            with self.db.conn:
                # it looks once more: another program may have been quicker
                MIGRATIONS.apply(self.db, stop_before=names()[len(wanted) :])
        self.changes = len(found if older == "leave" else wanted)

    def _help(self) -> str:
        return _(
            "Is its disk mounted, and is this the right folder? If the store is lost, “pbem host restore "
            "BACKUP” restores a backup. Without a backup, “pbem host init {folder}” makes an empty store "
            "for the same key. Until then no mail is taken.",
            folder=self.path.parent,
        )

    def _at_path(self) -> tuple[int, int]:
        """Return the system's numbers (device, inode) of the file now at the store's path. Raises StoreError if it has gone."""
        try:
            found = self.path.stat()
        except OSError as error:
            raise StoreError(
                _(
                    "The host's store {path} has gone while the host works: {why}. {help}",
                    path=self.path, why=system_said(error), help=self._help(),
                )
            ) from error  # fmt: skip
        return found.st_dev, found.st_ino

    CLAIMED = ""
    IN_FLIGHT = 0
    when_gone_back: Callable[[], None] | None = None

    def check_place(self) -> None:
        """Raise StoreError if the open file has gone from its path: decisions would be lost."""
        if self._at_path() != self._file:
            raise StoreError(
                _(
                    "Another file replaced the host's store {path} while the host was running. Restart the host.",
                    path=self.path,
                )
            )

    def note_moved(self, to: str) -> None:
        """Note where the store is being moved, or "" if it was not moved after all; later decisions here would be lost."""
        self.db.conn.execute("begin immediate")
        with self.db.conn:
            self.db.execute("delete from meta where name = ?", [MOVED])
            if to:
                self.db.execute("insert into meta (name, value) values (?, ?)", [MOVED, to])

    @contextmanager
    def decision(self) -> Iterator[None]:
        """One transaction; inside another one, a part that can fail by itself.

        It locks the store before anything is read, so that two programs of one host decide one after the other. Raises WorldError
        if the other one does not end, or the disk is full; then nothing has been written. Raises StoreError if the store is
        damaged, or its file has gone.
        """
        if self.db.conn.in_transaction:
            with self.rows.part():
                yield
            return
        self.check_place()
        try:
            self.db.conn.execute("begin immediate")
            with self.db.conn:
                check_in_use(self, self.path, MOVED, moved)
                with self.rows.gathered():
                    yield
        except sqlite3.Error as error:
            if not is_of_the_world(error):
                raise
            if getattr(error, "sqlite_errorname", "").startswith(_OF_THE_FILE):
                raise unusable(self.path, error) from error
            why = _why(self.path, error)
            raise StoreAway(_("The host's store cannot be written to now: {why}. Try again.", why=why)) from error

    def in_part(self, game: int | None, do: Callable[[], T], *, alone: str = "") -> T:
        """Decide something in one game, as anything: a file has one writer."""
        if self.db.conn.in_transaction:
            return do()
        with self.decision():
            return do()

    def if_free(self, game: int | None, do: Callable[[], T]) -> tuple[T, ...]:
        """Decide something in one game, after waiting for any other program at work on it."""
        return (self.in_part(game, do),)

    def want_all(self) -> None:
        """Each decision has the whole file."""

    @contextmanager
    def claims(self, what: str) -> Iterator[Callable[[str], bool]]:
        """Grant every claim: with a file, a lock in its folder does the same."""
        yield lambda _name: True

    @contextmanager
    def unclaimed(self, what: str) -> Iterator[bool]:
        """Grant every claim: with a file, a lock in its folder does the same."""
        yield True

    def is_free(self, table: str, number: int) -> bool:
        """Return True: programs decide one after the other, and then see the earlier decisions."""
        return True

    @contextmanager
    def one_look(self) -> Iterator[None]:
        """Read from a snapshot of one moment, regardless of concurrent writes; nothing may be written inside."""
        self.db.conn.execute("begin")
        try:
            yield
        finally:
            self.db.conn.rollback()

    # -- rows -------------------------------------------------------------------------------------------------------

    def numbered(self, table: str, columns: Mapping[str, object]) -> int:
        """Insert one row and return its row id."""
        # sqlite-utils' own `insert` looks at the table each time, and thinks about batches
        sql = f"insert into {table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"  # noqa: S608 - our own words
        return int(self.rows.at_once(table, sql, list(columns.values())).lastrowid or 0)

    def put_again(self, table: str, number: int, columns: Mapping[str, object]) -> None:
        """Change columns so that a row shrinks: delete and insert it, because otherwise its page is left almost empty."""
        with self.decision():
            self.rows.flush()
            row = self.table(table).get(number)
            self.rows.delete(table, {"id": number})
            self.rows.insert(table, row | dict(columns))

    def last_number(self, table: str) -> int:
        """Return the highest number given to a row of a table, including rows deleted since."""
        is_numbered = "without rowid" not in self.table(table).schema.lower()
        ((highest,),) = self.rows.read(f"select max(rowid) from {table}", ()) if is_numbered else ((0,),)  # noqa: S608 - our own words
        ((noted,),) = self.rows.read("select max(seq) from sqlite_sequence where name = ?", [table])
        return max(highest or 0, noted or 0)

    def count_from(self, table: str, last: int) -> None:
        """Let the next row of a table have a number behind that one, where its numbers are never given twice."""
        if "autoincrement" in self.table(table).schema.lower():
            self.db.execute("delete from sqlite_sequence where name = ?", [table])
            self.db.execute("insert into sqlite_sequence (name, seq) values (?, ?)", [table, last])

    # -- looking after it -------------------------------------------------------------------------------------------

    def size(self) -> int:
        """Return how many bytes it takes."""
        return self.path.stat().st_size

    def give_back(self) -> int:
        """Return unused space of the file to the disk if it exceeds a quarter of the file; return the number of bytes.

        The file is rewritten for that. It stays as it is while another program reads it, or if the disk has no room for both.
        """
        pages, free, size = (
            self.db.execute(f"pragma {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        if free * 4 <= pages:
            return 0
        try:
            self.db.execute("vacuum")
            self.db.execute("pragma wal_checkpoint(truncate)").fetchall()
        except sqlite3.OperationalError:
            return 0
        left = self.db.execute("pragma page_count").fetchone()[0]
        return int(size * (pages - left))

    def check(self) -> str:
        """Read the whole store and compare its tables with its indexes; return a sentence. Raises StoreError where it is damaged.

        It takes some seconds for a gigabyte and holds nobody up.
        """
        try:
            said = [str(row[0]) for row in self.db.conn.execute("pragma integrity_check(3)")]
        except sqlite3.Error as error:
            raise unusable(self.path, error) from error
        if said != ["ok"]:
            raise damaged(self.path, "; ".join(line for text in said for line in text.splitlines()))
        return _("The store {path} is whole.", path=self.path)
