"""The file in which a host's store lies: found and opened, brought up to date, checked, and written to in whole decisions.

It knows no table but by `schema`. `with store.decision():` makes what is done inside one transaction: a decision is there whole
or not at all.

A store that is missing is never made by the way: a disk that is not mounted would eat every order. Only who says so makes one.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

from sqlite_utils import Database
from sqlite_utils.db import Column, Table

from pbem import private
from pbem.errors import StoreError, WorldError, system_said
from pbem.i18n import _

from .schema import MIGRATIONS, had, names

T = TypeVar("T")

STORE = "pbem.sqlite"
"""The name of the file in a host's folder."""
KEPT_BY = "the host's key"
"""The note of whose store it is: the fingerprint of a host's key."""

MOVED = "moved to"
"""The note of a store that has been moved: where it is. Nothing is decided in it any more."""

FULL = 1024 * 1024
"""With fewer bytes free a disk is full: SQLite calls that an I/O error as often as not."""
_OF_THE_WORLD = tuple(
    f"SQLITE_{name}" for name in ("FULL", "IOERR", "BUSY", "LOCKED", "READONLY", "CANTOPEN", "CORRUPT", "NOTADB")
)
"""Faults of the disk, or of another program that holds the store."""
_OF_THE_FILE = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
"""Those that stay until somebody puts the file right."""


def is_of_the_world(error: Exception) -> bool:
    """Does an error come from disk, machine or another program, so that the same may go well later?"""
    return isinstance(error, WorldError) or (
        isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorname", "").startswith(_OF_THE_WORLD)
    )


def damaged(path: Path, why: str) -> StoreError:
    """Return what is said of a store that is damaged."""
    return StoreError(
        _(
            "The host's store {path} is damaged ({why}). Trying again does not help. Stop the host, keep a copy of the file and "
            "look at the disk; “pbem host restore BACKUP --replace” brings a backup back, and the players' copies what came after "
            "it.",
            path=path, why=why,
        )
    )  # fmt: skip


def unusable(path: Path, error: sqlite3.Error) -> WorldError:
    """Return what is said where the store of that path cannot be used: is it damaged, or may the same go well later?"""
    if getattr(error, "sqlite_errorname", "").startswith(_OF_THE_FILE):
        return damaged(path, str(error))
    return WorldError(
        _("The host's store {path} cannot be used now: {why}. Try again.", path=path, why=_why(path, error))
    )


