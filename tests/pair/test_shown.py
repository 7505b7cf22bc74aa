"""With the numbers of its decks at hand, which it shows further down, a log is judged as it is without them, to the letter.

`PBEM_MUTANTS` says how many mutants are looked at."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from pbem.ledger import Entry, Verdict
from pbem.ledger.curve import L, P, decode, encode
from pbem.ledger.deck import DeckName, ShownDeck, Shuffler
from pbem.ledger.group import Element, element, multiple, number, of_number, proof
from pbem.ledger.pair import Vault, checking, read_pair, verify_pair
from pbem.ledger.pair.shown import ShownNumbers
from tests.ledger.edges import add
from tests.pair.author import Author, an_author, everything
from tests.pair.golden import FOLDER
from tests.pair.mutants import bases, mutants

MUTANTS = int(os.environ.get("PBEM_MUTANTS", "100"))
SMALL = decode(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"))
"""A point of order 8."""


def without(data: bytes) -> Verdict:
    """The verdict of who reads a log from its beginning, and nothing ahead."""
    with patch.object(checking, "ShownNumbers", lambda _entries: ShownNumbers()):
        return verify_pair(data)


@pytest.mark.slow
def test_good_logs_and_mutants_are_judged_as_without_them() -> None:
    codes = set()
    for name, data in [
        *((path.stem, path.read_bytes()) for path in FOLDER.glob("*.pbem")),
        *((mutant.name, mutant.data) for mutant in mutants(MUTANTS, seed=7)),
    ]:
        found = verify_pair(data)
        assert found == without(data), name
        codes.add(found.code)
    assert {None, "CARD", "SIG"} < codes


def test_who_lays_a_deck_out_and_is_the_second_seat_is_refused_though_his_number_is_shown() -> None:
    author, entries = dict(bases())["all acts"].meant()
    entries[0]["seats"].reverse()
    author.written_out(entries)
    data = author.signed(entries)
    found = verify_pair(data)
    assert found == without(data)
    assert found.code == "CARD"


def test_in_a_finished_game_every_deck_is_judged_by_its_numbers() -> None:
    course, _entries = read_pair((FOLDER / "hammer-bruce.pbem").read_bytes())
    assert course.decks
    assert all(isinstance(deck, ShownDeck) for deck in course.decks.values())
    assert course.lying.keys() == course.decks.keys()


# -- attacks: what would pass if proofs or elements were looked at together, or in another group ------------------------------

Acts = dict[str, list[tuple[int, Any]]]
"""By what they do, the acts of a log, each with its entry."""


def _answer(act: Any, by: int) -> None:
    challenge, answer = proof(act["proof"])
    act["proof"] = f"{of_number(challenge)}.{of_number((answer + by) % L)}"


def _cancel(one: Any, other: Any) -> None:
    _answer(one, 1)
    _answer(other, -1)


def _plus_small(text: str) -> str:
    assert SMALL is not None
    return Element(encode(add(element(text).point, SMALL))).text


def _opposite(text: str) -> str:
    point = element(text).point
    return Element(encode(point._replace(x=P - point.x, t=P - point.t))).text


def _marked(act: Any, at: int, by: Callable[[str], str]) -> None:
    act["deck"][at] = by(act["deck"][at])


def _exchanged(one: Any, other: Any, *names: str) -> None:
    for name in names:
        one[name], other[name] = other[name], one[name]


Attack = Callable[[Acts], int]
"""Bends acts; returns the entry that is at fault first."""


def _bent(what: str, bend: Callable[..., None], *which: int) -> Attack:
    def run(acts: Acts) -> int:
        chosen = [acts[what][i] for i in which]
        bend(*(act for _n, act in chosen))
        return min(n for n, _act in chosen)

    return run


ATTACKS: dict[str, Attack] = {
    "two wrong shares that cancel each other": _bent("share", _cancel, 0, 1),
    "and of two seats": _bent("share", _cancel, 3, 0),
    "two wrong plays that cancel each other": _bent("play", _cancel, 1, 2),
    "the later of two wrong proofs is signed by the other": _bent("play", _cancel, 3, 0),
    "proofs of two places exchanged": _bent("share", lambda a, b: _exchanged(a, b, "proof"), 2, 3),
    "shares of two places exchanged, with their proofs": _bent(
        "share", lambda a, b: _exchanged(a, b, "share", "proof"), 2, 3
    ),
    "a share with a small point added": _bent("share", lambda a: a.update(share=_plus_small(a["share"])), 1),
    "the opposite share": _bent("share", lambda a: a.update(share=_opposite(a["share"])), 1),
    "a card with a small point added, by the first": _bent("deck", lambda a: _marked(a, 2, _plus_small), 0),
    "and by the second": _bent("deck", lambda a: _marked(a, 2, _plus_small), 1),
    "a key with a small point added": _bent("deck", lambda a: a.update(key=_plus_small(a["key"])), 0),
    "a card that nobody sees under another number": _bent(
        "deck", lambda a: _marked(a, 4, lambda text: multiple(7, element(text)).text), 1
    ),
    "the opposite of a card that nobody sees": _bent("deck", lambda a: _marked(a, 4, _opposite), 1),
    "a card twice": _bent("deck", lambda a: _marked(a, 3, lambda _text: a["deck"][0]), 0),
    "another number": _bent("number", lambda a: a.update(x=of_number(7)), 0),
    "a number above the order": _bent(
        "number", lambda a: a.update(x=Element((L + 5).to_bytes(32, "little")).text), 0
    ),
    "another secret": _bent("over", lambda a: a.update(secret="1" * 64), 0),
}  # fmt: skip


def of_all_acts() -> tuple[Author, list[Any]]:
    author = an_author()
    entries = everything(author)
    author.written_out(entries)
    return author, entries


@pytest.mark.parametrize("name", ATTACKS)
def test_the_first_entry_that_is_not_so_is_named_with_and_without_them(name: str) -> None:
    author, entries = of_all_acts()
    acts: Acts = {}
    for n, entry in enumerate(entries):
        for act in entry["say"]["acts"] if entry["k"] == "turn" else ():
            acts.setdefault(act["do"], []).append((n, act))
    n = ATTACKS[name](acts)
    data = author.signed(entries)
    found = verify_pair(data)
    assert (found.verdict, found.entry, found.party) == ("fault", n, entries[n]["by"])
    assert found == without(data)


# -- what is shown is anything at all ---------------------------------------------------------------------------------------


NAME = DeckName("ab" * 32, 1, ("a", "b"), ("ann", "bob"))


def numbers(by_ann: Any) -> Any:
    by_bob = {"k": "turn", "by": "bob", "say": {"acts": [{"do": "number", "no": 1, "x": of_number(5)}]}}
    return ShownNumbers([Entry(3, "", by_ann, b""), Entry(4, "", by_bob, b"")]).numbers(NAME)


def turn(act: Any) -> Any:
    return {"k": "turn", "by": "ann", "say": {"acts": [act]}}


@pytest.mark.parametrize(
    "fields",
    [
        {}, {"k": "turn"}, {"k": "turn", "by": ["ann"], "say": {"acts": [{"do": "over", "secret": "1" * 64}]}},
        {"k": "turn", "by": "ann", "say": []}, {"k": "turn", "by": "ann", "say": {"acts": {}}},
        *map(turn, (
            None, [], {}, {"do": []}, {"do": "over"}, {"do": "over", "secret": 7}, {"do": "over", "secret": "1" * 63},
            {"do": "number"}, {"do": "number", "no": [], "x": of_number(7)}, {"do": "number", "no": 1, "x": None},
            {"do": "number", "no": 1, "x": ["A"]}, {"do": "number", "no": 2, "x": of_number(7)},
        )),
    ],
)  # fmt: skip
def test_what_has_no_form_shows_nothing(fields: Any) -> None:
    assert numbers(fields) is None


def test_a_number_or_the_secret_shows_it() -> None:
    assert numbers(turn({"do": "number", "no": 1, "x": of_number(7)})) == {"ann": 7, "bob": 5}
    own = Shuffler(NAME, "ann", Vault(NAME.game, "ann", "1" * 64).deck(1), [*NAME.elements.values()]).open()
    assert numbers(turn({"do": "over", "secret": "1" * 64})) == {"ann": number(own), "bob": 5}
