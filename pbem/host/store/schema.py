"""The tables of a host's store, made by migrations of sqlite-utils: the first creates them, every later one changes them.

A new store gets today's tables from the first. A store notes in a table of sqlite-utils which migrations have been applied.
`upgrading` applies the missing ones, all in one transaction. A released migration is never changed. It describes its changes by
tables, columns, indexes and statements, and looks at no row. A PostgreSQL database is told what the migration did to an empty file
(`statements`).

Large columns (`raw`, `snapshot`) are last in their tables: the columns before them are read without them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple, Protocol, TypeAlias

from sqlite_utils import Database, Migrations

from pbem.errors import StoreError
from pbem.i18n import _

MIGRATIONS = Migrations("pbem")
NOTED_IN = MIGRATIONS.migrations_table
"""The table in which a store notes the migrations that it has had: sqlite-utils' own, and no part of what a host keeps."""

Statement: TypeAlias = tuple[str, Sequence[object] | Mapping[str, object]]


class Made(NamedTuple):
    """A table: every column but those that may lack a value has one."""

    name: str
    key: str | tuple[str, ...]
    columns: dict[str, type]
    may_lack: tuple[str, ...] = ()
    defaults: dict[str, Any] | None = None


_SIGNED = {"say": str, "sig": str}
_ORDER = {"rev": int, **_SIGNED, "openings": str, "at": str}
_FIRST = (
    Made("meta", "name", {"name": str, "value": str}),
    Made("games", "id",
         {"id": int, "g": str, "game": str, "opts": str, "nonce": str, "stage": str, "hours": int, "title": str, "made": str,
          "at": str, "ask": int, "asked": str, "due": str, "result": str, "fence": int, "snapshot": str},
         ("ask", "due", "result", "snapshot"), {"fence": 0}),
    Made("seats", ("game", "seat"),
         {"game": int, "seat": str, "address": str, "key": str, "link_n": int, "link": str, "sent_n": int, "moves": int,
          "zone": str, "quiet": str, "weekends": str, "clocks": int, "late": int, "language": str, "invited": int,
          "requests": int, "pictures": str, "mail": str, "mails": int},
         ("key", "link"),
         {"moves": 0, "zone": "UTC", "quiet": "", "weekends": "", "clocks": 0, "late": 0, "language": "", "invited": 0,
          "requests": 0, "pictures": "", "mail": "all", "mails": 0}),
    Made("observers", ("game", "address"),
         {"game": int, "address": str, "at": str, "sent_n": int, "language": str}, (), {"language": ""}),
    Made("chains", ("game", "label"), {"game": int, "label": str, "checkpoints": str}),
    Made("entries", ("game", "n"), {"game": int, "n": int, "hash": str, "line": bytes}),
    Made("courses", "game", {"game": int, "n": int, "course": str}),
    Made("attachments", "id", {"id": int, "game": int, "key": str, "n": int, "line": bytes}),
    Made("paces", "game", {"game": int, "promised": str, "forced": str}),
    Made("reminders", ("game", "seat", "kind"), {"game": int, "seat": str, "kind": str, "ask": int, "at": str}),
    Made("answers", ("game", "ask", "seat"), {"game": int, "ask": int, "seat": str, **_ORDER}),
    Made("ahead", ("game", "seat", "mark"), {"game": int, "seat": str, "mark": int, **_ORDER}),
    Made("joins", ("game", "seat", "key"), {"game": int, "seat": str, "key": str, **_SIGNED, "at": str, "language": str}),
    Made("kept_says", ("game", "seat"), {"game": int, "seat": str, "no": int, **_SIGNED, "at": str}),
    Made("copies", ("game", "seat"), {"game": int, "seat": str, "log": bytes}),
    Made("moves", ("game", "seat", "no"), {"game": int, "seat": str, "no": int, "address": str, "code": str, "at": str}),
    Made("press", "id", {"id": int, "game": int, "seat": str, "no": int, "at": str}, ("no",)),
    Made("inbox", "id",
         {"id": int, "sha256": str, "essence": str, "said": str, "at": str, "door": str, "sender": str, "recipient": str,
          "game": int, "outcome": str, "raw": bytes},
         ("sender", "recipient", "game")),
    Made("outbox", "id",
         {"id": int, "message_id": str, "game": int, "seat": str, "address": str, "at": str, "kind": str, "token": str,
          "sender": str, "sent": int, "attempts": int, "not_before": str, "last_error": str, "raw": bytes},
         ("game", "token")),
    Made("bounces", "id", {"id": int, "address": str, "at": str, "hard": int, "why": str}),
    Made("marks", "address", {"address": str, "at": str, "why": str}),
    Made("register", "n", {"n": int, "line": bytes}),
    Made("chairs", ("table_id", "seat"),
         {"table_id": int, "seat": str, "member": int, "kept": int, "player": str, "anywhere": int}, (), {"anywhere": 0}),
)  # fmt: skip
_FIRST_IN_SQL = (
    # what sqlite-utils has no words for: a table without row numbers (it has the most rows), numbers that are never given twice
    (
        "create table held (game integer not null, seat text not null, after_n integer not null, no integer not null, "
        "attachment integer not null, primary key (game, seat, after_n, no)) strict, without rowid"
    ),
    (
        "create table doorstep (id integer primary key autoincrement, game integer not null, seat text not null, "
        "no integer not null, key text not null, at text not null, raw blob not null) strict"
    ),
    (
        "create table members (id integer primary key autoincrement, address text not null, name text not null, "
        "folded text not null, language text not null, zone text not null, quiet text not null, weekends text not null, "
        "made text not null, confirmed text not null, wanted text not null, times integer not null, code text not null, "
        "code_at text not null, zone_wanted text not null, language_wanted text not null) strict"
    ),
    (
        "create table tables (id integer primary key autoincrement, game text not null, opts text not null, "
        "terms text not null, opener integer not null, at text not null, until text not null, opened integer not null) strict"
    ),
    # indexes of some rows, or of what follows from a column
    "create index games_by_due on games (due) where due is not null",
    "create index seats_by_address on seats (lower(address))",
    "create index seats_by_key on seats (key) where key is not null",
    "create index observers_by_address on observers (lower(address))",
    "create index moves_by_code on moves (code) where code <> ''",
    "create unique index press_by_no on press (game, seat, no) where no is not null",
    "create unique index inbox_by_essence on inbox (essence) where essence <> ''",
    "create index inbox_by_said on inbox (said) where said <> ''",
    "create index inbox_by_game on inbox (game) where game is not null",
    "create index inbox_brought_to_club on inbox (door) where door >= 'club ' and door < 'club!'",
    "create unique index outbox_by_token on outbox (token) where token is not null",
    "create index outbox_to_strangers on outbox (at) where kind = 'register'",
    "create index members_by_code on members (code) where code <> ''",
    "create index members_unanswered on members (code_at, id) where confirmed = ''",
    "create index meta_members_keys on meta (value) where name >= 'member''s key ' and name < 'member''s key!'",
    "create index chairs_by_member on chairs (member) where member <> 0",
)
_FIRST_INDEXES = (
    ("games_by_stage", "games", ("stage",)), ("attachments_by_n", "attachments", ("game", "n")),
    ("reminders_by_at", "reminders", ("at",)), ("press_by_at", "press", ("game", "seat", "at")),
    ("inbox_by_outcome", "inbox", ("outcome",)), ("outbox_by_address", "outbox", ("address", "kind", "at")),
    ("outbox_by_game", "outbox", ("game", "at")), ("outbox_by_sent", "outbox", ("sent", "address")),
    ("bounces_by_address", "bounces", ("address", "at")), ("members_by_folded", "members", ("folded",)),
)  # fmt: skip
_FIRST_UNIQUE = (
    ("games_by_g", "games", ("g",)), ("attachments_by_key", "attachments", ("game", "key")),
    ("held_by_attachment", "held", ("attachment", "seat")), ("outbox_by_message_id", "outbox", ("message_id",)),
    ("doorstep_by_no", "doorstep", ("game", "seat", "no")), ("members_by_address", "members", ("address",)),
)  # fmt: skip


