"""The group in which two seats hide a deck from each other: the points of edwards25519 of prime order L (RFC 8032, 5.1).

Data from outside is not an element until `element` has checked it. It must be 32 canonical bytes, a point of the curve, of order L,
and not the neutral point. Numbers are integers from 1 to L-1. A proof (Chaum and Pedersen's, made non-interactive by a hash) says
that two elements are the same multiple of two others, without revealing the number. It is bound to its subject (`about`).

This module decides nothing about cards. Python's integers take longer for some values than for others. Somebody who could time a
player's program to the microsecond would learn about its numbers; a receiver of mails cannot.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import count
from typing import NamedTuple

from pbem.errors import FormError
from pbem.i18n import _
from pbem.ledger.canon import cj, read_line
from pbem.ledger.curve import L, Point, added, decode, encode, is_neutral, is_torsion_free, times
from pbem.ledger.makers import ladder, sodium
from pbem.records import dataclass

_TEXT = re.compile(r"[A-Za-z0-9+/]{43}")
_DOMAIN = "pbem-group/1"
_KEPT = 4096
"""The maximum number of results kept, so that reading a log twice computes them once."""


@dataclass(frozen=True)
class Element:
    """An element: its 32 bytes, which alone tell it from others."""

    data: bytes

    @property
    def text(self) -> str:
        """The element as a log contains it: base64 without padding, 43 letters."""
        return _written(self.data)

    @cached_property
    def point(self) -> Point:
        """Its point, found when it is asked for. Raises FormError where the bytes are none."""
        point = decode(self.data)
        if point is None:
            raise FormError(_("“{text}” is not a canonically encoded point of the curve", text=self.text))
        return point

    @classmethod
    def of(cls, point: Point) -> Element:
        """Return the element that is a point."""
        made = cls(encode(point))
        made.__dict__["point"] = point
        return made


class LogProof(NamedTuple):
    """A proof that two elements are the same multiple of two others: the challenge and the answer to it."""

    challenge: int
    answer: int

    @property
    def text(self) -> str:
        """The proof as a log contains it: twice 43 letters, with a dot between."""
        return f"{of_number(self.challenge)}.{of_number(self.answer)}"


def element(text: object) -> Element:
    """Return the element that a text encodes. Raises FormError if it does not."""
    _read(text)
    return _element(str(text))


@lru_cache(maxsize=_KEPT)
def _element(text: str) -> Element:
    found = Element(_read(text))
    if not (sodium.is_element(found.data) or is_element(found.point)):
        raise FormError(_("“{text}” is a point of another order than it must have", text=text))
    return found


def is_element(p: Point) -> bool:
    """Has a point order L?"""
    return ladder.is_of_order_l(p) or (is_torsion_free(p) and not is_neutral(p))


def known_element(text: object) -> Element:
    """Return the element of a text that was checked before, without checking its point. Raises FormError."""
    return Element(_read(text))


def number(text: object, *, zero: bool = False) -> int:
    """Return the number that a text encodes, 1 to L-1, or also 0 with `zero`. Raises FormError."""
    found = int.from_bytes(_read(text), "little")
    if found >= L or not (found or zero):
        raise FormError(_("“{text}” is not a number below the order of the group", text=text))
    return found


def proof(text: object) -> LogProof:
    """Return the proof that a text encodes. Raises FormError."""
    parts = text.split(".") if isinstance(text, str) else []
    if len(parts) != 2:
        raise FormError(_("“{text}” is not a proof: two numbers with a dot between them were expected", text=text))
    return LogProof(number(parts[0], zero=True), number(parts[1], zero=True))


@lru_cache(maxsize=_KEPT)
def multiple(n: int, of: Element) -> Element:
    """Return n times an element, for n from 1 to L-1."""
    return Element(made) if (made := sodium.multiple(n % L, of.data)) else Element.of(_times(n % L, of.point))


def _times(n: int, p: Point) -> Point:
    return ladder.multiple(n, p) or times(n, p)


def inverse(n: int) -> int:
    """Return the number by which a multiplication by n is undone."""
    return pow(n, -1, L)


@lru_cache(maxsize=_KEPT, typed=True)
def hashed(*about: object) -> Element:
    """Return the element that belongs to a thing: nobody knows of which number it is the multiple of another.

    Hashes of the thing with a counter are tried until one is a point; eight times that has the right order.
    """
    for attempt in count():
        point = decode(hashlib.sha512(cj([_DOMAIN, "element", attempt, *about])).digest()[:32])
        if point is not None and not is_neutral(high := times(8, point)):
            return Element.of(high)
    raise AssertionError


def drawn(seed: str, *about: object) -> int:
    """Return a secret number, 1 to L-1, that follows from a seed (64 hex digits) and its purpose."""
    for attempt in count():
        wide = hmac.digest(bytes.fromhex(seed), cj([_DOMAIN, "number", attempt, *about]), "sha512")
        if found := int.from_bytes(wide, "little") % L:
            return found
    raise AssertionError


def prove(secret: int, pairs: Sequence[tuple[Element, Element]], about: object, seed: str) -> LogProof:
    """Return the proof that in each pair the second is `secret` times the first. `seed` is the prover's own, 64 hex digits."""
    hidden = drawn(seed, "proof", about, [[a.text, b.text] for a, b in pairs], of_number(secret))
    challenge = _challenge(pairs, [multiple(hidden, first).data for first, _second in pairs], about)
    return LogProof(challenge, (hidden + challenge * secret) % L)


