"""A host's store in a PostgreSQL database: the same tables as in one file, with decisions made side by side.

A decision takes its locks in a fixed order: the store (shared or exclusive), its game, the addresses of its game. They end with the
transaction, however that ends, so a killed worker leaves nothing behind. A decision in one game alone shares the store; every other
has it exclusively, as with a file. `words` translates statements, `wire` handles broken connections during transactions, and
`side_by_side` limits the writes of a decision in one game.

The tables are in the schema that the address names (`?options=-csearch_path%3D…`); one schema holds one host. They are only created
on request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TypeVar
from zlib import crc32

from sqlite_utils import Database

from pbem.errors import StoreError, UsageError, WorldError
from pbem.i18n import _

from .batches import Batches
from .file import MOVED, moved
from .older import Older, OlderStore, check_in_use
from .rows import WAITING
from .schema import had, names, statements
from .side_by_side import InTheWay, OwnRows, WantsAll
from .wire import ServerDatabase
from .words import shown, table_in_server

T = TypeVar("T")

TRIES = 5
"""So often a decision is begun that others are in the way of."""
_NUMBERED_HERE = ("games",)
"""Tables with numbers that people read: a row that was not made in the end leaves no gap."""
_TOLD_OF = ("outbox", "doorstep")
"""Tables of outgoing letters: other programs of the host are notified of new rows."""
_ADDRESSES = """
from (
    select address, hashtext(lower(address)) as one
    from (select address from seats where game = ? union select address from observers where game = ?) as who order by 2
) as sorted
"""
"""The addresses of a game and the second halves of the keys of their locks, in the order in which they are taken."""
_STORE = "hashtext(current_schema())"
_TABLE = "to_regclass('meta')::oid::bigint"
"""The number of the table of notes: the server gives none twice, so one that a dump brings back has another."""


def _key(what: str) -> str:
    """The first half of the key of a lock; the second tells one game from another, or one address."""
    return f"hashtext(current_schema() || ' {what}')"


def _number(text: str) -> int:
    """Return a hash of a text for the second half of a lock key. Two texts with the same hash only wait for each other."""
    return crc32(text.encode("utf-8", "surrogatepass")) - 2**31


class StoreServer:
    """An open host's store in a database, with the interface of `StoreFile`.

    `new`: if there are no tables, they are created; with `fill`, in one transaction with its effects. Raises StoreError if there
    are none otherwise, or other tables. `older`: what is done with those of an older pbem.
    """

    def __init__(
        self,
        address: str,
        *,
        new: bool = False,
        older: Older = "refuse",
        fill: Callable[[StoreServer], None] | None = None,
    ) -> None:
        self.db: ServerDatabase = ServerDatabase(address)
        self.rows = Batches(self.db, self.db.read, self.db.primary_key, self._may_write)
        self.path, self.changes, self.bans = address, len(names()), 0
        self.shown = shown(address)
        self._columns: dict[str, list[str]] = {}
        self._own: OwnRows | None = None
        """The permitted writes of the present decision; None: all."""
        self._has_laid = False
        self._looked = -1
        """In which session it was seen which history the server writes; -1: not before the store is open."""
        self._table: object = None
        """The number of the table in which it was seen."""
        self.when_gone_back: Callable[[], None] | None = None
        """Called inside a decision if the server continues from an earlier moment than this store has seen."""
        try:
            self._open(fill, new=new, older=older)
            self._looked = 0
        except BaseException:
            self.db.close()
            raise

    def _open(self, fill: Callable[[StoreServer], None] | None, *, new: bool, older: Older) -> None:
        if fill is not None and self.db.table_names():
            raise UsageError(
                _("There are tables in {path} already; name another database, or another schema.", path=self.shown)
            )
        there, found = self.db.table_names(), had(self.db, self.shown)
        if not there:
            if not new:
                raise StoreError(
                    _(
                        "The host's store {path} contains no tables. Is it the right database? “pbem host init” "
                        "makes the tables for a host that no longer has any. “pbem host move-store” brings them from "
                        "elsewhere. Until then no mail is taken.",
                        path=self.shown,
                    )
                )
        elif not found:
            raise StoreError(_("{path} is not a host's store: it contains other tables.", path=self.shown))
        elif found == names() or older == "leave":
            self.changes = len(found)
            return
        elif older == "refuse":
            raise OlderStore(self.shown, found, names())
        history = "" if there else self.db.history()
        with self.decision():
            for sql, values in statements(had(self.db, self.shown)):  # another program may have been quicker
                self.db.execute(table_in_server(sql), values)
            if fill is not None:
                fill(self)
            if history:
                self._note_history(history)

    CLAIMED = " for update"
    """The suffix of a query that reserves its row until the decision is made."""
    IN_FLIGHT = 500
    """The maximum number of rows numbered by decisions that may end in another order than they began."""

    def check_place(self) -> None:
        """A database cannot go from its place while it is open; whether it answers, each statement tells."""

    def note_moved(self, to: str) -> None:
        """Note where the store is being moved, or "" if it was not moved after all; later decisions here would be lost."""
        with self._transaction(moving=True):
            self.db.execute("delete from meta where name = ?", [MOVED])
            if to:
                self.db.execute("insert into meta (name, value) values (?, ?)", [MOVED, to])

    # -- decisions ----------------------------------------------------------------------------------------------------

    @contextmanager
    def decision(self) -> Iterator[None]:
        """Run a transaction or, inside another one, a part that can fail by itself; it takes effect as a whole or not at all.

        It locks the whole store before anything is read. Raises WorldError if the lock does not come free, or the server is gone.
        """
        if not self.db.in_transaction:
            with self._transaction():
                yield
            return
        with self.rows.part():
            yield

    def in_part(self, game: int | None, do: Callable[[], T], *, alone: str = "") -> T:
        """Decide something in one game (None: in no game), side by side with decisions elsewhere; return what `do` returns.

        `alone`: nobody else does that meanwhile. A decision that needs more than its game is repeated with the whole store.
        """
        return self._in_part(game, do, alone, skip=False)[0]

    def if_free(self, game: int | None, do: Callable[[], T]) -> tuple[T, ...]:
        """Decide something in one game, as `in_part` does; where another decides in it now nothing is done, and () returned."""
        return self._in_part(game, do, "", skip=True)

    def _in_part(self, game: int | None, do: Callable[[], T], alone: str, *, skip: bool) -> tuple[T, ...]:
        if self.db.in_transaction:
            return (do(),)
        for left in reversed(range(TRIES)):
            try:
                with self._transaction(shared=True):
                    if not self._take(game, alone, skip=skip):
                        return ()
                    done = do()
                return (done,)
            except WantsAll:
                break
            except InTheWay:
                if not left:
                    raise
        with self.decision():
            return (do(),)

    def want_all(self) -> None:
        """Called inside a decision: what comes now needs the whole store."""
        if self._own is not None:
            raise WantsAll

    @contextmanager
    def _transaction(self, *, shared: bool = False, moving: bool = False) -> Iterator[None]:
        lock = f"pg_advisory_xact_lock{'_shared' if shared else ''}({_STORE}, 0)"
        number, table = self._begun(lock)
        while self._looked not in (-1, self.db.sessions) or (self._looked != -1 and table != self._table):
            self.db.undo()  # the connection was made anew for it, or the tables were
            self._looked = 0
            self._look_at_history()
            number, table = self._begun(lock)
        try:
            if not moving and self._looked != -1:
                check_in_use(self, self.shown, MOVED, moved)  # now that it waits for nobody any more
            with self.rows.gathered():
                yield
        except BaseException:
            self.db.undo()
            raise
        finally:
            self._own = None
            ring, self._has_laid = self._has_laid, False
        self.db.commit(number)
        if ring:
            with suppress(WorldError):  # who does not hear it looks by himself after a while
                self.db.execute("select pg_notify('pbem ' || current_schema(), '')")

    def _begun(self, lock: str) -> tuple[str, object]:
        """Begin a transaction with a lock; return its number, and that of the table with the history."""
        self._look_at_history()
        _locked, number, table = self.db.begin(f"begin; select {lock}, pg_current_xact_id()::text, {_TABLE}")
        return number, table

    def _take(self, game: int | None, alone: str, *, skip: bool) -> bool:
        """Lock the objects of a decision; return whether they were free."""
        if alone:
            self.db.execute(f"select pg_advisory_xact_lock({_key(alone)}, 0)")
        if game is None:
            self._own = OwnRows(None)
            return True
        now = "skip locked" if skip else ""
        claim = f"update games set fence = fence + 1 where id = (select id from games where id = ? for update {now})"  # noqa: S608 - our own words
        counted = self.db.execute(claim, [game])
        if skip and not counted.rowcount:
            return False
        found = self.db.read(
            f"select address, pg_advisory_xact_lock({_key('address')}, one) {_ADDRESSES}", [game, game]
        )
        self._own = OwnRows(game, frozenset(str(address).lower() for address, _got in found))
        return True

    def _look_at_history(self) -> None:
        """If the connection or the tables have changed, return whether the tables continue the same history, or an earlier one.

        A new history is noted with the whole store locked: it waits for others' decisions, and they wait for it.
        """
        if self._looked in (-1, self.db.sessions):
            return
        history, known, before = self.db.history(), self._known_history(), self._looked
        self._table = next(self.db.query(f"select {_TABLE} as it"))["it"]
        self._looked = self.db.sessions
        if not history or known == f"{history}/{self._table}":
            return
        try:
            with self._transaction():
                known = self._known_history()
                if known == f"{history}/{self._table}":
                    return  # another was quicker
                if known:
                    if self.when_gone_back is None:
                        return  # who meets it next may be able to let the games stand still
                    self.when_gone_back()
                self._note_history(history)
        except BaseException:
            self._looked = before
            raise

    def _note_history(self, history: str) -> None:
        table = next(self.db.query(f"select {_TABLE} as it"))["it"]
        self.db.execute(f"comment on table meta is '{history}/{table}'")

    def _known_history(self) -> str:
        """Return the history in which this store was last written, and the number of its table then.

        It is stored beside the table, not in it. So a moved store continues elsewhere, while a store that the server's own tools
        restore elsewhere counts as a restored host.
        """
        return str(next(self.db.query("select obj_description('meta'::regclass, 'pg_class') as said"))["said"] or "")

    # -- claims -------------------------------------------------------------------------------------------------------

    @contextmanager
    def claims(self, what: str) -> Iterator[Callable[[str], bool]]:
        """Yield a function that claims a thing by its name for this session, and returns whether that succeeded.

        Claims end with the connection: after a reconnection each has to be claimed again.
        """
        had: set[str] = set()
        self.db.execute(f"select pg_advisory_lock_shared({_key(f'any {what}')}, 0)")
        session = self.db.sessions

        def claim(name: str) -> bool:
            nonlocal session
            if session != self.db.sessions:
                session = self.db.sessions
                had.clear()
            if name not in had:
                (row,) = self.db.query(f"select pg_try_advisory_lock({_key(what)}, ?::int) as got", [_number(name)])
                if not row["got"]:
                    return False
                had.add(name)
            return True

        try:
            yield claim
        finally:
            if session == self.db.sessions:
                with suppress(WorldError):  # they go with the connection
                    for name in had:
                        self.db.execute(f"select pg_advisory_unlock({_key(what)}, ?::int)", [_number(name)])
                    self.db.execute(f"select pg_advisory_unlock_shared({_key(f'any {what}')}, 0)")

    @contextmanager
    def unclaimed(self, what: str) -> Iterator[bool]:
        """Does nobody claim anything of that kind now? Inside nobody can, if so."""
        key = f"{_key(f'any {what}')}, 0"
        (row,) = self.db.query(f"select pg_try_advisory_lock({key}) as got")
        try:
            yield bool(row["got"])
        finally:
            if row["got"]:
                with suppress(WorldError):
                    self.db.execute(f"select pg_advisory_unlock({key})")

    def is_free(self, table: str, number: int) -> bool:
        """Return whether nobody is seen at work on a row at this moment."""
        return any(self.db.query(f"select id from {table} where id = ? for update skip locked", [number]))  # noqa: S608

    @contextmanager
    def one_look(self) -> Iterator[None]:
        """Read from a snapshot of one moment, regardless of concurrent writes; nothing may be written inside."""
        self.db.begin("begin isolation level repeatable read read only")
        try:
            yield
        finally:
            with suppress(WorldError):
                self.db.undo()

    # -- rows -------------------------------------------------------------------------------------------------------

    def numbered(self, table: str, columns: Mapping[str, object]) -> int:
        """Insert one row and return its row id."""
        self._may_write(table, columns)
        values = ["?"] * len(columns)
        names = list(columns)
        if table in _NUMBERED_HERE and "id" not in columns:
            names.append("id")
            values.append(f"(select coalesce(max(id), 0) + 1 from {table})")  # noqa: S608 - our own words
        given = "rowid" if self._has_rowid(table) else "0"
        sql = f"insert into {table} ({', '.join(names)}) values ({', '.join(values)}) returning {given}"  # noqa: S608 - our own words
        return int(self.rows.at_once(table, sql, list(columns.values())).fetchone()[0])

    def put_again(self, table: str, number: int, columns: Mapping[str, object]) -> None:
        """Change columns so that a row shrinks; the server rewrites every changed row anyway."""
        self.rows.change(table, number, columns)

    def _may_write(self, table: str, columns: Mapping[str, object], pk: Any = None) -> None:
        """Note that something is to be sent. Raises WantsAll if a decision in one game would write beyond that game."""
        self._has_laid |= pk is None and table in _TOLD_OF and columns.get("sent", WAITING) == WAITING
        if self._own is not None:
            self._own.check(table, columns, pk)

    def _written(self, table: str) -> list[str]:
        if table not in self._columns:
            self._columns[table] = self.db.columns(table)
        return self._columns[table]

    def _has_rowid(self, table: str) -> bool:
        return "id" in self._written(table) or "rowid" in self._written(table)

    def last_number(self, table: str) -> int:
        """Return the last number that a row of a table has been given, 0 where none has."""
        if (name := self._counter(table)) is None:
            return 0
        found = next(self.db.query(f"select last_value, is_called from {name}"))  # noqa: S608 - the server's own word
        return int(found["last_value"]) if found["is_called"] else 0

    def count_from(self, table: str, last: int) -> None:
        """Let the next row of a table have a number behind that one, and behind those of all rows there."""
        if (name := self._counter(table)) is not None:
            column = "id" if "id" in self._written(table) else "rowid"
            self.db.execute(f"select setval(?, greatest(?, (select max({column}) from {table})))", [name, last])  # noqa: S608

    def _counter(self, table: str) -> str | None:
        """The name of what numbers the rows of a table, or None where their numbers are their own."""
        column = next((name for name in ("id", "rowid") if name in self._written(table)), None)
        if column is None:
            return None
        return str(next(self.db.query("select pg_get_serial_sequence(?, ?) as name", [table, column]))["name"])

    # -- looking after it -------------------------------------------------------------------------------------------

    def size(self) -> int:
        """Return how many bytes it takes."""
        sql = (
            "select sum(pg_total_relation_size(to_regclass(tablename)))::bigint as n from pg_tables "
            "where schemaname = current_schema()"
        )
        return int(next(self.db.query(sql))["n"] or 0)

    def give_back(self) -> int:
        """The server does this by itself."""
        return 0

    def check(self) -> str:
        """Read the whole store; return a sentence. Raises WorldError where that cannot be done."""
        for table in self.db.table_names():
            self.db.execute(f"select count({table}.*::text) from {table}")  # noqa: S608 - our own words
        return _("The whole store {path} can be read.", path=self.shown)


def rows_of(db: ServerDatabase | Database, table: str) -> tuple[list[str], Iterator[dict[str, Any]]]:
    """Return the columns of a table and its rows, each with the number that the store has given it, in that order."""
    if isinstance(db, ServerDatabase):
        columns, key = db.columns(table), db.primary_key(table)
    else:
        found = db.table(table)
        columns, key = [column.name for column in found.columns], found.pks
        is_numbered = [column.type.lower() for column in found.columns if column.is_pk] == ["integer"]
        if "without rowid" not in found.schema.lower() and not is_numbered:
            columns = ["rowid", *columns]
    order = "rowid" if "rowid" in columns else ", ".join(key)
    names = [name for name in columns if name != "rowid"]
    columns = ["rowid", *names] if "rowid" in columns else names
    sql = f"select {', '.join(columns)} from {table} order by {order}"  # noqa: S608 - our own words
    return columns, db.stream(sql) if isinstance(db, ServerDatabase) else iter(db.query(sql))
