"""The scribe: writes the entries that the referee finds due, with the host's keys, salts and chains.

It decides how an entry is sealed, signed and numbered, and who gets which opening when; the referee decides its content. It writes
into a `Ledger`, which the host keeps in its database and tests keep in memory, and which knows the course of the log. It knows no
mail and no clock: the caller passes in every moment. A moment earlier than a previous one is moved up to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol, TypeAlias

from pbem.kernel import Game, Json
from pbem.ledger import (
    GOT,
    HEAD,
    PROTO,
    TAKEBACK,
    Attachment,
    Course,
    PrivateKey,
    Root,
    agreed_host,
    check,
    cj,
    event_key,
    outcome,
    own_part,
    pledged,
    plus_hours,
    plus_seconds,
    seal,
    sha256_hex,
)
from pbem.records import dataclass

from .chains import HostChains
from .pen import Envelope
from .referee import PUBLIC, Answer, AnswersDue, AskDue, EndDue, OrderRef, PlaceRef, RandDue, Referee, TellDue

Key: TypeAlias = tuple[str, str, int, str]
"""How an attachment is found again: ("seal", who, ref, name), ("link", label, i, ""), ("got", seat, ask, ""),
("head", "", n, "")."""

TimeToAnswer: TypeAlias = Callable[[tuple[str, ...], str], str] | None
"""The end of the time to answer a question that is put to these seats at that moment; None: the minimum in the terms."""


class Ledger(Protocol):
    """The storage of the log: entries in a chain, attachments beside it, and the seats that have each attachment so far."""

    @property
    def course(self) -> Course:
        """How far the log has come; appending moves it on."""

    @property
    def head(self) -> str:
        """The hash of the last entry."""

    def append(self, fields: Mapping[str, Json]) -> str:
        """Chain an entry (n and prev are added) and return its hash."""

    def attach(self, key: Key, digest: str, line: Sequence[Json], to: Iterable[str]) -> None:
        """Keep an attachment of the last entry, and hand it to the seats `to`."""

    def digest(self, key: Key) -> str:
        """Return the digest of an attachment kept before."""

    def give(self, key: Key, to: Iterable[str]) -> None:
        """Hand an attachment kept before to those of the seats that do not hold it."""

    def give_all(self) -> None:
        """Hand every attachment to every seat: the game is over."""


@dataclass(frozen=True, slots=True)
class Sent:
    """An order as it came in and was found good: the signed envelope, its two openings, the receipt, and what it says."""

    say: Mapping[str, Json]
    sig: str
    at: str
    openings: tuple[Sequence[Json], Sequence[Json]]
    got: Sequence[Json]
    answer: Answer
    beside: Mapping[str, Json] = field(default_factory=dict)
    """Unsigned `x:` fields of its entry."""


def opening_entry(
    game: Game, options: Json, rules_sha256: str, chains: HostChains, key: PrivateKey, terms: Json, at: str
) -> dict[str, Json]:
    """Return the fields of entry 0; `terms` are what the players agreed on, and how much time they have."""
    seats = list(game.seats(options))
    return {
        "k": "game",
        "at": at,
        "proto": PROTO,
        "nonce": chains.nonce,
        "rules": {"id": game.id, "ver": game.version, "sha256": rules_sha256},
        "opts": options,
        "seats": seats,
        "host": key.key_line,
        "terms": terms,
        **chains.published(seats),
    }


def signed_head(key: PrivateKey, game: str, n: int, head: str) -> list[Json]:
    """Return the host's signature over a head, as an attachment."""
    return ["head", game, n, head, key.sign(HEAD, cj(["head", game, n, head]))]


def receipt(key: PrivateKey, game: str, say: Mapping[str, Json], at: str) -> list[Json]:
    """Return the host's receipt for something signed, as an attachment."""
    digest = sha256_hex(cj(dict(say)))
    return ["got", game, digest, at, key.sign(GOT, cj(["got", game, digest, at]))]


def _within(least: str, most: str, wanted: TimeToAnswer, seats: tuple[str, ...], at: str) -> str:
    """The end of a time that begins at a moment for these seats: as the host wants it, within what the terms ask for."""
    return min(max(wanted(seats, at), least), most) if wanted else least


