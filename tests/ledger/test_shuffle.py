"""The proof of a shuffle: the vectors, what is no proof, and what each equation keeps out, in both checkers."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from pbem.errors import FormError
from pbem.ledger import shuffle
from pbem.ledger.curve import L, P, decode, is_neutral, sum_of
from pbem.ledger.group import (
    BASE,
    Element,
    KnownMultiples,
    element,
    known_element,
    multiple,
    number,
    of_number,
)
from pbem.ledger.makers import sodium
from pbem.ledger.shuffle import ShuffleProofs, Terms, equations, generator, is_nothing, prove_shuffle, read
from tests.ledger.shuffling import Case, cases, cheats, honest, vectors
from tests.ledger.verify_mjs import SCRIPT, node_is_new_enough

EQUATIONS = ["R1", "R2", "R3", "R4", "R5"]
with_node = pytest.mark.skipif(not node_is_new_enough(), reason="node (version 20 or later) is not installed")


def fails(one: Case) -> list[str]:
    """Which equations a proof fails, whose parts are as they have to be."""
    sums = equations(one.said, read(one.proof, len(one.laid)))
    return [name for name, terms in zip(EQUATIONS, sums, strict=True) if not is_nothing(terms)]


def test_the_generators_are_those_of_the_specification() -> None:
    assert [generator(i).text for i in range(6)] == vectors()["generators"]


@pytest.mark.parametrize("i", range(6))
def test_good_proofs_are_taken_and_made_to_the_byte(i: int) -> None:
    told, one = vectors()["good"][i], cases("good")[i]
    said = one.said
    assert said.begun == told["t0"]
    assert prove_shuffle(said, number(told["x"]), told["order"], told["seed"]) == one.proof
    proof = read(one.proof, len(one.laid))
    asked = shuffle._asked(said.begun, proof.points[0], proof.points[1], len(one.laid))
    assert [of_number(n) for n in (asked.powers[0], asked.y, asked.z)] == [told["u"], told["y"], told["z"]]
    assert of_number(shuffle._asked_last(asked.last, proof.points[2:])) == told["e"]
    assert [point.text for point in proof.points[3:]] == told["r"]
    assert len(one.proof) == 44 * (3 * len(one.laid) + 10) - 1
    assert one.counts()
    assert proof.text == one.proof


@pytest.mark.slow
@pytest.mark.parametrize("library", [True, False])
def test_bad_proofs_are_refused(library: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not library:
        monkeypatch.setattr(sodium, "_library", lambda: None)
    shuffle.proves.cache_clear()
    for one in (*cases("bad"), *cases("guarded")):
        assert not one.counts(), one.why


@pytest.mark.parametrize("name", EQUATIONS)
def test_each_equation_alone_keeps_a_cheat_out(name: str) -> None:
    """The cheat's proof fails this equation alone; the honest twin's fails none at all."""
    assert not cheats()[name].counts()
    assert fails(cheats()[name]) == [name]
    assert honest().counts()
    for one in cases("bad"):
        if one.why == f"only {name} is not so":
            assert fails(one) == [name]


def test_each_check_of_an_element_alone_keeps_a_proof_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their equations are those of other elements with a point of small order added, or hold for the neutral point.

    So they are for whoever subtracts: L − e times a point of small order is another than −e times it.
    """
    monkeypatch.setattr(shuffle, "element", _any_point)
    monkeypatch.setattr(shuffle, "is_nothing", _subtracted)
    shuffle.proves.cache_clear()
    taken = [one.why for one in cases("guarded") if one.counts()]
    shuffle.proves.cache_clear()
    assert taken == [one.why for one in cases("guarded")]


def _any_point(text: str) -> Element:
    found = known_element(text)
    if decode(found.data) is None:
        raise FormError(text)
    return found


def _subtracted(terms: Terms) -> bool:
    signed = (
        (n % L, p.point) if n >= 0 else (-n % L, p.point._replace(x=P - p.point.x, t=P - p.point.t)) for n, p in terms
    )
    return is_neutral(sum_of(*signed))


