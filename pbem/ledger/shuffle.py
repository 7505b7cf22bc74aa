"""The proof that a deck is the deck below it, each element multiplied by one number, in some order.

It is Bayer and Groth's shuffle argument (2012) for one row, with one exponent in place of re-encryption, made non-interactive by
hashes. The specification is on docs/reference/deck.md; docs/explanation/proof-of-shuffle.md says what it proves, and why.
A proof comes down to five equations: sums of multiples of elements, each of which has to be the neutral point.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

from pbem.errors import FormError
from pbem.i18n import _
from pbem.ledger.canon import cj
from pbem.ledger.curve import NEUTRAL, L, encode, is_neutral, sum_of
from pbem.ledger.group import BASE, Element, drawn, element, hashed, multiple, number, of_number, total
from pbem.records import dataclass

PROTO = "pbem-deck/2"
_NEUTRAL = encode(NEUTRAL)
_POINTS = 8
_KEPT = 64
"""Verdicts of proofs that are kept: a program that reads a log twice judges each proof once."""

Terms: TypeAlias = list[tuple[int, Element]]
"""A sum of multiples of elements."""
Judged = TypeVar("Judged")
Origin: TypeAlias = Callable[[Element], tuple[Element, int]]
"""Returns another element, and which multiple of that an element is known to be."""


def step(*about: object) -> str:
    """Return a step of the transcript: 128 hexadecimal digits."""
    return hashlib.sha512(cj([PROTO, *about])).hexdigest()


def total_of(terms: Terms) -> Element:
    """Return a sum of multiples of elements. It may be the neutral point, which is not an element."""
    return Element(total([(n % L, one) for n, one in terms]))


def is_nothing(terms: Terms) -> bool:
    """Is a sum of multiples of elements the neutral point? The no of a library is asked again of our own arithmetic."""
    return total_of(terms).data == _NEUTRAL or is_neutral(sum_of(*((n % L, one.point) for n, one in terms)))


def number_of(said: str) -> int:
    """Return the number of a step, from 0 to L-1."""
    return int.from_bytes(bytes.fromhex(said), "little") % L


@cache
def generator(i: int) -> Element:
    """Return the i-th generator; the 0-th is H."""
    return hashed(PROTO, "generator", i)


@dataclass(frozen=True)
class Statement:
    """The claim: `laid` is `below` in some order, each element multiplied by one number; `key` is that multiple of the base
    point."""

    game: str
    no: int
    seat: str
    below: tuple[Element, ...]
    key: Element
    laid: tuple[Element, ...]

    @cached_property
    def begun(self) -> str:
        """The first step of the transcript, which covers the whole statement."""
        below, laid = ([one.text for one in deck] for deck in (self.below, self.laid))
        return step("statement", self.game, self.no, self.seat, below, self.key.text, laid)


class ShuffleProof(NamedTuple):
    """The parts of a proof."""

    points: tuple[Element, ...]
    """A, C, M, R₁ to R₅."""
    v: tuple[int, ...]
    q: tuple[int, ...]
    b: tuple[int, ...]
    r: int
    s: int
    rho: int
    xi: int

    @property
    def text(self) -> str:
        """The proof in a log's form."""
        numbers = (*self.v, *self.q, *self.b, self.r, self.s, self.rho, self.xi)
        return ".".join([one.text for one in self.points] + [of_number(n) for n in numbers])


def read(text: str, n: int) -> ShuffleProof:
    """Return the proof in a text, for a deck of n cards. Raises FormError."""
    parts = text.split(".")
    if len(parts) != 3 * n + 10:
        why = _("a proof of {due} parts was expected, and this one has {n}", due=3 * n + 10, n=len(parts))
        raise FormError(why)
    points = tuple(element(part) for part in parts[:_POINTS])
    numbers = [number(part, zero=True) for part in parts[_POINTS:]]
    v, q, b = (tuple(numbers[begin:end]) for begin, end in ((0, n), (n, 2 * n - 2), (2 * n - 2, 3 * n - 2)))
    return ShuffleProof(points, v, q, b, *numbers[-4:])


class _Challenges(NamedTuple):
    """What the hashes ask of a prover; `last` is the step before e, to which his random numbers are bound."""

    y: int
    z: int
    powers: tuple[int, ...]
    """u, u², …, uⁿ."""
    last: str


def _powers(u: int, n: int) -> tuple[int, ...]:
    return tuple(pow(u, j, L) for j in range(1, n + 1))


def _asked(begun: str, a: Element, c: Element, n: int) -> _Challenges:
    first = step("u", begun, a.text)
    second = step("y", first, c.text)
    last = step("z", second)
    return _Challenges(number_of(second), number_of(last), _powers(number_of(first), n), last)


def _asked_last(last: str, points: Iterable[Element]) -> int:
    return number_of(step("e", last, *(one.text for one in points)))


def _committed(blind: int, values: Iterable[int]) -> Terms:
    return [(blind, generator(0)), *((k, generator(i)) for i, k in enumerate(values, 1))]


def equations(said: Statement, proof: ShuffleProof) -> list[Terms]:
    """Return the five sums that have to be the neutral point (R₁ to R₅ of the specification, in this order)."""
    n, v, b = len(said.laid), proof.v, proof.b
    a, c, m, r1, r2, r3, r4, r5 = proof.points
    y, z, powers, last = _asked(said.begun, a, c, n)
    e = _asked_last(last, (m, r1, r2, r3, r4, r5))
    product = e
    for i, power in enumerate(powers, 1):
        product = product * (power + y * i - z) % L
    q = (v[0], *proof.q, product)
    return [
        [*_committed(proof.r, (one + e * z for one in v)), (-e, c), (-e * y, a), (-1, r1)],
        [*_committed(proof.s, (e * q[i + 1] - q[i] * v[i + 1] for i in range(n - 1))), (-e, m), (-1, r2)],
        [*_committed(proof.rho, b), (-e, c), (-1, r3)],
        [*zip(b, said.laid, strict=True), *((-proof.xi * t, one) for t, one in zip(powers, said.below, strict=True)), (-1, r4)],
        [(proof.xi, BASE), (-e, said.key), (-1, r5)],
    ]  # fmt: skip


