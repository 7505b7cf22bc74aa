"""One connection to a PostgreSQL database, by psycopg 3, that takes the parts of the SQLite dialect that the store needs.

The fate of a transaction is settled before anything else is done. If the connection breaks during the commit, the next one asks the
server whether it was written (`_came_to_be`). A history of the server is identified by the server's own name and its timeline. A
server that replaces another, or was restored to an earlier moment, has another history (`history`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pbem.errors import StoreAway, StoreError, UsageError, WorldError, installing
from pbem.i18n import _

from .side_by_side import InTheWay
from .words import from_server, in_server, shown, to_server

if TYPE_CHECKING:
    from psycopg import Connection, Cursor

T = TypeVar("T")

WAIT = 10
"""The number of seconds for which a decision waits for the others."""
LONGEST = 120
"""The number of seconds for which a program may be silent during a decision before the server considers it dead."""
_PATIENCE = {
    "connect_timeout": 10, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 60_000,
}  # fmt: skip
"""The timeouts after which a server on a dead machine is given up."""
_CUT_OFF = ("25006", "25P03", "25P04")
"""What the server says (SQLSTATE) where it takes nothing but questions now, or has given up a program that was silent or slow."""
_GIVEN_UP = "25P02"
"""What it says to all that follows in a transaction in which a statement has failed."""
_TO_MEND = ("3F000", "42501", "42P01", "XX001", "XX002")
"""What it says where a schema or a table is gone, is another's, or is damaged: somebody has to see to that."""
LOOKS, PAUSE = 25, 0.2
"""The number of queries for the fate of a transaction, and the seconds between them."""


