"""The scribe: writes down what the referee finds due, with the host's keys, salts and chains.

It decides how an entry is sealed, signed and numbered, and who is handed which opening when; what the entry says is the
referee's business. It writes into a `Ledger`, which the host keeps in its database and tests keep in memory.
It knows no mail and no clock: every `at` is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from pbem.kernel import Game, Json
from pbem.ledger import (
    GOT,
    HEAD,
    HashChain,
    PrivateKey,
    Root,
    Talk,
    chain_length,
    cj,
    event_key,
    outcome,
    plus_hours,
    seal,
    sha256_hex,
)
from pbem.ledger.entries import PROTO

from .pen import Envelope
from .referee import PUBLIC, Answer, AnswersDue, AskDue, EndDue, OrderRef, PlaceRef, RandDue, Referee, TellDue

Key: TypeAlias = tuple[str, str, int, str]
"""How an attachment is found again: ("seal", who, ref, name), ("link", label, i, ""), ("got", seat, ask, ""),
("head", "", n, "")."""

TimeToAnswer: TypeAlias = str | Callable[[tuple[str, ...]], str | None] | None
"""Until when a question may be answered, None for no limit; or what says that of the seats that are asked."""


class Ledger(Protocol):
    """Where the log is kept: entries in a chain, attachments beside it, and who holds which attachment by now."""

    @property
    def next_n(self) -> int:
        """The number of the next entry."""

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


def host_labels(game: Game, options: Json, seats: Sequence[str]) -> list[str]:
    """Return the labels of the chains that a host publishes for a game."""
    return ["pub", *(f"priv:{seat}" for seat in seats), *(f"deal:{k}" for k in range(1, game.deals_for(options) + 1))]


def host_chain(root: Root, nonce: str, label: str, checkpoints: Json = None) -> HashChain:
    """Return the host's chain of that label, from its root."""
    return HashChain(root.top(nonce, label), nonce, label, chain_length(label), checkpoints)


def opening_entry(
    game: Game,
    options: Json,
    rules_sha256: str,
    nonce: str,
    key: PrivateKey,
    anchors: Mapping[str, str],
    terms: Json = None,
) -> dict[str, Json]:
    """Return the fields of entry 0; `terms` are what the players agreed on about time, where they did."""
    return ({"terms": terms} if terms else {}) | {
        "k": "game",
        "proto": PROTO,
        "nonce": nonce,
        "rules": {"id": game.id, "ver": game.version, "sha256": rules_sha256},
        "opts": options,
        "seats": list(game.seats(options)),
        "host": key.key_line,
        "chains": dict(anchors),
    }


def signed_head(key: PrivateKey, game: str, n: int, head: str) -> list[Json]:
    """Return the host's signature over a head, as an attachment."""
    return ["head", game, n, head, key.sign(HEAD, cj(["head", game, n, head]))]


def receipt(key: PrivateKey, game: str, say: Mapping[str, Json], at: str) -> list[Json]:
    """Return the host's receipt for an order, as an attachment."""
    digest = sha256_hex(cj(dict(say)))
    return ["got", game, digest, at, key.sign(GOT, cj(["got", game, digest, at]))]


