"""The laws of a world, checked after every step. docs/reference/simulator.md has this list.

- **In time.** After an order that arrived before its deadline, its seat is never skipped, unless a letter refused the order before.
  It arrived in time if both the way in's stamp and the host's clock say so.
- **Not early.** No seat is skipped before its deadline by the host's latest clock.
- **Nothing twice.** A seat answers a question once, a statement is entered once, and the log only grows.
- **Kept seats.** Each order of a kept seat is in a mail of its player. An audit that reads the mails again finds the same.
- **Copies agree.** Each player's copy is the beginning of the host's log. No player's program rejects a letter of the host.
- **Sound log.** The log verifies after each death of the host at a question. At the end all audits are clean.
- **Heard.** If a mail of a seat cannot be read, the seat is told, and its question is held once before the default is taken.
- **Held once.** A seat gains another hold only after its answer to a later question.
- **Accounted.** Each mail that arrived, or a copy, is stored. At the end all are decided, failures are in the status, and a server
  accepted each letter noted as sent. No mail crashes the program.
- **Goes on.** The host stops only if killed or told to. After the faults, the game ends within forty days.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pbem.errors import FormError
from pbem.games import find, manifest
from pbem.host.rereading import INDEX, Again, named, written
from pbem.host.store import Store
from pbem.host.store.kept_rows import Evidence, parts_behind
from pbem.ledger import Log, cj, held_for, sha256_hex, verify
from pbem.ledger.kept import look_at
from pbem.mail import read_block, read_message, short_blocks
from pbem.player import Desk, Notes
from pbem.referee.audit import audit
from pbem.reports.choices import choices

from .mailing import Mailing
from .servers import Mail, moment

if TYPE_CHECKING:
    from .world import World


class Broken(Exception):
    """A law does not hold."""

    def __init__(self, law: str, why: str) -> None:
        self.law, self.why = law, why
        super().__init__(f"{law}: {why}")


class Sent:
    """A mail that somebody sent, and all its copies on their ways; `order` says which question of which seat it answers."""

    def __init__(self, no: int, raw: bytes, seat: str, said: bytes, *, whole: bool) -> None:
        self.no, self.raw, self.seat = no, raw, seat
        self.copies: list[Mail] = []
        self.marks = {sha256(raw).hexdigest()}
        self.order: tuple[str, int] | None = None
        if whole:
            try:
                text = read_message(said).text
                if shorts := [one for one in short_blocks(text) if not one.parts[0].ahead]:
                    self.order = (seat, shorts[0].parts[0].number)
                    return
                envelope = read_block(text)
            except FormError:
                return
            if envelope is not None and envelope.say.get("act") == "order":
                self.order = (str(envelope.say["seat"]), int(envelope.say["ask"]))


class Laws:
    """The laws of one world. They read the host's store by a connection of their own, and only what is committed there."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.sent: dict[int, Sent] = {}
        self.orders: dict[tuple[str, int], list[Sent]] = {}
        self._db: sqlite3.Connection | None = None
        self._version = -1
        self.entries: list[dict[str, Any]] = []
        self.hashes: list[str] = []
        self.due: dict[int, str] = {}
        self._answered: set[tuple[str, int]] = set()
        self._said: set[tuple[str, int]] = set()
        self._held: dict[str, int] = {}
        """The question that was held last for a seat."""
        self._ordered: dict[str, int] = {}
        """The question that a seat has answered last."""
        self._verified = 0

    # -- the store ------------------------------------------------------------------------------------------------------

    def look_away(self) -> None:
        """Let go of the store: its file is being moved."""
        if self._db is not None:
            self._db.close()
            self._db = None
            self._version = -1

    def rows(self, sql: str, *args: object) -> list[Any]:
        """Return rows of the true store, as they are committed."""
        if self._db is None:
            self._db = sqlite3.connect(f"file:{self.world.store}?mode=ro", uri=True, check_same_thread=False)
        return self._db.execute(sql, args).fetchall()

    # -- after each step ------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Look at what the last step has left."""
        version = self.rows("pragma data_version")[0][0]
        if version == self._version:
            return
        self._version = version
        rows = self.rows("select n, hash, line from entries where game = 1 and n >= ? order by n", len(self.entries))
        for n, digest, line in rows:
            if n != len(self.entries):
                raise Broken("nothing twice", f"entry {n} follows {len(self.entries) - 1}")
            self._entry(n, json.loads(line))
            self.hashes.append(digest)
        self._stumbles()

    def _entry(self, n: int, entry: dict[str, Any]) -> None:
        self.entries.append(entry)
        kind = entry["k"]
        self.world.note(f"entry {n}: {kind} {entry.get('by', entry.get('to', ''))} {entry.get('why', '')}".rstrip())
        if kind == "ask":
            self.due[n] = entry.get("due", "")
        elif kind == "extend" and entry["ask"] in self.due:
            self.due[entry["ask"]] = entry["due"]
            self._holds(n, held_for(entry["why"]), entry["ask"])
        elif kind in ("order", "skip"):
            key = (entry["by"], n) if kind == "order" else (entry["to"], entry["ask"])
            if kind == "order":
                key = (entry["by"], self._ask_of(entry))
                self._ordered[entry["by"]] = key[1]
            if key in self._answered:
                raise Broken("nothing twice", f"entry {n} answers question {key[1]} for {key[0]} once more")
            self._answered.add(key)
            if kind == "skip" and entry["why"] != "out":
                self._skip(key, entry)
        elif kind in ("say", "rekey"):
            number = (entry["by"], entry["say"]["no"])
            if number in self._said:
                raise Broken("nothing twice", f"entry {n} is number {number[1]} of {number[0]} once more")
            self._said.add(number)

    def _holds(self, n: int, seat: str, ask: int) -> None:
        """A question is held for a seat, or made longer for another reason: then it is no seat's."""
        if not seat:
            return
        if seat in self._held and self._ordered.get(seat, -1) <= self._held[seat]:
            raise Broken(
                "held once", f"entry {n} holds for {seat} once more, who has answered nothing since {self._held[seat]}"
            )
        if not self.rows("select 1 from meta where name = 'unread 1 ' || ?", seat):
            raise Broken("held once", f"entry {n} holds for {seat}, of whom no mail is noted that could not be read")
        self._held[seat] = ask

    def _ask_of(self, entry: dict[str, Any]) -> int:
        if "ask" in entry["say"]:
            return int(entry["say"]["ask"])
        return max(n for n in self.due)

    def _skip(self, key: tuple[str, int], entry: dict[str, Any]) -> None:
        seat, ask = key
        due = self.due[ask]
        if entry["why"] == "due" and self.world.latest_clock <= due:
            raise Broken("not early", f"{seat} is skipped at {self.world.latest_clock}, and has time until {due}")
        found = [
            copy
            for sent in self.orders.get(key, ())
            for copy in sent.copies
            if copy.stamp and copy.put_step < self.world.steps and copy.stamp <= due and copy.clock <= due
        ]
        for copy in found:
            if not self._was_refused(copy):
                raise Broken(
                    "in time",
                    f"{seat} is skipped at question {ask} (until {due}, now {moment(self.world.sim.time)}), but mail {copy.no} "
                    f"came by {copy.way} at {copy.stamp}: {self._outcome(copy)}",
                )
        self._heard(seat, ask)

    def _heard(self, seat: str, ask: int) -> None:
        """A default was taken for a seat: had its mail that nobody can read held this question, or one before?"""
        put, due = self.entries[ask]["at"], self.due[ask]
        unread = [
            sent
            for sent in self.sent.values()
            if sent.seat == seat and any(self._came(copy, put, due) for copy in sent.copies)
        ]
        if (
            unread
            and seat not in self._held
            and not self.rows("select 1 from meta where name = 'unread 1 ' || ?", seat)
        ):
            raise Broken("heard", f"{seat} is skipped at question {ask}, and mail {unread[0].no} could not be read")

    def _came(self, copy: Mail, put: str, due: str) -> bool:
        """Did a copy come while a question was open, and was it taken for one that cannot be read?"""
        return (
            put <= copy.stamp <= due
            and copy.put_step < self.world.steps
            and self._outcome(copy).startswith("unreadable")
        )

    def _was_refused(self, copy: Mail) -> bool:
        outcome = self._outcome(copy)
        if copy.way in ("lmtp", "pipe") and outcome == "not here":
            return copy.given_up
        return outcome.startswith("refused") and "which is closed" not in outcome

    def _outcome(self, copy: Mail) -> str:
        """What the host decided on a mail: by any of its copies."""
        marks = self.sent[copy.no].marks
        places = ",".join("?" * len(marks))
        found = self.rows(f"select outcome from inbox where sha256 in ({places})", *sorted(marks))  # noqa: S608 - marks only
        return str(found[0][0] or "undecided") if found else "not here"

    def _stumbles(self) -> None:
        for number, outcome in self.rows(
            "select id, outcome from inbox where outcome >= 'failed:' and outcome < 'failed;'"
        ):
            if "died over it" not in outcome:
                raise Broken("accounted", f"the program stumbles over a mail: {outcome}")
            if not self.rows("select 1 from meta where name = ?", f"stuck {number}"):
                raise Broken("accounted", f"a mail has {outcome}, and no trouble in the status tells of it")

    # -- when something leaves ------------------------------------------------------------------------------------------

    def has(self, mail: Mail) -> None:
        """A way in has given a mail up: is it in the store?"""
        if self._outcome(mail) == "not here":
            raise Broken("accounted", f"mail {mail.no} left {mail.way} and is not in the store")

    def copy(self, name: str, desk: Desk, notes: Notes) -> None:
        """A desk has read: is its copy the beginning of the log?"""
        self.look()
        n, head = desk.copy(notes).log.head
        if n >= len(self.hashes) or self.hashes[n] != head:
            raise Broken("copies agree", f"{name} has another entry {n} than the host")

    def line(self, seat: str, n: int, line: bytes) -> None:
        """A line of the log has come with a letter to a seat: is it that of the log?"""
        ((there,),) = self.rows("select line from entries where game = 1 and n = ?", n) or [(b"",)]
        if bytes(there) != line:
            raise Broken("copies agree", f"a letter to {seat} has another entry {n} than the host")

    def log(self) -> Log:
        """The whole log, as it stands in the store."""
        lines = self.rows("select line from entries where game = 1 order by n")
        lines += self.rows("select line from attachments where game = 1 order by n, rowid")
        return Log.parse(b"".join(line + b"\n" for (line,) in lines)).tidy()

    def sound(self) -> None:
        """The log verifies, where it stands at a question: before, nothing has to be signed."""
        self.look()
        if len(self.entries) > self._verified and self.entries[-1]["k"] in ("ask", "end"):
            self._verified = len(self.entries)
            found = verify(self.log(), "host")
            if found.verdict not in ("clean", "unfinished"):
                raise Broken("sound log", f"{found.code} at entry {found.entry}: {found.reason}")

    # -- kept seats -----------------------------------------------------------------------------------------------------

    def _kept(self, log: Log) -> None:
        """Each order that the host has signed is what a mail of that seat's player means, and all that is kept of it fits."""
        kept = look_at(log)
        if kept is None:
            return
        if (kept.seed, kept.odd) != ("fits", []) or any(one.chain != "fits" for one in kept.seats.values()):
            raise Broken("kept seats", f"what the log says of them does not fit: {kept.to_json()}")
        by_mail = {seat for seat, player in self.world.players.items() if not player.machines}
        if odd := [seat for seat, one in kept.seats.items() if seat in by_mail and one.orders != one.mailed]:
            raise Broken("kept seats", f"orders of {odd} name no mails")
        with closing(Store(self.world.store)) as store:
            files = written(store, 1)
            parts = [parts_behind(store, 1, one.id) for one in store.find(Evidence, game=1)]
        again = Again(log, find)
        by_said = {str(one["said"]): one for one in json.loads(files[INDEX])}
        for entry, digest in named(log):
            found = again.look(entry, digest, by_said, files)
            if (found.digest, found.read) != ("fits", "same"):
                raise Broken("kept seats", f"the mails of entry {entry.n} read again: {found}")
            if entry.k == "order":
                self._meant(
                    entry.n, entry.fields, dict(parts[list(by_said).index(sha256_hex(cj(entry.fields["say"])))]), again
                )

    def _meant(self, n: int, fields: dict[str, Any], parts: dict[str, bytes], again: Again) -> None:
        """Is an order the line of the list whose number its player's mail says?"""
        seat, mark = str(fields["by"]), sha256(parts["mail"].replace(b"\r\n", b"\n")).hexdigest()
        sent = next((one for one in self.sent.values() if mark in one.marks), None)
        if sent is None or sent.seat != seat:
            raise Broken("kept seats", f"entry {n} is of {seat}, who has sent no such mail")
        player = self.world.players[seat]
        assert isinstance(player, Mailing)
        if sent.no in player.garbled:
            return
        if sent.no not in player.meant:
            raise Broken("kept seats", f"entry {n} is an order of {seat}, and mail {sent.no} orders nothing")
        code, no = player.meant[sent.no]
        put = {int(row[0]) for row in self.rows("select n from put_letters where code = ? and seat = ?", code, seat)}
        ask = self._ask_of_entry(n, fields)
        if put != {ask}:
            raise Broken("kept seats", f"entry {n} answers question {ask}, and mail {sent.no} answers {put}")
        listed = choices(again.pack, again.view(seat, ask))
        if again.opened[seat, ask, "order"] != listed[no - 1].order:
            raise Broken("kept seats", f"entry {n} is not what mail {sent.no} means by {no}")

    def _ask_of_entry(self, n: int, fields: dict[str, Any]) -> int:
        if "ask" in fields["say"]:
            return int(fields["say"]["ask"])
        return max(ask for ask in self.due if ask < n)

    # -- at the end -----------------------------------------------------------------------------------------------------

    def at_the_end(self) -> None:
        """All is over, and the faults with it."""
        self.look()
        log = self.log()
        found = audit(log.dump(), lambda game: (find(game).rules, manifest(game)[1])).verdict
        if found.verdict != "clean":
            raise Broken("sound log", f"the audit says {found.verdict}: {found.reason}")
        for player in self.world.players.values():
            for machine in player.machines[:1]:
                notes = machine.desk.notes()
                said = verify(machine.desk.copy(notes).log, notes.seat)
                if said.verdict != "clean":
                    raise Broken("copies agree", f"the copy of {machine.name} is {said.verdict}: {said.reason}")
        self._kept(log)
        for sent in self.sent.values():
            for copy in sent.copies:
                if not copy.out:
                    raise Broken("accounted", f"mail {copy.no} still lies in {copy.way or 'no way'}")
                self.has(copy)
        if left := self.rows("select id from inbox where outcome = ''"):
            raise Broken("accounted", f"{len(left)} mails are not decided")
        for sent in self.sent.values():
            if any(self._outcome(copy).startswith("unreadable") for copy in sent.copies) and not self.rows(
                "select 1 from outbox where kind = 'refusal' and seat = ?", sent.seat
            ):
                raise Broken("heard", f"{sent.seat} was not told that mail {sent.no} could not be read")
        taken, refused = self.world.submission.taken, self.world.submission.refused
        aside = {
            name
            for (name,) in self.rows(
                "select message_id from outbox where kind = 'receipt' and attempts = 0 and exists (select 1 from outbox as behind "
                "where behind.seat = outbox.seat and behind.kind = 'report' and behind.id > outbox.id)"
            )
        }
        """Receipts that needed not go, as a report behind them has their lines."""
        for name, sent_how in self.rows("select message_id, sent from outbox"):
            if name in aside:
                continue
            if sent_how == 0 or (sent_how == 1 and name not in taken) or (sent_how == 2 and name not in refused):
                raise Broken("accounted", f"the letter {name} is noted as {sent_how}")
        status = self.world.status()
        ((failed,),) = self.rows("select count(*) from inbox where outcome like 'failed:%'")
        if status["mails_stuck"] != failed:
            raise Broken("accounted", f"{failed} mails failed, and the status says {status['mails_stuck']}")