def changed() -> list[Case]:
    """A good proof, changed in one place each, and what it says of which."""
    one, found = cases("good")[2], list[Case]()
    parts = one.proof.split(".")

    def with_parts(why: str, *new: str) -> None:
        found.append(one._replace(proof=".".join(new), why=why))

    for i, part in enumerate(parts):
        if i < 8:
            new = generator(9).text
        else:
            new = of_number((number(part, zero=True) + 1) % L)
            over = number(part, zero=True) + L
            if over < 2**256:
                with_parts(f"part {i} and L", *parts[:i], of_number(over), *parts[i + 1 :])
        with_parts(f"part {i} changed", *parts[:i], new, *parts[i + 1 :])
        bits = f"{part[:-1]}{chr(ord(part[-1]) + 1)}"
        with_parts(f"spare bits of part {i}", *parts[:i], bits, *parts[i + 1 :])
        with_parts(f"part {i} padded", *parts[:i], f"{part}=", *parts[i + 1 :])
        with_parts(f"part {i} missing", *parts[:i], *parts[i + 1 :])
        with_parts(f"part {i} twice", *parts[: i + 1], *parts[i:])
        if i:
            with_parts(f"part {i} goes before", *parts[: i - 1], part, parts[i - 1], *parts[i + 1 :])
    scottish = cases("good")[3]
    found += [
        one._replace(proof=f" {one.proof}", why="a blank"),
        one._replace(proof="", why="nothing"),
        one._replace(proof=f"{one.proof}.", why="a dot more"),
        one._replace(proof=scottish.proof, why="the other seat's"),
        one._replace(no=2, why="another deck of the game"),
        one._replace(game="ba" * 32, why="another game"),
        one._replace(seat="scottish", why="another seat"),
        one._replace(key=scottish.key, why="another key"),
        one._replace(below=one.below[::-1], why="the deck below in another order"),
        one._replace(laid=one.laid[::-1], why="the deck in another order"),
        one._replace(laid=[*one.laid[:-1], one.laid[0]], why="the same place twice"),
    ]
    return found


def test_a_proof_that_is_changed_in_one_place_is_refused() -> None:
    assert cases("good")[2].counts()
    assert [one.why for one in changed() if one.counts()] == []


ASKER = """\
import { readFileSync } from "node:fs";
import { element, isShuffle } from "DECK_FILE";

for (const { game, no, seat, below, key, laid, proof } of JSON.parse(readFileSync(process.argv[2]))) {
  const [hiddenBy, ...lies] = [key, ...laid].map(element);
  const isFit = hiddenBy && lies.every((one) => one) && new Set(laid).size === laid.length;
  console.log(isFit && isShuffle({ game, no, by: seat, below: below.map(element), key: hiddenBy, lies }, proof) ? "yes" : "no");
}
"""


