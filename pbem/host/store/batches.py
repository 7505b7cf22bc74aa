"""What a decision reads and writes, in few statements: rows are read once, and written together.

Within a decision a query is answered from memory until one of its tables is written. What is written waits until one of its tables
is read, and rows of one kind go in one statement. So a decision sees its own writes, and the database sees few of them. Outside of
decisions everything happens at once.

A decision may have parts that can fail by themselves. The writes of a failed part are undone, also those that the database has.
All that waits is written at the end of an outermost part, so that the part fails if the database refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import Enum
from functools import cache, lru_cache
from itertools import count
from typing import Any, NamedTuple

MOST = 200
"""The maximum number of rows in one statement."""


class Rows(NamedTuple):
    """Rows that are inserted by one statement, which says `head`, their values, and `tail`."""

    head: str
    tail: str
    rows: Mapping[object, tuple[object, ...]]


class Change(NamedTuple):
    """New values in the row with a primary key."""

    pk: tuple[object, ...]
    columns: Mapping[str, object]


class Said(NamedTuple):
    """A statement."""

    sql: str
    values: Sequence[object]


class Begun(Enum):
    """A part of a decision. The database has no savepoint for this part yet, has one, or has one for this and the part around."""

    HERE, THERE, WITH = range(3)


@lru_cache(maxsize=1000)
def words_of(sql: str) -> frozenset[str]:
    """Return the words of a statement; the names of its tables are among them."""
    found = frozenset(re.findall(r"\w+", sql))
    return found | {"attachments"} if "held" in found else found  # a note that a seat has a line asks for its number


class Batches:
    """A store's rows, as they are read and written in decisions.

    `db` takes the statements, and `read` goes through the rows of a query. `key_of` tells the columns of a table's primary key.
    `may_write` is called before a row is written, with its primary key if it is there already.
    """

    def __init__(
        self,
        db: Any,
        read: Callable[[str, Sequence[object]], Iterator[tuple[Any, ...]]],
        key_of: Callable[[str], list[str]],
        may_write: Callable[[str, Mapping[str, object], Any], None] = lambda *_row: None,
    ) -> None:
        self._db, self._read, self._may_write = db, read, may_write
        self._key_of = cache(key_of)
        self._later: dict[str, list[Rows | Change | Said]] = {}
        self._seen: dict[frozenset[str], dict[tuple[str, tuple[object, ...]], list[tuple[Any, ...]]]] = {}
        self._parts: list[Begun] | None = None
        """The parts that have begun; None: no decision is being made."""
        self._count = count()

    # -- decisions ----------------------------------------------------------------------------------------------------

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Make a decision inside a transaction that has begun."""
        self._parts = []
        try:
            yield
            self.flush()
        finally:
            self._parts = None
            self._later.clear()
            self._seen.clear()

    @contextmanager
    def part(self) -> Iterator[None]:
        """Make a part of a decision that can fail by itself."""
        if self._parts is None:
            with self.gathered(), self.part():
                yield
            return
        before = {table: [*rows] for table, rows in self._later.items()}
        self._parts.append(Begun.HERE)
        try:
            yield
            if len(self._parts) == 1:
                self.flush()
        except BaseException:
            self._later = before
            self._seen.clear()
            if (begun := self._parts.pop()) != Begun.HERE:
                with suppress(
                    Exception
                ):  # where the database has undone the whole decision, it has no savepoint any more
                    self._db.execute("rollback to savepoint part")
                    if begun == Begun.THERE:
                        self._db.execute("release savepoint part")
            raise
        if self._parts.pop() == Begun.THERE:
            self._db.execute("release savepoint part")

    def flush(self, words: frozenset[str] | None = None) -> None:
        """Write what waits: all, or what concerns one of the tables that are named."""
        for table in sorted(self._later if words is None else words.intersection(self._later)):
            for one in self._later.pop(table):
                self._write(table, one)

    def _wait(self, table: str, one: Rows | Change | Said) -> None:
        """Let something wait to be written, with what waits already."""
        self._forget(table)
        waiting = self._later.setdefault(table, [])
        match waiting[-1] if waiting else None, one:
            case Rows() as last, Rows() if last[:2] == one[:2] and len(last.rows) < MOST:
                waiting[-1] = one._replace(rows={**last.rows, **one.rows})
            case Change() as last, Change() if last.pk == one.pk:
                waiting[-1] = one._replace(columns={**last.columns, **one.columns})
            case _:
                waiting.append(one)
        if self._parts is None:
            self.flush()

    def _forget(self, table: str) -> None:
        for words in [words for words in self._seen if table in words]:
            del self._seen[words]

    def _write(self, table: str, one: Rows | Change | Said) -> None:
        if isinstance(one, Rows):
            each = f"({', '.join('?' * len(next(iter(one.rows.values()))))})"
            sql = f"{one.head} values {', '.join([each] * len(one.rows))} {one.tail}"
            self._do(sql, [value for row in one.rows.values() for value in row])
        elif isinstance(one, Change):
            new = ", ".join(f"{name} = ?" for name in one.columns)
            here = " and ".join(f"{name} = ?" for name in self._key_of(table))
            sql = f"update {table} set {new} where {here}"  # noqa: S608 - our own words
            if self._do(sql, [*one.columns.values(), *one.pk]).rowcount != 1:
                raise LookupError(f"{table}: {one.pk}")
        else:
            self._do(one.sql, one.values)

    def _do(self, sql: str, values: Sequence[object]) -> Any:
        parts = self._parts or []
        if Begun.HERE in parts:
            self._db.execute("savepoint part")
            first = parts.index(Begun.HERE)
            parts[first:] = [Begun.THERE, *[Begun.WITH] * (len(parts) - first - 1)]
        return self._db.execute(sql, values)

    # -- rows -------------------------------------------------------------------------------------------------------

    def read(self, sql: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """Go through the rows of a query."""
        if self._parts is None:
            return self._read(sql, values)
        words, asked = words_of(sql), (sql, tuple(values))
        self.flush(words)
        seen = self._seen.setdefault(words, {})
        if asked not in seen:
            seen[asked] = list(self._read(sql, values))
        return iter(seen[asked])

    def run(self, sql: str, *values: object) -> Any:
        """Run a statement that changes rows; return its cursor."""
        self.flush()
        self._seen.clear()
        return self._do(sql, values)

    def at_once(self, table: str, sql: str, values: Sequence[object]) -> Any:
        """Run a statement that writes in one table; return its cursor."""
        self.flush(frozenset([table]))
        self._forget(table)
        return self._do(sql, values)

    def gather(self, table: str, head: str, tail: str, values: Sequence[object], key: object = None) -> None:
        """Insert what a statement makes of values: it says `head`, many such values, and `tail`. Under a key they wait once."""
        last = self._later.get(table, [None])[-1]
        if not (isinstance(last, Rows) and last.head == head and key in last.rows):
            self._wait(table, Rows(head, tail, {next(self._count) if key is None else key: tuple(values)}))

    def insert(self, table: str, columns: Mapping[str, object]) -> None:
        """Insert one row."""
        self._may_write(table, columns, None)
        self.gather(table, f"insert into {table} ({', '.join(columns)})", "", [*columns.values()])

    def put(self, table: str, columns: Mapping[str, object]) -> None:
        """Insert one row, or change these columns of the one with the same primary key."""
        self._may_write(table, columns, None)
        key = self._key_of(table)
        new = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in key)
        tail = f"on conflict ({', '.join(key)}) do {f'update set {new}' if new else 'nothing'}"
        row: dict[object, tuple[object, ...]] = {tuple(columns[name] for name in key): tuple(columns.values())}
        self._wait(table, Rows(f"insert into {table} ({', '.join(columns)})", tail, row))

    def change(self, table: str, pk: int | tuple[Any, ...], columns: Mapping[str, object]) -> None:
        """Change columns of one row. Raises LookupError, at the latest at the end of the decision, if there is none."""
        if columns:
            self._may_write(table, columns, pk)
            self._wait(table, Change(pk if isinstance(pk, tuple) else (pk,), columns))

    def delete(self, table: str, where: Mapping[str, object]) -> None:
        """Delete the rows in which these columns have these values."""
        self._may_write(table, where, 0 if table == "outbox" else None)
        here = " and ".join(f"{name} = ?" for name in where) or "true"
        self._wait(table, Said(f"delete from {table} where {here}", [*where.values()]))  # noqa: S608 - our own words
