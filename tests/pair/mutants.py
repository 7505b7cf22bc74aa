"""Mutants of good logs of two: changed by structure, written out and signed again by both players' keys.

A mutant is changed in what its players mean (acts dropped, doubled, exchanged, said by the other, at another place), or in what
stands there then (proofs, elements, hidden text, numbers, secrets, fields of another kind), or in both. All follows from a seed.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from pbem.ledger.pair import read_pair
from tests.ledger.mutants import (
    Item,
    Mutant,
    another,
    cut,
    doubled,
    dropped,
    exchanged,
    from_elsewhere,
    garbled,
    gone,
    moved,
    near,
    odd,
    written,
)
from tests.pair.author import MEANT, UNFIT, Author, an_author, everything
from tests.pair.golden import FOLDER
from tests.pair.playing import find, key_of
from tests.pair.taking_back import Hesitant

Json = Any
Change = Callable[[list[Json], random.Random], None]


class Base(NamedTuple):
    """A good log: its entries with what is meant by them, and who writes it."""

    data: bytes
    author: Callable[[], Author]

    def meant(self) -> tuple[Author, list[Json]]:
        author = self.author()
        entries = copy.deepcopy(_meant(self))
        author.begins(entries[0])
        return author, entries


@cache
def _meant(base: Base) -> list[Json]:
    return base.author().meant(read_pair(base.data)[1])


def _of_golden(name: str, seed: str, seats: tuple[str, str], more: tuple[str, ...] = ()) -> Base:
    others = {key.key_line: key for key in map(key_of, more)}
    data = (FOLDER / f"{name}.pbem").read_bytes()
    return Base(data, lambda: Author({seat: key_of(f"{seed} {seat}") for seat in seats}, dict(others)))


@cache
def _taking_back() -> Hesitant:
    """The beginning of a game in which answers are taken back, sealed ones and open ones."""
    couple = Hesitant(find("swords"), {"players": 2}, "back", 60)
    couple.play(couple.answer, 14)
    return couple


@cache
def bases() -> list[tuple[str, Base]]:
    """Good logs, by name; those that are changed more often stand here more often."""
    author = an_author()
    entries = everything(author)
    author.written_out(entries)
    made = Base(author.signed(entries), an_author)
    talk = _of_golden("tiny-talk", "talk", ("ann", "bob"), ("talk again",))
    begun = _of_golden("tiny-begun", "begun", ("ann", "bob"))
    bids = _of_golden("tournament", "bids", ("ann", "bob"))
    hammer = _of_golden("hammer-resigned", "resigned", ("english", "scottish"))
    pledged = _of_golden("hammer-pledged", "pledged again", ("english", "scottish"))
    back = Base(_taking_back().dump(), lambda: Author(_taking_back().keys))
    all_acts = ("all acts", made)
    return [
        all_acts, ("tiny-talk", talk), all_acts, ("tournament", bids), all_acts, ("hammer-resigned", hammer), all_acts,
        ("tiny-begun", begun), all_acts, ("taking back", back), all_acts, ("hammer-pledged", pledged),
    ]  # fmt: skip


# --- what is meant ------------------------------------------------------------------------------------------------------


def _turns(entries: list[Json]) -> list[Json]:
    return [entry for entry in entries if entry.get(MEANT) is not None]


def _acts(entries: list[Json], chance: random.Random, field: str = MEANT) -> list[Json]:
    """The acts of some turn."""
    if field == MEANT:
        return chance.choice([entry[MEANT] for entry in _turns(entries) if entry[MEANT]])
    return chance.choice([entry["say"]["acts"] for entry in _turns(entries) if entry["say"]["acts"]])


def act_dropped(entries: list[Json], chance: random.Random) -> None:
    acts = _acts(entries, chance)
    del acts[chance.randrange(len(acts))]


def act_doubled(entries: list[Json], chance: random.Random) -> None:
    acts = _acts(entries, chance)
    again = copy.deepcopy(chance.choice(acts))
    there = _acts(entries, chance) if chance.random() < 0.5 else acts
    there.insert(chance.randrange(len(there) + 1), again)


def act_moved(entries: list[Json], chance: random.Random) -> None:
    acts = _acts(entries, chance)
    taken = acts.pop(chance.randrange(len(acts)))
    there = chance.choice(_turns(entries))[MEANT]
    there.insert(chance.randrange(len(there) + 1), taken)


def acts_exchanged(entries: list[Json], chance: random.Random) -> None:
    acts, others = _acts(entries, chance), _acts(entries, chance)
    a, b = chance.randrange(len(acts)), chance.randrange(len(others))
    acts[a], others[b] = others[b], acts[a]


def said_by_the_other(entries: list[Json], chance: random.Random) -> None:
    entry = chance.choice(_turns(entries))
    entry["by"] = entry["say"]["seat"] = chance.choice(entries[0]["seats"])


def turn_doubled(entries: list[Json], chance: random.Random) -> None:
    at = chance.randrange(1, len(entries))
    entries.insert(chance.randrange(1, len(entries) + 1), copy.deepcopy(entries[at]))


def turn_dropped(entries: list[Json], chance: random.Random) -> None:
    del entries[chance.randrange(1, len(entries))]


def turns_exchanged(entries: list[Json], chance: random.Random) -> None:
    a, b = chance.randrange(1, len(entries)), chance.randrange(1, len(entries))
    entries[a], entries[b] = entries[b], entries[a]


def goes_on(entries: list[Json], chance: random.Random) -> None:
    """Who gave the baton keeps it, or who kept it gives it."""
    say = chance.choice(_turns(entries))["say"]
    if say.pop("more", None) is None:
        say["more"] = True


def another_place(entries: list[Json], chance: random.Random) -> None:
    numbered = [act for entry in _turns(entries) for act in entry[MEANT] if "place" in act or "no" in act]
    act = chance.choice(numbered)
    field = chance.choice([name for name in ("place", "no") if name in act])
    act[field] = max(0, act[field] + chance.choice([-1, 1, 2]))


def another_text(entries: list[Json], chance: random.Random) -> None:
    """What is sealed, opened, called or handed over is something else; so is what the cards are called."""
    spots = [
        (act, name)
        for entry in _turns(entries)
        for act in entry[MEANT]
        for name in ("text", "cards", "hand", "what")
        if name in act
    ]
    act, name = chance.choice(spots)
    odd_ones: dict[str, list[Json]] = {
        "text": ["", "GO", "x" * 17_000, 1, None, "\u2028", "Gràdh", ["GO"]],
        "cards": [
            [],
            ["a"],
            ["a", "a", "b", "c", "e"],
            act.get("cards", [])[::-1],
            [*act.get("cards", []), "more"],
            ["x" * 65] * 5,
        ],
        "hand": [None, [], {"facts": [7], "view": {}}, {"facts": [], "view": {"x": "y" * 3000}}, "x" * 9000],
        "what": ["draw", "agree", "resign", "leave", "back"],
    }
    act[name] = chance.choice(odd_ones[name])


def another_word(entries: list[Json], chance: random.Random) -> None:
    """What is quoted says something else, or is of the other; or a whole consent stands somewhere."""
    words = [act for entry in _turns(entries) for act in entry[MEANT] if act["do"] == "word"]
    word, turns = copy.deepcopy(chance.choice(words)), _turns(entries)
    word["say"] |= {
        "what": chance.choice(["back", "back", "draw", "resign"]),
        "seat": chance.choice(entries[0]["seats"]),
    }
    chance.choice(words)["say"] = word["say"]
    if chance.random() < 0.7:
        at = chance.randrange(len(turns))
        turns[at][MEANT][:] = [word, {"do": "say", "what": "agree"}][: chance.choice([1, 2, 2, 2])]


def another_act(entries: list[Json], chance: random.Random) -> None:
    """Something that nobody said."""
    acts = chance.choice(_turns(entries))[MEANT]
    new = chance.choice([
        {"do": "link"}, {"do": "seal", "text": "NEW"}, {"do": "open", "text": "NEW"}, {"do": "say", "what": "resign"},
        {"do": "say", "what": "agree"}, {"do": "over", "result": {"winner": None}}, {"do": "number", "no": 1},
        {"do": "number", "no": 2},
        {"do": "share", "no": 1, "place": 4}, {"do": "share", "no": 2, "place": 0}, {"do": "play", "no": 2, "place": 1},
        {"do": "deck", "no": 3, "cards": ["a"]}, {"do": "deck", "no": 1, "cards": ["a"]}, {"do": "order", "text": ""},
        {"do": "part", "part": {}}, {"do": "tell", "facts": [], "view": {}}, {"do": "pledge", "text": "NEW"},
        {"do": "meet", "text": "NEW"}, {"do": "meet", "text": ""},
    ])  # fmt: skip
    acts.insert(chance.randrange(len(acts) + 1), new)


MEANINGS: list[Change] = [
    act_dropped, act_dropped, act_doubled, act_moved, acts_exchanged, said_by_the_other, turn_doubled, turn_dropped,
    turns_exchanged, goes_on, another_place, another_place, another_text, another_text, another_act, another_act,
    another_word, another_word,
]  # fmt: skip


# --- what stands there --------------------------------------------------------------------------------------------------


def from_another_act(entries: list[Json], chance: random.Random) -> None:
    """A field of an act is that of another one: its proof, its hidden text, its secret, its share."""
    every = [act for entry in _turns(entries) for act in entry["say"]["acts"] if isinstance(act, dict)]
    name = chance.choice(sorted({name for act in every for name in act} - {"do"}))
    having = [act for act in every if name in act]
    chance.choice(having)[name] = copy.deepcopy(chance.choice(having)[name])


DEEP = ("c", "d", "salt", "x", "share", "proof", "key", "kept", "secret", "hand", "sig", "mix", "anchor", "bound")


def one_letter(entries: list[Json], chance: random.Random) -> None:
    """One letter of something that is reckoned with."""
    spots = [
        (holder, name)
        for entry in entries[1:]
        for holder in (entry["say"], *entry["say"].get("acts", ()))
        for name in DEEP
        if isinstance(holder.get(name), str) and holder[name]
    ]
    holder, name = chance.choice(spots)
    text, at = holder[name], chance.randrange(len(holder[name]))
    letters = "0123456789abcdef" if set(text) <= set("0123456789abcdef") else "0123456789abcdefABCxyz+/"
    others = [text[:at] + chance.choice(letters) + text[at + 1 :]] * 6
    holder[name] = chance.choice([*others, text[::-1], text[:-1], text + "A", text[: len(text) // 2], f"{text[:-1]}="])


SPECIAL = [
    "A" * 43, "AQ" + "A" * 41, "7P" + "/" * 40 + "3", "7f" + "/" * 40 + "38", "7v" + "/" * 40 + "38", "/" * 42 + "8",
    "A" * 42 + "g", "7dP1XBpjEljWnPei3vneFAAAAAAAAAAAAAAAAAAAABA", "7NP1XBpjEljWnPei3vneFAAAAAAAAAAAAAAAAAAAABA",
    "WGZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmY", "JuiVj8KyJ7BFw/SJ8u+Y8NXfrAXTxjM5sTgCiG1T/AU",
]  # fmt: skip
"""Elements and numbers on the edge: 0, 1, p−1, p, p+1, points of low order, L, L−1, the base point."""


def on_the_edge(entries: list[Json], chance: random.Random) -> None:
    spots: list[tuple[Json, Json]] = []
    for entry in entries[1:]:
        for holder in (entry["say"], *entry["say"].get("acts", ())):
            spots += [(holder, name) for name in ("x", "share", "key", "mix", "proof") if name in holder]
            spots += [(deck, at) for deck in [holder.get("deck")] if isinstance(deck, list) for at in range(len(deck))]
    holder, name = chance.choice(spots)
    special = chance.choice(SPECIAL)
    if name == "proof":
        halves = holder[name].split(".")
        halves[chance.randrange(2)] = special
        special = ".".join(halves)
    holder[name] = special


def deck_shuffled(entries: list[Json], chance: random.Random) -> None:
    """The elements of a deck: another order, one twice, one missing, that of another deck."""
    decks = [act for entry in _turns(entries) for act in entry["say"]["acts"] if act["do"] == "deck"]
    act = chance.choice(decks)
    a, b = chance.randrange(len(act["deck"])), chance.randrange(len(act["deck"]))
    act["deck"] = chance.choice([
        act["deck"][::-1], act["deck"][:-1], [*act["deck"], act["deck"][0]],
        [*act["deck"][:a], chance.choice(chance.choice(decks)["deck"]), *act["deck"][a + 1 :]],
        [act["deck"][b] if at == a else act["deck"][a] if at == b else one for at, one in enumerate(act["deck"])],
    ])  # fmt: skip


def _generic(change: Callable[[list[Item], random.Random], None]) -> Change:
    def changed(entries: list[Json], chance: random.Random) -> None:
        items = [Item({key: value for key, value in entry.items() if key != MEANT}) for entry in entries]
        change(items, chance)
        entries[:] = [item.value for item in items]

    changed.__name__ = change.__name__
    return changed


WRITTEN: list[Change] = [
    *[from_another_act] * 6, *[one_letter] * 6, *[on_the_edge] * 3, *[deck_shuffled] * 2,
    *map(_generic, (odd, near, gone, another, exchanged, from_elsewhere, dropped, doubled, moved, cut)),
]  # fmt: skip
FIRSTS: tuple[tuple[str, Json], ...] = (
    ("nonce", "2" * 64),
    ("seats", ["bob", "ann"]),
    ("opts", {}),
    ("terms", {"hours": 0}),
)


def mutant(base: Base, chance: random.Random) -> Mutant:
    """A mutant of a log."""
    if chance.random() < 0.03:
        return Mutant("garbled", garbled(base.data, chance))
    author, entries = base.meant()
    done: list[str] = []

    def change(by: list[Change], entries: list[Json]) -> None:
        one = chance.choice(by)
        done.append(one.__name__)
        try:
            one(entries, chance)
        except UNFIT:
            done[-1] += " (not)"

    kind = chance.random()
    if kind < 0.05:  # another game of the same players: what is bound to the first does not fit
        field, value = chance.choice(FIRSTS)
        entries[0][field] = value
        done.append(f"another {field}")
    for _more in range(0 if kind > 0.6 else chance.choice([1, 1, 1, 2, 3])):
        change(MEANINGS, entries)
    if kind < 0.05 and chance.random() < 0.7:
        author.secrets = {}
    if chance.random() < 0.95:
        author.written_out(entries)
    for _more in range(chance.choice([1, 1, 1, 2]) if kind > 0.5 else 0):
        change(WRITTEN, entries)
    how = {name: chance.random() < 0.93 for name in ("numbers", "seen", "game")}
    if chance.random() < 0.04:
        return Mutant(f"{'+'.join(done)}, as it is", b"".join(written(_bare(entry)) + b"\n" for entry in entries))
    mended = "+".join(name for name, on in how.items() if on)
    return Mutant(
        f"{'+'.join(done)}, signed with {mended}",
        author.signed([entry for entry in entries if isinstance(entry, dict)], **how),
    )


def _bare(entry: Json) -> Json:
    return {key: value for key, value in entry.items() if key != MEANT} if isinstance(entry, dict) else entry


def mutants(count: int, seed: int = 0) -> Iterator[Mutant]:
    """So many mutants of all the good logs in turn, always the same for one seed."""
    every = bases()
    for no in range(count):
        name, base = every[no % len(every)]
        made = mutant(base, random.Random(f"two {seed} {no}"))
        yield Mutant(f"{no} of {name}: {made.name}", made.data)
