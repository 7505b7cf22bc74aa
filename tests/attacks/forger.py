"""A log in the hands of a host who cheats.

`Forger` takes a recorded game apart into pieces: an entry with the openings, link and head that belong to it. A test
changes what it likes, and `write` puts everything together again as a host would who does not want to be found out: all
that follows is chained, numbered, sealed and signed anew with his keys. Players go along: each signs again the head he is
now shown, as one does who sees only this history. Those named in `stubborn` have signed already and sign nothing again.

So of the whole log nothing is wrong but the one misdeed.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pbem.ledger import SAY, Entry, Log, PrivateKey, cj, event_key, outcome, seal, sealed_under, sha256_hex
from pbem.ledger.fields import plus_seconds, seconds_between
from pbem.referee import receipt, signed_head
from pbem.referee.table import AT

from .recorded import Recorded


@dataclass(eq=False)
class Piece:
    """An entry and what belongs to it. Other entries are named in `fields` by their pieces, seals by `Sealed`."""

    fields: dict[str, Any]
    openings: dict[str, list[Any]] = field(default_factory=dict)
    """Salt and value of each seal, by its name; the digests follow from them."""
    closed: dict[str, str] = field(default_factory=dict)
    """The digests of those seals whose opening was lost, as the game was played."""
    link: str = ""
    has_head: bool = False
    has_receipt: bool = False
    withheld: set[str] = field(default_factory=set)
    """Names of openings ("link" for the link) that the file leaves out."""
    before_signing: Callable[[dict[str, Any]], None] | None = None
    """A change of what the player signs; the last one made to it."""
    before_chaining: Callable[[dict[str, Any]], None] | None = None
    """A change of the entry after the player signed."""
    signer: str = ""
    """Another seat whose key signs."""
    key: PrivateKey | None = None
    """Another key that signs."""
    time: tuple[str, int] | None = None
    """When the time to answer was over as the game was played, and how many seconds it was."""
    is_malformed: bool = False
    """May it have another form than its kind?"""
    keeps_moment: bool = False
    """Does it bear its moment, though that has passed?"""
    said: tuple[dict[str, Any], str] | None = None
    """What a player signed when the game was played, with his signature."""
    moment: str = ""
    """The moment that it bore when it was written last."""
    n: int = -1
    hash: str = ""
    digests: dict[str, str] = field(default_factory=dict)

    @property
    def k(self) -> str:
        return str(self.fields["k"])

    @property
    def seat(self) -> str:
        """Who answers: the seat of an order or skip."""
        return str(self.fields.get("by") or self.fields.get("to"))

    def value(self, name: str) -> Any:
        """What the seal of that name says."""
        return self.openings[name][1]

    def say(self, name: str, value: Any) -> None:
        """Let the seal of that name say something else."""
        self.openings[name][1] = value
        if name == "order" and self.fields["say"].get("pub"):
            self.fields["say"]["pub"] = {"order": value}


@dataclass(frozen=True)
class Sealed:
    """The digest of a seal of another piece."""

    piece: Piece
    name: str


class Forger:
    """A recorded game taken apart; not `whole`, it is as it was when everything had come up once, and still goes on."""

    def __init__(self, recorded: Recorded, *, whole: bool = True) -> None:
        self.recorded = recorded
        self.seats = list(recorded.table.seats)
        self.stubborn: set[str] = set()
        self.newer = recorded.host
        """Who signs after another host has taken over."""
        self.pieces: list[Piece] = []
        self._chains = recorded.table.scribe.chains
        by_digest: dict[str, Sealed] = {}
        for line in Log.parse(recorded.whole if whole else recorded.beginning).lines:
            if isinstance(line, Entry):
                self._take(line, by_digest)
            else:
                self._add(line.fields)
        for piece in self.pieces:
            piece.closed = {name: digest for name, digest in piece.closed.items() if name not in piece.openings}
        self._changes = {seat: piece for piece in reversed(self.pieces) if (seat := _changed(piece))}
        """By seat, where it changed its key first as the game was played."""

    def _take(self, entry: Entry, by_digest: dict[str, Sealed]) -> None:
        fields = copy.deepcopy(entry.fields)
        piece = Piece(fields)
        if "say" in fields:
            piece.said = copy.deepcopy(fields["say"]), fields["sig"]
        seals = fields.get("say", {}).pop("seals", None) or fields.pop("seals", {})
        piece.closed = dict(seals)
        if piece.k != "extend" and "due" in fields:
            piece.time = fields["due"], seconds_between(fields["at"], fields["due"])
        by_digest.update({digest: Sealed(piece, name) for name, digest in seals.items()})
        for holder in (fields, fields.get("say", {})):
            for name in ("ask", "about", "cause"):
                if name in holder:
                    holder[name] = self.pieces[holder[name]]
            if "seen" in holder:
                holder["seen"] = self.pieces[holder["seen"][0]]
            if "after" in holder:
                holder["after"] = [[self.pieces[ref] if ref >= 0 else ref, rev] for ref, rev in holder["after"]]
        if piece.k in ("amend", "host"):
            fields["agreed"] = [self.pieces[n] for n in fields["agreed"]]
        if piece.k == "amend" and "takeback" in fields["what"]:
            fields["what"] = {"takeback": self.pieces[fields["what"]["takeback"]]}
        if piece.k == "tell":
            fields["opens"] = [by_digest[digest] for digest in fields["opens"]]
        self.pieces.append(piece)

    def _add(self, f: list[Any]) -> None:
        piece = self.pieces[-1]
        match f[0]:
            case "seal":
                piece.openings[f[4]] = [f[5], f[6]]
            case "link":
                piece.link = f[4]
            case "got":
                piece.has_receipt = True
            case "head":
                piece.has_head = True

    # -- finding one's way ----------------------------------------------------------------------------------------------

    def all(self, k: str, where: Callable[[dict[str, Any]], bool] = lambda fields: True) -> Iterator[Piece]:
        """Go through the entries of a kind that fit."""
        return (piece for piece in self.pieces if piece.k == k and where(piece.fields))

    def first(self, k: str, where: Callable[[dict[str, Any]], bool] = lambda fields: True) -> Piece:
        return next(self.all(k, where))

    def next(self, k: str, after: Piece) -> Piece:
        """The first entry of a kind behind another entry."""
        return next(piece for piece in self.pieces[self.pieces.index(after) + 1 :] if piece.k == k)

    def last(self, k: str, before: Piece) -> Piece:
        """The last entry of a kind in front of another entry."""
        return [piece for piece in self.pieces[: self.pieces.index(before)] if piece.k == k][-1]

    def answers(self, ask: Piece) -> list[Piece]:
        return [piece for piece in self.pieces if piece.k in ("order", "skip") and self.asked(piece) is ask]

    def asked(self, answer: Piece) -> Piece:
        """The question that an order or skip answers, or that a say is about."""
        say = answer.fields.get("say", {})
        if say.get("act") == "ahead":
            return self.last("ask", answer)
        found: Piece = answer.fields["ask"] if answer.k == "skip" else say.get("ask") or say["about"]
        return found

    # -- what a host may do ---------------------------------------------------------------------------------------------

    def drop(self, piece: Piece) -> None:
        self.pieces.remove(piece)

    def insert(self, piece: Piece, before: Piece) -> Piece:
        self.pieces.insert(self.pieces.index(before), piece)
        return piece

    def cut(self, after: Piece, heads: int = 1) -> None:
        """Leave away what comes after the next signed head: the log as it is when the next report goes out."""
        start = self.pieces.index(after)
        ends = [at for at in range(start, len(self.pieces)) if self.pieces[at].has_head]
        del self.pieces[ends[min(heads, len(ends)) - 1] + 1 :]

    def links_at(self, piece: Piece) -> list[list[Any]]:
        """The link of each seat's last closed mark, where that entry stands."""
        links: dict[str, list[Any]] = {}
        for earlier in self.pieces[: self.pieces.index(piece)]:
            say = earlier.fields.get("say", {})
            if "link" in say:
                links[say["seat"]] = [say["seat"], say["link_n"], say["link"]]
        return list(links.values())

    def x(self, label: str, i: int) -> str:
        """The link of the host in office at the end."""
        course = self.recorded.table.course
        if label.startswith("deal:"):
            k = int(label[5:])
            return self._chains.deals(next(begun for begun, _root in reversed(course.trees) if begun < k)).link(k)
        begun = next(begun for begun, _anchor in reversed(course.chains[label]) if begun < i)
        return self._chains.chain(label, begun).x(i - begun)

    def outcome(self, piece: Piece, req: list[Any], links: list[list[Any]] | None = None) -> list[list[Any]]:
        """What the dice give for these requests at that entry; other `links` than the true ones give other dice."""
        label, i = piece.fields["chain"], piece.fields["i"]
        used = self.links_at(piece) if links is None else links
        return outcome(event_key(self.x(label, i), self.recorded.table.id, label, i, used), req)

    def retell(self, tell: Piece, change: Callable[[Any], Any]) -> None:
        """Let a tell say other facts to all and to each seat, None for one that it keeps back."""
        public = tell.fields["pub"]["facts"]
        told: list[Any] = []
        kept: dict[int, int] = {}
        for i, fact in enumerate(public):
            if (said := change(fact)) is not None:
                kept[i] = len(told)
                told.append(said)
        tell.fields["pub"]["facts"] = told
        for seat in self.seats:
            own = tell.value(seat)
            heard = [kept.get(fact) if isinstance(fact, int) else change(fact) for fact in own["facts"]]
            tell.say(seat, {**own, "facts": [fact for fact in heard if fact is not None]})

    def roll(self, i: int, req: list[Any], before: Piece) -> Piece:
        """An honest public roll with that index, put in front of another entry."""
        piece = Piece({"k": "rand", "chain": "pub", "i": i, "x": self.x("pub", i), "req": req, "res": []})
        self.insert(piece, before)
        piece.fields["res"] = self.outcome(piece, req)
        return piece

    # -- writing --------------------------------------------------------------------------------------------------------

    def write(self) -> Log:
        """Put the log together again."""
        log, self._clock = Log(), ""
        for piece in self.pieces:
            self._write(log, piece)
        return log

    def _time(self, piece: Piece, fields: dict[str, Any]) -> None:
        """Moments run on, and a question has as long as it had, unless the test says otherwise."""
        if "at" not in fields:
            return
        if piece.k == "order":
            asked = piece.fields["say"].get("ask")  # none of one that was sent ahead
            least = asked.moment if asked else ""
        else:
            least = self._clock
        if not piece.keeps_moment:
            fields["at"] = max(fields["at"], least)
        piece.moment = fields["at"]
        self._clock = max(fields["at"], self._clock)
        if piece.time and fields.get("due") == piece.time[0]:
            fields["due"] = plus_seconds(fields["at"], piece.time[1])

    def after(self, seat: str, before: Piece) -> list[list[Any]]:
        """The last orders that a seat has signed in front of an entry, as a say names them."""
        says = [p.fields["say"] for p in self.pieces[: self.pieces.index(before)] if p.k == "order" and p.seat == seat]
        answers = [[say["ask"], say["rev"]] for say in says if say["act"] == "order"]
        ahead = [[-say["link_n"], say["rev"]] for say in says if say["act"] == "ahead"]
        return [*answers[-1:], *ahead[-1:]]

    def say(self, seat: str, act: str, before: Piece, **more: Any) -> Piece:
        """An honest say of a seat, put in front of another entry: numbered on, having seen the last question there."""
        above = self.pieces[: self.pieces.index(before)]
        no = 1 + sum(piece.k in ("say", "rekey") and piece.fields["by"] == seat for piece in above)
        say = {"act": act, "game": self.recorded.table.id, "seat": seat, "no": no, "seen": self.last("ask", before)}
        say |= {"after": self.after(seat, before), **more}
        return self.insert(Piece({"k": "say", "by": seat, "say": say, "at": AT}), before)

    def _write(self, log: Log, piece: Piece) -> None:
        table, n = self.recorded.table, len(log.entries)
        piece.n = n
        fields = _resolve({name: value for name, value in piece.fields.items() if name not in ("n", "prev", "sig")})
        self._time(piece, fields)
        who, ref = ("host", n)
        if piece.k == "order":
            who, ref = fields["say"]["seat"], sealed_under(fields["say"])
        sealed = {name: seal(table.id, who, ref, name, salt, value) for name, (salt, value) in piece.openings.items()}
        piece.digests = {**piece.closed, **{name: one.digest for name, one in sealed.items()}}
        if piece.digests:
            (fields["say"] if piece.k == "order" else fields)["seals"] = dict(piece.digests)
        if "say" in fields:
            self._sign(piece, fields)
        if piece.before_chaining:
            piece.before_chaining(fields)
        piece.hash = (malformed(log, fields) if piece.is_malformed else log.append(fields)).hash
        for name, one in sealed.items():
            if name not in piece.withheld:
                log.attach(one.line)
        if piece.link and "link" not in piece.withheld:
            log.attach(["link", table.id, fields["chain"], fields["i"], piece.link])
        if piece.k == "order" or piece.has_receipt:
            log.attach(receipt(self.host(piece), table.id, fields["say"], fields["at"]))
        if piece.has_head:
            log.attach(signed_head(self.host(piece), table.id, n, piece.hash))

    def host(self, piece: Piece) -> PrivateKey:
        """The key of the host who is in office there."""
        moves = [at for at, other in enumerate(self.pieces) if other.k == "host"]
        if self.recorded.former and moves and self.pieces.index(piece) < moves[0]:
            return self.recorded.former
        return self.newer

    def _sign(self, piece: Piece, fields: dict[str, Any]) -> None:
        if fields["by"] in self.stubborn and piece.said:
            fields["say"], fields["sig"] = copy.deepcopy(piece.said)
            return
        if piece.before_signing:
            piece.before_signing(fields["say"])
        fields["sig"] = (piece.key or self._key(piece.signer or fields["by"], piece)).sign(SAY, cj(fields["say"]))

    def _key(self, seat: str, piece: Piece) -> PrivateKey:
        """The key that a seat has there."""
        change = self._changes.get(seat)
        if seat in self.recorded.before and change and self.pieces.index(piece) <= self.pieces.index(change):
            return self.recorded.before[seat]
        return self.recorded.keys[seat]


def malformed(log: Log, fields: dict[str, Any]) -> Entry:
    """Chain an entry whatever its form."""
    whole = {**fields, "n": len(log.entries), "prev": log.entries[-1].hash}
    line = cj(whole)
    entry = Entry(whole["n"], sha256_hex(line), whole, line)
    log._add(entry)
    return entry


def _changed(piece: Piece) -> str:
    """The seat that has another key from there on, or ""."""
    if piece.k == "rekey":
        return str(piece.fields["by"])
    return str(piece.fields["what"].get("player", {}).get("say", {}).get("seat", "")) if piece.k == "amend" else ""


def _resolve(value: Any, name: str = "") -> Any:
    """The value with every piece replaced by its number (`seen`: number and hash), every seal by its digest."""
    match value:
        case Piece():
            return [value.n, value.hash] if name == "seen" else value.n
        case Sealed():
            return value.piece.digests[value.name]
        case dict():
            return {key: _resolve(inner, key) for key, inner in value.items()}
        case list():
            return [_resolve(inner, name) for inner in value]
    return value
