"""Moving a store from a file into a database, or back: every table, row for row, with the same row numbers.

The source is read as of one moment. The copy is read again and compared; it then exists as a whole, or not at all. The source
keeps everything, with a note that it has moved: nothing is decided there any more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from pbem import private
from pbem.errors import UsageError, WorldError
from pbem.i18n import _

from .file import MOVED, StoreFile
from .memory import Store
from .schema import had, tables
from .server import StoreServer, rows_of
from .words import is_server, shown

_AT_ONCE = 500
"""The number of rows sent together."""


def move(source: Path | str, to: Path | str) -> dict[str, int]:
    """Copy a store to a place where there is none; return the number of rows per table. Raises UsageError or WorldError."""
    if not is_server(to) and Path(to).exists():
        raise UsageError(_("There is a file {path} already; name another one.", path=to))
    with closing(Store(source)) as store, _gone_from(store, str(to)):
        if not is_server(to):
            return write_file(store, Path(to))
        rows: dict[str, int] = {}
        with store.one_look():
            StoreServer(str(to), new=True, fill=lambda target: rows.update(copied(store.place, target))).db.close()
        return rows


@contextmanager
def _gone_from(store: Store, to: str) -> Iterator[None]:
    """While a store is read that is being moved, and behind that, nobody decides anything in it: a mail server's pipe, a timer or
    another machine would write where nobody looks any more. Where the move fails it is as it was before.
    """
    before = store.note(MOVED)
    store.place.note_moved(shown(to) if is_server(to) else str(Path(to).absolute()))
    try:
        yield
    except BaseException:
        store.place.note_moved(before)
        raise


def write_file(store: Store, to: Path) -> dict[str, int]:
    """Write an open store into a file of its own, in place of an older one; return how many rows each table has.

    Raises WorldError.
    """
    part = to.with_name(f"{to.name}{private.PART}")
    try:
        _away(part)
        target = StoreFile(part, new=True, changes=len(had(store.db, to)))
        with closing(target.db):
            with store.one_look(), target.decision():
                rows = copied(store.place, target)
            target.db.execute("pragma wal_checkpoint(truncate)").fetchall()
        private.move(part, to)
    except (OSError, sqlite3.Error) as error:
        raise WorldError(_("The store could not be written to {to}: {why}.", to=to, why=error)) from error
    finally:
        with suppress(OSError):
            _away(part)
    return rows


def _away(part: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        Path(f"{part}{ending}").unlink(missing_ok=True)


def copied(source: StoreFile | StoreServer, target: StoreFile | StoreServer) -> dict[str, int]:
    """Copy all rows into new tables; return the number of rows per table. Raises WorldError if the copy differs."""
    count: dict[str, int] = {}
    for table in tables(target.db):
        columns, rows = rows_of(source.db, table)
        count[table] = 0
        while some := list(islice(rows, _AT_ONCE)):
            _put_all(target, table, columns, some)
            count[table] += len(some)
        _go_on_counting(source, target, table)
        if not _same(rows_of(source.db, table)[1], rows_of(target.db, table)[1]):
            raise WorldError(
                _("The table {table} is not the same after it was copied; nothing has been moved.", table=table)
            )
    count["meta"] -= target.db.execute("delete from meta where name = ?", [MOVED]).rowcount  # here it is
    return count


def _put_all(target: StoreFile | StoreServer, table: str, columns: list[str], rows: list[dict[str, Any]]) -> None:
    sql = f"insert into {table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"  # noqa: S608 - our own words
    values = [tuple(row.values()) for row in rows]
    if isinstance(target, StoreServer):
        target.db.execute_many(sql, values)
    else:
        target.db.conn.executemany(sql, values)


def _same(here: Iterable[dict[str, Any]], there: Iterable[dict[str, Any]]) -> bool:
    return all(one == other for one, other in zip_longest(here, there))


def _go_on_counting(source: StoreFile | StoreServer, target: StoreFile | StoreServer, table: str) -> None:
    """Let the rows to come be numbered behind all that ever were, where numbers are not given twice."""
    last = source.last_number(table)
    if last:
        target.count_from(table, last)