@lru_cache(maxsize=_KEPT)
def proves(said: Statement, text: str) -> bool:
    """Return whether a proof is valid for a statement. Raises FormError if it is not a proof for this number of cards."""
    return all(is_nothing(terms) for terms in equations(said, read(text, len(said.laid))))


def prove_shuffle(said: Statement, secret: int, order: Sequence[int], seed: str) -> str:
    """Return the proof: each `laid[i]` is `secret` times `below[order[i]]`. `seed` is the secret of the deck, 64 hex digits.

    Its random numbers are drawn from what they are for. A prover who draws in another way for the same statement shows his number.
    """
    n, begun = len(order), said.begun

    def random(of: str, what: str, i: int = 0) -> int:
        return drawn(seed, PROTO, "shuffle", of, what, i)

    places = [place + 1 for place in order]
    r_a = random(begun, "a")
    a = total_of(_committed(r_a, places))
    first = step("u", begun, a.text)
    r_b, powers = random(first, "b"), _powers(number_of(first), n)
    b = [powers[place] for place in order]
    c = total_of(_committed(r_b, b))
    y, z, _same, last = _asked(begun, a, c, n)
    v = [(one + y * place - z) % L for one, place in zip(b, places, strict=True)]
    q = [v[0]]
    for one in v[1:]:
        q.append(q[-1] * one % L)
    d, k = ([random(last, what, i) for i in range(1, n + 1)] for what in "dk")
    g = [d[0], *(random(last, "g", i) for i in range(2, n)), 0]
    r_d, s_m, s_g, r_k, k_x = (random(last, what) for what in ("rd", "sm", "sg", "rk", "kx"))
    pairs = range(n - 1)
    sums = [
        _committed(s_m, (g[i + 1] - v[i + 1] * g[i] - q[i] * d[i + 1] for i in pairs)),
        _committed(r_d, d),
        _committed(s_g, (-g[i] * d[i + 1] for i in pairs)),
        _committed(r_k, k),
        [*zip(k, said.laid, strict=True), *((-k_x * t, one) for t, one in zip(powers, said.below, strict=True))],
        [(k_x, BASE)],
    ]
    points = [total_of(terms) for terms in sums]
    e = _asked_last(last, points)

    def answers(values: Sequence[int], blinds: Sequence[int]) -> tuple[int, ...]:
        return tuple((e * value + blind) % L for value, blind in zip(values, blinds, strict=True))

    ends = answers((r_b + y * r_a, s_m, r_b, secret), (r_d, s_g, r_k, k_x))
    return ShuffleProof((a, c, *points), answers(v, d), answers(q, g)[1:-1], answers(b, k), *ends).text


class DeckHalf:
    """A number and an order for a deck to be shuffled, derived from a secret and from the deck `below`.

    Nobody who lost their disk can therefore be made to shuffle two decks with one number.
    """

    def __init__(self, about: tuple[str, int, str], seed: str, below: Sequence[Element]) -> None:
        """`about` are the game, the number of the deck, and the seat."""
        self._about, self._seed, self._below = about, seed, tuple(below)
        self._digest = step("below", *about[:2], [one.text for one in below])
        self.number = drawn(seed, PROTO, "key", *about, self._digest)

    def word(self, key: Element) -> dict[str, Any]:
        """Return what the seat says: the deck below, hidden by his number, in an order of his own, with the proof of that."""
        order = list(range(len(self._below)))
        for last in range(len(order) - 1, 0, -1):
            other = drawn(self._seed, PROTO, "order", *self._about, last, self._digest) % (last + 1)
            order[last], order[other] = order[other], order[last]
        said = Statement(
            *self._about, self._below, key, tuple(multiple(self.number, self._below[place]) for place in order)
        )
        proof = prove_shuffle(said, self.number, order, self._seed)
        return {"key": key.text, "deck": [one.text for one in said.laid], "proof": proof}


class ShuffleProofs:
    """Proofs of a whole log, judged together: one sum of all equations, each times a number that hashes choose.

    They hold where each holds; where one does not, they hold with a chance of 2⁻¹²⁸. What an element of a proof is, and how many
    parts a proof has, is judged when it comes.
    """

    def __init__(self) -> None:
        self._said: list[list[str]] = []
        self._equations: list[Terms] = []

    def add(self, said: Statement, text: str, origin: Origin) -> None:
        """Add a proof, to be judged with the others. Raises FormError if it is not a proof for this number of cards."""
        self._said.append([said.begun, text])
        for terms in equations(said, read(text, len(said.laid))):
            known = ((n, *origin(one)) for n, one in terms)
            self._equations.append([(n * times, begun) for n, begun, times in known])

    def hold(self) -> bool:
        """Do all of them hold?"""
        together, words = dict[Element, int](), step("weights", self._said)
        for i, terms in enumerate(self._equations):
            weight = number_of(step("weight", words, i)) >> 124
            for n, one in terms:
                together[one] = (together.get(one, 0) + weight * n) % L
        return not together or is_nothing([(n, one) for one, n in together.items()])

    @classmethod
    def judge(cls, judged: Callable[[ShuffleProofs | None], Judged]) -> Judged:
        """Judge a whole log with its proofs together; if that fails, judge it again with each proof by itself."""
        proofs = cls()
        found = judged(proofs)
        return found if proofs.hold() else judged(None)