@MIGRATIONS()
def first(db: Database) -> None:
    """Make the tables that a store begins with, and their indexes."""
    for name, key, columns, may_lack, defaults in _FIRST:
        has = set(columns) - {key, *may_lack}
        db.create_table(name, columns, pk=key, not_null=has, defaults=defaults, strict=True)
    for sql in _FIRST_IN_SQL:
        db.execute(sql)
    for unique, indexes in ((False, _FIRST_INDEXES), (True, _FIRST_UNIQUE)):
        for name, table, of in indexes:
            db.table(table).create_index(of, name, unique=unique)


_KEPT_IN_SQL = (
    "alter table seats add column kept text not null default ''",
    (
        "create table put_letters (id integer primary key, game integer not null, seat text not null, n integer not null, "
        "code text not null, message_id text not null, at text not null, words text not null) strict"
    ),
    (
        "create table evidence (id integer primary key, game integer not null, seat text not null, said text not null, "
        "digest text not null, salt text not null, at text not null, language text not null, program text not null) strict"
    ),
    (
        "create table evidence_parts (game integer not null, evidence integer not null, no integer not null, "
        "name text not null, raw blob not null, primary key (game, evidence, no)) strict"
    ),
    (
        "create table doubts (id integer primary key, game integer not null, seat text not null, n integer not null, "
        "code text not null, at text not null, sender text not null, what text not null, mail integer not null, "
        "letter integer not null, is_open integer not null, words text not null, raw blob not null) strict"
    ),
    (
        "create table more_addresses (game integer not null, seat text not null, address text not null, "
        "primary key (game, seat, address)) strict"
    ),
    "create index more_addresses_by_address on more_addresses (lower(address))",
    "create index put_letters_by_code on put_letters (code)",
    "create index put_letters_by_seat on put_letters (game, seat, n)",
    "create index evidence_by_said on evidence (game, said)",
    "create index doubts_by_code on doubts (code)",
    "create index doubts_by_seat on doubts (game, seat, at)",
)
"""The tables of kept seats: letters that put questions, mails behind entries, mails in doubt, further addresses."""


