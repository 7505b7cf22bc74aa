"""The host's memory: what it keeps of games, mail and letters, found and changed by name.

It decides nothing. Rows are returned as values (`rows`). Queries beyond the equality of columns have a method here; only this
package contains SQL. Names and values that need no table are notes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from .file import STORE, StoreFile
from .older import Older
from .rows import (
    AS_JSON,
    FAILED,
    SENT,
    WAITING,
    At,
    GameRow,
    HeldRow,
    Kind,
    LetterRow,
    Mail,
    OnDoorstep,
    Reminder,
    Row,
    Stored,
)
from .server import StoreServer
from .words import is_server

T = TypeVar("T", bound=Row)
V = TypeVar("V")

_REGISTERED = """
select games.id as game, stage, seat, address, seats.language from seats join games on games.id = seats.game
where lower(address) = lower(?) order by games.id, seats.rowid
"""
_LOOKING_ON = """
select games.id as game, stage, '' as seat, address, language from observers join games on games.id = observers.game
where lower(address) = lower(?) order by games.id, observers.rowid
"""

_TRACES = """
select max(n) as n from (
    select max(n) as n from entries where game = ? union all select max(n) from courses where game = ?
    union all select max(n) from attachments where game = ? union all select max(after_n) from held where game = ?
    union all select max(sent_n) from seats where game = ? union all select max(sent_n) from observers where game = ?
    union all select ask from games where id = ?
) as known
"""


_SPARSE = {"essence", "said", "code"}
"""Columns that are often empty: their indexes contain only non-empty values."""


def _where(columns: Iterable[str], since: str) -> str:
    parts = [f"{name} = ?" + (f" and {name} <> ''" if name in _SPARSE else "") for name in columns]
    return " and ".join([*parts, *(["at > ?"] if since else [])])


def _read(column: str, value: Any) -> Any:
    return json.loads(value) if column in AS_JSON and value is not None else value


def _written(columns: dict[str, Any]) -> dict[str, Any]:
    return {
        name: json.dumps(value) if isinstance(value, dict | list | tuple) else value for name, value in columns.items()
    }


def place_of(folder: Path, named: str) -> Path | str:
    """Return the place of a host's store: the address in its settings or, if that is "", a file in its folder."""
    return named or folder / STORE


def place_named(named: str) -> Path | str:
    """Return the place of a store that somebody names: the address of a database, or the path of a file."""
    return named if is_server(named) else Path(named)


def _game_in(table: str) -> str:
    """The column of a table that says to which game a row belongs."""
    return "id" if table == "games" else "game"