class Scribe:
    """Writes one game's log, from the last `ready` to the end."""

    def __init__(
        self,
        referee: Referee,
        ledger: Ledger,
        game: str,
        key: PrivateKey,
        root: Root,
        chains: Mapping[str, HashChain],
        links: dict[str, tuple[int, str]],
    ) -> None:
        self.referee, self.ledger, self.game, self.key, self.root, self.chains = (
            referee,
            ledger,
            game,
            key,
            root,
            chains,
        )
        self.links = links
        """The link of each seat's last closed mark: its number and value."""
        self.seats = referee.seats

    def write_on(self, due: TimeToAnswer = None, at: str | None = None) -> None:
        """Write all that is due until a question stands open or the game is over; `due` is the time for that question.

        A question that is put only to seats that are out is answered by default at once, at the moment `at`.
        """
        while True:
            now = self.referee.due()
            match now:
                case RandDue():
                    self._rand(now)
                case TellDue():
                    self._tell(now)
                case AskDue():
                    self._ask(now, due)
                    if at is None or not set(now.to) <= set(self.referee.gone):
                        return
                    self.orders({}, {}, at)
                case EndDue():
                    self._end(now)
                    return
                case _:
                    return

    def say(self, envelope: Envelope, at: str, talk: Talk) -> int:
        """Write what a player says besides his orders, with what follows from it at once; return the entry's number.

        After a claim the answers that are here have to be written, with its number; after an amendment what is due then.
        """
        n, say = self.ledger.next_n, dict(envelope.say)
        entry = {"k": "say", "by": say["seat"], "say": say, "sig": envelope.sig, "at": at}
        self.ledger.append(entry)
        talk.follow(n, entry)
        match say["act"]:
            case "claim" if talk.claim is not None:
                return n
            case "claim":
                self.referee.leaves([seat for seat in self.seats if talk.gone.get(seat) == n], "late", n)
                if talk.moved:
                    self.referee.move(talk.dealt_anew_on)
            case "resign":
                self.referee.leaves([say["seat"]], "resigned", n)
            case "agree" if talk.ends == n:
                self.referee.drawn(n)
            case "agree" if (amendment := talk.amends) is not None:
                self.ledger.append(amendment)
                self.referee.take_back(amendment["what"]["takeback"])
                return n
            case "leave":
                due = str(plus_hours(str(talk.due), say["hours"]))
                talk.follow(n + 1, self.extend(due, "leave", n))
        if isinstance(over := self.referee.due(), EndDue):
            self._end(over)
        else:
            self.sign_head()
        return n

    def extend(self, due: str, why: str, cause: int | None = None) -> dict[str, Json]:
        """Write that the open question may be answered until `due`, because `why`; `cause` is the leave that asks for it."""
        now = self.referee.due()
        if not isinstance(now, AnswersDue):
            raise TypeError("no question stands open")
        entry: dict[str, Any] = {"k": "extend", "ask": now.ask, "due": due, "why": why}
        self.ledger.append(entry := entry if cause is None else {**entry, "cause": cause})
        return entry

    def replace(self, newcomer: Envelope, agreed: Sequence[int], talk: Talk) -> None:
        """Write that another player has a seat from now on; all are to say again that they are ready."""
        n, seat = self.ledger.next_n, str(newcomer.say["seat"])
        what = {"player": {"say": dict(newcomer.say), "sig": newcomer.sig}}
        self.amend(what, agreed)
        talk.follow(n, {"k": "amend", "what": what})
        self.referee.gone.pop(seat, None)
        self.referee.call(talk.mark)
        self.sign_head()

    def rekey(self, envelope: Envelope, at: str, talk: Talk) -> None:
        """Write that a seat changes its key; all are to say again that they are ready."""
        n = self.ledger.next_n
        talk.follow(n, {"k": "rekey", "by": envelope.say["seat"], "say": self._signed("rekey", envelope, at)})
        self.referee.call(talk.mark)
        self.sign_head()

    def ready(self, envelope: Envelope, at: str, talk: Talk) -> None:
        """Write that a seat is ready again."""
        n = self.ledger.next_n
        say = self._signed("ready", envelope, at)
        talk.follow(n, {"k": "ready", "by": say["seat"]})
        self.links[str(say["seat"])] = (say["link_n"], say["link"])
        if talk.moved and not talk.missing:
            self.referee.move(talk.dealt_anew_on)

    def take_over(self, what: Json, agreed: Sequence[int], talk: Talk) -> None:
        """Write that this host goes on with a game, as all agreed; all are to say again that they are ready."""
        n, fields = self.ledger.next_n, {"k": "host", **what["host"], "agreed": list(agreed)}
        self.ledger.append(fields)
        talk.follow(n, fields)
        self.referee.call(talk.mark)
        self.sign_head()

    def _signed(self, kind: str, envelope: Envelope, at: str) -> dict[str, Json]:
        say = dict(envelope.say)
        self.ledger.append({"k": kind, "by": say["seat"], "say": say, "sig": envelope.sig, "at": at})
        return say

    def amend(self, what: Json, agreed: Sequence[int]) -> None:
        """Write what all seats agreed on; what is due then has to be written."""
        self.ledger.append({"k": "amend", "what": what, "agreed": list(agreed)})

    def sign_head(self) -> None:
        """Sign the head, so that copies may grow to the last entry."""
        n, head = self.ledger.next_n - 1, self.ledger.head
        self.ledger.attach(("head", "", n, ""), "", signed_head(self.key, self.game, n, head), self.seats)

    def orders(
        self,
        sent: Mapping[str, Sent],
        silent_at: Mapping[str, str],
        at: str,
        claim: int | None = None,
        forced: frozenset[str] = frozenset(),
    ) -> None:
        """Write the orders that answer the open question, in seat order, and the skips of the seats that stayed silent.

        Seats that are out are skipped at the moment `at`. With `claim`, the entry at which another seat claims the game by time,
        the silent seats are out, but for those `forced`, which have one legal answer only; that may end the game.
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
                self.ledger.append({"k": "skip", "to": seat, "ask": ask, "why": why, "at": skipped[seat]})
                answers[seat] = self.referee.silence(seat)
        late = [seat for seat in due.to if seat in skipped and seat not in forced]
        if claim is not None and self.referee.leaves(late, "late", claim):
            return
        self.referee.answered(answers, frozenset(skipped))

    def _order(self, seat: str, ask: int, order: Sent) -> None:
        say = dict(order.say)
        self.ledger.append({"k": "order", "by": seat, "say": say, "sig": order.sig, "at": order.at})
        for line in order.openings:
            name = str(line[4])
            self.ledger.attach(("seal", seat, ask, name), say["seals"][name], line, [seat])
        self.ledger.attach(("got", seat, ask, ""), "", order.got, self.seats)
        if "link_n" in say:
            self.links[seat] = (say["link_n"], say["link"])

    def _seal(self, name: str, value: Json) -> tuple[str, list[Json]]:
        n = self.ledger.next_n
        salt = self.root.salt(self.game, "host", n, 0, name, value)
        return seal(self.game, "host", n, name, salt, value).digest, ["seal", self.game, "host", n, name, salt, value]

    def _rand(self, due: RandDue) -> None:
        chance, label, i = due.chance, due.chance.label, due.index
        x = self.chains[label].x(i)
        links = [[seat, *self.links[seat]] for seat in sorted(self.seats)]
        req = [request.json() for request in chance.requests]
        res = outcome(event_key(x, self.game, label, i, links), req)
        entry: dict[str, Any] = {"k": "rand", "chain": label, "i": i}
        sealed: dict[str, Json] = {}
        if chance.is_deal:
            sealed = {f"p{place}": value for place, value in enumerate(value for drawn in res for value in drawn)}
            if chance.listed:
                entry["req"] = req
            else:
                sealed["req"] = req
        elif chance.owner:
            sealed = {chance.owner: [req, res]}
        else:
            entry.update(x=x, req=req, res=res)
        seals = {name: self._seal(name, value) for name, value in sealed.items()}
        if seals:
            entry["seals"] = {name: digest for name, (digest, _) in seals.items()}
        n = self.ledger.next_n
        self.ledger.append(entry)
        owner = [chance.owner] if chance.owner else []
        for name, (digest, line) in seals.items():
            self.ledger.attach(("seal", "host", n, name), digest, line, owner)
        if seals:
            self.ledger.attach(("link", label, i, ""), "", ["link", self.game, label, i, x], owner)
        self.referee.rolled(tuple(tuple(drawn) for drawn in res), n)

    def _tell(self, due: TellDue) -> None:
        told = {key: {"facts": due.facts[key], "view": self.referee.patch(key)} for key in (PUBLIC, *self.seats)}
        seals = {seat: self._seal(seat, told[seat]) for seat in self.seats}
        seals["state"] = self._seal("state", due.state)
        opens = [self._key_of(ref) for ref in due.opens]
        links: list[Key] = [("link", label, 1, "") for label in due.links]
        shown = [(seat, self._key_of(ref)) for seat, ref in self.referee.shown]
        n = self.ledger.next_n
        self.ledger.append(
            {
                "k": "tell",
                "pub": told[PUBLIC],
                "opens": [self.ledger.digest(key) for key in opens],
                "links": [[label, 1] for label in due.links],
                "rolls": list(due.rolls),
                "seals": {name: digest for name, (digest, _) in seals.items()},
            }
        )
        for name, (digest, line) in seals.items():
            self.ledger.attach(("seal", "host", n, name), digest, line, [] if name == "state" else [name])
        for seat, key in shown:
            self.ledger.give(key, [seat])
        for key in (*opens, *links):
            self.ledger.give(key, self.seats)
        self.referee.told()

    def _key_of(self, ref: OrderRef | PlaceRef) -> Key:
        if isinstance(ref, OrderRef):
            return ("seal", ref.seat, ref.ask, "order")
        return ("seal", "host", ref.n, f"p{ref.place}")

    def _ask(self, due: AskDue, time: TimeToAnswer) -> None:
        until = time(due.to) if callable(time) else time
        entry: dict[str, Any] = {"k": "ask", "to": list(due.to), "what": due.what, "secret": due.secret}
        if due.mark is not None:
            entry["mark"] = due.mark
        if until is not None:
            entry["due"] = until
        n = self.ledger.next_n
        self.ledger.append(entry)
        self.referee.asked(n)
        self.sign_head()

    def _end(self, due: EndDue) -> None:
        cause = {} if due.cause is None else {"cause": due.cause}
        self.ledger.append({"k": "end", "result": due.result} | cause)
        self.ledger.give_all()
        self.sign_head()
