"""A small honest host and its players at one table: makes logs of any length without any game's rules.

Every step that PROTOCOL 3 and 5 know is one method, so that a test says what happens in the words of the protocol. The
misdeeds are mounted by the tests: `edit` changes an entry's fields before it is chained, and the players re-sign.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from pbem.ledger import (
    GOT,
    HEAD,
    PROTO,
    SAY,
    Deals,
    Entry,
    HashChain,
    Log,
    PrivateKey,
    Root,
    chain_length,
    cj,
    event_key,
    outcome,
    player_root,
    plus_hours,
    seal,
    sha256_hex,
)
from pbem.ledger.course import read

Edit = Callable[[dict[str, Any]], None]


def key_of(name: str) -> PrivateKey:
    """The key of a party, from its name."""
    return PrivateKey.from_seed(hashlib.sha256(name.encode()).digest())


TERMS = {"late": "default", "leave": 0, "hours": 0, "grace": 0, "most": 0}
TIMED = {**TERMS, "hours": 1, "most": 8760}
ROOT = Root(hashlib.sha256(b"host root").digest())


@cache
def deals_of(nonce: str) -> Deals:
    """The host's deals, of which the tree takes a moment to make."""
    return Deals(ROOT, nonce)


class Table:
    """One game: a host's log, his chains and the players' keys. With `terms` questions have a time."""

    def __init__(
        self, seats: Sequence[str] = ("ann", "bob"), short: bool = True, terms: dict[str, Any] | None = None
    ) -> None:
        self.seats = list(seats)
        self.root, self.terms = ROOT, terms or TERMS
        self.nonce = self.root.nonce(1)
        self.deals = deals_of(self.nonce)
        self.host = key_of("host")
        self.players = {seat: key_of(seat) for seat in seats}
        self.log = Log()
        self.length = 64 if short else 0
        labels = ["pub", *(f"priv:{seat}" for seat in seats)]
        self.chains = {label: self._chain(self.root, self.nonce, label) for label in labels}
        self.next_index = dict.fromkeys(labels, 1)
        self.marks: dict[str, int] = {}
        self.links: dict[str, list[Any]] = {}
        self.rolls: list[int] = []
        self.to_open: list[str] = []
        self.says = dict.fromkeys(seats, 0)
        self.minute = 0
        self.ask_entry: Entry | None = None
        self.edit: dict[str, Edit] = {}

    def _chain(self, root: Root, bound: str, label: str) -> HashChain:
        return HashChain(root.top(bound, label), bound, label, self.length or chain_length(label))

    def at(self) -> str:
        """The next moment at which a mail arrives."""
        self.minute += 1
        day, minute = divmod(self.minute, 1440)
        return f"2030-{1 + day // 28:02}-{1 + day % 28:02}T{minute // 60:02}:{minute % 60:02}:00Z"

    def chain(self, fields: dict[str, Any]) -> Entry:
        """Chains an entry, after the edit that a test has left for its kind."""
        if change := self.edit.pop(str(fields["k"]), None):
            change(fields)
        return self.log.append(fields)

    def signed(self, k: str, seat: str, say: dict[str, Any], key: PrivateKey | None = None) -> Entry:
        """Chains what a player signs."""
        say = {"act": k, "game": self.log.game, "seat": seat, **say}
        if change := self.edit.pop(f"say:{k}", None):
            change(say)
        sig = (key or self.players[seat]).sign(SAY, cj(say))
        return self.chain({"k": k, "at": self.at(), "by": seat, "say": say, "sig": sig})

    def head(self) -> None:
        """The host signs the head."""
        n, h = self.log.head
        self.log.attach(["head", self.log.game, n, h, self.host.sign(HEAD, cj(["head", self.log.game, n, h]))])

    def begin(self) -> Table:
        """Game, joins, a head, and every seat's ready."""
        host_chains = {label: c.anchor for label, c in self.chains.items()}
        rules = {"id": "toy", "ver": 1, "sha256": "0" * 64}
        self.chain({"k": "game", "at": self.at(), "proto": PROTO, "nonce": self.nonce, "rules": rules, "opts": {},
                    "seats": self.seats, "host": self.host.key_line, "chains": host_chains, "deals": self.deals.root,
                    "terms": self.terms})  # fmt: skip
        for seat, key in self.players.items():
            self.chains[f"seat:{seat}"] = self._chain(player_root(key), self.log.game, f"seat:{seat}")
        for seat in self.seats:
            anchor = self.chains[f"seat:{seat}"].anchor
            self.signed("join", seat, {"key": self.players[seat].key_line, "chain": anchor, "next": ""})
        self.head()
        seen = list(self.log.head)
        for seat in self.seats:
            self.links[seat] = [seat, 1, self.chains[f"seat:{seat}"].x(1)]
            self.signed("ready", seat, {"link": self.links[seat][2], "link_n": 1, "seen": seen})
            self.marks[seat] = 1
        return self

    def _event(self, label: str, requests: list[dict[str, Any]]) -> tuple[int, str, list[list[Any]]]:
        i = self.next_index.get(label, 1)
        self.next_index[label] = i + 1
        x = self.deals.link(int(label[5:])) if label.startswith("deal:") else self.chains[label].x(i)
        return i, x, outcome(event_key(x, self.log.game, label, i, list(self.links.values())), requests)

    def _seal(self, ref: int, name: str, value: object) -> tuple[str, bytes]:
        sealed = seal(
            self.log.game, "host", ref, name, self.root.salt(self.log.game, "host", ref, 0, name, value), value
        )
        return sealed.digest, sealed.line

    def roll(self, n: int = 3, sides: int = 6) -> list[Any]:
        """Public dice."""
        req = [{"op": "roll", "n": n, "sides": sides}]
        i, x, res = self._event("pub", req)
        self.rolls.append(i)
        self.chain({"k": "rand", "chain": "pub", "i": i, "x": x, "req": req, "res": res})
        return res[0]

    def draw(self, seat: str, n: int, of: list[Any]) -> list[Any]:
        """One seat's own draw."""
        req = [{"op": "draw", "n": n, "of": of}]
        i, x, res = self._event(f"priv:{seat}", req)
        digest, line = self._seal(len(self.log.entries), seat, [req, res])
        self.chain({"k": "rand", "chain": f"priv:{seat}", "i": i, "seals": {seat: digest}})
        self.log.attach(line)
        self.log.attach(["link", self.log.game, f"priv:{seat}", i, x])
        return res[0]

    def deal(self, number: int, of: list[Any], hidden: bool = False) -> dict[str, str]:
        """Shuffles a hidden pile; gives the digests of its places by name."""
        req = [{"op": "draw", "n": len(of), "of": of}]
        i, x, res = self._event(f"deal:{number}", req)
        n = len(self.log.entries)
        values = {"req": req} if hidden else {}
        values |= {f"p{place}": value for place, value in enumerate(res[0])}
        sealed = {name: self._seal(n, name, value) for name, value in values.items()}
        fields = {"k": "rand", "chain": f"deal:{number}", "i": i, "seals": {k: d for k, (d, _) in sealed.items()}}
        fields |= {"anchor": self.deals.anchor(number), "path": self.deals.path(number)}
        self.chain(fields if hidden else fields | {"req": req})
        self.log.attach(["link", self.log.game, f"deal:{number}", i, x])
        for _, line in sealed.values():
            self.log.attach(line)
        return {name: digest for name, (digest, _) in sealed.items()}

    def tell(self, opens: Sequence[str] = (), links: Sequence[list[Any]] = (), facts: Sequence[str] = ()) -> Entry:
        """Tells everybody; opens what was given in the open, and what is named."""
        n = len(self.log.entries)
        report = {"facts": list(facts), "view": {"turn": n}}
        values: dict[str, object] = {seat: {"facts": list(range(len(facts))), "view": {}} for seat in self.seats}
        values["state"] = sha256_hex(str(n).encode())
        sealed = {name: self._seal(n, name, value) for name, value in values.items()}
        entry = self.chain(
            {
                "k": "tell",
                "pub": report,
                "opens": [*self.to_open, *opens],
                "links": list(links),
                "rolls": self.rolls,
                "seals": {name: digest for name, (digest, _) in sealed.items()},
            }
        )
        for _, line in sealed.values():
            self.log.attach(line)
        self.rolls, self.to_open = [], []
        return entry

    def ask(self, *to: str, what: str = "act", secret: str = "no", mark: bool = False, due: str | None = None) -> Entry:
        """Puts a question, and signs the head that the players will have seen."""
        fields: dict[str, Any] = {"k": "ask", "at": self.at(), "to": list(to), "what": what, "secret": secret}
        if mark:
            fields["mark"] = self.marks[to[0]] + 1
            self.marks.update(dict.fromkeys(to, fields["mark"]))
        if due or self.terms["hours"]:
            fields["due"] = due or plus_hours(str(fields["at"]), int(str(self.terms["hours"])))
        self.ask_entry = self.chain(fields)
        self.head()
        return self.ask_entry

    def order(self, seat: str, text: str, plans: str = "", rev: int = 0) -> Entry:
        """A seat answers the open question."""
        assert self.ask_entry is not None
        ask, question = self.ask_entry.n, self.ask_entry.fields
        root = player_root(self.players[seat])
        sealed = {
            name: seal(self.log.game, seat, ask, name, root.salt(self.log.game, seat, ask, rev, name, value), value)
            for name, value in (("order", text), ("plans", plans))
        }
        public = question["secret"] == "no"
        say: dict[str, Any] = {"ask": ask, "rev": rev, "seen": [ask, self.ask_entry.hash]}
        say |= {"pub": {"order": text} if public else {}, "seals": {name: s.digest for name, s in sealed.items()}}
        if "mark" in question:
            self.links[seat] = [seat, question["mark"], self.chains[f"seat:{seat}"].x(question["mark"])]
            say |= {"link_n": question["mark"], "link": self.links[seat][2]}
        entry = self.signed("order", seat, say)
        for s in sealed.values():
            self.log.attach(s.line)
        receipt = ["got", self.log.game, sha256_hex(cj(entry.fields["say"])), entry.fields["at"]]
        self.log.attach([*receipt, self.host.sign(GOT, cj(receipt))])
        if public:
            self.to_open.append(sealed["order"].digest)
        return entry

    def skip(self, seat: str) -> Entry:
        """The time to answer is over."""
        assert self.ask_entry is not None
        due = read(entry.fields for entry in self.log.entries).due
        while due > self.at():
            pass
        return self.chain({"k": "skip", "at": self.at(), "to": seat, "ask": self.ask_entry.n, "why": "due"})

    def say(self, seat: str, act: str, **more: Any) -> Entry:
        """A player resigns, offers, agrees, leaves or claims."""
        self.says[seat] += 1
        say = {"act": act, "no": self.says[seat], "seen": list(self.log.head), "after": self.after(seat), **more}
        return self.signed("say", seat, say)

    def after(self, seat: str) -> list[list[int]]:
        """The last order that a seat has signed."""
        orders = [e.fields["say"] for e in self.log.entries if e.k == "order" and e.fields["by"] == seat]
        return [[orders[-1]["ask"], orders[-1]["rev"]]] if orders else []

    def end(self) -> Log:
        """The result, and the last head."""
        self.chain({"k": "end", "at": self.at(), "result": {"winner": "", "why": "draw"}})
        self.head()
        return self.log


