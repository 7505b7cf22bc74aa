"""Faster signatures and deck groups by libsodium, if PyNaCl is installed (`pip install pbem[fast]`).

Its yes is ours. Its no is only a reason to ask the reference: `cryptography` for signatures, `pbem.ledger.curve` for points. So
each function returns what libsodium is sure of, and False or None otherwise. ADR 123 says why the verdicts are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

_SHIFTED = (
    bytes.fromhex("2e3e4b4bbf638db481cca9de0251c23933f71d5c4953c063671717c8cf2a2455"),
    bytes.fromhex(
        "e9b2fe981587efae6478f48ba1fa60cec6126d0e26dde72a0a24f640dcd783e5"
        "9905e512436300ea7ed0b2b7a3b3772875376fbb7d38f9706bc7a7280db2d200"
    ),
    bytes.fromhex(
        "5353485349470000000b7062656d2d7361792d76310000000000000006736861353132000000402f273778835c6467e52ceed449bf82250f"
        "7072655f5db8ccf12946ed52f90529d50b5479859beb3429f89558e56ccef0c5c4d0ba8a13cc60f0ab202b99793a83"
    ),
)
"""A key, 64 bytes and a message: R has a part of order 8. A library that multiplies by the cofactor takes them for a signature."""


_NEUTRAL = b"\1" + bytes(31)


class _Library(NamedTuple):
    """PyNaCl's functions, and what they raise."""

    calls: Any
    refusal: type[Exception]

    def opens(self, key: bytes, signature: bytes, message: bytes) -> bool:
        """Does libsodium take 64 bytes for this key's signature over the message?"""
        try:
            self.calls.crypto_sign_open(signature + message, key)
        except self.refusal:
            return False
        return True


@cache
def _library() -> _Library | None:
    """PyNaCl, or None if it is not installed, lacks a needed function, or its libsodium accepts more than our own check."""
    if find_spec("nacl") is None:
        return None
    try:
        calls, refusal = import_module("nacl.bindings"), import_module("nacl.exceptions").CryptoError
        usable = calls.has_crypto_core_ed25519 and calls.has_crypto_scalarmult_ed25519
    except (ImportError, OSError, AttributeError):
        return None
    found = _Library(calls, refusal)
    return found if usable and not found.opens(*_SHIFTED) else None


def is_here() -> bool:
    """Is libsodium asked?"""
    return _library() is not None


def verifies(key: bytes, signature: bytes, message: bytes) -> bool:
    """Does libsodium take 64 bytes for this key's signature over the message?"""
    found = _library()
    return found is not None and found.opens(key, signature, message)


def is_element(data: bytes) -> bool:
    """Does libsodium take 32 bytes for a point of order L, canonically encoded?"""
    found = _library()
    return found is not None and bool(found.calls.crypto_core_ed25519_is_valid_point(data))


def multiple(n: int, data: bytes) -> bytes | None:
    """Return n times a point of order L, 0 < n < L; None where libsodium does not say."""
    found = _library()
    if found is None:
        return None
    try:
        made: bytes = found.calls.crypto_scalarmult_ed25519_noclamp(n.to_bytes(32, "little"), data)
    except found.refusal:
        return None
    return made


def total(terms: Sequence[tuple[int, bytes]]) -> bytes | None:
    """Return the sum of multiples of points of order L, 0 ≤ n < L, or None; it may be the neutral point."""
    found, sums = _library(), _NEUTRAL
    if found is None:
        return None
    for n, data in terms:
        if n:
            made = multiple(n, data)
            if made is None:
                return None
            sums = found.calls.crypto_core_ed25519_add(sums, made)
    return sums
