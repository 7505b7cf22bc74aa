"""A player's pen: it only makes the statements that a player signs.

PROTOCOL 4 defines what a signature binds: game, seat, question, revision and the head that was seen. The root derived from the key
gives the links of the player's chain and the salts of the seals. So the player keeps only key and log.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, TypeAlias

from pbem.kernel import Json
from pbem.ledger import (
    ADDRESS,
    COPY,
    POST,
    PRESS,
    REQUEST,
    SAY,
    SEAT_LENGTH,
    TIME,
    Course,
    HashChain,
    PrivateKey,
    cj,
    player_root,
    salt_from,
    seal,
    sha256_hex,
)
from pbem.records import dataclass

After: TypeAlias = list[list[int]]
"""The last orders that a seat has signed, as a say names them: of its answers and of those sent ahead, each [ref, revision]."""


def proof_of(token: str, say: Mapping[str, Any]) -> str:
    """Return the proof (64 hex digits) that the signer of a join has the invitation's token (32 hex digits)."""
    return hmac.digest(bytes.fromhex(token), b"pbem-seat-v1" + cj(dict(say)), "sha256").hex()


def last_orders(answer: tuple[int, int] | None, ahead: tuple[int, int] | None) -> After:
    """Return how a say names the last answer (question, revision) and the last order sent ahead (mark, revision) of its seat.

    >>> last_orders((41, 0), (15, 2))
    [[41, 0], [-15, 2]]
    """
    named = [list(answer)] if answer else []
    return [*named, [-ahead[0], ahead[1]]] if ahead else named


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a player sends: the signed statement, and with an order the openings of its two seals for the host alone."""

    say: dict[str, Json]
    sig: str
    openings: tuple[list[Json], ...] = ()
    ahead: tuple[Envelope, ...] = ()
    """Orders sent ahead that go with it."""
    proof: str = ""
    """With a join: the proof that the writer has the invitation's token; it is for the host and never logged."""
    seed: str = field(default="", compare=False)
    """From which the salts of its openings follow, as its writer knows; "" where they follow from none, or nobody knows."""
    beside: Mapping[str, Json] = field(default_factory=dict, compare=False)
    """Unsigned `x:` fields of its entry."""

    def entry(self, kind: str, at: str) -> dict[str, Json]:
        """Return the fields of the entry for this statement, of a kind and a moment."""
        return {"k": kind, "by": self.say["seat"], "say": self.say, "sig": self.sig, "at": at, **self.beside}


@dataclass(frozen=True, slots=True)
class AskSeen:
    """The ask that an order answers, and the head its writer has seen."""

    ask: int
    secret: str
    mark: int | None
    seen: tuple[int, str]

    @classmethod
    def of(cls, n: int, ask: Mapping[str, Json], hash_: str) -> AskSeen:
        """Return the question of entry `n` with these fields and this hash, seen by somebody who has seen nothing after it."""
        return cls(n, ask["secret"], ask.get("mark"), (n, hash_))


