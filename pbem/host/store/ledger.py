"""One game's log in the store: as the scribe writes it, and as its host reads it again.

It knows what an entry and an attachment are, and no game. What its seats heard is read once, and kept as the log grows (`Heard`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from pbem.kernel import Json
from pbem.ledger import Attachment, Course, Entry, Log, after, make_attachment, make_entry, place_of, sha256_hex
from pbem.ledger.telling import heard
from pbem.referee import Key
from pbem.reports.told import said

from .memory import Store

_GIVEN = (
    "insert into held (game, seat, after_n, no, attachment) select column1, column2, column3, "
    "(select coalesce(max(no), 0) from held where game = column1 and seat = column2 and after_n = column3) "
    "+ row_number() over (partition by column1, column2, column3 order by column4), id from ("
)
_BESIDE = (
    ") as given join attachments on game = column1 and key = column5 "
    "where not exists (select 1 from held where attachment = id and seat = column2) on conflict do nothing"
)
"""How lines are noted that seats were given: game, seat, entry, and which lines, in their order."""
_ORDER = count()


class Heard:
    """What the log has told each seat of one game, and the public (""): read once, and extended as the log grows.

    A report shows all that its seat ever heard. With this cache, a host reads only what is new since its last report.
    """

    def __init__(self) -> None:
        self.by_seat: dict[str, list[tuple[int, list[Json]]]] = {}
        """Entry and facts of every tell and say."""
        self._n, self._head = -1, ""

    def follow(self, ledger: StoredLedger) -> None:
        """Read the new entries of a log. If entries read before were undone, read the whole log again."""
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
    """One game's log in the store, which the scribe writes to. `heard`: the part that was read before."""

    def __init__(self, store: Store, game: int, seats: Sequence[str], heard: Heard | None = None) -> None:
        self.store, self.game, self.seats, self.heard = store, game, tuple(seats), heard or Heard()
        last = store.first("select n, hash from entries where game = ? order by n desc limit 1", game)
        self.n, self.head = (int(last[0]), str(last[1])) if last else (-1, "0" * 64)
        self._hashes: dict[int, str] = {self.n: self.head} if last else {}
        self._lines: dict[int, bytes] = {}
        self._attached: dict[str, bytes] = {}
        """What was written here just now need not be read again."""
        self._course: Course | None = None
        self._kept = -1

    @property
    def next_n(self) -> int:
        return self.n + 1

    @property
    def course(self) -> Course:
        """How far the log has come: as it was kept last, and with the entries since."""
        if self._course is None:
            kept = self.store.course(self.game)
            self._kept, course = (kept[0], Course.load(json.loads(kept[1]))) if kept else (-1, Course())
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
        self._hashes[self.n], self._lines[self.n] = self.head, entry.line
        return entry.hash

    def attach(self, key: Key, digest: str, line: Sequence[Json], to: Iterable[str]) -> None:
        made = make_attachment(list(line))
        self._attached[key_text(key)] = made.line
        self.store.insert("attachments", game=self.game, key=key_text(key), n=self.n, line=made.line)
        self.give(key, to)

    def digest(self, key: Key) -> str:
        line = self._beside(key)
        return sha256_hex(line) if line else ""

    def _beside(self, key: Key) -> bytes:
        """Return the line beside the entries stored under that name; empty if there is none."""
        if (name := key_text(key)) in self._attached:
            return self._attached[name]
        row = self._first("select line from attachments where game = ? and key = ?", self.game, name)
        return bytes(row[0]) if row else b""

    def give(self, key: Key, to: Iterable[str]) -> None:
        for seat in to:
            name = key_text(key)
            values = (self.game, seat, self.n, next(_ORDER), name)
            self.store.rows.gather("held", _GIVEN, _BESIDE, values, (self.game, seat, name))

    def give_all(self) -> None:
        for (key,) in self.store.read("select key from attachments where game = ? order by n, id", self.game):
            self.give(tuple(json.loads(key)), self.seats)

    def take_in(self, log: Log, copies: Mapping[str, Log], keyed: Iterable[tuple[Key, Attachment]]) -> None:
        """Keep a whole log from another source, with each seat's lines."""
        place, keys = place_of(log.entries), {}
        for entry in log.entries:
            self.store.insert("entries", game=self.game, n=entry.n, hash=entry.hash, line=entry.line)
        for key, attachment in keyed:
            keys[attachment.line] = key
            home = place(attachment)
            self.store.insert(
                "attachments", game=self.game, key=key_text(key), n=home[0] if home else 0, line=attachment.line,
            )  # fmt: skip
        for seat, copy in copies.items():
            for line in copy.lines:
                if isinstance(line, Entry):
                    self.n = line.n
                else:
                    self.give(keys[line.line], [seat])
        self.n, self.head = log.head
        self._course = None

    def _first(self, sql: str, *values: object) -> tuple[Any, ...] | None:
        return next(self.store.rows.read(sql, values), None)

    # -- reading ----------------------------------------------------------------------------------------------------

    def entry(self, n: int) -> dict[str, Json]:
        """Return the fields of entry `n`."""
        row = (
            (self._lines[n],)
            if n in self._lines
            else self._first("select line from entries where game = ? and n = ?", self.game, n)
        )
        return dict(json.loads(row[0])) if row else {}

    def entries(self, first: int = 0) -> list[dict[str, Json]]:
        """Return the fields of every entry from `first` on."""
        if first in self._lines:  # and so are those behind it
            return [json.loads(self._lines[n]) for n in range(first, self.n + 1)]
        rows = self.store.read("select line from entries where game = ? and n >= ? order by n", self.game, first)
        return [json.loads(line) for (line,) in rows]

    def hash_of(self, n: int) -> str | None:
        """Return h_n, or None without such an entry."""
        if n in self._hashes:
            return self._hashes[n]
        row = self._first("select hash from entries where game = ? and n = ?", self.game, n)
        return str(row[0]) if row else None

    def last_plans(self, seat: str, n: int) -> str | None:
        """Return the digest of the plans of the last order of a seat that is entry `n` or one before; None without one."""
        lines = "select line from entries where game = ? and n <= ? order by n desc"
        entries = (json.loads(line) for (line,) in self.store.rows.read(lines, (self.game, n)))
        last = next((entry for entry in entries if entry["k"] == "order" and entry["by"] == seat), None)
        return str(last["say"]["seals"]["plans"]) if last else None

    def opened_plans(self, seat: str, digest: str) -> str | None:
        """Return the plans of a seat that were sealed under a digest, or None if the opening is not here."""
        like, kept = (
            f'["seal","{seat}",%,"plans"]',
            "select line from attachments where game = ? and key like ? order by id desc",
        )
        lines = self.store.rows.read(kept, (self.game, like))
        return next((str(json.loads(line)[6]) for (line,) in lines if sha256_hex(line) == digest), None)

    def lines_for(self, seat: str, since: int) -> list[bytes]:
        """Return the lines that the copy of `seat` grows by after entry `since`, in the order of its growth."""
        held = self.store.read(
            "select after_n, line from held join attachments on attachments.id = attachment "
            "where held.game = ? and seat = ? and after_n > ? order by after_n, no",
            *(self.game, seat, since),
        )
        beside: dict[int, list[bytes]] = {}
        for n, line in held:
            beside.setdefault(n, []).append(line)
        return [line for n, entry in self.store.lines_after(self.game, since) for line in (entry, *beside.get(n, ()))]

    def told(self, seat: str, since: int) -> list[list[Json]]:
        """Return the facts told to `seat`, or to the public (""), after entry `since`, one list for each tell or say."""
        self.heard.follow(self)
        return [facts for n, facts in self.heard.by_seat.get(seat, ()) if n > since]

    def opened(self, n: int, seat: str) -> dict[str, Json] | None:
        """Return what entry `n` tells a seat alone, or None where that is not known here."""
        line = self._beside(("seal", "host", n, seat))
        found = json.loads(line)[6] if line else None
        return found if isinstance(found, dict) else None

    def whole(self) -> Log:
        """Return the log with all the host's attachments, each after its entry."""
        return self.as_it_lies()[0].tidy()

    def as_it_lies(self) -> tuple[Log, list[str]]:
        """Return the same lines, the entries before all attachments, and the hashes that are noted of the entries: for who only
        asks whether they can be read."""
        entries = self.store.read("select line, hash from entries where game = ? order by n", self.game)
        kept = self.store.read("select line from attachments where game = ? order by n, id", self.game)
        data = b"".join(line + b"\n" for line, *_hash in (*entries, *kept))
        return Log.parse(data), [noted for _line, noted in entries]


def key_text(key: Key) -> str:
    """Return the name under which a line beside the entries is stored."""
    return json.dumps(list(key), separators=(",", ":"))