class Store:
    """The open store of one host: in the file of that path, or in the database of that address.

    `new`: if there is none, an empty one is created. Raises StoreError if there is none otherwise, or if it is not a store.
    `reading`: nothing is written. `older`: what is done with the tables of an older pbem.
    """

    def __init__(self, where: Path | str, *, new: bool = False, reading: bool = False, older: Older = "refuse") -> None:
        self.place: StoreFile | StoreServer = (
            StoreServer(str(where), new=new, older=older)
            if is_server(where)
            else StoreFile(where, new=new, reading=reading, older=older)
        )
        self.path, self.rows = self.place.path, self.place.rows
        """What opens it once more."""
        self.check_place, self.decision, self.one_look, self.claims = (
            self.place.check_place, self.place.decision, self.place.one_look, self.place.claims,
        )  # fmt: skip
        self.unclaimed, self.in_part, self.if_free = self.place.unclaimed, self.place.in_part, self.place.if_free
        self.want_all, self.is_free = self.place.want_all, self.place.is_free
        self.size, self.give_back, self.check = self.place.size, self.place.give_back, self.place.check

    @property
    def db(self) -> Any:
        """The object that takes SQL, in SQLite's dialect wherever the store is."""
        return self.place.db

    def close(self) -> None:
        """Close it."""
        self.place.db.close()

    # -- rows -------------------------------------------------------------------------------------------------------

    def read(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query. It is for this package alone: others have what they ask for under a name."""
        return list(self.rows.read(sql, values))

    def first(self, sql: str, *values: object) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None."""
        return next(self.rows.read(sql, values), None)

    def where(
        self, kind: type[T], condition: str, /, *values: object, order: str = "", most: int | None = None
    ) -> list[T]:
        """Return the rows of a kind of which a condition is true, in an order."""
        names = kind.__match_args__
        sql = f"select {', '.join(names)} from {kind.TABLE} where {condition or 'true'}"  # noqa: S608 - our own words
        sql += f" order by {order or ('id' if 'id' in names else 'rowid')}" + (f" limit {most}" if most else "")
        return [kind(*map(_read, names, row)) for row in self.rows.read(sql, values)]

    def find(self, kind: type[T], /, since: str = "", order: str = "", **where: object) -> list[T]:
        """Return the rows of a kind in which these columns have these values, with a time (`at`) after `since`, in an order."""
        return self.where(kind, _where(where, since), *where.values(), *([since] if since else []), order=order)

    def get(self, kind: type[T], /, **where: object) -> T | None:
        """Return the first row in which these columns have these values, or None."""
        return next(iter(self.where(kind, _where(where, ""), *where.values(), most=1)), None)

    def values(self, table: str, column: str, since: str = "", **where: object) -> list[Any]:
        """Return the values in one column of a table, selected like rows."""
        values = [*where.values(), *([since] if since else [])]
        sql = f"select {column} from {table} where {_where(where, since) or 'true'} order by rowid"  # noqa: S608 - our own words
        return [_read(column, value) for (value,) in self.rows.read(sql, values)]

    def last_in_register(self) -> tuple[int, bytes] | None:
        """Return number and bytes of the register's last line; None where it has none."""
        found = self.first("select n, line from register order by n desc limit 1")
        return (int(found[0]), bytes(found[1])) if found else None

    def insert(self, table: str, **columns: object) -> None:
        """Insert one row."""
        self.rows.insert(table, _written(columns))

    def numbered(self, table: str, **columns: object) -> int:
        """Insert one row and return its row id."""
        return self.place.numbered(table, _written(columns))

    def put(self, table: str, **columns: object) -> None:
        """Insert one row, or change these columns of the one with the same primary key."""
        self.rows.put(table, _written(columns))

    def change(self, table: str, pk: int | tuple[Any, ...], **columns: object) -> None:
        """Change columns of one row."""
        self.rows.change(table, pk, _written(columns))

    def put_again(self, table: str, number: int, **columns: object) -> None:
        """Change columns of a row that shrinks by that."""
        self.place.put_again(table, number, _written(columns))

    def delete(self, table: str, **where: object) -> None:
        """Delete the rows in which these columns have these values."""
        self.rows.delete(table, where)

    # -- notes ------------------------------------------------------------------------------------------------------

    def note(self, name: str) -> str:
        """Return the value of a note, or ""."""
        row = self.first("select value from meta where name = ?", name)
        return str(row[0]) if row else ""

    def notes(self, beginning: str) -> dict[str, str]:
        """Return the notes with names that begin so, by the rest of their names, in order."""
        after = beginning[:-1] + chr(ord(beginning[-1]) + 1)
        found = self.read("select name, value from meta where name >= ? and name < ? order by name", beginning, after)
        return {name.removeprefix(beginning): value for name, value in found}

    def put_note(self, name: str, value: object) -> None:
        """Keep a note, a text or what JSON can hold, in place of the one of that name."""
        self.in_part(None, lambda: self.put("meta", name=name, value=value))

    def forget(self, *names: str) -> None:
        """Forget notes."""

        def forget() -> None:
            for name in names:
                self.delete("meta", name=name)

        self.in_part(None, forget)

    def note_or_forget(self, name: str, why: str, at: str) -> None:
        """Note since when something is so, and why; if `why` is "", delete the note."""
        if why:
            self.put_note(name, f"{at} {why}")
        else:
            self.forget(name)

    # -- games and seats --------------------------------------------------------------------------------------------

    def game_numbers(self) -> list[int]:
        """Return the numbers of all games."""
        return [number for (number,) in self.read("select id from games order by id")]

    def last_moment(self) -> list[str]:
        """Return the time of the last decision in any game; [] if there is none."""
        return [at for (at,) in self.read("select max(at) from games") if at]

    def games_here(self, numbers: Iterable[int]) -> set[int]:
        """Return the given numbers that belong to a game."""
        return {number for number in numbers if self.first("select 1 from games where id = ?", number)}

    def games_beginning(self, g: str) -> list[int]:
        """Return the numbers of the games with ids that begin so."""
        return [number for (number,) in self.read("select id from games where g >= ? and g < ? order by g", g, f"{g}g")]

    def number_of(self, g: object) -> int | None:
        """Return the number of the game with an id, or None."""
        row = self.first("select id from games where g = ?", str(g))
        return row[0] if row else None

    def last_games(self, stages: Iterable[str]) -> Iterator[GameRow]:
        """Go through the games of the given stages, the newest first."""
        for number, stage in self.read("select id, stage from games order by id desc"):
            if stage in stages and (game := self.get(GameRow, id=number)):
                yield game

    def last_entry(self, game: int) -> int:
        """Return the number of the last entry of a game's log, -1 where it has none."""
        ((n,),) = self.read("select coalesce(max(n), -1) from entries where game = ?", game)
        return int(n)

    def come_to(self, game: int) -> int:
        """Return the number of the entry up to which it was kept how a game's log goes, -1 where that was never."""
        row = self.first("select n from courses where game = ?", game)
        return int(row[0]) if row else -1

    def course(self, game: int) -> tuple[Any, ...] | None:
        """Return the last entry with a kept course, and that course as JSON; None without one."""
        return self.first("select n, course from courses where game = ?", game)

    def altered_mails(self) -> list[int]:
        """Return the numbers of the stored mails that are not as they came."""
        mails = self.rows.read("select id, sha256, raw from inbox where length(raw) > 0", ())
        return [number for number, noted, raw in mails if sha256(bytes(raw)).hexdigest() != noted]

    def given_and_lost(self, game: int) -> int:
        """Return how many lines of a game were given to a seat and are not here any more."""
        ((lost,),) = self.read(
            "select count(distinct attachment) from held where game = ? and not exists "
            "(select 1 from attachments where attachments.id = attachment)",
            game,
        )
        return int(lost)

    def held_of_no_game(self) -> int:
        """Return the number of notes on lines for games that are missing here."""
        ((strays,),) = self.read(
            "select count(*) from held where not exists (select 1 from games where games.id = held.game)"
            " and not exists (select 1 from entries where entries.game = held.game)"
        )
        return int(strays)

    def held(self, game: int) -> list[HeldRow]:
        """Return which seat has which line of a game, by the notes, whether the line is there or not."""
        sql = (
            "select seat, after_n, no, line from held left join attachments on attachments.id = attachment "
            "and attachments.game = held.game where held.game = ? order by seat, after_n, no"
        )
        return [HeldRow(seat, after_n, no, bytes(line or b"")) for seat, after_n, no, line in self.read(sql, game)]

    def attachments(self, game: int) -> list[tuple[str, bytes]]:
        """Return the names and lines stored beside a game's entries."""
        rows = self.read("select key, line from attachments where game = ? order by id", game)
        return [(key, bytes(line)) for key, line in rows]

    def traces(self, game: int) -> int:
        """Return the last entry of a game that anything here knows of: its log, what was told, its row; -1 for none."""
        ((n,),) = self.read(_TRACES, *[game] * _TRACES.count("?"))
        return -1 if n is None else int(n)

    def lines_after(self, game: int, n: int) -> list[tuple[int, bytes]]:
        """Return number and line of the entries behind entry `n`, as they lie here."""
        rows = self.read("select n, line from entries where game = ? and n > ? order by n", game, n)
        return [(number, bytes(line)) for number, line in rows]

    def stored_of(self, game: int, tables: Iterable[str]) -> list[Stored]:
        """Return the rows of a game in these tables as they are stored, to be put into another store (`put_stored`)."""
        self.rows.flush()
        return [
            Stored(table, tuple(row), tuple(row.values()))
            for table in tables
            for row in self.db.query(f"select * from {table} where {_game_in(table)} = ?", [game])  # noqa: S608 - our own words
        ]

    def put_stored(self, game: int, tables: Iterable[str], rows: Iterable[Stored]) -> None:
        """Replace a game's rows in these tables."""
        for table in tables:
            self.rows.delete(table, {_game_in(table): game})
        for row in rows:
            self.rows.insert(row.table, dict(zip(row.columns, row.values, strict=True)))

    def looks_on_since(self, game: int) -> list[tuple[str, int]]:
        """Return who looks on at a game, and up to which entry he was told."""
        return [(address, n) for address, n in self.read("select address, sent_n from observers where game = ?", game)]

    def overdue(self, at: str) -> list[tuple[int, str]]:
        """Return the games with a time that was over before a moment, each with its time, the earliest first."""
        return [(game, due) for game, due in self.read("select id, due from games where due < ? order by due, id", at)]

    def due(self, game: int) -> str:
        """Return the end of the time to answer a game's open question; "" without a limit, or without such a game."""
        row = self.first("select due from games where id = ?", game)
        return (row[0] if row else "") or ""

    def put_at(self, game: int) -> str:
        """Return when the open question of a game was put, or ""."""
        sql = "select line from entries join games on games.id = entries.game where games.id = ? and n = ask"
        row = self.first(sql, game)
        return str(json.loads(row[0])["at"]) if row else ""

    def registered(self, address: str) -> list[At]:
        """Return the seats of an address, by game."""
        return [At(*row) for row in self.read(_REGISTERED, address)]

    def looking_on(self, address: str) -> list[At]:
        """Return where an address looks on, by game."""
        return [At(*row) for row in self.read(_LOOKING_ON, address)]

    def reminders_until(self, at: str) -> list[Reminder]:
        """Return the reminders that are due."""
        return self.where(Reminder, "at <= ?", at, order="at, game, seat, kind")

    # -- the door ---------------------------------------------------------------------------------------------------

    def lay_at_door(self, game: int, seat: str, key: str, at: str, raw: bytes, most: int) -> int:
        """Lay a letter at the door; return its number. Of each seat the last `most` stay there."""
        _first, upto = self.at_door(game, seat)
        self.insert("doorstep", game=game, seat=seat, no=upto + 1, key=key, at=at, raw=raw)
        self.rows.run("delete from doorstep where game = ? and seat = ? and no <= ?", game, seat, upto + 1 - most)
        return upto + 1

    def at_door(self, game: int, seat: str) -> tuple[int, int]:
        """Return the numbers of the first and the last letter that lie at the door for a seat; 0 where none does."""
        ((first, last),) = self.read("select min(no), max(no) from doorstep where game = ? and seat = ?", game, seat)
        return first or 0, last or 0

    def door_since(self, game: int, seat: str, since: int) -> list[OnDoorstep]:
        """Return the letters that lie at the door for a seat, behind number `since`."""
        return self.where(OnDoorstep, "game = ? and seat = ? and no > ?", game, seat, since, order="no")

    def hand_on_at_door(self, game: int, seat: str, before: str, key: str) -> None:
        """Assign a seat's letters at the web address to the present key of its player, instead of the key before."""
        self.rows.run("update doorstep set key = ? where game = ? and seat = ? and key = ?", key, game, seat, before)

    def left_at_door(self) -> list[tuple[int, str, int]]:
        """Return the seats that wanted little or nothing by mail and have letters at the web address, with the last number."""
        sql = (
            "select game, seat, max(doorstep.no) as no from doorstep join seats using (game, seat) "
            "where mail != 'all' and length(doorstep.raw) > 0 group by game, seat order by game, seat"
        )
        return [(game, seat, no) for game, seat, no in self.read(sql)]

    def empty_at_door(self, game: int, seat: str) -> None:
        """Let nothing lie at the door for a seat; the numbers stay."""
        self.rows.run("update doorstep set raw = ? where game = ? and seat = ?", b"", game, seat)

    def door_news(self, since: int) -> tuple[int, list[tuple[int, str, int]]]:
        """Return which row was laid at the door last, and for which seats letters came behind row `since`, with their numbers."""
        sql = "select max(id), game, seat, max(no) from doorstep where id > ? group by game, seat order by game, seat"
        rows = self.read(sql, max(0, since - self.place.IN_FLIGHT))  # one that was numbered before may come after
        return max([since, *(row[0] for row in rows)]), [(game, seat, no) for _id, game, seat, no in rows]

    # -- mail and letters -------------------------------------------------------------------------------------------

    def raw(self, table: str, number: int) -> bytes:
        """Return the bytes of a mail or a letter, empty if they were deleted."""
        row = self.first(f"select raw from {table} where id = ?", number)  # noqa: S608 - our own words
        return bytes(row[0]) if row else b""

    def empty(self, table: str, where: str, *values: object) -> tuple[int, int]:
        """Throw away the bytes of the mails or letters of which that is true; return how many they were, and their bytes."""
        found = self.read(f"select id, length(raw) from {table} where length(raw) > 0 and {where}", *values)  # noqa: S608
        for number, _size in found:
            self.change(table, number, raw=b"")
        return len(found), sum(size for _number, size in found)

    def keep_mail(self, **columns: object) -> int:
        """Keep a mail that has come; return its number."""
        return self.in_part(None, lambda: self.numbered("inbox", **columns))

    def claimed_mail(self, number: int) -> Mail | None:
        """Return a mail and reserve it until this decision is made; None if it has gone."""
        return next(iter(self.where(Mail, "id = ?", number, order=f"id{self.place.CLAIMED}")), None)

    def ask_again(self, number: int, kind: Kind) -> None:
        """Let a mail with a noted outcome of that kind be decided on again. If another decision changed it, leave it as it is."""
        sql = "update inbox set outcome = '' where id = ? and outcome >= ? and outcome < ?"
        self.rows.run(sql, number, *kind.bounds)

    def forget_marks(self, game: int) -> None:
        """Let all mail of a game count as new that comes once more."""
        self.rows.run("update inbox set essence = '', said = '' where game = ?", game)

    def undecided(self) -> list[Mail]:
        """Return the mails that are stored and not decided on, the first that came first."""
        return self.find(Mail, order="at, id", outcome="")

    def failed(self) -> list[Mail]:
        """Return the mails over which the program stumbled, the first that came first."""
        return self.where(Mail, "outcome >= ? and outcome < ?", *Kind.FAILED.bounds, order="at, id")

    def came_at_the_latest(self, at: str) -> None:
        """Let no mail that waits have come later than at a moment."""
        sql = "update inbox set at = ? where outcome >= ? and outcome < ? and at > ?"
        self.rows.run(sql, at, *Kind.WAITS.bounds, at)

    def letters_since(self, address: str, kind: str, at: str, but: str = "") -> list[str]:
        """Return when letters of a kind to an address were written since a moment; `but`: not those with that in their name."""
        sql = "select at, message_id from outbox where address = ? and kind = ? and at > ?"
        return [when for when, name in self.read(sql, address, kind, at) if not but or but not in name]

    def has_come_back(self, address: str) -> bool:
        """Return whether mail came back from an address."""
        sql = "select 1 from bounces where address = ? union all select 1 from marks where address = ?"
        return self.first(sql, address, address) is not None

    def lay_receipts_aside(self) -> None:
        """Skip each waiting receipt if its order no longer waits for others, and a later report to its seat has its lines."""
        sql = (
            "update outbox set sent = ?, raw = ? where kind = 'receipt' and sent = ? and attempts = 0 and not_before <> '' "
            "and exists (select 1 from outbox as behind where behind.game = outbox.game and behind.seat = outbox.seat "
            "and behind.kind = 'report' and behind.id > outbox.id) "
            "and not exists (select 1 from answers where answers.game = outbox.game and answers.seat = outbox.seat)"
        )
        self.rows.run(sql, SENT, b"", WAITING)

    def letters_in_trouble(self) -> list[LetterRow]:
        """Return the letters that wait for another try, or were refused for good."""
        return self.where(LetterRow, "(sent = ? and attempts > 0) or sent = ?", WAITING, FAILED)
