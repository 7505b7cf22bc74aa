"""What tests of the proof of a shuffle need: the vectors, and a prover of what is not so, where one equation is missing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from pbem.errors import FormError
from pbem.ledger.curve import L
from pbem.ledger.group import BASE, Element, drawn, element, hashed, multiple
from pbem.ledger.shuffle import (
    ShuffleProof,
    Statement,
    Terms,
    generator,
    number_of,
    prove_shuffle,
    proves,
    step,
    total_of,
)

VECTORS = Path(__file__).parent / "data" / "shuffle.json"
SEED = sha256(b"forger").hexdigest()
GAME = "cd" * 32


class Case(NamedTuple):
    """A deck, as a log holds it, and its proof; `why` is what is wrong with it."""

    game: str
    no: int
    seat: str
    below: list[str]
    key: str
    laid: list[str]
    proof: str
    why: str = ""

    @property
    def said(self) -> Statement:
        """Raises FormError where something is no element."""
        below, laid = (tuple(map(element, texts)) for texts in (self.below, self.laid))
        return Statement(self.game, self.no, self.seat, below, element(self.key), laid)

    def counts(self) -> bool:
        """Would a verifier take it?"""
        try:
            return len(set(self.laid)) == len(self.laid) and proves(self.said, self.proof)
        except FormError:
            return False


def case(said: Statement, proof: str, why: str = "") -> Case:
    below, laid = ([one.text for one in deck] for deck in (said.below, said.laid))
    return Case(said.game, said.no, said.seat, below, said.key.text, laid, proof, why)


@cache
def vectors() -> dict[str, Any]:
    return json.loads(VECTORS.read_text("utf-8"))  # type: ignore[no-any-return]


def cases(kind: str) -> list[Case]:
    """The vectors of a kind: good, bad, guarded."""
    return [Case(**{name: one[name] for name in Case._fields if name in one}) for one in vectors()[kind]]


# -- what a cheat can prove where one equation is missing -----------------------------------------------------------------

CARDS = tuple(hashed("card", i) for i in range(6))
SECRET = drawn(SEED, "secret")
ORDER = (3, 0, 5, 1, 4, 2)
WEIGHTS = {0: 3, 2: 5}
"""What the second place holds of the first and the third, besides its own card."""


def _honest() -> list[Element]:
    return [multiple(SECRET, CARDS[place]) for place in ORDER]


def _said(laid: Sequence[Element], key: Element | None = None) -> Statement:
    return Statement(GAME, 1, "english", CARDS, key or multiple(SECRET, BASE), tuple(laid))


def _sum(terms: Terms) -> Element:
    return total_of(terms)


def weighted() -> Statement:
    """A deck whose second place holds its own card and a weighted sum of two others: who sees it knows all three."""
    laid = _honest()
    laid[1] = _sum([(1, laid[1]), *((weight, laid[place]) for place, weight in WEIGHTS.items())])
    return _said(laid)


def _solved(b: Sequence[int]) -> list[int]:
    """Numbers that would be right for that deck, were they not bound to an order."""
    found = list(b)
    for place, weight in WEIGHTS.items():
        found[place] = (found[place] - weight * b[1]) % L
    return found


def _forged(said: Statement, missing: str) -> str:
    """Prove the weighted deck where R₁, R₂ or R₃ is not looked at, with the honest order and other numbers."""
    n, places = len(ORDER), [place + 1 for place in ORDER]
    chance = iter(range(1, 1000))

    def some() -> int:
        return drawn(SEED, missing, next(chance))

    def committed(blind: int, values: Sequence[int]) -> Terms:
        return [(blind, generator(0)), *((k, generator(i)) for i, k in enumerate(values, 1))]

    r_a, r_b, r_d, s_m, s_g, r_k, k_x = (some() for _ in range(7))
    a = _sum(committed(r_a, places))
    first = step("u", said.begun, a.text)
    powers = [pow(number_of(first), j, L) for j in range(1, n + 1)]
    honest = [powers[place] for place in ORDER]
    solved = _solved(honest)
    bound, factors = (honest if missing == "R3" else solved), (solved if missing == "R2" else honest)
    c = _sum(committed(r_b, bound))
    second = step("y", first, c.text)
    last = step("z", second)
    y, z = number_of(second), number_of(last)
    v = [(one + y * place - z) % L for one, place in zip(factors, places, strict=True)]
    q = [v[0]]
    for one in v[1:]:
        q.append(q[-1] * one % L)
    d, k = ([some() for _ in range(n)] for _ in range(2))
    g = [d[0], *(some() for _ in range(n - 2)), 0]
    pairs = range(n - 1)
    points = [
        _sum(committed(s_m, [g[i + 1] - v[i + 1] * g[i] - q[i] * d[i + 1] for i in pairs])),
        _sum(committed(r_d, d)),
        _sum(committed(s_g, [-g[i] * d[i + 1] for i in pairs])),
        _sum(committed(r_k, k)),
        _sum([*zip(k, said.laid, strict=True), *((-k_x * t, one) for t, one in zip(powers, said.below, strict=True))]),
        _sum([(k_x, BASE)]),
    ]
    e = number_of(step("e", last, *(one.text for one in points)))

    def answers(values: Sequence[int], blinds: Sequence[int]) -> tuple[int, ...]:
        return tuple((e * value + blind) % L for value, blind in zip(values, blinds, strict=True))

    ends = answers((r_b + y * r_a, s_m, r_b, SECRET), (r_d, s_g, r_k, k_x))
    proof = ShuffleProof((a, c, *points), answers(v, d), answers(q, g)[1:-1], answers(solved, k), *ends)
    return proof.text


def honest() -> Case:
    """The twin of the cheats below."""
    said = _said(_honest())
    return case(said, prove_shuffle(said, SECRET, ORDER, SEED))


@cache
def cheats() -> dict[str, Case]:
    """By the one equation that keeps it out, a cheat."""
    said = weighted()
    found = {one: case(said, _forged(said, one), "a weighted sum") for one in ("R1", "R2", "R3")}
    strange = _said([hashed("strange"), *_honest()[1:]])
    found["R4"] = case(strange, prove_shuffle(strange, SECRET, ORDER, SEED), "an element that is no card")
    other = _said(_honest(), multiple(SECRET + 1, BASE))
    found["R5"] = case(other, prove_shuffle(other, SECRET, ORDER, SEED), "another number than the key's")
    return found