@MIGRATIONS()
def kept(db: Database) -> None:
    """Make the tables of kept seats; `kept` says of a seat whether its key may be kept here, or is."""
    for sql in _KEPT_IN_SQL:
        db.execute(sql)


@MIGRATIONS()
def vouched(db: Database) -> None:
    """Make the table of providers' signatures on the mails behind entries of kept seats, and of the keys that the DNS had."""
    db.execute(
        "create table vouched (game integer not null, evidence integer not null, no integer not null, which integer not null, "
        "domain text not null, selector text not null, key text not null, verdict text not null, at text not null, "
        "primary key (game, evidence, no, which)) strict"
    )


class Tables(Protocol):
    """Where tables lie: in a file, or in a database."""

    def table_names(self) -> list[str]:
        """Return their names."""
        ...

    def query(self, sql: str) -> Iterable[dict[str, Any]]:
        """Return the rows of a query."""
        ...


def had(db: Tables, where: object) -> list[str]:
    """Return the names of the migrations that a store has had, in order; empty if it is not a host's store.

    Raises StoreError for the store of an early pbem, which had no such table, and for that of a newer one.
    """
    there = db.table_names()
    if NOTED_IN not in there:
        early = "select value from meta where name = 'schema'" if "meta" in there else ""
        for row in db.query(early) if early else ():
            raise StoreError(
                _(
                    "The store {path} was written by an early pbem (version {found} of its tables). This pbem "
"cannot read such a store, and has left it unchanged. End its games with the pbem that wrote "
"it, or export their logs (“pbem host export”). For new games, “pbem host init” makes an "
"empty store where there is no store yet.",
                    path=where, found=row["value"],
                )
            )  # fmt: skip
        return []
    sql = f"select name from {NOTED_IN} where migration_set = '{MIGRATIONS.name}' order by id"  # noqa: S608 - our own words
    found = [str(row["name"]) for row in db.query(sql)]
    known = names()
    if unknown := [name for name in found if name not in known]:
        raise StoreError(
            _(
                "The store {path} was written by a newer pbem: it has had the migrations {unknown}, and this program knows none "
                "behind {last}. Use that pbem, or restore a backup made before.",
                path=where, unknown=", ".join(unknown), last=known[-1],
            )
        )  # fmt: skip
    return found


def names() -> list[str]:
    """Return the names of all migrations, in order."""
    with closing(sqlite3.connect(":memory:")) as nothing:
        return [one.name for one in MIGRATIONS.pending(Database(nothing, execute_plugins=False))]


def tables(db: Tables) -> list[str]:
    """Return the names of the tables that hold what a host keeps, in order."""
    return sorted(name for name in db.table_names() if name != NOTED_IN and not name.startswith("sqlite_"))


_DOES = ("create", "insert", "update", "delete", "alter", "drop")
"""So a statement begins that changes something."""


def statements(found: Sequence[str]) -> list[Statement]:
    """Return what the migrations do that a store has not had, as SQLite reads it; also that it is noted."""
    said: list[Statement] = []

    def hear(sql: str, values: Sequence[object] | Mapping[str, object] | None) -> None:
        if sql.lstrip().lower().startswith(_DOES):
            said.append((sql.strip(), values or ()))

    with closing(sqlite3.connect(":memory:")) as connection:
        db = Database(connection, execute_plugins=False)
        if found:
            MIGRATIONS.apply(db, stop_before=names()[len(found) :])
        with db.tracer(hear):
            MIGRATIONS.apply(db)
    return said
