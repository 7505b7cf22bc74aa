"""A table: a whole game played in one process, with every key, signature and seal, and no mail.

For tests, benchmarks and trying a game out. It keeps the log as a host does, and the copy that each seat would hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import reduce

from pbem.errors import OrderError
from pbem.kernel import Game, Json
from pbem.ledger import Log, PrivateKey, Talk, cj, merge, player_root, sha256_hex, stand

from .intake import Seat, check_ahead, check_order, check_ready_again, check_rekey, check_say
from .moving import Taken, keyed, take_over
from .pen import Envelope, Pen, Question
from .referee import Answer, AnswersDue, Referee
from .scribe import Key, Scribe, Sent, host_chain, host_labels, opening_entry, receipt, signed_head

AT = "2030-01-01T00:00:00Z"


class MemoryLedger:
    """A ledger in memory: the whole log, and the growing copy of each seat."""

    def __init__(self, seats: Sequence[str]) -> None:
        self.log = Log()
        self.copies: dict[str, list[bytes]] = {seat: [] for seat in seats}
        self._kept: dict[Key, tuple[str, bytes]] = {}
        self._held: dict[str, set[Key]] = {seat: set() for seat in seats}

    @classmethod
    def of(cls, taken: Taken) -> MemoryLedger:
        """Return the ledger of a game that is taken over."""
        ledger = cls(tuple(taken.copies))
        ledger.log = Log(taken.log.lines)
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


class Table:
    """One game at which every seat is taken and ready; `answer` or `play` it to its end.

    With `until` every question bears this deadline; `recovery` is the line of a recovery key that all seats bind.
    """

    def __init__(
        self,
        game: Game,
        options: Json,
        seed: str,
        rules_sha256: str = "0" * 64,
        until: str | None = None,
        terms: Json = None,
        recovery: str = "",
    ) -> None:
        self.game, self.seats, self.until = game, game.seats(options), until
        key = PrivateKey.from_seed(bytes.fromhex(sha256_hex(f"{seed} host".encode())))
        keys = {seat: PrivateKey.from_seed(bytes.fromhex(sha256_hex(f"{seed} {seat}".encode()))) for seat in self.seats}
        self.host_key, root = key, player_root(key)
        nonce = root.nonce(seed)
        self.ledger = MemoryLedger(self.seats)
        chains = {label: host_chain(root, nonce, label) for label in host_labels(game, options, self.seats)}
        anchors = {label: chain.anchor for label, chain in chains.items()}
        self.id = self.ledger.append(opening_entry(game, options, rules_sha256, nonce, key, anchors, terms))
        self.pens = {seat: Pen(keys[seat], self.id, nonce, seat) for seat in self.seats}
        roster = ""
        for seat, pen in self.pens.items():
            sent = pen.join(recovery)
            roster = self.ledger.append({"k": "join", "by": seat, "say": sent.say, "sig": sent.sig, "at": AT})
        seen = (len(self.seats), roster)
        self.ledger.attach(("head", "", seen[0], ""), "", signed_head(key, self.id, *seen), self.seats)
        for seat, pen in self.pens.items():
            sent = pen.ready(seen)
            self.ledger.append({"k": "ready", "by": seat, "say": sent.say, "sig": sent.sig, "at": AT})
        self.nonce = nonce
        links = {seat: (1, pen.chain.x(1)) for seat, pen in self.pens.items()}
        self.scribe = Scribe(Referee.start(game, options), self.ledger, self.id, key, root, chains, links)
        self.kept: dict[tuple[str, int], Envelope] = {}
        """What was sent ahead and not used yet, by seat and mark."""
        self._here: dict[str, Sent] = {}
        self._go_on(None)

    @property
    def referee(self) -> Referee:
        return self.scribe.referee

    @property
    def open(self) -> AnswersDue | None:
        """The question that stands open, or None when the game is over."""
        due = self.referee.due()
        return due if isinstance(due, AnswersDue) else None

    def talk(self) -> Talk:
        """Return what has been said besides orders."""
        return Talk.read(entry.fields for entry in self.ledger.log.entries)

    def say(self, seat: str, act: str, at: str = AT, **more: Json) -> int:
        """Let a seat sign and send something besides its orders, and write what follows at once; return its entry.

        A claim has to be followed by `answer`, with its number.
        """
        talk, n = self.talk(), self.ledger.next_n
        said = {"act": act, "no": talk.next_no(seat), "seen": [n - 1, self.ledger.head], **more}
        envelope = self.pens[seat].say(said)
        held = Seat(seat, self.pens[seat].key.key_line, *self.scribe.links[seat])
        check_say(envelope, self.id, held, talk, lambda m: self.ledger.log.entries[m].hash, n, at)
        self.scribe.say(envelope, at, talk)
        if talk.amends is not None:
            self._go_on(at)
        return n

    def rekey(self, seat: str, key: PrivateKey, recovery: PrivateKey | None = None) -> None:
        """Let a seat change its key, and all say again that they are ready; `recovery` signs if the old key is lost."""
        talk, log = self.talk(), self.ledger.log
        pen = Pen(key, self.id, self.nonce, seat)
        signer, no = recovery or self.pens[seat].key, talk.next_no(seat)
        envelope = pen.rekey(signer, no, log.head, talk.recovery[seat], recovery=recovery is not None)
        held = Seat(seat, self.pens[seat].key.key_line, *self.scribe.links[seat])
        check_rekey(envelope, self.id, held, talk, lambda m: log.entries[m].hash, self.ledger.next_n, AT)
        self.scribe.rekey(envelope, AT, talk)
        self.pens[seat] = pen
        for name in list(talk.missing):
            self.ready(name)

    def replace(self, seat: str, key: PrivateKey) -> None:
        """Let another player take the seat of one who has vanished; all agree, and are ready again."""
        pen = Pen(key, self.id, self.nonce, seat)
        newcomer = pen.join()
        what = {"player": {"say": newcomer.say, "sig": newcomer.sig}}
        for name in self.seats:
            if name != seat and name not in self.referee.gone:
                self.say(name, "agree", what=sha256_hex(cj(what)))
        talk = self.talk()
        self.scribe.replace(newcomer, talk.pledged(what) or (), talk)
        self.pens[seat] = pen
        for name in list(talk.missing):
            self.ready(name)

    def move(self, seed: str, copies: Iterable[bytes] = ()) -> None:
        """Let another host go on from the players' copies: all agree to him, and are ready again."""
        united = reduce(merge, map(Log.parse, copies or map(self.copy, self.seats)))
        taken = take_over(united, lambda _: (self.game, "0" * 64))
        key = PrivateKey.from_seed(bytes.fromhex(sha256_hex(f"{seed} host".encode())))
        what, chains = taken.propose(key, player_root(key))
        self.ledger = MemoryLedger.of(taken)
        self.scribe = Scribe(
            taken.referee, self.ledger, self.id, key, player_root(key), {**self.scribe.chains, **chains}, taken.links
        )
        self.host_key, talk = key, taken.talk
        for seat in self.seats:
            if seat not in talk.gone:
                said = {"act": "agree", "no": talk.next_no(seat), "seen": list(taken.log.head)}
                envelope = self.pens[seat].say({**said, "what": sha256_hex(cj(what))})
                entry = {"k": "say", "by": seat, "say": envelope.say, "sig": envelope.sig, "at": AT}
                talk.follow(self.ledger.next_n, entry)
                self.ledger.append(entry)
        self.scribe.take_over(what, talk.pledged(what) or (), talk)
        for seat in list(talk.missing):
            self.ready(seat)

    def ready(self, seat: str) -> None:
        """Let a seat say again that it is ready; when all are, the question is put again."""
        talk, log = self.talk(), self.ledger.log
        held = Seat(seat, talk.keys[seat], *((0, talk.fresh[seat]) if seat in talk.fresh else self.scribe.links[seat]))
        envelope = self.pens[seat].ready(log.head, talk.mark)
        hash_of = lambda m: log.entries[m].hash  # noqa: E731
        check_ready_again(envelope, self.id, held, self.nonce, talk, hash_of, self.ledger.next_n, AT)
        self.scribe.ready(envelope, AT, talk)
        if not talk.missing:
            self._go_on(AT)

    def go_by(self, game: Game) -> None:
        """Let all seats agree to another version of the rules, and go on by it."""
        what = {"rules": {"id": game.id, "ver": game.version, "sha256": "0" * 64}}
        for seat in self.seats:
            if seat not in self.referee.gone:
                self.say(seat, "agree", what=sha256_hex(cj(what)))
        self.scribe.amend(what, self.talk().pledged(what) or ())
        self.game = game
        self.referee.renew(game, game.version)
        self._go_on(AT)

    def answer(
        self,
        orders: Mapping[str, tuple[str, str]],
        skipped: Iterable[str] = (),
        claim: int | None = None,
        at: str = AT,
    ) -> None:
        """Let every asked seat sign and send its order and plans (typed texts), and write on."""
        due = self.open
        if due is None:
            raise ValueError("the game is over")
        sent = {seat: one for seat, one in self._here.items() if seat not in skipped}
        entry = self.ledger.log.entries[due.ask]
        question = Question(due.ask, entry.fields["secret"], entry.fields.get("mark"), (due.ask, entry.hash))
        for seat, (order, plans) in orders.items():
            answer = self.referee.read(seat, order, plans)
            envelope = self.pens[seat].order(question, str(answer.order), answer.plans)
            held = Seat(seat, self.pens[seat].key.key_line, *self.scribe.links[seat])
            check_order(
                envelope, self.id, held, self.nonce, question, lambda n: self.ledger.log.entries[n].hash, due.ask
            )
            sent[seat] = self._sent(envelope, answer, at)
        self.scribe.orders(sent, dict.fromkeys(skipped, at), at, claim)
        self._go_on(at)

    def ahead(self, seat: str, mark: int, text: str, plans: str = "", rev: int = 0) -> Envelope:
        """Let a seat sign and send an order ahead (canonical text), for the question that will bear `mark`; "" takes it back."""
        log = self.ledger.log
        envelope = self.pens[seat].ahead(mark, log.head, text, plans, rev)
        held = Seat(seat, self.pens[seat].key.key_line, *self.scribe.links[seat])
        here = stand((entry.fields for entry in log.entries), seat)
        hash_of = lambda m: log.entries[m].hash  # noqa: E731
        is_open = self.open is not None and seat in self.open.to
        check_ahead(envelope, self.id, held, self.nonce, here, hash_of, log.head[0], is_open=is_open)
        self.kept[seat, mark] = envelope
        return envelope

    def _go_on(self, at: str | None) -> None:
        """Write on, with what was sent ahead where it fits, until a seat has to be asked."""
        while True:
            self.scribe.write_on(self.until, at)
            due, self._here = self.open, {}
            if due is None or self.referee.open_mark is None:
                return
            for seat in due.to:
                envelope = self.kept.pop((seat, self.referee.open_mark), None)
                if envelope is not None:
                    order, plans = (str(line[6]) for line in envelope.openings)
                    with suppress(OrderError):
                        self._here[seat] = self._sent(envelope, self.referee.ahead(seat, order, plans), AT)
            if set(self._here) != set(due.to):
                return
            self.scribe.orders(self._here, {}, AT)

    def _sent(self, envelope: Envelope, answer: Answer, at: str) -> Sent:
        got = receipt(self.host_key, self.id, envelope.say, at)
        return Sent(envelope.say, envelope.sig, at, (envelope.openings[0], envelope.openings[1]), got, answer)

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
        """The log with everything the host holds, as exported."""
        return self.ledger.log.tidy().dump()

    def copy(self, seat: str) -> bytes:
        """The copy of a seat as it grew."""
        return b"".join(line + b"\n" for line in self.ledger.copies[seat])
