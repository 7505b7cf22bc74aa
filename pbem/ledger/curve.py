"""The group of points that Ed25519 works in (RFC 8032, 5.1), as far as a key has to be looked at.

It decides which 32 bytes are a point, and whether a point lies in the subgroup of prime order L. Nothing here is secret, so
nothing needs the same time for every value.
"""

from __future__ import annotations

from typing import NamedTuple

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point."""
D = -121665 * pow(121666, -1, P) % P
_ROOT = pow(2, (P - 1) // 4, P)
"""A square root of −1."""


class Point(NamedTuple):
    """A point in extended coordinates: x = X/Z, y = Y/Z, T = XY/Z."""

    x: int
    y: int
    z: int
    t: int


NEUTRAL = Point(0, 1, 1, 0)


def decode(data: bytes) -> Point | None:
    """Return the point that 32 bytes stand for, None where they are not canonical or no point of the curve."""
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
    """Return the 32 bytes that stand for a point."""
    z = pow(point.z, -1, P)
    x, y = point.x * z % P, point.y * z % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def add(p: Point, q: Point) -> Point:
    """Return the sum of two points; the formula has no exceptions."""
    a, b = (p.y - p.x) * (q.y - q.x) % P, (p.y + p.x) * (q.y + q.x) % P
    c, d = 2 * D * p.t * q.t % P, 2 * p.z * q.z % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return Point(e * f % P, g * h % P, f * g % P, e * h % P)


def double(p: Point) -> Point:
    """Return twice a point."""
    a, b, c = p.x * p.x % P, p.y * p.y % P, 2 * p.z * p.z % P
    h = a + b
    e = h - (p.x + p.y) ** 2 % P
    g = a - b
    f = c + g
    return Point(e * f % P, g * h % P, f * g % P, e * h % P)


def times(n: int, p: Point) -> Point:
    """Return n times a point, n ≥ 0."""
    return sum_of((n, p))


def sum_of(*terms: tuple[int, Point]) -> Point:
    """Return the sum of points, each so many times, n ≥ 0: the doublings are made once for all of them.

    Nearly all the time of a deck goes here, so `double` and `add` are written out, and T is made only where it is needed: as e·h.
    """
    x, y, z, _t = NEUTRAL
    e, h = 0, 1
    for ready in _added_at_bits(terms):
        a, b = x * x, y * y
        g, h = (a - b) % P, (a + b) % P
        e, f = (h - (x + y) ** 2) % P, (2 * z * z + g) % P
        x, y, z = e * f % P, g * h % P, f * g % P
        if ready:
            for less, more, t2d, z2 in ready:
                a, b, c, d = (y - x) * less, (y + x) * more, e * h % P * t2d, z * z2
                e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
                x, y, z = e * f % P, g * h % P, f * g % P
    return Point(x, y, z, e * h % P)


def _added_at_bits(terms: tuple[tuple[int, Point], ...]) -> list[list[tuple[int, int, int, int]]]:
    """For each bit, the highest first, what is added there: an odd multiple of a point up to 15, or its negative, as
    Y−X, Y+X, 2dT and 2Z. One bit in six has one (the non-adjacent form of width 5).
    """
    at_bits: list[list[tuple[int, int, int, int]]] = [
        [] for _bit in range(max((n.bit_length() for n, _p in terms), default=0) + 1)
    ]
    for n, p in terms:
        odd, twice = [p], double(p)
        for _more in range(7):
            odd.append(add(odd[-1], twice))
        ready = [((q.y - q.x) % P, (q.y + q.x) % P, 2 * D * q.t % P, 2 * q.z) for q in odd]
        at = 0
        while n:
            at += (gap := (n & -n).bit_length() - 1)
            n >>= gap
            digit = n & 31
            if digit < 16:
                at_bits[at].append(ready[digit // 2])
            else:
                digit -= 32
                less, more, t2d, z2 = ready[-digit // 2]
                at_bits[at].append((more, less, -t2d, z2))
            n -= digit
    return at_bits[::-1]


def is_neutral(p: Point) -> bool:
    """Is this the neutral point?"""
    return p.x % P == 0 and (p.y - p.z) % P == 0


def is_torsion_free(p: Point) -> bool:
    """Does a point lie in the subgroup of prime order, the neutral point included?"""
    return is_neutral(times(L, p))
