"""Mutants of good logs: changed by structure, not by bits, and mended so that many get past the chain and the signatures.

A mutant has one change or a few: a field or line that is missing, stands twice or elsewhere, a value of another kind or size, or
one that belongs to another place. `Mending` puts it together again as somebody would who does not want to be found out: the chain,
digests and the host's signatures; perhaps numbers, dice, moments and what players signed. All follows from a seed.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from pbem.errors import FormError
from pbem.ledger import GOT, HEAD, SAY, PrivateKey, agreed_host, event_key, outcome, sha256_hex
from pbem.ledger.fields import plus_hours, plus_seconds, seconds_between
from tests.ledger.builder import key_of, long_game, short_game
from tests.ledger.files import DATA
from tests.ledger.verify import eventful_game

Json = Any
Ring = Mapping[str, PrivateKey]
"""The keys that sign in a log, by their lines."""


class Mutant(NamedTuple):
    """A mutant: what was done to which log, and the file."""

    name: str
    data: bytes


@dataclass(eq=False)
class Item:
    """One line of a log: what it says now; and number, SHA-256, what was signed and agreed as it was when the log was good."""

    value: Json
    n: int = -1
    hash: str = ""
    said: str = ""
    agreed: str = ""


def items_of(data: bytes) -> list[Item]:
    """The lines of a good log."""
    found: list[Item] = []
    for line in data.splitlines():
        value = json.loads(line)
        item = Item(value, hash=sha256_hex(line))
        if isinstance(value, dict):
            item.n = sum(other.n >= 0 for other in found)
            item.said = sha256_hex(written(value["say"])) if "say" in value else ""
            item.agreed = sha256_hex(written(_what(value))) if value["k"] in ("amend", "host") else ""
        found.append(item)
    return found


def written(x: Json) -> bytes:
    """The bytes of a value in the order and way of canonical JSON, also of one that has none."""
    return json.dumps(x, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode(errors="surrogatepass")


def _what(f: Json) -> Json:
    """What seats agree to for an amendment or another host."""
    return agreed_host(f) if f["k"] == "host" else f["what"]


# --- mending ----------------------------------------------------------------------------------------------------------

_UNFIT = (FormError, KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError)
"""What a mutant's odd values come to: then what would be mended stays as it is."""