def _why(path: Path, error: sqlite3.Error) -> str:
    """Return what SQLite said, and what it doesn't say: that the disk is full."""
    if (free := shutil.disk_usage(path.parent).free) >= FULL:
        return str(error)
    return _("{error}; {kb} kB are free on its disk: make room, old backups or logs", error=error, kb=free // 1024)


def moved(path: Path | str, to: str) -> StoreError:
    """Return what is said of a store that has been moved elsewhere: what was decided in it now would be lost there."""
    return StoreError(
        _(
            "The host's store {path} has been moved to {to}: let the line “store” of host.toml name that (none, where it is "
            "pbem.sqlite of the host's folder). If the move was cut short, type “pbem host move-store” once more; if the new store "
            "is lost, bring this one back by “pbem host restore”. Until then no mail is taken.",
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
    """A database whose SQLite updates on conflict, as each one does since 3.24.

    sqlite-utils finds that out by making a table. Where the disk is full at that moment, it believes that SQLite cannot, for as
    long as the database is open. Its other way of inserting loses each row that has a column without a default, and says nothing.
    """

    @property
    def supports_on_conflict(self) -> bool:
        """Does it? A test of the file would tell less: an older SQLite refuses the first statement with an error."""
        return True


class StoreFile:
    """The file of one host's store, open.

    `new`: where there is none, an empty one is made. Raises StoreError where there is none otherwise, or what is there is no store.
    """

    def __init__(self, path: Path | str, *, new: bool = False) -> None:
        self.path = Path(path).absolute()
        try:
            self._find(new=new)
            connection = sqlite3.connect(f"{self.path.as_uri()}?mode=rw", uri=True)  # it makes no file
        except OSError as error:
            raise StoreError(
                _("The host's store {path} cannot be opened: {why}.", path=self.path, why=system_said(error))
            ) from error
        except sqlite3.Error as error:
            raise unusable(self.path, error) from error
        self.db = KnownDatabase(connection, execute_plugins=False)
        self.table = cache(partial(KnownTable, self.db))
        """Makes each table once."""
        self.read: Callable[[str, Sequence[Any] | dict[str, Any]], Iterator[tuple[Any, ...]]] = self.db.execute
        """Goes through the rows of a query. sqlite-utils' own `query` sets a savepoint around it: three statements for one."""
        try:
            self._open(new=new)
            self._file = self._at_path()
        except sqlite3.Error as error:
            self.db.close()
            raise unusable(self.path, error) from error
        except BaseException:
            self.db.close()
            raise

    def _find(self, *, new: bool) -> None:
        """Look for the file before SQLite does, which would take a missing one for an empty store, and throw its journal away."""
        there = [Path(f"{self.path}{ending}") for ending in ("", "-wal", "-shm")]
        if self.path.exists() and not self.path.is_file():
            raise StoreError(
                _("{path} is no file; the store of a host is to lie there. {help}", path=self.path, help=self._help())
            )
        if not self.path.exists() or not self.path.stat().st_size:
            if there[1].exists() and there[1].stat().st_size:
                raise StoreError(
                    _(
                        "The host's store {path} is missing or empty, but its journal {journal} is there, with what was decided "
                        "last. Put the file back that belongs to it, or move both aside. {help}",
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
        for file in there:
            private.shut(file)

    def _open(self, *, new: bool) -> None:
        self.db.execute("pragma foreign_keys = on")
        self.db.execute("pragma busy_timeout = 10000")
        if not (found := had(self.db, self.path)):
            if self.db.table_names():
                raise StoreError(
                    _("{path} is no store of a host: it holds other tables. {help}", path=self.path, help=self._help())
                )
            if not new:
                raise StoreError(
                    _("The host's store {path} holds no tables. {help}", path=self.path, help=self._help())
                )
            self.db.enable_wal()
        if found != names():
            self.db.conn.execute("begin immediate")
            with self.db.conn:
                MIGRATIONS.apply(self.db)  # it looks once more: another program may have been quicker

    def _help(self) -> str:
        return _(
            "Is its disk mounted, and is this the right folder? If the store is lost, “pbem host restore BACKUP” brings a backup "
            "back; without one, “pbem host init {folder}” makes an empty store for the same key. Until then no mail is taken.",
            folder=self.path.parent,
        )

    def _at_path(self) -> tuple[int, int]:
        """Which file stands at the store's path now, as the system numbers it."""
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
        """Raise StoreError where the file that is open does not stand at its path any more: what is decided would be lost."""
        if self._at_path() != self._file:
            raise StoreError(
                _(
                    "Another file has been put in the place of the host's store {path} while the host works. Start the host anew.",
                    path=self.path,
                )
            )

    def check_not_moved(self) -> None:
        """Raise StoreError where the store has been moved elsewhere."""
        for (to,) in self.read("select value from meta where name = ?", [MOVED]):
            raise moved(self.path, to)

    def note_moved(self, to: str) -> None:
        """Note where the store is being moved, or ("") that it was not: what is decided from then on would be lost."""
        self.db.conn.execute("begin immediate")
        with self.db.conn:
            self.db.execute("delete from meta where name = ?", [MOVED])
            if to:
                self.db.execute("insert into meta (name, value) values (?, ?)", [MOVED, to])

    @contextmanager
    def decision(self) -> Iterator[None]:
        """One transaction, inside another one a part of it that can fail by itself.

        It locks the store before anything is read, so that two programs of one host decide one after the other. Raises
        WorldError when the other one does not come to an end, or the disk is full: then nothing of it has been written.
        StoreError where the store is damaged, or its file has gone.
        """
        if self.db.conn.in_transaction:
            with self.db.atomic():
                yield
            return
        self.check_place()
        try:
            self.db.conn.execute("begin immediate")
            with self.db.conn:
                self.check_not_moved()
                yield
        except sqlite3.Error as error:
            if not is_of_the_world(error):
                raise
            if getattr(error, "sqlite_errorname", "").startswith(_OF_THE_FILE):
                raise unusable(self.path, error) from error
            why = _why(self.path, error)
            raise WorldError(_("The host's store cannot be written to now: {why}. Try again.", why=why)) from error

    def in_part(self, game: int | None, do: Callable[[], T], *, alone: str = "") -> T:
        """Decide something in one game, as anything: a file has one writer."""
        if self.db.conn.in_transaction:
            return do()
        with self.decision():
            return do()

    def if_free(self, game: int | None, do: Callable[[], T]) -> tuple[T, ...]:
        """Decide something in one game; who is at it is waited for."""
        return (self.in_part(game, do),)

    def want_all(self) -> None:
        """Each decision has the whole file."""

    @contextmanager
    def claims(self, what: str) -> Iterator[Callable[[str], bool]]:
        """Whoever does that in the folder of the file has a lock there."""
        yield lambda _name: True

    @contextmanager
    def unclaimed(self, what: str) -> Iterator[bool]:
        """Whoever does that in the folder of the file has a lock there."""
        yield True

    def is_free(self, table: str, number: int) -> bool:
        """One program decides after the other, and sees then what has been decided."""
        return True

    @contextmanager
    def one_look(self) -> Iterator[None]:
        """What is read inside is of one moment, whatever is written meanwhile; nothing is written inside."""
        self.db.conn.execute("begin")
        try:
            yield
        finally:
            self.db.conn.rollback()

    # -- rows -------------------------------------------------------------------------------------------------------

    def insert(self, table: str, columns: dict[str, Any]) -> int:
        """Insert one row and return its row id."""
        return int(str(self.table(table).insert(columns).last_rowid))

    def put(self, table: str, columns: dict[str, Any]) -> None:
        """Insert one row, or change these columns of the one with the same primary key."""
        self.table(table).upsert(columns)

    def change(self, table: str, pk: int | tuple[Any, ...], columns: Mapping[str, object]) -> None:
        """Change columns of one row. Raises LookupError where there is none."""
        if not columns:
            return
        # sqlite-utils' own `update` reads the row first, all bytes of a mail with it, and makes four statements
        new = ", ".join(f"{name} = ?" for name in columns)
        here = " and ".join(f"{name} = ?" for name in self.table(table).pks)
        values = [*columns.values(), *(pk if isinstance(pk, tuple) else (pk,))]
        if self.db.execute(f"update {table} set {new} where {here}", values).rowcount != 1:  # noqa: S608 - our own words
            raise LookupError(f"{table}: {pk}")

    def put_again(self, table: str, number: int, columns: Mapping[str, object]) -> None:
        """Change columns of a row that shrinks by that: it is taken out and put in again, else its page is left almost empty."""
        with self.decision():
            row = self.table(table).get(number)
            self.delete(table, {"id": number})
            self.insert(table, row | dict(columns))

    def delete(self, table: str, where: Mapping[str, object]) -> None:
        """Delete the rows in which these columns have these values."""
        here = " and ".join(f"{name} = ?" for name in where)
        self.table(table).delete_where(here or None, list(where.values()))

    def last_number(self, table: str) -> int:
        """Return the last number that a row of a table has been given, as far as that is not told by the rows themselves."""
        is_numbered = "without rowid" not in self.table(table).schema.lower()
        ((highest,),) = self.read(f"select max(rowid) from {table}", ()) if is_numbered else ((0,),)  # noqa: S608 - our own words
        ((noted,),) = self.read("select max(seq) from sqlite_sequence where name = ?", [table])
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
        """Give the disk back what the file does not use, where that is more than a quarter of it; return how many bytes.

        The file is written anew for that. While another program reads it, or the disk has no room for both, it stays as it is.
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
