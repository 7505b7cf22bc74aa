"""The pen of a player: makes what he signs, and nothing else.

What a signature binds is PROTOCOL 4's: game, seat, question, revision and the head that was seen. The links of a player's
chain and the salts of his seals come from the root that his key gives, so that key and log are all he keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.kernel import Json
from pbem.ledger import (
    ADDRESS,
    PRESS,
    SAY,
    TIME,
    HashChain,
    PrivateKey,
    chain_length,
    cj,
    player_root,
    seal,
    sha256_hex,
)


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a player sends: the signed statement, and with an order the openings of its two seals for the host alone."""

    say: dict[str, Json]
    sig: str
    openings: tuple[list[Json], ...] = ()
    ahead: tuple[Envelope, ...] = ()
    """Orders sent ahead that go with it."""


@dataclass(frozen=True, slots=True)
class Question:
    """The ask that an order answers, and the head its writer has seen."""

    ask: int
    secret: str
    mark: int | None
    seen: tuple[int, str]


class Pen:
    """One seat of one game, and the key that signs for it."""

    def __init__(self, key: PrivateKey, game: str, nonce: str, seat: str) -> None:
        self.key, self.game, self.nonce, self.seat = key, game, nonce, seat
        self._root = player_root(key)
        self._chain: HashChain | None = None

    @property
    def chain(self) -> HashChain:
        """His chain of links; made when it is first wanted."""
        if self._chain is None:
            label = f"seat:{self.seat}"
            self._chain = HashChain(self._root.top(self.nonce, label), self.nonce, label, chain_length(label))
        return self._chain

    def _sign(self, say: Mapping[str, Any], *openings: list[Json]) -> Envelope:
        say = {**say, "game": self.game, "seat": self.seat}
        return Envelope(say, self.key.sign(SAY, cj(say)), openings)

    def join(self, recovery: str = "") -> Envelope:
        """Take the seat, with the key and the anchor of his chain; `recovery` is the key line of a recovery key, or ""."""
        return self._sign(
            {"act": "join", "key": self.key.key_line, "chain": self.chain.anchor, "next": _bound(recovery)}
        )

    def ready(self, seen: tuple[int, str], mark: int = 1) -> Envelope:
        """Declare that he has seen all keys and anchors; gives his first link, or at a later call that of its mark."""
        return self._sign({"act": "ready", "link": self.chain.x(mark), "link_n": mark, "seen": list(seen)})

    def rekey(
        self, signer: PrivateKey, no: int, seen: tuple[int, str], bound: str = "", *, recovery: bool = False
    ) -> Envelope:
        """Take this key in place of the one before, which signs, or the recovery key does.

        `bound` is the SHA-256 of the recovery key line that counts from then on, or "".
        """
        say = {"act": "rekey", "game": self.game, "seat": self.seat, "no": no, "seen": list(seen)}
        say |= {"key": self.key.key_line, "chain": self.chain.anchor, "next": bound}
        if recovery:
            say["recovery"] = signer.key_line
        return Envelope(say, signer.sign(SAY, cj(say)))

    def say(self, what: Mapping[str, Json]) -> Envelope:
        """Say something besides an order: act, no, seen, and what else belongs to the act."""
        return self._sign(what)

    def address(self, address: str, no: int) -> Envelope:
        """Have the letters for this seat go to another address: the `no`-th change. It is no statement for the log."""
        return self._beside({"act": "address", "address": address, "no": no}, ADDRESS)

    def time(self, zone: str, quiet: str, weekends: str, no: int) -> Envelope:
        """Say when time counts for this seat, for the `no`-th time. It is no statement for the log."""
        return self._beside({"act": "time", "zone": zone, "quiet": quiet, "weekends": weekends, "no": no}, TIME)

    def press(self, text: str, to: str, no: int) -> Envelope:
        """Have the host hand words on to a seat, or ("") to all others. It is no statement for the log."""
        return self._beside({"act": "press", "text": text, "to": to, "no": no}, PRESS)

    def _beside(self, what: Mapping[str, Json], namespace: str) -> Envelope:
        say = {**what, "game": self.game, "seat": self.seat}
        return Envelope(say, self.key.sign(namespace, cj(say)))

    def order(self, to: Question, order: str, plans: str = "", rev: int = 0) -> Envelope:
        """Answer a question with an order and plans, in their canonical texts."""
        digests, openings = self._sealed(to.ask, rev, order, plans)
        say: dict[str, Any] = {"act": "order", "ask": to.ask, "rev": rev, "seen": list(to.seen), "seals": digests}
        say["pub"] = {"order": order} if to.secret == "no" else {}
        if to.mark is not None:
            say.update(link=self.chain.x(to.mark), link_n=to.mark)
        return self._sign(say, *openings)

    def ahead(self, mark: int, seen: tuple[int, str], text: str, plans: str = "", rev: int = 0) -> Envelope:
        """Answer the question that will bear `mark`, with the canonical text of an order sent ahead; "" takes it back."""
        digests, openings = self._sealed(-mark, rev, text, plans)
        say = {"act": "ahead", "rev": rev, "seen": list(seen), "seals": digests}
        return self._sign({**say, "link": self.chain.x(mark), "link_n": mark}, *openings)

    def _sealed(self, ref: int, rev: int, order: str, plans: str) -> tuple[dict[str, str], list[list[Json]]]:
        """The digests of an order's two seals, and the lines that open them."""
        digests, openings = {}, []
        for name, text in (("order", order), ("plans", plans)):
            salt = self._root.salt(self.game, self.seat, ref, rev, name, text)
            digests[name] = seal(self.game, self.seat, ref, name, salt, text).digest
            openings.append(["seal", self.game, self.seat, ref, name, salt, text])
        return digests, openings


def _bound(recovery: str) -> str:
    return sha256_hex(recovery.encode()) if recovery else ""
