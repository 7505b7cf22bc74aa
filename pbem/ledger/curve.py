"""The group of points that Ed25519 works in (RFC 8032, 5.1), limited to what checking a key needs.

It decides which 32 bytes are a point, and whether a point is in the subgroup of prime order L. Nothing here is secret, so nothing
needs constant time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point."""
D = -121665 * pow(121666, -1, P) % P
_ROOT = pow(2, (P - 1) // 4, P)
"""A square root of −1."""
_2D = 2 * D % P
_LOW = 2**255 - 1


class Point(NamedTuple):
    """A point in extended coordinates: x = X/Z, y = Y/Z, T = XY/Z."""

    x: int
    y: int
    z: int
    t: int


NEUTRAL = Point(0, 1, 1, 0)
_Plain: TypeAlias = tuple[int, int, int, int]
"""A point on the way, its numbers not yet brought below P; sooner made than a `Point`."""
_Ready: TypeAlias = tuple[int, int, int, int]
"""A point to be added: Y−X, Y+X, 2dT and 2Z."""
_NONE: _Plain = NEUTRAL


def decode(data: bytes) -> Point | None:
    """Return the point that 32 bytes encode, or None if they are not canonical or not on the curve."""
    raw = int.from_bytes(data, "little")
    y, odd = raw & (2**255 - 1), raw >> 255
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P == -u % P:
        x = x * _ROOT % P
    if v * x * x % P != u or (x == 0 and odd):
        return None
    if x & 1 != odd:
        x = P - x
    return Point(x, y, 1, x * y % P)


def encode(point: Point) -> bytes:
    """Return the 32-byte encoding of a point."""
    z = pow(point.z, -1, P)
    x, y = point.x * z % P, point.y * z % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def times(n: int, p: Point) -> Point:
    """Return n times a point, n ≥ 0."""
    return sum_of((n, p))


def sum_of(*terms: tuple[int, Point]) -> Point:
    """Return the sum of the points, each times its n ≥ 0; the terms share the doublings."""
    total, at = _NONE, 0
    for bit, ready in sorted(_added_at_bits(terms), key=lambda one: -one[0]):
        total, at = _plus(_doubled(total, at - bit), ready), bit
    return Point(*_doubled(total, at))


def added(points: Iterable[Point]) -> Point:
    """Return the sum of the points."""
    total: _Plain = _NONE
    for p in points:
        total = p if total is _NONE else _plus(total, _ready(p))
    return Point(*total)


def _ready(p: _Plain) -> _Ready:
    x, y, z, t = p
    t *= _2D
    return y - x, y + x, (t & _LOW) + 19 * (t >> 255), 2 * z


def _less(ready: _Ready) -> _Ready:
    """The negative of a point to be added."""
    less, more, t2d, z2 = ready
    return more, less, -t2d, z2


# Nearly all the time of a deck goes into these two. A whole number of any sign and size is the same modulo P as its lowest 255 bits
# and 19 times what stands above them, which is found sooner than a remainder. Done twice, that leaves of a product no more than 256
# bits; `encode` and `is_neutral` take the remainder.


def _plus(p: _Plain, q: _Ready) -> _Plain:
    x, y, z, t = p
    less, more, t2d, z2 = q
    a, b, c, d = (y - x) * less, (y + x) * more, t * t2d, z * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    e, f = (e & _LOW) + 19 * (e >> 255), (f & _LOW) + 19 * (f >> 255)
    g, h = (g & _LOW) + 19 * (g >> 255), (h & _LOW) + 19 * (h >> 255)
    x, y, z, t = e * f, g * h, f * g, e * h
    x, y = (x & _LOW) + 19 * (x >> 255), (y & _LOW) + 19 * (y >> 255)
    z, t = (z & _LOW) + 19 * (z >> 255), (t & _LOW) + 19 * (t >> 255)
    x, y = (x & _LOW) + 19 * (x >> 255), (y & _LOW) + 19 * (y >> 255)
    return x, y, (z & _LOW) + 19 * (z >> 255), (t & _LOW) + 19 * (t >> 255)


def _doubled(p: _Plain, times: int) -> _Plain:
    """Return a point doubled `times` times. No doubling uses T, so it is computed at the end, as e·h."""
    if p is _NONE or not times:
        return p
    x, y, z, _t = p
    for _more in range(times):
        a, b = x * x, y * y
        g, h = a - b, a + b
        e, f = h - (x + y) ** 2, 2 * z * z + g
        e, f = (e & _LOW) + 19 * (e >> 255), (f & _LOW) + 19 * (f >> 255)
        g, h = (g & _LOW) + 19 * (g >> 255), (h & _LOW) + 19 * (h >> 255)
        x, y, z = e * f, g * h, f * g
        x, y, z = (x & _LOW) + 19 * (x >> 255), (y & _LOW) + 19 * (y >> 255), (z & _LOW) + 19 * (z >> 255)
        x, y, z = (x & _LOW) + 19 * (x >> 255), (y & _LOW) + 19 * (y >> 255), (z & _LOW) + 19 * (z >> 255)
    return x, y, z, e * h % P


def _added_at_bits(terms: tuple[tuple[int, Point], ...]) -> Iterator[tuple[int, _Ready]]:
    """Yield each bit at which something is added, with an odd multiple of a point up to 15, or its negative.

    About one bit in six has one (the non-adjacent form of width 5).
    """
    for n, p in terms:
        odd, twice = list[_Plain]([p]), _ready(_doubled(p, 1))
        for _more in range(7):
            odd.append(_plus(odd[-1], twice))
        ready = [_ready(q) for q in odd]
        at = 0
        while n:
            at += (gap := (n & -n).bit_length() - 1)
            n >>= gap
            digit = n & 31
            if digit < 16:
                yield at, ready[digit // 2]
            else:
                digit -= 32
                yield at, _less(ready[-digit // 2])
            n -= digit


def is_neutral(p: Point) -> bool:
    """Is this the neutral point?"""
    return p.x % P == 0 and (p.y - p.z) % P == 0


def is_torsion_free(p: Point) -> bool:
    """Does a point lie in the subgroup of prime order, the neutral point included?"""
    return is_neutral(times(L, p))