@dataclass
class Mending:
    """Puts a mutant together again: chain, digests and the host's signatures always, the rest as it is said."""

    ring: Ring
    players: bool = True
    """Do the players sign again, and agree to what is amended?"""
    numbers: bool = True
    """Are entries named by the numbers that they have now?"""
    dice: bool = True
    """Do results follow from the links that there are?"""
    times: bool = True
    """Do moments run on?"""
    _new: dict[str, str] = field(default_factory=dict, init=False)
    """Hashes and digests, the new by the old."""
    _n: dict[int, int] = field(default_factory=dict, init=False)
    _hosts: list[tuple[int, Json]] = field(default_factory=list, init=False)
    _keys: dict[Json, Json] = field(default_factory=dict, init=False)
    _links: dict[Json, list[Json]] = field(default_factory=dict, init=False)
    _got: dict[str, int] = field(default_factory=dict, init=False)
    _seals: dict[str, Json] = field(default_factory=dict, init=False)
    _shown: list[Json] = field(default_factory=list, init=False)
    _amends: dict[str, Item] = field(default_factory=dict, init=False)
    _clock: str = field(default="", init=False)
    _game: str = field(default="", init=False)

    def write(self, items: list[Item]) -> bytes:
        """The file."""
        entries = [item for item in items if isinstance(item.value, dict)]
        for n, item in enumerate(entries):
            self._n.setdefault(item.n, n)
        beside = [item for item in items if isinstance(item.value, list)]
        self._seals = {item.hash: item.value for item in beside if item.value[:1] == ["seal"]}
        self._shown = [item.value for item in beside if item.value[:1] == ["link"]]
        self._amends = {item.agreed: item for item in entries if item.agreed}
        prev, n, lines = "0" * 64, 0, []
        for item in items:
            if isinstance(item.value, dict):
                lines.append(written(self._entry(item, {"n": n, "prev": prev})))
                prev, n = sha256_hex(lines[-1]), n + 1
                self._game = self._game or prev
                self._new.setdefault(item.hash, prev)
            else:
                lines.append(written(self._line(item.value)))
        return b"".join(line + b"\n" for line in lines)

    def _entry(self, item: Item, place: Json) -> Json:
        f = self._renewed(item.value) | place
        for mend in (self._moment, self._host, self._roll, self._sealed, self._amend):
            try:
                mend(f)
            except _UNFIT:
                continue
        if isinstance(f.get("say"), dict):
            self._said(item, f, f["say"])
        return f

    def _renewed(self, value: Json, name: str = "") -> Json:
        """A value with the hashes and numbers that there are now."""
        if isinstance(value, dict):
            return {key: self._renewed(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            if name == "seen" or (name == "pair" and value and type(value[0]) is int):
                return [self._number(x) if not at else self._renewed(x) for at, x in enumerate(value)]
            inside = {"agreed": "ask", "after": "pair"}.get(name, "")
            return [self._renewed(inner, inside) for inner in value]
        if name in ("ask", "about", "cause", "takeback"):
            return self._number(value)
        return self._new.get(value, value) if isinstance(value, str) else value

    def _number(self, n: Json) -> Json:
        return self._n.get(n, n) if self.numbers and type(n) is int and n >= 0 else n

    def _moment(self, f: Json) -> None:
        if not self.times or f["k"] == "order":
            return
        moved = max(f["at"], self._clock)
        if "due" in f and f["k"] != "extend":
            f["due"] = plus_seconds(moved, seconds_between(f["at"], f["due"]))
        f["at"] = self._clock = moved

    def _host(self, f: Json) -> None:
        if f["k"] in ("game", "host"):
            self._hosts.append((f["n"], f["host" if f["k"] == "game" else "key"]))

    def _sealed(self, f: Json) -> None:
        """Seals bind the lines that open them as they are now."""
        holder = f["say"] if f["k"] == "order" else f
        for name, digest in holder["seals"].items():
            if digest in self._seals:
                self._new.setdefault(digest, sha256_hex(written(self._seal(self._seals[digest]))))
                holder["seals"][name] = self._new[digest]

    def _seal(self, line: Json) -> Json:
        if len(line) != 7:
            return line
        return [line[0], self._renewed(line[1]), line[2], self._number(line[3]), *line[4:]]

    def _roll(self, f: Json) -> None:
        """Result and seals follow from link, game and the seats' links."""
        if not self.dice or f["k"] != "rand":
            return
        label, i = f["chain"], f["i"]
        shown = [line for line in self._shown if line[2:4] == [label, i]]
        key = event_key(f["x"] if label == "pub" else shown[0][4], self._game, label, i, list(self._links.values()))
        if label == "pub":
            f["res"] = outcome(key, f["req"])
            return
        opened = {name: self._seals[digest] for name, digest in f["seals"].items() if digest in self._seals}
        if label.startswith("priv:"):
            line = opened[label[5:]]
            line[6] = [line[6][0], outcome(key, line[6][0])]
            return
        given = outcome(key, f["req"] if "req" in f else opened["req"][6])
        for place, value in enumerate(value for values in given for value in values):
            opened[f"p{place}"][6] = value

    def _amend(self, f: Json) -> None:
        if f["k"] == "amend" and self.players:
            self._newcomer(f["what"]["player"])
            self._keys[f["what"]["player"]["say"]["seat"]] = f["what"]["player"]["say"]["key"]

    def _newcomer(self, player: Json) -> None:
        player["sig"] = self.ring[player["say"]["key"]].sign(SAY, written(player["say"]))

    def _said(self, item: Item, f: Json, say: Json) -> None:
        seat, key = str(f.get("by")), say.get("key")
        if self.players:
            with suppress(*_UNFIT):
                self._sign(f, say, key if f.get("k") == "join" else say.get("recovery", self._keys.get(seat)))
        if f.get("k") in ("join", "rekey"):
            self._keys[seat] = key
        if "link" in say:
            self._links[seat] = [seat, say.get("link_n"), say["link"]]
        digest = sha256_hex(written(say))
        self._new.setdefault(item.said, digest)
        self._got[digest] = f["n"]

    def _sign(self, f: Json, say: Json, key: Json) -> None:
        if say.get("what") in self._amends:
            amended = self._renewed(self._amends[say["what"]].value)
            if "player" in amended.get("what", {}):
                self._newcomer(amended["what"]["player"])
            say["what"] = sha256_hex(written(_what(amended)))
        f["sig"] = self.ring[key].sign(SAY, written(say))

    def _line(self, value: Json) -> Json:
        if value[:1] == ["seal"]:
            return self._seal(value)
        f = [self._renewed(x) for x in value]
        try:
            if f[0] == "head":
                f[2] = self._number(f[2])
                f[4] = self.ring[self._host_at(f[2])].sign(HEAD, written(f[:4]))
            elif f[0] == "got":
                f[4] = self.ring[self._host_at(self._got.get(f[2], 0))].sign(GOT, written(f[:4]))
        except _UNFIT:
            pass
        return f

    def _host_at(self, n: int) -> str:
        return str([key for since, key in self._hosts if since <= n][-1])


# --- changes ----------------------------------------------------------------------------------------------------------

ODD: list[Json] = [
    None, True, False, 0, 1, -1, 2, 4096, 4097, 8761, 65_537, 10**6, 10**6 + 1, 2**31, 2**53 - 1, 1 - 2**53, 2**53, 10**30, 0.5,
    "", "x", "a" * 41, "é" * 1001, "\u2028", "\ud800", "0" * 64, "0" * 63, "0" * 65, "A" * 64, "pub", "deal:1", "deal:0", "anew:1",
    "priv:ann", "state", "constructor", "host", "2030-02-30T00:00:00Z", "2030-01-01T24:00:00Z", "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z", "2030-01-01T00:00:00+00:00", [], [0], [1], [[]], [[1, 0]], [[-1, 0]], [True], ["ann"], ["ann", "ann"],
    {}, {"x": 1}, {"x:a": "y" * 5000}, {"X": 1}, {"order": "GO"}, {"op": "roll", "n": 4097, "sides": 2}, {"takeback": 1},
]  # fmt: skip
FIELDS: list[tuple[str, Json]] = [
    ("x:note", "nothing"), ("x:much", "y" * 4100), ("zz", 1), ("due", "2030-01-01T12:00:00Z"), ("at", "2030-01-01T00:00:00Z"),
    ("mark", 2), ("cause", 3), ("why", "due"), ("about", 1), ("hours", 1), ("link", "0" * 64), ("link_n", 1), ("req", []),
    ("x:sig", {"a": 1, "sig": "A" * 87}), ("recovery", ""), ("deals", "0" * 64), ("rated", 1), ("event", "e" * 65), ("odds", False),
    ("what", "0" * 64), ("order", "GO"), ("p99", "0" * 64),
]  # fmt: skip
Spot = tuple[Any, Any]
"""An object or list, and a key or index in it."""


def spots(x: Json) -> Iterator[Spot]:
    """Every place inside a value."""
    pairs = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()
    for key, value in pairs:
        yield x, key
        yield from spots(value)


def _near(value: Json, chance: random.Random) -> Json:
    """A value like another one, and not quite."""
    match value:
        case bool():
            return not value
        case int():
            return chance.choice([value + 1, value - 1, -value, value * 2, value + 1000])
        case str() if value[10:11] == "T" and value.endswith("Z"):
            return plus_hours(value, chance.choice([-48, -1, 1, 24, 9000])) or value
        case str():
            return chance.choice([value + "x", value[:-1], value[1:] + value[:1], value.upper(), f" {value}", ""])
        case list():
            twice = value + value[:1]
            return chance.choice([value[:-1], value[1:], value[::-1], twice, [*value, chance.choice(ODD)], [value], []])
        case dict():
            return {**value, "zz": 1} if chance.random() < 0.5 else dict(list(value.items())[1:])
    return 0


def _a_spot(items: list[Item], chance: random.Random) -> Spot:
    """A place in some line; every kind of line is as likely."""
    kinds: dict[str, list[Item]] = {}
    for item in items:
        kinds.setdefault(str(item.value.get("k") if isinstance(item.value, dict) else item.value[:1]), []).append(item)
    while True:
        item = chance.choice(kinds[chance.choice(sorted(kinds))])
        found = [spot for spot in spots(item.value) if spot[1] not in ("n", "prev")]
        if found:
            return chance.choice(found)


def odd(items: list[Item], chance: random.Random) -> None:
    holder, key = _a_spot(items, chance)
    holder[key] = copy.deepcopy(chance.choice(ODD))


def near(items: list[Item], chance: random.Random) -> None:
    holder, key = _a_spot(items, chance)
    holder[key] = _near(holder[key], chance)


def gone(items: list[Item], chance: random.Random) -> None:
    holder, key = _a_spot(items, chance)
    del holder[key]


def another(items: list[Item], chance: random.Random) -> None:
    """A field more, in an entry or what is signed in it."""
    entries = [item.value for item in items if isinstance(item.value, dict)]
    entry = chance.choice(entries)
    inside = [
        x
        for x in (entry, entry.get("say"), entry.get("what"), entry.get("terms"), entry.get("seals"))
        if isinstance(x, dict)
    ]
    name, value = chance.choice(FIELDS)
    chance.choice(inside)[name] = copy.deepcopy(value)


def exchanged(items: list[Item], chance: random.Random) -> None:
    """Two values of one line change places."""
    holder, key = _a_spot(items, chance)
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    other = chance.choice(keys)
    holder[key], holder[other] = holder[other], holder[key]


def from_elsewhere(items: list[Item], chance: random.Random) -> None:
    """A value that another line has in a field of that name, or in any."""
    holder, key = _a_spot(items, chance)
    everywhere = [spot for item in items for spot in spots(item.value)]
    like = [(x, k) for x, k in everywhere if k == key and type(x[k]) is type(holder[key])]
    other, there = chance.choice(like if chance.random() < 0.8 else everywhere)
    holder[key] = copy.deepcopy(other[there])


def _block(items: list[Item], at: int) -> int:
    """The index behind the attachments of the line at `at`."""
    at += 1
    while at < len(items) and isinstance(items[at].value, list):
        at += 1
    return at


def _an_entry(items: list[Item], chance: random.Random) -> slice:
    """An entry with what stands below it, or any line by itself."""
    at = chance.randrange(len(items))
    if chance.random() < 0.6:
        at = chance.choice([i for i, item in enumerate(items) if isinstance(item.value, dict)])
        return slice(at, _block(items, at) if chance.random() < 0.7 else at + 1)
    return slice(at, at + 1)


def dropped(items: list[Item], chance: random.Random) -> None:
    del items[_an_entry(items, chance)]


def doubled(items: list[Item], chance: random.Random) -> None:
    part = _an_entry(items, chance)
    again = copy.deepcopy(items[part])
    at = part.stop if chance.random() < 0.5 else chance.randrange(1, len(items) + 1)
    items[at:at] = again


def moved(items: list[Item], chance: random.Random) -> None:
    part = _an_entry(items, chance)
    taken = items[part]
    del items[part]
    far = chance.random() < 0.4
    at = (
        chance.randrange(len(items) + 1)
        if far
        else max(0, min(len(items), part.start + chance.choice([-2, -1, 1, 2, 3])))
    )
    items[at:at] = taken


def cut(items: list[Item], chance: random.Random) -> None:
    """Behind a line, and then goes on with a part that stands further down, or not."""
    at = chance.randrange(1, len(items) + 1)
    on = chance.randrange(at, len(items) + 1)
    items[at:on] = []
    if chance.random() < 0.5:
        del items[at:]


CHANGES: list[Callable[[list[Item], random.Random], None]] = [
    odd, near, near, gone, another, exchanged, from_elsewhere, from_elsewhere, dropped, dropped, doubled, doubled, moved, moved,
    cut,
]  # fmt: skip


def garbled(data: bytes, chance: random.Random) -> bytes:
    """Lines that are none: a file as it is, with one line damaged."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    line = lines[at]
    lines[at] = chance.choice([
        line[:-1], line + b" ", b" " + line, b"", b"\xef\xbb\xbf" + line, line.replace(b'"', b"'", 1), line + line, b"[" * 70_000,
        b'{"a":' * 20 + b"1" + b"}" * 20, line.replace(b"1", b"1.0", 1), line.replace(b"0", b"-0", 1), line + b"\r", b"\xff" + line,
        line.replace(b"a", b"\\u0061", 1), b'"text"', b"7", b"NaN", b"[]", b"{}", b'{"a":1,"a":1}', line.replace(b"{", b"{ ", 1),
        b'["seal"]', b'{"k":"host","key":1}', line.replace(b":", b":\t", 1),
    ])  # fmt: skip
    return b"\n".join(lines)


# --- the good logs ----------------------------------------------------------------------------------------------------

SEEDS = ("talk", "resign", "back", "rules", "rekey", "moved", "another", "vanish", "ahead", "call")
NAMES = ("host", "ann", "bob", "cat", "english", "scots", "scottish")
OF_ALL = {
    key.key_line: key
    for key in (
        *(key_of(name) for name in (*NAMES, "a", "spare", "new", "thief", "again")),
        *(key_of(f"{seed} {name}") for seed in SEEDS for name in NAMES),
    )
}
"""Every key that signs in our games."""


class Base(NamedTuple):
    """A good log, and the keys that sign in it."""

    data: bytes
    ring: Ring


@cache
def bases() -> dict[str, Base]:
    """Good logs of every kind of entry, by name."""
    said = sorted((DATA / "said").glob("*.pbem"))
    made = {
        "short": short_game().dump(),
        "eventful": eventful_game().end().dump(),
        "open": _unfinished(),
        "long": long_game(2).dump(),
        **{path.stem: path.read_bytes() for path in said},
    }
    return {name: Base(data, OF_ALL) for name, data in made.items()}


def _unfinished() -> bytes:
    table = eventful_game()
    table.ask("bob")
    return table.log.dump()


def mutant(base: Base, chance: random.Random) -> Mutant:
    """A mutant of a log."""
    if chance.random() < 0.05:
        return Mutant("garbled", garbled(base.data, chance))
    items, done = items_of(base.data), []
    for _more in range(chance.choice([1, 1, 1, 1, 2, 3])):
        change = chance.choice(CHANGES)
        if items:
            change(items, chance)
            done.append(change.__name__)
    if chance.random() < 0.1:
        return Mutant(f"{'+'.join(done)}, as it is", b"".join(written(item.value) + b"\n" for item in items))
    how = {
        name: chance.random() < often
        for name, often in (("players", 0.9), ("numbers", 0.8), ("dice", 0.8), ("times", 0.6))
    }
    mended = "+".join(name for name, on in how.items() if on)
    return Mutant(f"{'+'.join(done)}, mended {mended}", Mending(base.ring, **how).write(items))


def mutants(count: int, seed: int = 0) -> Iterator[Mutant]:
    """So many mutants of all the good logs in turn, always the same for one seed."""
    every = list(bases().items())
    for no in range(count):
        name, base = every[no % len(every)]
        made = mutant(base, random.Random(f"{seed} {no}"))
        yield Mutant(f"{no} of {name}: {made.name}", made.data)