def holds(said: LogProof, pairs: Sequence[tuple[Element, Element]], about: object) -> bool:
    """Does a proof hold for these pairs, about that?"""
    return _holds(said, tuple(pairs), cj(about))


@lru_cache(maxsize=_KEPT)
def _holds(said: LogProof, pairs: tuple[tuple[Element, Element], ...], about: bytes) -> bool:
    seen = [total([(said.answer, a), (L - said.challenge, b)]) for a, b in pairs]
    return _challenge(pairs, seen, read_line(about)) == said.challenge


def total(terms: Sequence[tuple[int, Element]]) -> bytes:
    """Return the 32 bytes of a sum of multiples of elements, n ≥ 0. It may be the neutral point, which is not an element."""
    return sodium.total([(n % L, one.data) for n, one in terms]) or encode(
        added(_times(n % L, one.point) for n, one in terms)
    )


class KnownMultiples:
    """Elements known to be multiples of others: any multiple of them is one multiplication of the original element.

    Results equal those of `element`, `multiple` and `holds`, but come faster. For unknown elements it calls these functions.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[Element, int], Element] = {}
        self._from: dict[str, tuple[Element, int]] = {}
        """By its text, an element's own beginning, and how many times that it is."""

    def element(self, text: object) -> Element:
        """Return the element that a text encodes, like `element`; those made here need no check."""
        made = self._from.get(text) if isinstance(text, str) else None
        return self._made[made] if made else element(text)

    def multiple(self, n: int, of: Element) -> Element:
        """As `multiple`; it is known from now on."""
        begun, m = self.origin(of)
        made = begun, n * m % L
        if made not in self._made:
            self._made[made] = multiple(made[1], begun)
            self._from[self._made[made].text] = made
        return self._made[made]

    def origin(self, of: Element) -> tuple[Element, int]:
        """Return the element from which an element was made, and the factor, if known; otherwise the element itself and 1."""
        return self._from.get(of.text, (of, 1))

    def holds(self, said: LogProof, pairs: Sequence[tuple[Element, Element]], about: object) -> bool:
        """As `holds`."""
        seen = []
        for pair in pairs:
            (a, m), (b, n) = map(self.origin, pair)
            if a != b:
                return holds(said, pairs, about)
            seen.append(multiple((said.answer * m - said.challenge * n) % L, a).data)
        return _challenge(pairs, seen, about) == said.challenge


def _challenge(pairs: Sequence[tuple[Element, Element]], seen: Sequence[bytes], about: object) -> int:
    told = [[a.text, b.text, _written(data)] for (a, b), data in zip(pairs, seen, strict=True)]
    return int.from_bytes(hashlib.sha512(cj([_DOMAIN, "proof", about, told])).digest(), "little") % L


def of_number(n: int) -> str:
    return _written(n.to_bytes(32, "little"))


def _written(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii").rstrip("=")


def _read(text: object) -> bytes:
    """Return the 32 bytes of a text. Raises FormError, also for unused bits, so that there is only one spelling."""
    if isinstance(text, str) and _TEXT.fullmatch(text) and _written(data := base64.b64decode(f"{text}=")) == text:
        return data
    raise FormError(_("“{text}” is not 32 bytes in base64 without padding", text=text))


BASE = Element(bytes.fromhex("58" + "66" * 31))  # known to be one: `element` would ask a library that few commands need
"""The base point of Ed25519."""