class ServerDatabase:
    """A connection to a database that takes the SQLite dialect: the part of the `sqlite_utils` interface that the store needs.

    Raises WorldError for outside causes: the server is stopped, the network is down, a lock does not come free. A connection lost
    outside a transaction is made again.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._watch: Any = None
        self.in_transaction = False
        self.sessions = 0
        """The number of connections so far: session state, such as locks, is lost with each."""
        self._broken = ""
        """Why a statement of this transaction has failed by no fault of the program; "" where none has."""
        self._unknown = ""
        """The number of a transaction of which nobody knows yet whether it was written."""
        self.conn = self._connected()

    def _connected(self) -> Connection[Any]:
        psycopg = driver()
        try:
            conn = psycopg.connect(self.address, autocommit=True, application_name="pbem", **_PATIENCE)
        except psycopg.ProgrammingError as error:
            raise UsageError(
                _("{address} is not the address of a database: {why}", address=shown(self.address), why=error)
            ) from error
        except psycopg.OperationalError as error:
            raise StoreAway(
                _(
                    "The host's store {path} cannot be used now. Is its server at work, and is what the line “store” of host.toml "
                    "says right: machine, name, password? Try again. It was said: {why}",
                    path=shown(self.address), why=" ".join(str(error).split()),
                )
            ) from error  # fmt: skip
        with self._told():
            conn.execute(f"set lock_timeout = '{WAIT}s'")
            conn.execute("set default_transaction_isolation = 'read committed'")
            conn.execute("set client_encoding = 'UTF8'")
            conn.execute("select set_config('application_name', 'pbem ' || current_schema(), false)")
            if conn.execute("show synchronous_commit").fetchone() == ("off",):  # what was told must not be lost
                conn.execute("set synchronous_commit = on")
            conn.execute(f"set idle_in_transaction_session_timeout = '{LONGEST}s'")
            for name, seconds in (
                ("idle", 30),
                ("interval", 10),
                ("count", 3),
            ):  # a machine that is gone holds no lock for long
                conn.execute(f"set tcp_keepalives_{name} = {seconds}")
        self.sessions += 1
        return cast("Connection[Any]", conn)

    @contextmanager
    def _told(self) -> Iterator[None]:
        psycopg = driver()
        try:
            yield
        except psycopg.Error as error:
            why = " ".join(str(error).split())
            if error.sqlstate in _TO_MEND:
                raise StoreError(
                    _(
                        "The host's store {path} cannot be used as it is: {why}. Trying again does not help. Check "
"the line “store” of host.toml, the owner of these tables, and the server's log. Until then "
"no mail is taken.",
                        path=shown(self.address), why=why,
                    )
                ) from error  # fmt: skip
            if error.sqlstate == _GIVEN_UP:  # whoever met the first failure could do without, and went on
                if not self._broken:
                    raise _not_written() from error
                why = self._broken
            elif (
                not isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError))
                and error.sqlstate not in _CUT_OFF
            ):
                raise
            self._broken = why if self.in_transaction else ""
            kind = InTheWay if isinstance(error, psycopg.errors.DeadlockDetected) else StoreAway
            raise kind(
                _("The host's store {path} cannot be used now: {why}. Try again.", path=shown(self.address), why=why)
            ) from error

    def begin(self, sql: str = "begin") -> tuple[Any, ...]:
        """Begin a transaction; return the row that the last statement gives. If the connection was lost, make another first."""
        try:
            cursor = self._again(lambda: self.execute(sql, None))
        except WorldError:
            if not self.conn.closed:
                self.undo()
            raise
        self.in_transaction, self._broken = True, ""
        while cursor.nextset():
            pass
        return cursor.fetchone() or () if cursor.description else ()

    def _again(self, do: Callable[[], T]) -> T:
        """Do what changes nothing once more where the connection had been lost before."""
        try:
            return do()
        except WorldError:
            if not self.conn.closed:
                raise
            return do()

    def undo(self) -> None:
        """End a transaction without a trace; where that cannot be said to the server, it does so when the connection ends."""
        try:
            self.execute("rollback", ())
        except WorldError:
            self.conn.close()
        finally:
            self.in_transaction = False

    def commit(self, number: str) -> None:
        """End the transaction of that number. Raises WorldError if nothing was written, or if that cannot be known now."""
        try:
            if self._watch is not None:
                self._watch("commit")
            with self._told():
                said = self.conn.execute("commit", prepare=False).statusmessage
        except WorldError:
            self.conn.close()
            self.in_transaction, self._unknown = False, number
            if not self._came_to_be():
                raise
            return
        finally:
            self.in_transaction = False
        if said != "COMMIT":  # a statement had failed, and somebody went on
            raise _not_written()

    def _came_to_be(self) -> bool:
        """Was the transaction written of which that is not known? Raises WorldError while nobody can tell."""
        number, self._unknown = self._unknown, ""
        for look in range(1, LOOKS + 1):
            try:
                # nobody speaks with that session any more: it waits for a word that does not come, and holds its locks
                self.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity where backend_xid = ?::xid8::xid", [number]
                )
                status = self._status(number)
            except WorldError as error:
                if look == LOOKS:
                    self._unknown = number
                    raise StoreAway(
                        _(
                            "It is not known yet whether the last decision was written. The host checks that before "
                            "doing anything more. {why}",
                            why=error,
                        )
                    ) from error
            else:
                if status != "in progress":
                    return status == "committed"
            time.sleep(PAUSE)
        self._unknown = number
        raise StoreAway(
            _("It is not known yet whether the last decision was written: the server is still at it. Try again.")
        )

    def _status(self, number: str) -> str:
        """What the server says of a transaction; one that it knows nothing of was never written there."""
        psycopg = driver()
        try:
            return str(next(self.query("select pg_xact_status(?::xid8) as status", [number]))["status"])
        except psycopg.DataError:
            return "unknown"

    def history(self) -> str:
        """Return which server this is and which timeline it writes; "" where it does not tell."""
        psycopg = driver()
        sql = (
            "select system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as history "
            "from pg_control_system()"
        )
        with suppress(psycopg.errors.InsufficientPrivilege):
            return str(self._again(lambda: next(self.query(sql)))["history"])
        return ""

    def set_trace_callback(self, watch: Any) -> None:
        """Let a function be called with every statement before it is sent."""
        self._watch = watch

    def execute(self, sql: str, args: Sequence[object] | Mapping[str, object] | None = ()) -> Cursor[Any]:
        """Do what a statement says; rows that come back are tuples, as the server has them. Without `args` it may be several."""
        if self._watch is not None:
            self._watch(sql)
        if not self.in_transaction:
            if self._unknown:
                self._came_to_be()
            if self.conn.closed:
                self.conn = self._connected()
        if args is None:
            with self._told():
                return self.conn.execute(sql, prepare=False)
        values = (
            {name: to_server(value) for name, value in args.items()}
            if isinstance(args, Mapping)
            else tuple(map(to_server, args))
        )
        with self._told():
            return self.conn.execute(in_server(sql), values)

    def read(self, sql: str, args: Sequence[object] | Mapping[str, object] = ()) -> Iterator[tuple[Any, ...]]:
        """Go through the rows of a query."""
        return self._read(self.execute(sql, args))

    def query(self, sql: str, args: Sequence[object] | Mapping[str, object] = ()) -> Iterator[dict[str, Any]]:
        """Go through the rows of a query, by the names of their columns."""
        cursor = self.execute(sql, args)
        names = [column.name for column in cursor.description or ()]
        return (dict(zip(names, row, strict=True)) for row in self._read(cursor))

    def _read(self, cursor: Cursor[Any]) -> Iterator[tuple[Any, ...]]:
        with self._told():
            rows = cursor.fetchall()
        return (tuple(map(from_server, row)) for row in rows)

    def stream(self, sql: str) -> Iterator[dict[str, Any]]:
        """Go through the rows of a query, a few at a time: all of them may be too much for the memory."""
        with self._told(), self.conn.cursor("stream", withhold=not self.in_transaction) as cursor:
            cursor.itersize = 500
            cursor.execute(in_server(sql), ())
            names = [column.name for column in cursor.description or ()]
            for row in cursor:
                yield dict(zip(names, map(from_server, row), strict=True))

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement with each of the given rows."""
        if self._watch is not None:
            self._watch(sql)
        with self._told(), self.conn.cursor() as cursor:
            cursor.executemany(in_server(sql), [tuple(map(to_server, row)) for row in rows])

    def table_names(self) -> list[str]:
        """Return the names of the tables, in order."""
        found = self.query("select tablename as name from pg_tables where schemaname = current_schema() order by 1")
        return [row["name"] for row in found]

    def heard(self, pause: float) -> list[int]:
        """Wait up to `pause` seconds for a notice of another session; return that session's number in a list."""
        with self._told():
            return [one.pid for one in self.conn.notifies(timeout=pause, stop_after=1)]

    @property
    def session(self) -> int:
        """The number that the server has given this connection."""
        return int(self.conn.info.backend_pid)

    def columns(self, table: str) -> list[str]:
        """Return the columns of a table that are written, in order: not those that follow from others."""
        sql = (
            "select column_name as name from information_schema.columns where table_schema = current_schema() "
            "and table_name = ? and is_generated = 'NEVER' order by ordinal_position"
        )
        return [row["name"] for row in self.query(sql, [table])]

    def primary_key(self, table: str) -> list[str]:
        """Return the columns of a table's primary key, in order."""
        sql = (
            "select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey) "
            "where indisprimary and indrelid = to_regclass(?) order by array_position(indkey::int2[], attnum)"
        )
        return [row["name"] for row in self.query(sql, [table])]

    def close(self) -> None:
        """Close it."""
        self.conn.close()


def _not_written() -> StoreAway:
    return StoreAway(_("The last decision was not written, because part of it failed. Try again."))


def news(address: str, is_over: Callable[[], bool], pause: float = 1) -> Iterator[int]:
    """Yield the session number of each notice, by other programs of a host, that there is something to send. Raises WorldError.

    After each `pause` seconds of silence it checks `is_over`.
    """
    db = ServerDatabase(address)
    try:
        channel = next(db.query("select quote_ident('pbem ' || current_schema()) as name"))["name"]
        db.conn.execute(f"listen {channel}")
        while not is_over():
            yield from db.heard(pause)
    finally:
        db.close()


def driver() -> Any:
    """Return the module that speaks with PostgreSQL. Raises UsageError where it is not installed."""
    try:
        import psycopg
    except ImportError as error:
        raise UsageError(
            _("A store in PostgreSQL needs psycopg, which is not installed here. {how}", how=installing("postgres"))
        ) from error
    return psycopg
