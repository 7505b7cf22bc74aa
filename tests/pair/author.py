"""Writes logs of two act by act, without rules: whoever has both secrets can say anything, and sign it.

An act stands here as what its author means by it (`seal` with its text, `share` with its place); `written_out` gives it the form
that it has in a log, at whatever place it stands: so a log whose acts were dropped, doubled or moved can be written as somebody
would who makes it up. What cannot be made so stays as it is.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from pbem.errors import PbemError
from pbem.ledger import SAY, Entry, PrivateKey, cj, player_root, sha256_hex
from pbem.ledger.deck import Deck, DeckName, Shuffler
from pbem.ledger.group import Element, element
from pbem.ledger.pair import PEER_PROTO, Vault
from pbem.ledger.pair.vault import kept_under, secret_of
from tests.ledger.mutants import written
from tests.pair.playing import key_of

Json = Any
UNFIT = (PbemError, KeyError, IndexError, TypeError, ValueError, AttributeError, StopIteration)
"""What an odd act comes to when it is to be written out."""
MEANT = "meant"
"""Where an entry keeps its acts as they are meant, until it is written."""
WAS = "was"
"""Where an act keeps the form that it had in its log: it has it again where it cannot be written out."""


# what costs time is kept: most mutants of a log say most of what it says
_vault = lru_cache(64)(Vault)
_elements = lru_cache(256)(lambda texts: tuple(map(element, texts)))


@lru_cache(256)
def _half(name: DeckName, seat: str, seed: str, below: tuple[Element, ...]) -> Shuffler:
    return Shuffler(name, seat, seed, below)


@lru_cache(256)
def _laid(half: Shuffler) -> Json:
    return half.shuffle()


@lru_cache(4096)
def _shared(half: Shuffler, place: int, lies: Element) -> Json:
    return half.share(place, lies)


@lru_cache(4096)
def _played(half: Shuffler, place: int, share: Element) -> Json:
    return half.play(place, share)


@dataclass
class Author:
    """Both players of a log, and whoever writes it."""

    keys: Mapping[str, PrivateKey]
    """By seat, the key with which it joins."""
    ring: dict[str, PrivateKey] = field(default_factory=dict)
    """Every key by its line."""
    secrets: dict[str, str] = field(default_factory=dict)
    game: str = ""
    seats: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.ring = {key.key_line: key for key in self.keys.values()} | self.ring

    def begins(self, first: Json) -> None:
        """Take entry 0 as it is to be now; secrets are bound to it, but for those that there are already."""
        self.game, self.seats = sha256_hex(written(first)), tuple(self.keys)
        for seat, key in self.keys.items():
            self.secrets.setdefault(seat, secret_of(player_root(key), self.game, seat))

    def vault(self, seat: str) -> Vault:
        return _vault(self.game, seat, self.secrets[seat])

    def other(self, seat: str) -> str:
        return self.seats[1 - self.seats.index(seat)]

    # -- from a log ---------------------------------------------------------------------------------------------------

    def meant(self, entries: Iterable[Entry]) -> list[Json]:
        """The entries of a good log, with what was meant by each act beside it."""
        found = [copy.deepcopy(entry.fields) for entry in entries]
        self.begins(found[0])
        for fields in found[1:]:
            if fields["k"] == "turn":
                say = fields["say"]
                fields[MEANT] = [
                    self._meant(say["seat"], say["no"], a, act) | {WAS: act} for a, act in enumerate(say["acts"])
                ]
        return found

    def _meant(self, seat: str, no: int, index: int, act: Json) -> Json:
        vault = self.vault(seat)
        match act["do"]:
            case "seal" | "pledge" as what:
                return {"do": what, "text": vault.read(no, index, act["c"])}
            case "tell" if "hand" in act:
                hand = vault.read_hand(self.vault(self.other(seat)).mix, seat, no, index, act["hand"])
                return act | {"hand": hand}
            case "open" | "play" | "share" | "number":
                return {key: value for key, value in act.items() if key in ("do", "text", "no", "place")}
            case "link":
                return {"do": "link"}
            case "deck":
                return {key: value for key, value in act.items() if key in ("do", "no", "cards")}
        return copy.deepcopy(act)

    # -- into a log ---------------------------------------------------------------------------------------------------

    def written_out(self, entries: list[Json]) -> None:
        """Give every act the form that it has where it stands now, and every join what its secret binds."""
        self.begins(entries[0])
        at = _Places()
        for fields in entries[1:]:
            try:
                self._join(fields, at) if fields["k"] == "join" else self._turn(fields, at)
            except UNFIT:
                continue

    def _join(self, fields: Json, at: _Places) -> None:
        say = fields["say"]
        vault = self.vault(say["seat"])
        say |= {"bound": vault.bound, "anchor": vault.chain.anchor, "mix": vault.mix.text}
        if "deck" in say:
            say["deck"] |= self._of_deck(say["seat"], {"do": "deck", "no": 1, **say["deck"]}, at)

    def _turn(self, fields: Json, at: _Places) -> None:
        say = fields["say"]
        seat = say["seat"]
        at.turns[seat] = no = at.turns.get(seat, 0) + 1
        acts = []
        for index, meant in enumerate(fields[MEANT]):
            try:
                acts.append(self._act(seat, no, index, meant, at))
            except UNFIT:
                acts.append(copy.deepcopy(meant.get(WAS, meant)))
        say["acts"] = acts

    def _act(self, seat: str, no: int, index: int, meant: Json, at: _Places) -> Json:
        vault, what = self.vault(seat), meant["do"]
        made = {key: copy.deepcopy(value) for key, value in meant.items() if key != WAS}
        if what in ("seal", "pledge"):
            salt = vault.salt(no, index, str(meant["text"]))
            at.shut[seat] = salt
            digest = sha256_hex(cj(["seal", self.game, seat, no, f"act{index}", salt, meant["text"]]))
            return {"do": what, "d": digest, "c": vault.hide(no, index, meant["text"])}
        if what == "open":
            return made | {"salt": at.shut[seat]}
        if what == "link":
            at.links[seat] = at.links.get(seat, 0) + 1
            return {"do": "link", "x": vault.chain.x(at.links[seat])}
        if what == "tell" and "hand" in meant:
            return made | {"hand": vault.hand(self.vault(self.other(seat)).mix, no, index, meant["hand"])}
        if what == "over":
            return made | {"secret": vault.secret}
        if what in ("deck", "share", "play", "number"):
            return made | self._of_deck(seat, meant, at)
        return made

    def _of_deck(self, seat: str, meant: Json, at: _Places) -> Json:
        no, what = meant["no"], meant["do"]
        if no not in at.decks:
            at.decks[no] = Deck(DeckName(self.game, no, tuple(meant["cards"]), (self.seats[0], self.seats[1])))
        deck = at.decks[no]
        seed = self.vault(seat).deck(no)
        half = _half(deck.name, seat, seed, deck.below(seat))
        if what == "deck":
            made = _laid(half)
            at.decks[no] = replace(deck, laid={**deck.laid, seat: _elements(tuple(made["deck"]))})
            return made | {"deck": list(made["deck"])}  # what is kept is not to be changed by who changes this one
        if what == "number":
            return {"x": half.open()}
        place = meant["place"]
        if what == "share":
            at.decks[no] = replace(deck, shares={**deck.shares, place: half.taken_off(deck.lies(place))})
            return _shared(half, place, deck.lies(place))
        return _played(half, place, deck.shares[place])

    def signed(self, entries: list[Json], *, numbers: bool = True, seen: bool = True, game: bool = True) -> bytes:
        """The file: chain and signatures always, and what is said of number, place and game as it is now."""
        prev, lines, turns = "0" * 64, list[bytes](), dict[Any, int]()
        keys: dict[Any, Any] = {}
        for n, fields in enumerate(entries):
            f = {key: value for key, value in fields.items() if key != MEANT} | {"n": n, "prev": prev}
            say = f.get("say")
            if n and isinstance(say, dict):
                place = ({"game": self.game} if game else {}) | ({"seen": [n - 1, prev]} if seen else {})
                say |= {key: value for key, value in place.items() if key in say}
                who = str(f.get("by"))
                turns[who] = turns.get(who, 0) + (f.get("k") == "turn")
                if numbers and "no" in say:
                    say["no"] = turns[who]
                acts = say["acts"] if isinstance(say.get("acts"), list) else []
                for act in acts:
                    self._quote(act, place, keys)
                key = say.get("key") if f.get("k") == "join" else keys.get(who)
                if isinstance(key, str) and key in self.ring:
                    f["sig"] = self.ring[key].sign(SAY, written(say))
                keys[who] = key
                for act in acts:
                    if isinstance(act, dict) and act.get("do") == "rekey":
                        keys[who] = act.get("key")
            lines.append(written(f))
            prev = sha256_hex(lines[-1])
            self.game = self.game if n else prev
        return b"".join(line + b"\n" for line in lines)

    def _quote(self, act: Json, place: Json, keys: Mapping[Any, Any]) -> None:
        """Who is quoted signs what is quoted."""
        try:
            if act["do"] == "word":
                act["say"] |= {key: value for key, value in place.items() if key in act["say"]}
                act["sig"] = self.ring[keys[act["say"]["seat"]]].sign(SAY, written(act["say"]))
        except UNFIT:
            pass


@dataclass
class _Places:
    """Where a log stands while it is written out."""

    turns: dict[str, int] = field(default_factory=dict)
    links: dict[str, int] = field(default_factory=dict)
    shut: dict[str, str] = field(default_factory=dict)
    decks: dict[int, Deck] = field(default_factory=dict)


# -- a log of all acts -----------------------------------------------------------------------------------------------------

FIRST = {
    "k": "game", "n": 0, "prev": "0" * 64, "proto": PEER_PROTO, "nonce": "1" * 64, "opts": {"of": ["nothing"]},
    "seats": ["ann", "bob"], "rules": {"id": "made", "ver": 1, "sha256": "0" * 64},
    "terms": {"hours": 24, "odds": True, "x:club": "none"},
}  # fmt: skip
CARDS = ["a", "b", "c", "Gràdh", "e"]


def an_author() -> Author:
    keys = {seat: key_of(f"made {seat}") for seat in ("ann", "bob")}
    more = [key_of("made another")]
    return Author(keys, {key.key_line: key for key in more})


def a_turn(author: Author, seat: str, *acts: Json, more: bool = False) -> Json:
    say = {"act": "turn", "game": "", "seat": seat, "no": 1, "seen": [0, ""], "acts": []}
    return {"k": "turn", "by": seat, "say": say | ({"more": True} if more else {}), "sig": "", MEANT: list(acts)}


def a_join(author: Author, seat: str) -> Json:
    say = {"act": "join", "game": "", "seat": seat, "seen": [0, ""], "key": author.keys[seat].key_line}
    return {"k": "join", "by": seat, "say": say, "sig": ""}


def _word(seat: str, what: str) -> Json:
    return {"do": "word", "say": {"act": "word", "game": "", "seat": seat, "seen": [0, ""], "what": what}, "sig": ""}


def everything(author: Author) -> list[Json]:
    """A log in which each act stands, and most of them in several ways; no game has such rules."""
    author.begins(FIRST)
    new = key_of("made another")
    kept = kept_under(player_root(new), author.game, "bob", author.secrets["bob"])
    rekey, offer = {"do": "rekey", "key": new.key_line, "kept": kept}, {"do": "say", "what": "draw"}
    pledge = {"do": "pledge", "text": "FIGHT"}
    tell = {"do": "tell", "facts": ["it rains", {"of": 1}], "view": {"rain": True}}

    def shares(no: int, *places: int) -> list[Json]:
        return [{"do": "share", "no": no, "place": place} for place in places]

    def plays(no: int, *places: int) -> list[Json]:
        return [{"do": "play", "no": no, "place": place} for place in places]

    turns: list[tuple[str, list[Json]]] = [
        ("bob", [{"do": "link"}]),
        ("ann", [{"do": "deck", "no": 1, "cards": CARDS}, {"do": "link"}, {"do": "seal", "text": "GO"}, offer]),
        ("bob", [{"do": "deck", "no": 1}, *shares(1, 0, 1), {"do": "seal", "text": "STAY"}]),
        ("ann", [*shares(1, 2, 3), {"do": "open", "text": "GO"}, tell | {"hand": {"facts": [0], "view": {"hand": ["x"]}}}]),
        ("ann", [{"do": "deck", "no": 2, "cards": CARDS[:3]}, {"do": "seal", "text": "never opened"}]),
        ("bob", [
            {"do": "open", "text": "STAY"}, *plays(1, 2), {"do": "part", "part": {"own": 3}}, pledge, _word("ann", "draw"),
        ]),
        ("ann", [
            *plays(1, 0, 1), {"do": "meet", "text": "STAND"}, {"do": "order", "text": "HALT"}, tell,
            {"do": "seal", "text": "given up"},
        ]),
        ("bob", [_word("ann", "back"), {"do": "say", "what": "agree"}]),
        ("ann", [{"do": "order", "text": "MARCH"}, tell]),
        ("bob", [
            *plays(1, 3), {"do": "open", "text": "FIGHT"}, {"do": "meet", "text": ""}, {"do": "number", "no": 1},
            {"do": "deck", "no": 2}, rekey,
        ]),
        ("ann", [{"do": "number", "no": 1}, *shares(2, 1), {"do": "link"}, tell | {"hand": {"facts": [], "view": {}}}]),
        ("bob", [_word("ann", "draw"), {"do": "say", "what": "agree"}, {"do": "over", "result": {"winner": None}}]),
        ("ann", [{"do": "over", "result": {"winner": None}}]),
    ]  # fmt: skip
    more = 4
    return [
        copy.deepcopy(FIRST), a_join(author, "ann"), a_join(author, "bob"),
        *(a_turn(author, seat, *acts, more=at == more - 1) for at, (seat, acts) in enumerate(turns)),
    ]  # fmt: skip