class Scribe:
    """Writes one game's log, from the last `ready` to the end; `at_end` gives fields that begin with `x:`, which the end has."""

    def __init__(
        self,
        referee: Referee,
        ledger: Ledger,
        game: str,
        key: PrivateKey,
        root: Root,
        chains: HostChains,
        at_end: Callable[[], Mapping[str, Json]] = dict,
    ) -> None:
        self.referee, self.ledger, self.chains, self.seats = referee, ledger, chains, referee.seats
        self.game, self.key, self.root, self.at_end = game, key, root, at_end

    @property
    def course(self) -> Course:
        """How far the log has come."""
        return self.ledger.course

    def _moment(self, at: str) -> str:
        """The moment that an entry bears."""
        return max(at, self.course.clock)

    def write_on(self, at: str, due: TimeToAnswer = None) -> None:
        """Write everything that is due until a question is open or the game is over; `due` is the time for that question.

        A question put only to seats that are out is immediately answered by default.
        """
        while True:
            now = self.referee.due()
            match now:
                case RandDue():
                    self._rand(now)
                case TellDue():
                    self._tell(now)
                case AskDue():
                    self._ask(now, at, due)
                    if not set(now.to) <= set(self.referee.gone):
                        return
                    self.orders({}, {}, at)
                case EndDue():
                    self._end(now, at)
                    return
                case _:
                    return

    # -- what players say -------------------------------------------------------------------------------------------

    def say(self, envelope: Envelope, at: str) -> int:
        """Write a player's statement other than an order, with its immediate consequences; return the entry's number.

        After a claim, write the answers received so far, with its number; after an amendment, write what is due then.
        """
        n = self._signed("say", envelope, at)
        owed = self.course.owed
        match owed.kinds if owed else ():
            case ("order", "skip"):
                return n
            case ("amend",) if owed:
                self.amend({TAKEBACK: owed.takeback}, owed.agreed, at)
                return n
            case ("extend",) if owed:
                self.extend(str(plus_hours(self.course.due, owed.hours)), "leave", at, n)
        if isinstance(over := self.referee.due(), EndDue):
            self._end(over, at)
        else:
            self.sign_head()
        return n

    def extend(self, due: str, why: str, at: str, cause: int | None = None) -> None:
        """Write that there is time until `due`, because `why`; `cause` is the leave that asks for it."""
        on = self.course.on
        if on is None:
            raise TypeError("nothing stands open")
        entry: dict[str, Any] = {"k": "extend", "at": self._moment(at), "ask": on.n, "due": due, "why": why}
        self._append(entry if cause is None else {**entry, "cause": cause})

    def amend(self, what: Json, agreed: Sequence[int], at: str) -> None:
        """Write an amendment that all seats agreed on; the caller then writes what is due."""
        self._enter({"k": "amend", "at": self._moment(at), "what": what, "agreed": list(agreed)})

    def _append(self, entry: Mapping[str, Json]) -> int:
        """Write an entry: the course moves on with it, and the referee follows. Return its number."""
        before = self.course
        self.ledger.append(entry)
        self.referee.follow(before, self.course)
        return before.next

    def _enter(self, entry: Mapping[str, Json]) -> int:
        """Write a signed or agreed entry; return its number. Raises Refused if the log may not contain it.

        It may have become invalid since it arrived, such as a key that another player has taken since. Logging it would be this
        host's fault.
        """
        check(self.course, entry)
        return self._append(entry)

    # -- what calls all to be ready ---------------------------------------------------------------------------------

    def _until_ready(self, at: str, due: TimeToAnswer) -> dict[str, str]:
        """The time that all have to say again that they are ready: as the host has it, but no less than the terms ask for."""
        if not self.course.terms.hours:
            return {}
        length = self.course.call_length()
        least, most = plus_seconds(at, length), plus_seconds(at, max(length, 3600 * self.course.terms.most))
        return {"due": _within(least, most, due, self.seats, at)}

    def replace(self, newcomer: Envelope, at: str, due: TimeToAnswer = None) -> None:
        """Write that another player has a seat from now on; all are to say again that they are ready."""
        what, at = {"player": {"say": dict(newcomer.say), "sig": newcomer.sig}}, self._moment(at)
        agreed = pledged(self.course, what) or []
        self._enter(
            {"k": "amend", "at": at, "what": what, "agreed": agreed, **newcomer.beside} | self._until_ready(at, due)
        )
        self.sign_head()

    def rekey(self, envelope: Envelope, at: str, due: TimeToAnswer = None) -> None:
        """Write that a seat changes its key or chain; all are to say again that they are ready."""
        self._signed("rekey", envelope, at, **self._until_ready(self._moment(at), due))
        self.sign_head()

    def renew(self, at: str, due: TimeToAnswer = None) -> None:
        """Continue from new anchors if few links are left; all have to say again that they are ready."""
        at = self._moment(at)
        anchors = self.chains.renewed(self.course)
        self._append({"k": "renew", "at": at, **anchors} | self._until_ready(at, due))
        self.sign_head()

    def take_over(self, what: Json, at: str, due: TimeToAnswer = None) -> None:
        """Write that this host continues a game, as agreed by everybody; then everybody has to confirm again that they are
        ready."""
        at, agreed = self._moment(at), pledged(self.course, agreed_host(what["host"])) or []
        self._enter({"k": "host", "at": at, **what["host"], "agreed": agreed} | self._until_ready(at, due))
        self.sign_head()

    def ready(self, envelope: Envelope, at: str) -> None:
        """Write that a seat is ready again."""
        self._signed("ready", envelope, at)

    def _signed(self, kind: str, envelope: Envelope, at: str, **more: Json) -> int:
        say = envelope.say
        n = self._enter(envelope.entry(kind, self._moment(at)) | more)
        self.ledger.attach(("got", str(say["seat"]), n, ""), "", receipt(self.key, self.game, say, at), self.seats)
        return n

    def sign_head(self) -> None:
        """Sign the head, so that copies may grow to the last entry."""
        n, head = self.course.next - 1, self.ledger.head
        self.ledger.attach(("head", "", n, ""), "", signed_head(self.key, self.game, n, head), self.seats)

    # -- questions and answers --------------------------------------------------------------------------------------

    def orders(
        self,
        sent: Mapping[str, Sent],
        silent_at: Mapping[str, str],
        at: str,
        claim: int | None = None,
        forced: frozenset[str] = frozenset(),
    ) -> None:
        """Write the orders that answer the open question, in seat order, and the skips of the silent seats.

        Seats that are out are skipped at the moment `at`. `claim` is the entry by which another seat claims the game on time. The
        silent seats are then out, except the `forced` ones, which have only one legal answer. That may end the game.
        """
        due = self.referee.due()
        if not isinstance(due, AnswersDue):
            raise TypeError("no question stands open")
        ask, skipped = due.ask, {**silent_at, **dict.fromkeys(due.out, at)}
        answers: dict[str, Answer] = {}
        for seat in self.seats:
            if seat in sent:
                self._order(seat, ask, sent[seat])
                answers[seat] = sent[seat].answer
            elif seat in skipped:
                why = "out" if seat in self.referee.gone else "only" if seat in forced else "late" if claim else "due"
                entry = {"k": "skip", "to": seat, "ask": ask, "why": why, "at": self._moment(skipped[seat])}
                answers[seat] = self.referee.silence(seat)
                self._append(entry)
        if not isinstance(self.referee.due(), EndDue):
            self.referee.answered(answers, frozenset(skipped))

    def _order(self, seat: str, ask: int, order: Sent) -> None:
        say, question = dict(order.say), self.course.question
        asked = question.at if question and say["act"] == "order" else ""
        entry = {"k": "order", "by": seat, "say": say, "sig": order.sig, "at": max(order.at, asked)}
        self._append({**entry, **order.beside})
        for line in order.openings:
            name = str(line[4])
            self.ledger.attach(("seal", seat, ask, name), say["seals"][name], line, [seat])
        self.ledger.attach(("got", seat, ask, ""), "", order.got, self.seats)

    def _ask(self, due: AskDue, at: str, time: TimeToAnswer) -> None:
        at = self._moment(at)
        entry: dict[str, Any] = {"k": "ask", "at": at, "to": list(due.to), "what": due.what, "secret": due.secret}
        if due.mark is not None:
            entry["mark"] = due.mark
        if least := self.course.least_due(at):
            entry["due"] = _within(least, self.course.most_due(at), time, due.to, at)
        self.referee.asked(self._append(entry))
        self.sign_head()

    def _end(self, due: EndDue, at: str) -> None:
        cause = {} if due.cause is None else {"cause": due.cause}
        self._append({"k": "end", "at": self._moment(at), "result": due.result} | cause | dict(self.at_end()))
        self.ledger.give_all()
        self.sign_head()

    # -- chance and what is told ------------------------------------------------------------------------------------

    def _seal(self, name: str, value: Json) -> Attachment:
        n = self.course.next
        salt = self.root.salt(self.game, "host", n, 0, name, value)
        return seal(self.game, "host", n, name, salt, value)

    def _rand(self, due: RandDue) -> None:
        chance, label, i = due.chance, due.chance.label, due.index
        x = self.chains.link(self.course, label, i)
        req = [request.json() for request in chance.requests]
        res = outcome(event_key(x, self.game, label, i, self.course.links()), req)
        entry: dict[str, Any] = {"k": "rand", "chain": label, "i": i}
        hidden: dict[str, Json] = {}
        if chance.is_deal:
            hidden = {f"p{place}": value for place, value in enumerate(value for drawn in res for value in drawn)}
            entry |= self.chains.anchored(self.course, label)
            if chance.listed:
                entry["req"] = req
            else:
                hidden["req"] = req
        elif chance.owner:
            hidden = {chance.owner: [req, res]}
        else:
            entry.update(x=x, req=req, res=res)
        seals = {name: self._seal(name, value) for name, value in hidden.items()}
        if seals:
            entry["seals"] = {name: sealed.digest for name, sealed in seals.items()}
        n = self._append(entry)
        owner = [chance.owner] if chance.owner else []
        for name, sealed in seals.items():
            self.ledger.attach(("seal", "host", n, name), sealed.digest, sealed.fields, owner)
        if seals:
            self.ledger.attach(("link", label, i, ""), "", ["link", self.game, label, i, x], owner)
        self.referee.rolled(tuple(tuple(drawn) for drawn in res), n)

    def _tell(self, due: TellDue) -> None:
        public = {"facts": due.facts[PUBLIC], "view": self.referee.patch(PUBLIC)}
        told, views = self.referee.told_before, self.referee.views()
        of_all = told(PUBLIC), views[PUBLIC]
        own = {seat: own_part(public, due.facts[seat], told(seat), views[seat], of_all) for seat in self.seats}
        seals = {seat: self._seal(seat, own[seat]) for seat in self.seats}
        seals["state"] = self._seal("state", due.state)
        opens = [self._key_of(ref) for ref in due.opens]
        links: list[Key] = [("link", label, 1, "") for label in due.links]
        shown = [(seat, self._key_of(ref)) for seat, ref in self.referee.shown]
        n = self._append(
            {
                "k": "tell",
                "pub": public,
                "opens": [self.ledger.digest(key) for key in opens],
                "links": [[label, 1] for label in due.links],
                "rolls": list(due.rolls),
                "seals": {name: sealed.digest for name, sealed in seals.items()},
            }
        )
        for name, sealed in seals.items():
            holders = [] if name == "state" else [name]
            self.ledger.attach(("seal", "host", n, name), sealed.digest, sealed.fields, holders)
        for seat, key in shown:
            self.ledger.give(key, [seat])
        for key in (*opens, *links):
            self.ledger.give(key, self.seats)
        self.referee.told()

    def _key_of(self, ref: OrderRef | PlaceRef) -> Key:
        if isinstance(ref, OrderRef):
            return ("seal", ref.seat, ref.ask, "order")
        return ("seal", "host", ref.n, f"p{ref.place}")
