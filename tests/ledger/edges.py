"""Signatures and keys on the edge of what counts, made by calculation: `python -m tests.ledger.edges` writes them down.

Each case is a key, a message and 64 bytes that may be a signature, with what the format page says of both. They lie in
`data/edge_signatures.json`, for whoever writes another checker.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pbem.ledger.curve import NEUTRAL, L, P, Point, _plus, _ready, decode, encode, is_neutral, times
from pbem.ledger.keys import SAY, _signed_blob

PATH = Path(__file__).parent / "data" / "edge_signatures.json"
BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little")) or NEUTRAL
SECRET = int.from_bytes(hashlib.sha512(b"edge").digest(), "little") % L


class Case(NamedTuple):
    """A case: may the key be used, and do the 64 bytes count as its signature over the message?"""

    name: str
    key: bytes
    message: bytes
    sig: bytes
    usable: bool
    counts: bool


def add(p: Point, q: Point) -> Point:
    """Return the sum of two points."""
    return Point(*_plus(p, _ready(q)))


def _torsion() -> Point:
    """A point of order 8."""
    y = 3
    while True:
        point = decode(y.to_bytes(32, "little"))
        if point is not None:
            small = times(L, point)
            if not is_neutral(times(4, small)):
                return small
        y += 1


def _k(r: bytes, a: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + a + _signed_blob(SAY, message)).digest(), "little") % L


def _sign(secret: int, a: bytes, message: bytes, r: int = 7, shift: Point = NEUTRAL, big_r: bytes = b"") -> bytes:
    """R ‖ S, with R = r·B + shift, or these bytes in its place."""
    encoded = big_r or encode(add(times(r, BASE), shift))
    return encoded + ((r + _k(encoded, a, message) * secret) % L).to_bytes(32, "little")


def cases() -> Iterator[Case]:
    """Go through the cases."""
    eighth, public = _torsion(), encode(times(SECRET, BASE))
    honest = _sign(SECRET, public, b"go")
    yield Case("honest", public, b"go", honest, usable=True, counts=True)
    yield Case("another message", public, b"stay", honest, usable=True, counts=False)
    s = int.from_bytes(honest[32:], "little")
    yield Case("S + L", public, b"go", honest[:32] + (s + L).to_bytes(32, "little"), usable=True, counts=False)
    yield Case(
        "S with its highest bit set", public, b"go", honest[:63] + bytes([honest[63] | 128]), usable=True, counts=False
    )
    for order, part in ((2, times(4, eighth)), (4, times(2, eighth)), (8, eighth)):
        sig = _sign(SECRET, public, b"go", shift=part)
        yield Case(f"R with a part of order {order}", public, b"go", sig, usable=True, counts=False)
    yield Case("R neutral", public, b"go", _sign(SECRET, public, b"go", r=0), usable=True, counts=True)
    other = (P + 1).to_bytes(32, "little")
    sig = _sign(SECRET, public, b"go", r=0, big_r=other)
    yield Case("R neutral, y not below p", public, b"go", sig, usable=True, counts=False)
    minus = (1 | 1 << 255).to_bytes(32, "little")
    sig = _sign(SECRET, public, b"go", r=0, big_r=minus)
    yield Case("R neutral, as −0", public, b"go", sig, usable=True, counts=False)
    mixed = encode(add(times(SECRET, BASE), eighth))
    for tried in range(100):
        message = b"go %d" % tried
        sig = _sign(SECRET, mixed, message)
        if _k(sig[:32], mixed, message) % 8 == 0:
            yield Case("A with a part of order 8, k a multiple of 8", mixed, message, sig, usable=False, counts=False)
            break
    sig = next(x for i in range(9) if _k((x := _sign(SECRET, mixed, b"no %d" % i))[:32], mixed, b"no %d" % i) % 8)
    number = next(i for i in range(9) if _sign(SECRET, mixed, b"no %d" % i) == sig)
    yield Case("A with a part of order 8", mixed, b"no %d" % number, sig, usable=False, counts=False)
    for order, part in ((1, NEUTRAL), (2, times(4, eighth)), (4, times(2, eighth)), (8, eighth)):
        sig = encode(NEUTRAL) + bytes(32)
        yield Case(f"A of order {order}, R neutral, S = 0", encode(part), b"go", sig, usable=False, counts=False)
    yield Case("A neutral, y not below p", other, b"go", encode(NEUTRAL) + bytes(32), usable=False, counts=False)


def written() -> str:
    """The cases as JSON; keys as they stand in a log."""
    head = b"\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"
    return json.dumps(
        [
            {
                "name": case.name,
                "key": "ssh-ed25519 " + base64.b64encode(head + case.key).decode(),
                "namespace": SAY,
                "message": case.message.decode(),
                "sig": base64.b64encode(case.sig).decode(),
                "usable": case.usable,
                "counts": case.counts,
            }
            for case in cases()
        ],
        indent=1,
        ensure_ascii=False,
    ) + "\n"  # fmt: skip


if __name__ == "__main__":
    PATH.write_text(written(), "utf-8")