def by_node(tmp_path: Path, these: list[Case], replaced: Mapping[str, str] = MappingProxyType({})) -> list[bool]:
    """Which of them the second checker takes, perhaps with parts of it replaced."""
    folder = SCRIPT.parent
    text = (folder / "verify-deck.mjs").read_text("utf-8")
    for old, new in replaced.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    (tmp_path / "verify-deck.mjs").write_text(text, "utf-8")
    (tmp_path / "verify-basics.mjs").write_bytes((folder / "verify-basics.mjs").read_bytes())
    (tmp_path / "asker.mjs").write_text(ASKER.replace("DECK_FILE", "./verify-deck.mjs"), "utf-8")
    (tmp_path / "cases.json").write_text(json.dumps([one._asdict() for one in these]), "utf-8")
    command: list[str | Path] = ["node", tmp_path / "asker.mjs", tmp_path / "cases.json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [line == "yes" for line in done.stdout.splitlines()]


@with_node
@pytest.mark.slow
def test_the_second_checker_says_the_same(tmp_path: Path) -> None:
    these = [
        honest(),
        *cheats().values(),
        *(one for kind in ("good", "bad", "guarded") for one in cases(kind)),
        *changed(),
    ]
    said = by_node(tmp_path, these)
    assert said == [one.counts() for one in these]
    assert said.count(True) == 7


@with_node
@pytest.mark.parametrize("name", EQUATIONS)
def test_in_the_second_checker_too_each_equation_keeps_a_cheat_out(name: str, tmp_path: Path) -> None:
    these, begins = [cheats()[name], honest()], f"isEqual({name}, "
    assert by_node(tmp_path, these) == [False, True]
    assert by_node(tmp_path, these, {begins: f"true || {begins}"}) == [True, True]


@with_node
@pytest.mark.slow
def test_in_the_second_checker_too_each_check_of_an_element_keeps_a_proof_out(tmp_path: Path) -> None:
    these = cases("guarded")
    lenient = {
        "parts.slice(0, 8).map(element)": "parts.slice(0, 8).map((text) => ({ text, point: decoded(bytesOf(text)) }))",
        "[reduced(n), point]": "n < 0n ? [reduced(-n), minus(point)] : [reduced(n), point]",
    }
    assert not any(by_node(tmp_path, these))
    assert all(by_node(tmp_path, these, lenient))


# -- proofs of a whole log, judged together --------------------------------------------------------------------------------


def together(these: list[Case]) -> bool:
    proofs, known = ShuffleProofs(), KnownMultiples()
    for one in these:
        proofs.add(one.said, one.proof, known.origin)
    return proofs.hold()


@pytest.mark.parametrize("library", [True, False])
def test_proofs_hold_together_where_each_holds(library: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not library:
        monkeypatch.setattr(sodium, "_library", lambda: None)
    good = cases("good")
    assert together([])
    assert together(good)
    for name in EQUATIONS:
        assert not together([*good[:3], cheats()[name], *good[3:]]), name


def test_two_wrong_proofs_do_not_cancel_each_other() -> None:
    """One answer is too large by as much as the other is too small: without weights their sum would hold."""
    one = cases("good")[2]
    parts = one.proof.split(".")

    def less(by: int) -> Case:
        return one._replace(proof=".".join([*parts[:-1], of_number((number(parts[-1]) + by) % L)]))

    assert not together([less(1), less(-1)])
    assert together([one, one])


def test_what_is_no_proof_is_refused_as_it_comes() -> None:
    for one in cases("guarded"):
        with pytest.raises(FormError):
            ShuffleProofs().add(one.said, one.proof, lambda point: (point, 1))


# -- what is drawn ----------------------------------------------------------------------------------------------------------


def test_no_random_number_serves_two_challenges() -> None:
    """Two proofs about one number, of decks that differ in one word: from shared random numbers everybody could reckon it."""
    told, one = vectors()["good"][2], cases("good")[2]
    secret, seen = number(told["x"]), set[int]()
    saids = [one.said, one._replace(no=2).said, one._replace(game="ba" * 32).said, one._replace(seat="scottish").said]
    for said in saids:
        text = prove_shuffle(said, secret, told["order"], told["seed"])
        assert text == prove_shuffle(said, secret, told["order"], told["seed"]), "the same again"
        proof = read(text, len(said.laid))
        asked = shuffle._asked(said.begun, proof.points[0], proof.points[1], len(said.laid))
        e = shuffle._asked_last(asked.last, proof.points[2:])
        seen.add((proof.xi - e * secret) % L)
    assert len(seen) == len(saids)


@pytest.mark.slow
def test_random_decks_of_every_size_are_proved() -> None:
    chance = random.Random(5)
    for n in (2, 3, 4, 100, 256):
        one = honest()
        below = [generator(i).text for i in range(1, n + 1)]
        order = chance.sample(range(n), n)
        laid = [multiple(7, element(below[place])).text for place in order]
        said = one._replace(below=below, laid=laid, key=multiple(7, BASE).text).said
        text = prove_shuffle(said, 7, order, "5" * 64)
        assert shuffle.proves(said, text)
        assert len(text) <= 34_231
