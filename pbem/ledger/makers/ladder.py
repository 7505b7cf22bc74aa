"""Multiples of the deck's points by X25519, in a sixth of the time of our own arithmetic. Sealed letters need it anyway.

X25519 (RFC 7748) works in the same group. It writes a point (x, y) of edwards25519 in another way, (u, v) with
u = (1 + y) / (1 − y). It multiplies by multiples of 8 from 2²⁵⁴ to 2²⁵⁵, and tells only u. For points of order L that is enough.
A point and its negative have the same u. Of n and −n, one is such a number modulo L, unless it is near 0. From the u of P, n·P
and (n+1)·P follows v of n·P (Okeya and Sakurai, 2001). With v, x has its sign.

Its yes is ours, as with libsodium (ADR 123). A result that is no point of the curve is not used. None or False is only a reason to
ask `pbem.ledger.curve`. X25519 always takes the same time: nobody learns a secret number from it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pbem.ledger.curve import D, L, P, Point

from .sealing import x25519, x25519_public

_A = 486662
"""Of v² = u³ + A·u² + u."""
_BASE = (9).to_bytes(32, "little")
"""The u of the base point, of which a library knows multiples."""


class _Written(NamedTuple):
    """A point as X25519 writes it."""

    data: bytes
    u: int
    v: int
    """2v of the point, times the square root of −486664 by which x and u/v differ."""


@lru_cache(maxsize=256)
def _written(p: Point) -> _Written:
    """Return a point in the form of X25519. Raises ValueError for points of order 1 and 2."""
    y = p.y * pow(p.z, -1, P) % P
    x = p.x * pow(p.z, -1, P) % P
    divided = pow((1 - y) * x, -1, P)
    u = (1 + y) * x * divided % P
    return _Written(u.to_bytes(32, "little"), u, -2 * (_A + 2) * u * (1 - y) * divided % P)


def _scalar(n: int) -> bytes:
    """Return the number that X25519 multiplies by, n or −n modulo L; b"" for 0, 8 and others near 0."""
    k = n % L
    k += L * (3 * k % 8)
    k = 8 * L - k if k < 2**254 else k
    return k.to_bytes(32, "little") if k < 2**255 else b""


def _u(n: int, data: bytes) -> int | None:
    """Return u of n times a point, from its u; None for the neutral point."""
    scalar = _scalar(n)
    made = scalar and (x25519_public(scalar) if data == _BASE else x25519(scalar, data))
    return int.from_bytes(made, "little") if made else None


def multiple(n: int, p: Point) -> Point | None:
    """Return n times a point of order L, with z = 1; None where X25519 does not say."""
    try:
        data, u, v = _written(p)
        one, next_one = _u(n, data), _u(n + 1, data)
        if one is None or next_one is None:
            return None
        below = ((u * one + 1) * (u + one + 2 * _A) - 2 * _A - (u - one) ** 2 * next_one) % P
        divided = pow(below * (one + 1), -1, P)
    except ValueError:
        return None
    x, y = v * one * (one + 1) * divided % P, (one - 1) * below * divided % P
    found = Point(x, y, 1, x * y % P)
    return found if (y * y - x * x - 1 - D * found.t * found.t) % P == 0 else None


def is_of_order_l(p: Point) -> bool:
    """Is a point surely of order L? X25519 multiplies by 8, and so removes any part of small order."""
    try:
        data, u, _v = _written(p)
    except ValueError:
        return False
    return _u(L - 1, data) == u