class Pen:
    """One seat of one game, and the key that signs for it.

    `begun` is the number of the statement that last changed key or chain (0: none), and `base` is the mark of its chain's anchor.
    Both are in the log. `top` is the top of its first chain, if it does not follow from the key: for a kept seat.
    """

    def __init__(self, key: PrivateKey, game: str, seat: str, begun: int = 0, base: int = 0, top: str = "") -> None:
        self.key, self.game, self.seat, self.begun, self.base = key, game, seat, begun, base
        self._root, self._top = player_root(key), top
        self._chain: HashChain | None = None

    @classmethod
    def at(cls, key: PrivateKey, game: str, seat: str, course: Course, top: str = "") -> Pen:
        """Return the pen of a seat at the log's present end; `top` is that of its join's chain, if the key does not give it."""
        holder = course.seats[seat]
        return cls(key, game, seat, holder.begun, holder.base, top)

    @property
    def chain(self) -> HashChain:
        """His chain of links; made when it is first wanted."""
        if self._chain is None and self._top and not self.begun:
            self._chain = HashChain(self._top, self.game, f"seat:{self.seat}", SEAT_LENGTH)
        elif self._chain is None:
            self._chain = self._root.chain(self.game, f"seat:{self.seat}", self.begun)
        return self._chain

    def link(self, mark: int) -> str:
        """The link that goes with a mark."""
        return self.chain.x(mark - self.base)

    def say(self, what: Mapping[str, Any], *openings: list[Json], seed: str = "") -> Envelope:
        """Sign a statement in this game: its act and the fields of that act; a say needs `no`, `seen` and `after`."""
        say = {**what, "game": self.game, "seat": self.seat}
        return Envelope(say, self.key.sign(SAY, cj(say)), openings, seed=seed)

    def join(self, recovery: str = "", token: str = "") -> Envelope:
        """Take the seat, with the key and the anchor of its chain.

        `recovery` is the line of a recovery key, and `token` comes from the invitation; "" if there is none.
        """
        envelope = self.say(
            {"act": "join", "key": self.key.key_line, "chain": self.chain.anchor, "next": _bound(recovery)}
        )
        return replace(envelope, proof=proof_of(token, envelope.say)) if token else envelope

    def ready(self, seen: tuple[int, str], mark: int = 1) -> Envelope:
        """Declare that he has seen all keys and anchors; gives his first link, or at a later call that of its mark."""
        return self.say({"act": "ready", "link": self.link(mark), "link_n": mark, "seen": list(seen)})

    def rekey(
        self, signer: PrivateKey, seen: tuple[int, str], after: After, bound: str = "", *, recovery: bool = False
    ) -> Envelope:
        """Take this key, or this chain of the same key, from the say `begun` on; the key before signs, or the recovery key does.

        `bound` is the SHA-256 of the recovery key line that counts from then on, or ""; `after` are the last orders
        that were signed."""
        say = {"act": "rekey", "game": self.game, "seat": self.seat, "no": self.begun, "seen": list(seen)}
        say |= {"after": after, "key": self.key.key_line, "chain": self.chain.anchor, "next": bound}
        if recovery:
            say["recovery"] = signer.key_line
        return Envelope(say, signer.sign(SAY, cj(say)))

    def address(self, address: str, no: int) -> Envelope:
        """Have the letters for this seat go to another address: the `no`-th change. This statement is not for the log."""
        return self._beside({"act": "address", "address": address, "no": no}, ADDRESS)

    def time(self, zone: str, quiet: str, weekends: str, no: int) -> Envelope:
        """Say when time counts for this seat, for the `no`-th time. This statement is not for the log."""
        return self._beside({"act": "time", "zone": zone, "quiet": quiet, "weekends": weekends, "no": no}, TIME)

    def post(self, mail: str, no: int) -> Envelope:
        """Say which of his letters come by mail, beside the web address: “all”, “short” or “none”. This statement is not for the
        log."""
        return self._beside({"act": "post", "mail": mail, "no": no}, POST)

    def copy(self, sha256: str) -> Envelope:
        """Send the bytes with this SHA-256, of his copy, to a host that has lost them. This statement is not for the log."""
        return self._beside({"act": "copy", "sha256": sha256}, COPY)

    def press(self, text: str, to: str, no: int) -> Envelope:
        """Have the host hand words on to a seat, or ("") to all others. This statement is not for the log."""
        return self._beside({"act": "press", "text": text, "to": to, "no": no}, PRESS)

    def resend(self, since: int, no: int) -> Envelope:
        """Ask for this seat's copy after entry `since` (-1: the whole copy) once more. This statement is not for the log."""
        return self._beside({"act": "resend", "since": since, "no": no}, REQUEST)

    def _beside(self, what: Mapping[str, Json], namespace: str) -> Envelope:
        say = {**what, "game": self.game, "seat": self.seat}
        return Envelope(say, self.key.sign(namespace, cj(say)))

    def order(self, to: AskSeen, order: str, plans: str = "", rev: int = 0) -> Envelope:
        """Answer a question with an order and plans, in their canonical texts."""
        seed, digests, openings = self._sealed(to.ask, rev, order, plans)
        say: dict[str, Any] = {"act": "order", "ask": to.ask, "rev": rev, "seen": list(to.seen), "seals": digests}
        say["pub"] = {"order": order} if to.secret == "no" else {}
        if to.mark is not None:
            say.update(link=self.link(to.mark), link_n=to.mark)
        return self.say(say, *openings, seed=seed)

    def ahead(self, mark: int, seen: tuple[int, str], text: str, plans: str = "", rev: int = 0) -> Envelope:
        """Answer the question that will bear `mark`, with the canonical text of an order sent ahead; "" takes it back."""
        seed, digests, openings = self._sealed(-mark, rev, text, plans)
        say = {"act": "ahead", "rev": rev, "seen": list(seen), "seals": digests}
        return self.say({**say, "link": self.link(mark), "link_n": mark}, *openings, seed=seed)

    def _sealed(self, ref: int, rev: int, order: str, plans: str) -> tuple[str, dict[str, str], list[list[Json]]]:
        """The seed of an order's two salts, the digests of its two seals, and the lines that open them."""
        seed = self._root.salt(self.game, self.seat, ref, rev, "seed", [order, plans])
        seals = {
            name: seal(self.game, self.seat, ref, name, salt_from(seed, name), text)
            for name, text in (("order", order), ("plans", plans))
        }
        digests = {name: sealed.digest for name, sealed in seals.items()}
        return seed, digests, [sealed.fields for sealed in seals.values()]


def _bound(recovery: str) -> str:
    return sha256_hex(recovery.encode()) if recovery else ""