def short_game() -> Log:
    """A finished game of every kind of line that holds a secret, in less than 8 kB."""
    table = Table(("a",)).begin()
    places = table.deal(1, [1])
    table.roll(1)
    table.tell()
    table.ask("a", mark=True)
    table.order("a", "GO")
    table.tell(opens=[places["p0"]], links=[["deal:1", 1]])
    return table.end()


def long_game(turns: int) -> Log:
    """A war of two: each turn two sealed cards, a battle of dice, public orders, a tell after each answer."""
    table = Table(("english", "scottish"), short=False).begin()
    table.deal(1, [f"c{i}" for i in range(10)])
    table.tell()
    for turn in range(turns):
        table.ask("english", "scottish", what="card", secret="until resolved", mark=turn < 60)
        opened = []
        for seat in table.seats:
            entry = table.order(seat, f"CARD {turn}")
            opened.append(entry.fields["say"]["seals"]["order"])
        table.tell(opens=opened, facts=["english plays a card", "scottish plays a card"])
        for seat in table.seats:
            table.ask(seat, what="battle")
            table.order(seat, "BATTLE Lanark: Wallace FIRE")
            table.roll()
            table.tell(facts=["Wallace fires: 3 5 6", "two hits", "Edward loses a step"])
    table.ask("english")
    table.order("english", "PASS")
    table.tell(links=[["deal:1", 1]])
    return table.end()
