"""The host's memory: one SQLite file, through sqlite-utils; its tables stand in `schema`.

It keeps games, seats, raw mail in, entries, attachments (and who holds them), answers, snapshots and the outbox. It decides
nothing. `with store.decision():` makes what is done inside one transaction: a decision is there whole or not at all.

A store that is missing is never made by the way: a disk that is not mounted would eat every order. Only who says so makes one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from pbem import private
from pbem.errors import StoreError, WorldError, system_said
from pbem.kernel import Json
from pbem.ledger import Attachment, Course, Entry, Log, after, make_attachment, make_entry, place_of, sha256_hex
from pbem.ledger.telling import heard
from pbem.referee import Key
from pbem.reports.told import said
from pbem.words import _

from .schema import bring_up_to_date, version

STORE = "pbem.sqlite"
"""The name of the file in a host's folder."""
WAITING, SENT, FAILED = 0, 1, 2
"""What `sent` says of a letter in the outbox: it is to be sent, it was, or its receiver's server refused it for good."""

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
    return WorldError(_("The host's store {path} cannot be used now: {why}. Try again.", path=path, why=error))


class Store:
    """The database of one host. Rows come and go as plain dicts.

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
        self.db = Database(connection)
        try:
            self.steps = self._open(new=new)
            """How many steps the schema was brought forward when the store was opened."""
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

    def _open(self, *, new: bool) -> int:
        self.db.execute("pragma foreign_keys = on")
        self.db.execute("pragma busy_timeout = 10000")
        if not self.db.table_names():
            if not new:
                raise StoreError(
                    _("The host's store {path} holds no tables. {help}", path=self.path, help=self._help())
                )
            self.db.enable_wal()
        elif not version(self.db):
            raise StoreError(
                _("{path} is no store of a host: it holds other tables. {help}", path=self.path, help=self._help())
            )
        return bring_up_to_date(self.db)

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

    def check_place(self) -> None:
        """Raise StoreError where the file that is open does not stand at its path any more: what is decided would be lost."""
        if self._at_path() != self._file:
            raise StoreError(
                _(
                    "Another file has been put in the place of the host's store {path} while the host works. Start the host anew.",
                    path=self.path,
                )
            )

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
                yield
        except sqlite3.Error as error:
            if not is_of_the_world(error):
                raise
            if getattr(error, "sqlite_errorname", "").startswith(_OF_THE_FILE):
                raise unusable(self.path, error) from error
            raise WorldError(_("The host's store cannot be written to now: {why}. Try again.", why=error)) from error

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

    def rows(self, sql: str, *args: object) -> list[dict[str, Any]]:
        """Return the rows of a query."""
        return list(self.db.query(sql, args))

    def row(self, sql: str, *args: object) -> dict[str, Any] | None:
        """Return the first row of a query, or None."""
        return next(iter(self.db.query(sql, args)), None)

    def insert(self, table: str, **columns: object) -> int:
        """Insert one row and return its row id."""
        return int(str(self.db.table(table).insert(columns).last_rowid))

    def put(self, table: str, **columns: object) -> None:
        """Insert one row, or replace the one with the same primary key."""
        self.db.table(table).insert(columns, replace=True)

    def change(self, table: str, pk: int | tuple[Any, ...], **columns: object) -> None:
        """Change columns of one row."""
        self.db.table(table).update(pk, columns)


class Heard:
    """What each seat of one game, and the public (""), has been told by its log: read once, and kept as the log grows.

    A report shows all that its seat ever heard; a host that keeps this reads only what has come since its last report.
    """

    def __init__(self) -> None:
        self.by_seat: dict[str, list[tuple[int, list[Json]]]] = {}
        """Entry and facts of every tell and say."""
        self._n, self._head = -1, ""

    def follow(self, ledger: StoredLedger) -> None:
        """Take in what a log has grown by; read it anew where what was read has been undone."""
        if self._head != ledger.hash_of(self._n):
            self.by_seat, self._n = {seat: [] for seat in ("", *ledger.seats)}, -1
        if self._n == ledger.n:
            return
        for n, entry in enumerate(ledger.entries(self._n + 1), self._n + 1):
            fact, tells = said(n, entry), entry["k"] == "tell"
            for seat, told in self.by_seat.items():
                if fact:
                    told.append((n, [fact]))
                elif tells and not seat:
                    told.append((n, entry["pub"]["facts"]))
                elif tells and (own := ledger.opened(n, seat)) is not None:
                    told.append((n, heard(entry["pub"], own)))
        self._n, self._head = ledger.n, ledger.head


class StoredLedger:
    """One game's log in the store: what the scribe writes into. `heard`: what was read of it before."""

    def __init__(self, store: Store, game: int, seats: Sequence[str], heard: Heard | None = None) -> None:
        self.store, self.game, self.seats, self.heard = store, game, tuple(seats), heard or Heard()
        last = store.row("select n, hash from entries where game = ? order by n desc limit 1", game)
        self.n: int = last["n"] if last else -1
        self.head: str = last["hash"] if last else "0" * 64
        self._course: Course | None = None
        self._kept = -1

    @property
    def next_n(self) -> int:
        return self.n + 1

    @property
    def course(self) -> Course:
        """How far the log has come: as it was kept last, and with the entries since."""
        if self._course is None:
            kept = self.store.row("select n, course from courses where game = ?", self.game)
            course, self._kept = (Course.load(json.loads(kept["course"])), kept["n"]) if kept else (Course(), -1)
            for fields in self.entries(self._kept + 1):
                course = after(course, fields)
            self._course = course
        return self._course

    def keep_course(self) -> None:
        """Keep how far the log has come, so that nobody has to read it from its beginning."""
        if self._course is not None and self._kept < self.n:
            course = json.dumps(self._course.dump(), separators=(",", ":"))
            self.store.put("courses", game=self.game, n=self.n, course=course)
            self._kept = self.n

    def append(self, fields: Mapping[str, Json]) -> str:
        course, entry = self.course, make_entry(self.next_n, self.head, fields)
        self.store.insert("entries", game=self.game, n=entry.n, hash=entry.hash, line=entry.line)
        self.n, self.head, self._course = entry.n, entry.hash, after(course, entry.fields)
        return entry.hash

    def attach(self, key: Key, digest: str, line: Sequence[Json], to: Iterable[str]) -> None:
        made = make_attachment(list(line))
        self.store.insert("attachments", game=self.game, key=_text(key), n=self.n, line=made.line)
        self.give(key, to)

    def digest(self, key: Key) -> str:
        row = self.store.row("select line from attachments where game = ? and key = ?", self.game, _text(key))
        return sha256_hex(row["line"]) if row else ""

    def give(self, key: Key, to: Iterable[str]) -> None:
        for seat in to:
            held = (
                "insert or ignore into held (game, seat, after_n, no, attachment) select game, :seat, :n, "
                "(select coalesce(max(no), 0) + 1 from held where game = :game and seat = :seat and after_n = :n), id "
                "from attachments where game = :game and key = :key"
            )
            self.store.db.execute(held, {"game": self.game, "seat": seat, "n": self.n, "key": _text(key)})

    def give_all(self) -> None:
        for row in self.store.rows("select key from attachments where game = ? order by n, id", self.game):
            self.give(tuple(json.loads(row["key"])), self.seats)

    def take_in(self, log: Log, copies: Mapping[str, Log], keyed: Iterable[tuple[Key, Attachment]]) -> None:
        """Keep a whole log that comes from elsewhere, and what each seat holds of it."""
        place, keys = place_of(log.entries), {}
        for entry in log.entries:
            self.store.insert("entries", game=self.game, n=entry.n, hash=entry.hash, line=entry.line)
        for key, attachment in keyed:
            keys[attachment.line] = key
            home = place(attachment)
            self.store.insert(
                "attachments", game=self.game, key=_text(key), n=home[0] if home else 0, line=attachment.line,
            )  # fmt: skip
        for seat, copy in copies.items():
            for line in copy.lines:
                if isinstance(line, Entry):
                    self.n = line.n
                else:
                    self.give(keys[line.line], [seat])
        self.n, self.head = log.head
        self._course = None

    # -- reading ----------------------------------------------------------------------------------------------------

    def entry(self, n: int) -> dict[str, Json]:
        """Return the fields of entry `n`."""
        row = self.store.row("select line from entries where game = ? and n = ?", self.game, n)
        return dict(json.loads(row["line"])) if row else {}

    def entries(self, first: int = 0) -> list[dict[str, Json]]:
        """Return the fields of every entry from `first` on."""
        rows = self.store.rows("select line from entries where game = ? and n >= ? order by n", self.game, first)
        return [json.loads(row["line"]) for row in rows]

    def hash_of(self, n: int) -> str | None:
        """Return h_n, or None where there is no such entry."""
        row = self.store.row("select hash from entries where game = ? and n = ?", self.game, n)
        return str(row["hash"]) if row else None

    def lines_for(self, seat: str, since: int) -> list[bytes]:
        """Return the lines that the copy of `seat` grows by after entry `since`, in the order of its growth."""
        entries = self.store.rows("select n, line from entries where game = ? and n > ? order by n", self.game, since)
        held = self.store.rows(
            "select after_n, line from held join attachments on attachments.id = attachment "
            "where held.game = ? and seat = ? and after_n > ? order by after_n, no",
            *(self.game, seat, since),
        )
        beside: dict[int, list[bytes]] = {}
        for row in held:
            beside.setdefault(row["after_n"], []).append(row["line"])
        return [line for entry in entries for line in (entry["line"], *beside.get(entry["n"], ()))]

    def told(self, seat: str, since: int) -> list[list[Json]]:
        """Return the facts told to `seat`, or to the public (""), after entry `since`, one list for each tell or say."""
        self.heard.follow(self)
        return [facts for n, facts in self.heard.by_seat.get(seat, ()) if n > since]

    def opened(self, n: int, seat: str) -> dict[str, Json] | None:
        """Return what entry `n` tells a seat alone, or None where that is not known here."""
        key = _text(("seal", "host", n, seat))
        row = self.store.row("select line from attachments where game = ? and key = ?", self.game, key)
        found = json.loads(row["line"])[6] if row else None
        return found if isinstance(found, dict) else None

    def whole(self) -> Log:
        """Return the log with all that the host holds, each attachment after its entry."""
        entries = self.store.rows("select n, line from entries where game = ? order by n", self.game)
        kept = self.store.rows("select line from attachments where game = ? order by n, id", self.game)
        data = b"".join(row["line"] + b"\n" for row in (*entries, *kept))
        return Log.parse(data).tidy()


def _text(key: Key) -> str:
    return json.dumps(list(key), separators=(",", ":"))
