"""One seat's secret of a game of two, and everything derived from it.

A seat binds one secret of 32 bytes when it joins. The secret gives its dice links, the numbers of its decks, its private draws, the
salts of its seals, and the keys for the values it hides. So showing the secret after the game opens everything at once. A player
with the key and anybody's copy of the log has lost nothing.

Hidden values are canonical JSON, padded with spaces to one of a few lengths, so that the length reveals nothing. They are XORed
with an HMAC-SHA-256 stream. The stream depends on the hidden value too, and so does the salt of a seal. A player who signs two
turns for one place, on two machines or after losing a disk, therefore reveals neither hidden value.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from functools import cached_property
from typing import Any

from pbem.errors import FormError
from pbem.i18n import _
from pbem.ledger.canon import cj, read_line, sha256_hex
from pbem.ledger.chains import SEAT_LENGTH, HashChain, Root
from pbem.ledger.group import BASE, Element, drawn, multiple
from pbem.ledger.seals import seal

PEER = "pbem-peer/2"
LENGTHS = (512, 2048, 8192, 40960)
"""The lengths to which hidden values are padded; the shortest that fits is used."""
BEGUN = 16
"""The number of bytes in front that start the stream; they depend on the hidden value alone."""


def bound_by(game: str, seat: str, secret: str) -> str:
    """What a seat's secret is bound by when it joins."""
    return sha256_hex(cj([PEER, "bound", game, seat, secret]))


def secret_of(root: Root, game: str, seat: str) -> str:
    """A seat's secret of a game, from the root of the key with which it joins: 64 hex digits."""
    return root.secret_for(PEER, game, seat)


def sealed(game: str, seat: str, no: int, index: int, salt: str, text: str) -> str:
    """The digest of a sealed answer, the `index`-th act of the seat's turn `no`."""
    return seal(game, seat, no, f"act{index}", salt, text).digest


class Vault:
    """What one seat can make and read with its secret."""

    def __init__(self, game: str, seat: str, secret: str) -> None:
        self.game, self.seat, self.secret = game, seat, secret
        self._both: dict[bytes, Element] = {}

    def _hmac(self, *about: object) -> str:
        return hmac.digest(bytes.fromhex(self.secret), cj([PEER, *about]), "sha256").hex()

    @cached_property
    def chain(self) -> HashChain:
        """The chain of his dice links."""
        return HashChain(self._hmac("top"), self.game, f"seat:{self.seat}", SEAT_LENGTH)

    @cached_property
    def half(self) -> int:
        """The number of his half of the common key."""
        return drawn(self.secret, PEER, "mix", self.game, self.seat)

    @cached_property
    def mix(self) -> Element:
        """His half of the key that both have in common."""
        return multiple(self.half, BASE)

    @property
    def bound(self) -> str:
        """What binds the secret."""
        return bound_by(self.game, self.seat, self.secret)

    def deck(self, no: int) -> str:
        """The secret of a deck."""
        return self._hmac("deck", no)

    def private(self, i: int) -> str:
        """His own share in the i-th of his private draws."""
        return self._hmac("priv", i)

    def salt(self, no: int, index: int, text: str) -> str:
        """The salt of the seal of a text; another text in the same place has another."""
        return self._hmac("salt", no, index, text)[:32]

    def sealed(self, no: int, index: int, text: str) -> str:
        """The digest of a text that he seals there."""
        return sealed(self.game, self.seat, no, index, self.salt(no, index, text), text)

    @property
    def guesses(self) -> bytes:
        """A key for what he guesses; it decides nothing."""
        return bytes.fromhex(self._hmac("guess"))

    def hide(self, no: int, index: int, value: object) -> str:
        """Write a value so that he alone reads it: the `index`-th act of his turn `no`."""
        return _hidden(self._hmac("own", no, index), value)

    def read(self, no: int, index: int, text: str) -> Any:
        """Read what he has hidden. Raises FormError."""
        return read_hidden(self._hmac("own", no, index), text)

    def hand(self, mix: Element, no: int, index: int, value: object) -> str:
        """Write a value so that he and the other seat read it; `mix` is the other's half."""
        return _hidden(self._common(mix, self.seat, no, index), value)

    def read_hand(self, mix: Element, author: str, no: int, index: int, text: str) -> Any:
        """Read a value that was hidden for both. Raises FormError."""
        return read_hidden(self._common(mix, author, no, index), text)

    def _common(self, mix: Element, author: str, no: int, index: int) -> str:
        return common_key(self.common(mix).data, self.game, author, no, index)

    def common(self, mix: Element) -> Element:
        """Return the key that both have in common; `mix` is the other's half."""
        if mix.data not in self._both:  # it is the same for every act
            self._both = {mix.data: multiple(self.half, mix)}
        return self._both[mix.data]


def common_key(both: bytes, game: str, author: str, no: int, index: int) -> str:
    """Return the key under which a seat has written for both, from the key that both have in common."""
    return hmac.digest(both, cj([PEER, "hand", game, author, no, index]), "sha256").hex()


def kept_under(root: Root, game: str, seat: str, secret: str) -> str:
    """Encrypt a seat's secret for the holder of another key; `root` is the root of that key."""
    return _hidden(root.secret_for(PEER, "kept", game, seat), secret)


def read_kept(root: Root, game: str, seat: str, text: str) -> str:
    """Read a seat's secret with the key that it was given to. Raises FormError."""
    return str(read_hidden(root.secret_for(PEER, "kept", game, seat), text))


def _mixed(key: str, begun: bytes, data: bytes) -> bytes:
    own = hmac.digest(bytes.fromhex(key), begun, "sha256")
    blocks = range((len(data) + 31) // 32)
    stream = b"".join(hmac.digest(own, c.to_bytes(4, "big"), "sha256") for c in blocks)[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(data), "big")


def _filled(value: object) -> bytes:
    plain = cj([value])
    length = next((length for length in LENGTHS if len(plain) <= length), None)
    if length is None:
        raise FormError(
            _("the hidden value has {n} bytes, more than the {most} allowed", n=len(plain), most=LENGTHS[-1])
        )
    return plain.ljust(length)


def _begun(key: str, filled: bytes) -> bytes:
    return hmac.digest(bytes.fromhex(key), filled, "sha256")[:BEGUN]


def _hidden(key: str, value: object) -> str:
    filled = _filled(value)
    begun = _begun(key, filled)
    return base64.b64encode(begun + _mixed(key, begun, filled)).decode("ascii")


def read_hidden(key: str, text: str) -> Any:
    """Read a value hidden under a key. Raises FormError unless it is exactly what `_hidden` would have written."""
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise FormError(_("the hidden value is not base64")) from None
    if len(data) - BEGUN not in LENGTHS:
        raise FormError(_("the hidden value has {n} bytes, which is not an allowed length", n=len(data) - BEGUN))
    begun, filled = data[:BEGUN], _mixed(key, data[:BEGUN], data[BEGUN:])
    value = read_line(filled.rstrip(b" "))
    is_one = isinstance(value, list) and len(value) == 1
    # else it would be written otherwise: filled up, begun and in base64, of which the stream between follows
    if (
        not is_one
        or _filled(value[0]) != filled
        or _begun(key, filled) != begun
        or base64.b64encode(data) != text.encode()
    ):
        raise FormError(_("the hidden value is not in its exact form"))
    return value[0]
