"""Dice and draws: what one random event gives, from its key (PROTOCOL 5).

Decides the bytes of an event's stream and how rolls and draws are read from it. Knows no game, and takes nothing that
anyone can choose at play time.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.errors import FormError
from pbem.ledger.canon import cj_read


def event_key(x_hex: str, game: str, label: str, i: int, links: Sequence[Sequence[object]]) -> bytes:
    """The key of the i-th event of chain `label`; `links` are [seat, link_n, link] for every seat, in any order."""
    return hmac.digest(bytes.fromhex(x_hex), cj_read(["rand", game, label, i, sorted(map(list, links))]), "sha256")


class Stream:
    """The bytes of one event; all its requests are read from it, one after the other."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._blocks = 0
        self._buffer = b""

    def _take(self, n: int) -> int:
        while len(self._buffer) < n:
            self._buffer += hmac.digest(self._key, self._blocks.to_bytes(4, "big"), "sha256")
            self._blocks += 1
        taken, self._buffer = self._buffer[:n], self._buffer[n:]
        return int.from_bytes(taken, "big")

    def uniform(self, n: int) -> int:
        """A number from 0 to n−1, each as likely; 1 ≤ n ≤ 65536, and n = 1 takes no byte."""
        if not 1 <= n <= 65536:
            raise FormError(f"a random number is one of 1 to 65536, not of {n}")
        if n == 1:
            return 0
        size = 1 if n <= 256 else 2
        m = 256**size
        while True:
            v = self._take(size)
            if v < m - m % n:
                return v % n

    def roll(self, n: int, sides: int) -> list[int]:
        """n dice with this number of sides."""
        return [1 + self.uniform(sides) for _ in range(n)]

    def draw(self, n: int, of: Sequence[Any]) -> list[Any]:
        """n of a list, without putting back, in the order drawn."""
        if n > len(of):
            raise FormError(f"{n} cannot be drawn of {len(of)}")
        a = list(of)
        for t in range(n):
            j = t + self.uniform(len(a) - t)
            a[t], a[j] = a[j], a[t]
        return a[:n]


def outcome(key: bytes, requests: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """What the requests of one event give, one list for each."""
    stream = Stream(key)
    return [stream.roll(r["n"], r["sides"]) if r["op"] == "roll" else stream.draw(r["n"], r["of"]) for r in requests]
