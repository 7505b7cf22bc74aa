"""Hash chains and root secrets: where all later randomness is fixed beforehand (PROTOCOL 5).

Decides links, anchors, nonces, tops and salts from a 32-byte root that is passed in. Reads no randomness of its own. A chain of
label L has links X_0 … X_N. X_0, the anchor, is published; X_N, the top, is secret. Each link is the hash of the next one, so a
link shown later cannot have been chosen later.

A chain is `bound` to one game: a host's to the nonce of entry 0, a player's to the game's id, which is known when he joins. So a
link of one game cannot be a link of another, even if a host uses a nonce twice.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence

from pbem.errors import FormError
from pbem.ledger.canon import cj
from pbem.ledger.keys import ROOT, PrivateKey

PUB_LENGTH = 16384
PRIV_LENGTH = 16384
SEAT_LENGTH = 4096
DEAL_LENGTH = 1
CHECKPOINT_EVERY = 128

_ROOT_TEXT = b"The root secret of a pbem player. Never send this signature to anyone."


def link(bound: str, label: str, i: int, x_hex: str) -> str:
    """X_{i-1} in hex, from X_i in hex."""
    return hashlib.sha256(f"pbem-link/1 {bound} {label} {i} {x_hex}".encode()).hexdigest()


def links_down(bound: str, label: str, i: int, x_hex: str, to: int) -> str:
    """X_to in hex, from X_i in hex, where to ≤ i."""
    for step in range(i, to, -1):
        x_hex = link(bound, label, step, x_hex)
    return x_hex


def chain_length(label: str) -> int:
    """The number of links of a chain with this label: pub and priv 16384, seat 4096, deal and anew 1."""
    kind = label.partition(":")[0]
    return {"pub": PUB_LENGTH, "priv": PRIV_LENGTH, "seat": SEAT_LENGTH, "deal": DEAL_LENGTH, "anew": DEAL_LENGTH}[kind]


class HashChain:
    """All links of one label, from its top; any link costs at most 128 hashes.

    `checkpoints` are every 128th link from X_0 on, hex, and may be stored and given back; without them the chain is
    walked once from the top.
    """

    def __init__(self, top: str, bound: str, label: str, length: int, checkpoints: Sequence[str] | None = None) -> None:
        self.top, self.bound, self.label, self.length = top, bound, label, length
        expected = length // CHECKPOINT_EVERY + 1
        if checkpoints is None:
            checkpoints = self._walk()
        elif len(checkpoints) != expected:
            raise FormError(f"chain {label} needs {expected} checkpoints, {len(checkpoints)} were given")
        self.checkpoints = list(checkpoints)
        self._block: dict[int, str] = {}

    def _walk(self) -> list[str]:
        x, found = self.top, []
        for i in range(self.length, -1, -1):
            if i % CHECKPOINT_EVERY == 0:
                found.append(x)
            if i:
                x = link(self.bound, self.label, i, x)
        return found[::-1]

    @property
    def anchor(self) -> str:
        """X_0, which is published."""
        return self.checkpoints[0]

    def x(self, i: int) -> str:
        """X_i in hex, 0 ≤ i ≤ length."""
        if not 0 <= i <= self.length:
            raise FormError(f"chain {self.label} has links 0 to {self.length}, not {i}")
        if i % CHECKPOINT_EVERY == 0:
            return self.checkpoints[i // CHECKPOINT_EVERY]
        if i not in self._block:
            below = i // CHECKPOINT_EVERY * CHECKPOINT_EVERY
            above = min(below + CHECKPOINT_EVERY, self.length)
            x = self.top if above == self.length else self.checkpoints[above // CHECKPOINT_EVERY]
            self._block = {above: x}
            for step in range(above, below, -1):
                x = link(self.bound, self.label, step, x)
                self._block[step - 1] = x
        return self._block[i]


class Root:
    """A party's 32-byte root secret, of which nonces, tops and salts are HMACs."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != 32:
            raise FormError(f"a root secret has 32 bytes, not {len(secret)}")
        self._secret = secret

    def _hmac(self, *parts: object) -> str:
        return hmac.digest(self._secret, cj(parts), "sha256").hex()

    def nonce(self, n: str | int) -> str:
        """The nonce of the host's n-th game."""
        return self._hmac("nonce", n)

    def top(self, bound: str, label: str, begun: int = 0) -> str:
        """The top of a chain of one game; one that takes the place of another has another `begun`."""
        return self._hmac("top", bound, label, begun)

    def chain(self, bound: str, label: str, begun: int = 0, checkpoints: Sequence[str] | None = None) -> HashChain:
        """The chain of that label, of its full length."""
        return HashChain(self.top(bound, label, begun), bound, label, chain_length(label), checkpoints)

    def token(self, name: str) -> str:
        """An unguessable 128-bit token for the letter or thing with this name; it reveals nothing."""
        return self._hmac("token", name)[:32]

    def secret_for(self, *about: str) -> str:
        """A secret of 32 bytes, 64 hex digits, for one thing and no other."""
        return self._hmac("secret", *about)

    def salt(self, game: str, who: str, ref: int, rev: int, name: str, value: object) -> str:
        """The 16-byte salt of a seal; another revision or value has another."""
        return self._hmac(game, who, ref, rev, name, value)[:32]


def player_root(key: PrivateKey) -> Root:
    """The root secret that comes from a player's key: then key and log are all he keeps."""
    return Root(hashlib.sha256(base64.b64decode(key.sign(ROOT, _ROOT_TEXT))).digest())
