"""A table: a whole game played in one process, with every key, signature and seal, and no mail.

For tests, benchmarks and trials. It keeps the log as a host does, and the copy that each seat would have. Its clock moves only when
somebody is late.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce

from pbem.errors import OrderError
from pbem.kernel import Game, Json
from pbem.ledger import Course, Log, PrivateKey, after, cj, merge, player_root, pledged, sha256_hex
from pbem.ledger.kept import MAIL, commitment, end_field, join_field, mail_digest, term, top_of

from .chains import HostChains
from .intake import History, check_ahead, check_order, check_ready, check_rekey, check_say
from .moving import Taken, keyed, take_over
from .pen import After, AskSeen, Envelope, Pen, last_orders
from .referee import Answer, AnswersDue, Referee
from .scribe import Key, Scribe, Sent, opening_entry, receipt, signed_head

AT = "2030-01-01T00:00:00Z"


def terms(hours: int = 0, late: str = "default", leave: int = 0, **more: Json) -> dict[str, Json]:
    """Return terms in the form of entry 0; a question may run for a month longer than it has to."""
    return {"late": late, "leave": leave, "hours": hours, "grace": 0, "most": hours + 720} | more


class MemoryLedger:
    """A ledger in memory: the whole log, and the growing copy of each seat."""

    def __init__(self, seats: Sequence[str]) -> None:
        self.log, self.course = Log(), Course()
        self.copies: dict[str, list[bytes]] = {seat: [] for seat in seats}
        self._kept: dict[Key, tuple[str, bytes]] = {}
        self._held: dict[str, set[Key]] = {seat: set() for seat in seats}

    @classmethod
    def of(cls, taken: Taken) -> MemoryLedger:
        """Return the ledger of a game that is taken over."""
        ledger = cls(tuple(taken.copies))
        ledger.log, ledger.course = Log(taken.log.lines), taken.course
        keys = {attachment.line: key for key, attachment in keyed(taken.log)}
        for key, attachment in keyed(taken.log):
            ledger._kept[key] = (attachment.digest, attachment.line)
        for seat, copy in taken.copies.items():
            ledger.copies[seat] = [line.line for line in copy.lines]
            ledger._held[seat] = {keys[attachment.line] for attachment in copy.attachments}
        return ledger

    @property
    def next_n(self) -> int:
        return len(self.log.entries)

    @property
    def head(self) -> str:
        return self.log.head[1]

    def append(self, fields: Mapping[str, Json]) -> str:
        entry = self.log.append(fields)
        self.course = after(self.course, entry.fields)
        for copy in self.copies.values():
            copy.append(entry.line)
        return entry.hash

    def attach(self, key: Key, digest: str, line: Sequence[Json], to: Iterable[str]) -> None:
        self._kept[key] = (digest, self.log.attach(line).line)
        self.give(key, to)

    def digest(self, key: Key) -> str:
        return self._kept[key][0]

    def give(self, key: Key, to: Iterable[str]) -> None:
        for seat in to:
            if key not in self._held[seat]:
                self._held[seat].add(key)
                self.copies[seat].append(self._kept[key][1])

    def give_all(self) -> None:
        for key in self._kept:
            self.give(key, self.copies)


def _key_of(seed: str, who: str) -> PrivateKey:
    return PrivateKey.from_seed(bytes.fromhex(sha256_hex(f"{seed} {who}".encode())))


class Table:
    """One game with every seat taken and ready; `answer` or `play` it to its end.

    `hours` is the time for each question (0: none); `late`, `leave` and `more` are its other terms. `recovery` is the line of a
    recovery key that all seats bind. `keys` are own keys for some seats or the “host”. `kept` are the seats that the host keeps,
    with their players' words.
    """

    def __init__(
        self,
        game: Game,
        options: Json,
        seed: str,
        rules_sha256: str = "0" * 64,
        hours: int = 0,
        late: str = "default",
        leave: int = 0,
        recovery: str = "",
        keys: Mapping[str, PrivateKey] | None = None,
        kept: Mapping[str, str] | None = None,
        **more: Json,
    ) -> None:
        self.game, self.seats, self.now = game, game.seats(options), AT
        self.rules_sha256 = rules_sha256
        key_of = {name: _key_of(seed, name) for name in (*self.seats, "host")} | dict(keys or {})
        self.host_key = key = key_of["host"]
        root = player_root(key)
        chains = HostChains(root, root.nonce(seed))
        self.words, kept_seed = dict(kept or {}), root.secret_for("kept", chains.nonce)
        more |= term(commitment(chains.nonce, kept_seed), list(self.words)) if self.words else {}
        self.ledger = MemoryLedger(self.seats)
        first = opening_entry(game, options, rules_sha256, chains, key, terms(hours, late, leave, **more), AT)
        self.id = self.ledger.append(first)
        tops = {seat: top_of(kept_seed, self.id, seat, words) for seat, words in self.words.items()}
        self.pens = {seat: Pen(key_of[seat], self.id, seat, top=tops.get(seat, "")) for seat in self.seats}
        roster = ""
        for seat, pen in self.pens.items():
            words = self.words.get(seat)
            beside = {} if words is None else join_field(words, mail_digest(self.id, "0" * 32, [b"JOIN"]))
            roster = self.ledger.append(pen.join(recovery if words is None else "").entry("join", AT) | beside)
        seen = (len(self.seats), roster)
        self.ledger.attach(("head", "", seen[0], ""), "", signed_head(key, self.id, *seen), self.seats)
        for pen in self.pens.values():
            self.ledger.append(pen.ready(seen).entry("ready", AT))
        self.scribe = Scribe(
            Referee.start(game, options), self.ledger, self.id, key, root, chains,
            lambda: end_field(kept_seed) if self.words else {},
        )  # fmt: skip
        self.kept: dict[tuple[str, int], Envelope] = {}
        """Unused premoves, by seat and mark."""
        self.signed: dict[str, dict[bool, tuple[int, int]]] = {seat: {} for seat in self.seats}
        """By seat, the last order that it has signed for a question (False) and ahead (True): question or mark, and revision."""
        self._here: dict[str, Sent] = {}
        self._go_on()

    @property
    def referee(self) -> Referee:
        """The referee at this table."""
        return self.scribe.referee

    @property
    def course(self) -> Course:
        """How far the log has come."""
        return self.ledger.course

    @property
    def history(self) -> History:
        """The log as the intake sees it."""
        return History(self.id, self.course, lambda n: self.ledger.log.entries[n].hash)

    @property
    def open(self) -> AnswersDue | None:
        """The open question, or None when the game is over."""
        due = self.referee.due()
        return due if isinstance(due, AnswersDue) else None

    def _moment(self, at: str | None) -> str:
        self.now = max(self.now, at or self.now, self.course.clock)
        return self.now

    def after(self, seat: str) -> After:
        """Return the last orders that a seat has signed, as a say names them."""
        return last_orders(self.signed[seat].get(False), self.signed[seat].get(True))

    def say(self, seat: str, act: str, at: str | None = None, **more: Json) -> int:
        """Make a seat's statement other than an order, with its consequences; return the entry's number.

        After a claim, call `answer` with that number; an answer that is taken back is asked for again.
        """
        at, before = self._moment(at), self.course.phase
        envelope = replace(self._said(seat, act, self.ledger.log.head, **more), beside=self._beside(seat, act))
        check_say(envelope, self.history, at)
        n = self.scribe.say(envelope, at)
        if self.course.phase == "play" or (before == "called" and self.course.phase == "told"):
            self._go_on(at)
        return n

    def _said(self, seat: str, act: str, seen: tuple[int, str], **more: Json) -> Envelope:
        said = {"act": act, "no": self.course.next_no(seat), "seen": list(seen), "after": self.after(seat), **more}
        return self.pens[seat].say(said)

    def rekey(self, seat: str, key: PrivateKey, recovery: PrivateKey | None = None, at: str | None = None) -> None:
        """Let a seat change its key, and all say again that they are ready; `recovery` signs if the old key is lost."""
        self.change_key(seat, key, recovery, at)
        self._all_ready()

    def change_key(self, seat: str, key: PrivateKey, recovery: PrivateKey | None = None, at: str | None = None) -> None:
        """Let a seat change its key, or with the same key its chain; nobody is ready yet."""
        holder = self.course.seats[seat]
        pen = Pen(key, self.id, seat, begun=self.course.next_no(seat))
        signer = recovery or self.pens[seat].key
        envelope = pen.rekey(signer, self.ledger.log.head, self.after(seat), holder.next, recovery=recovery is not None)
        check_rekey(envelope, self.history, self._moment(at))
        self.scribe.rekey(envelope, self.now)
        self.pens[seat] = Pen.at(key, self.id, seat, self.course)

    def renew(self, at: str | None = None) -> None:
        """Let the host continue from new anchors, if few links are left, with all ready again."""
        self.scribe.renew(self._moment(at))
        self._all_ready()

    def replace(self, seat: str, key: PrivateKey, at: str | None = None) -> None:
        """Give the seat of a vanished player to another; everybody agrees, and is ready again."""
        newcomer = Pen(key, self.id, seat).join()
        what = {"player": {"say": newcomer.say, "sig": newcomer.sig}}
        for name in self.seats:
            if name != seat and name not in self.referee.gone:
                self.say(name, "agree", at, what=sha256_hex(cj(what)))
        self.scribe.replace(newcomer, self._moment(at))
        self.pens[seat], self.signed[seat] = Pen.at(key, self.id, seat, self.course), {}
        self.words.pop(seat, "")
        self._all_ready()

    def move(self, seed: str, copies: Iterable[bytes] = ()) -> None:
        """Let another host continue from the players' copies: all agree to him, and are ready again."""
        united = reduce(merge, map(Log.parse, copies or map(self.copy, self.seats)))
        taken = take_over(united, lambda _: (self.game, self.rules_sha256))
        self.host_key = key = _key_of(seed, "host")
        root = player_root(key)
        chains = HostChains(root, self.scribe.chains.nonce)
        what = taken.propose(key, chains)
        self.ledger = MemoryLedger.of(taken)
        self.scribe = Scribe(taken.referee, self.ledger, self.id, key, root, chains)
        for seat in self.seats:
            if seat not in self.course.gone:
                envelope = self._said(seat, "agree", taken.log.head, what=sha256_hex(cj(what)))
                self.ledger.append(envelope.entry("say", self._moment(None)))
        self.scribe.take_over(what, self.now)
        self._all_ready()

    def _all_ready(self) -> None:
        for seat in self.course.missing:
            self.ready(seat)

    def ready(self, seat: str, at: str | None = None) -> None:
        """Let a seat say again that it is ready; when all are, the question is put again."""
        call = self.course.call
        assert call is not None  # noqa: S101 - somebody calls, or nobody is missing
        envelope = self.pens[seat].ready(self.ledger.log.head, call.mark)
        check_ready(envelope, self.history)
        self.scribe.ready(envelope, self._moment(at))
        if not self.course.missing:
            self._go_on()

    def go_by(self, game: Game) -> None:
        """Let all seats agree to another version of the rules, and continue by it."""
        what = {"rules": {"id": game.id, "ver": game.version, "sha256": self.rules_sha256}}
        for seat in self.seats:
            if seat not in self.referee.gone:
                self.say(seat, "agree", what=sha256_hex(cj(what)))
        self.scribe.amend(what, pledged(self.course, what) or (), self.now)
        self.game = game
        self.referee.renew(game, game.version)
        self._go_on()

    def answer(
        self,
        orders: Mapping[str, tuple[str, str]],
        skipped: Iterable[str] = (),
        claim: int | None = None,
        at: str | None = None,
    ) -> None:
        """Let every asked seat sign and send its order and plans (typed texts), and write on.

        Seats are `skipped` when the time to answer is over, unless it says `at`.
        """
        due = self.open
        if due is None:
            raise ValueError("the game is over")
        skipped = list(skipped)
        at = self._moment(at or (self.course.due if skipped else None))
        sent = {seat: one for seat, one in self._here.items() if seat not in skipped}
        entry = self.ledger.log.entries[due.ask]
        question = AskSeen.of(due.ask, entry.fields, entry.hash)
        for seat, (order, plans) in orders.items():
            answer = self.referee.read(seat, order, plans)
            envelope = self.pens[seat].order(question, str(answer.order), answer.plans)
            check_order(envelope, self.history, question)
            self.signed[seat][False] = (due.ask, 0)
            sent[seat] = self._sent(envelope, answer, at)
        self.scribe.orders(sent, dict.fromkeys(skipped, at), at, claim)
        self._go_on(at)

    def ahead(self, seat: str, mark: int, text: str, plans: str = "", rev: int = 0) -> Envelope:
        """Let a seat sign and send an order ahead (canonical text), for the question that will bear `mark`; "" takes it back."""
        envelope = self.pens[seat].ahead(mark, self.ledger.log.head, text, plans, rev)
        check_ahead(envelope, self.history, is_open=self.open is not None and seat in self.open.to)
        self.kept[seat, mark] = envelope
        self.signed[seat][True] = max(self.signed[seat].get(True, (0, 0)), (mark, rev))
        return envelope

    def _go_on(self, at: str | None = None) -> None:
        """Continue writing, with premoves that fit, until a seat has to be asked."""
        at = self._moment(at)
        while True:
            self.scribe.write_on(at)
            due, self._here = self.open, {}
            if due is None or self.referee.open_mark is None:
                return
            for seat in due.to:
                envelope = self.kept.pop((seat, self.referee.open_mark), None)
                if envelope is not None:
                    order, plans = (str(line[6]) for line in envelope.openings)
                    with suppress(OrderError):
                        self._here[seat] = self._sent(envelope, self.referee.ahead(seat, order, plans), at)
            if set(self._here) != set(due.to):
                return
            self.scribe.orders(self._here, {}, at)

    def _sent(self, envelope: Envelope, answer: Answer, at: str) -> Sent:
        got = receipt(self.host_key, self.id, envelope.say, at)
        beside = self._beside(str(envelope.say["seat"]), str(answer.order))
        return Sent(envelope.say, envelope.sig, at, (envelope.openings[0], envelope.openings[1]), got, answer, beside)

    def _beside(self, seat: str, said: str) -> dict[str, Json]:
        """Return the unsigned field of a kept seat's entry: the digest of a mail that contains only `said`."""
        is_kept = seat in self.words and not self.course.seats[seat].begun
        return {MAIL: mail_digest(self.id, "0" * 32, [said.encode()])} if is_kept else {}

    @property
    def waiting(self) -> tuple[str, ...]:
        """The seats that are asked, and have not sent their answer ahead."""
        return tuple(seat for seat in self.open.to if seat not in self._here) if self.open else ()

    def play(self, answer: Callable[[str, Json], str], most: int = 100_000) -> bool:
        """Let `answer(seat, view)` say every order, until the end (True) or `most` questions have been put."""
        for _ in range(most):
            if self.open is None:
                return True
            self.answer({seat: (answer(seat, self.referee.view(seat)), "") for seat in self.waiting})
        return self.open is None

    def whole(self) -> bytes:
        """Return the exported log with all the host's attachments."""
        return self.ledger.log.tidy().dump()

    def copy(self, seat: str) -> bytes:
        """The copy of a seat as it grew."""
        return b"".join(line + b"\n" for line in self.ledger.copies[seat])
