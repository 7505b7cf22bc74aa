"""Everything that a host's store has of one person, for that person; and the end of what he waits for or watches.

`BY_ADDRESS`, `BY_SEAT` and `OF_NOBODY` together name every table: a test sees to that when a table is added. Left out are proofs
that only the receiver of a letter has (codes, tokens), hashes, and whatever is another player's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from .erasing import stand_up_everywhere
from .memory import Store
from .rows import Member
from .schema import tables
from .writers import written_by

BY_ADDRESS = {
    "seats": "address", "observers": "address", "members": "address", "moves": "address", "bounces": "address", "marks": "address",
    "more_addresses": "address", "outbox": "address", "inbox": "sender",
}  # fmt: skip
"""Tables with the column that names the person."""
BY_SEAT = (
    "answers", "ahead", "kept_says", "joins", "press", "reminders", "doorstep", "put_letters", "evidence", "evidence_parts",
    "doubts", "chairs",
)  # fmt: skip
"""Tables with what came from a person's seats, or waits for them."""
OF_NOBODY = {
    "meta": "its notes that name him are told", "games": "a game is all its players'", "entries": "the log: “pbem host export”",
    "attachments": "the log", "held": "the log", "chains": "the host's own secrets", "courses": "follows from the log",
    "paces": "the time of a question", "copies": "a copy of the log", "register": "results of games, by keys",
    "tables": "by number", "vouched": "the keys of mail providers",
}  # fmt: skip
"""Tables that name no address and hold nothing of one seat alone, and why."""
_SECRET = {"code", "token", "sha256", "essence", "said", "link", "salt", "openings", "words"}
"""Columns that prove something to the host, seal something, or have the words of a letter.

Letters are left out: another person than their receiver might have this file, and RESEND brings them to him."""
_LETTERS = ("outbox", "doorstep")
_OWN = {"joins": "key", "doubts": "sender"}
"""Tables in which a seat may have rows of others, too, and the column that tells."""


def held_about(store: Store, address: str) -> dict[str, Any]:
    """Return the rows of each table, by its name, that are about the person with an address; and notes that name it."""
    own = address.lower()
    keys = store.read("select distinct lower(key) from seats where lower(address) = ? and key is not null", own)
    found: dict[str, Any] = {}
    told = {own, *(key for (key,) in keys)}
    for table in tables(store.db):
        if table in BY_ADDRESS:
            more = written_by(store, own) if table == "inbox" else ()
            found[table] = [
                *_rows(store, table, f"lower({BY_ADDRESS[table]}) = ?", own),
                *(row for number in more for row in _rows(store, table, "id = ?", number)),
            ]
        elif table == "chairs":
            found[table] = [
                row
                for one in store.find(Member, address=own)
                for row in _rows(store, table, "member = ? or kept = ?", one.id, one.id)
            ]
        elif table == "evidence_parts":
            found[table] = [
                row
                for one in found["evidence"]
                for row in _rows(store, table, "game = ? and evidence = ?", one["game"], one["id"])
            ]
        elif table in BY_SEAT:
            found[table] = [
                row
                for seat in store.registered(address)
                for row in _rows(store, table, "game = ? and seat = ?", seat.game, seat.seat)
                if table not in _OWN or str(row.get(_OWN[table])).lower() in told
            ]
    found["notes"] = {
        name: value
        for name, value in store.read("select name, value from meta order by name")
        if any(one in f"{name} {value}".lower() for one in told)
    }
    return {name: rows for name, rows in found.items() if rows}


def sits_nowhere(store: Store, address: str) -> None:
    """Let a person look on at no game and wait at no table any more."""
    for at in store.looking_on(address):
        store.delete("observers", game=at.game, address=at.address)
    for one in store.find(Member, address=address.lower()):
        stand_up_everywhere(store, one.id)


def _rows(store: Store, table: str, where: str, *values: object) -> Iterator[dict[str, Any]]:
    """Go through rows as JSON has them: bytes as text, and without what proves something."""
    store.rows.flush()
    for row in store.db.query(f"select * from {table} where {where}", values):  # noqa: S608 - our own words
        out = {*_SECRET, "raw"} if table in _LETTERS else _SECRET
        yield {name: _json(value) for name, value in row.items() if name not in out and value not in (None, "", b"")}


def _json(value: Any) -> Any:
    """A value as JSON can hold it; texts that are JSON as what they say."""
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("utf-8", "backslashreplace")
    if isinstance(value, str) and value[:1] in ("{", "["):
        with suppress(ValueError):
            return json.loads(value)
    return value
