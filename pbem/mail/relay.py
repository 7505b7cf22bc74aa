"""A relay, a mailbox for two friends without a host: links, boxes, sealed letters, and the words of requests and replies.

No network, no store, no clock, no randomness. The relay's page in the reference (docs/reference/relay.md) says the same as rules.
"""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.ledger import PrivateKey, check_key_line, sha256_hex
from pbem.ledger.curve import P
from pbem.ledger.makers import chacha_lock, chacha_unlock, hkdf, x25519, x25519_public

from .door import fault_of

PROTOCOL = "pbem-relay/1"
CALLS = "relay/"
"""The beginning of all calls, relative to the address; the rest is the page."""
INVITATION = "invitation"
"""The name of the box that anybody can open who has the link; every other box has its reader's key line as its name."""
PLAY = "play="
"""What a link's fragment begins with."""
SECRET = 16
"""The bytes of a game's secret."""
SMALLEST, LARGEST = 1 << 10, 1 << 19
"""The fewest and the most bytes of a padded letter."""
_VERSION = b"\x01"
_HEAD, _TAG = 1 + 32, 16
SMALLEST_SEALED, LARGEST_SEALED = _HEAD + SMALLEST + _TAG, _HEAD + LARGEST + _TAG
WAIT = 25
"""The most seconds that a request may ask a relay to wait for a letter."""
_WORDS = b"pbem-relay-v1 "
_NONCE = bytes(12)
"""A key locks one letter only, so its nonce need not change."""


class RelayLink(NamedTuple):
    """What an invitation's link says: where the relay is, and the game's secret of 16 bytes."""

    address: str
    secret: bytes

    def __str__(self) -> str:
        return f"{self.address}#{PLAY}{secret_text(self.secret)}"

    def token(self, name: str) -> str:
        """Return what a request shows for a box, 64 hex digits; the relay keeps the SHA-256 of those 32 bytes."""
        return hkdf(self.secret, b"", _WORDS + b"box\0" + name.encode("ascii")).hex()


def secret_text(secret: bytes) -> str:
    """Return a game's secret as 22 letters."""
    return base64.urlsafe_b64encode(secret).decode().rstrip("=")


def read_secret(text: str) -> bytes:
    """Return the secret in 22 letters; b"" where it is none."""
    try:
        found = base64.b64decode(f"{text}==", b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""
    return found if len(found) == SECRET and secret_text(found) == text else b""


def read_link(text: str) -> RelayLink:
    """Return what the link of an invitation says. Raises UsageError."""
    address, _mark, fragment = text.strip().partition("#")
    secret = read_secret(fragment.removeprefix(PLAY)) if fragment.startswith(PLAY) else b""
    if not secret:
        raise UsageError(
            _(
                "“{link}” is not the link of an invitation: after # it needs “play=” and 22 letters. Copy the whole link.",
                link=text.strip()[:200],
            )
        )
    return RelayLink(relay_address(address), secret)


def is_link(text: str) -> bool:
    """Does a text look like the link of an invitation?"""
    return text.strip().startswith(("https://", "http://")) and "#" in text


def relay_address(text: str) -> str:
    """Return the address of a relay, with the / at its end. Raises UsageError."""
    address = text.strip()
    address = address if address.endswith("/") else f"{address}/"
    if why := fault_of(address):
        raise UsageError(_("{address} is not the address of a relay: {why}", address=text.strip()[:200], why=why))
    return address


# -- sealing -----------------------------------------------------------------------------------------------------------


class TooLong(UsageError):
    """A letter longer than a relay takes."""


def seal_letter(link: RelayLink, name: str, letter: bytes, key: PrivateKey) -> bytes:
    """Return a letter sealed for the box's reader. The same letter of the same writer gives the same bytes, so that a relay knows
    it again if it is posted twice.

    Raises TooLong; FormError if `name` is neither `INVITATION` nor the line of a usable key.
    """
    if len(letter) + 4 > LARGEST:
        raise TooLong(
            _("The letter has {bytes} bytes, and a relay takes at most {most}.", bytes=len(letter), most=LARGEST - 4)
        )
    own = key.scalar.to_bytes(32, "little")
    once = hkdf(
        own + link.secret, bytes.fromhex(sha256_hex(letter)), _WORDS + b"once\0" + name.encode("ascii")
    )  # known to the writer alone
    if name == INVITATION:
        shown, locks = once, _invitation_key(link, once)
    else:
        shown, reader = x25519_public(once), _x25519_of(name)
        locks = _letter_key(link, x25519(once, reader), shown, reader)
    return _VERSION + shown + chacha_lock(locks, _NONCE, _padded(letter), name.encode("ascii"))


def open_letter(link: RelayLink, name: str, sealed: bytes, key: PrivateKey | None = None) -> bytes | None:
    """Return the letter in a box, opened by the reader's `key` (none for the invitation); None if it is not for it, or damaged."""
    if sealed[:1] != _VERSION or not is_sealed_length(len(sealed)):
        return None
    shown, data = sealed[1:_HEAD], sealed[_HEAD:]
    if name == INVITATION:
        locks = _invitation_key(link, shown)
    elif key is None:
        return None
    else:
        shared = x25519(key.scalar.to_bytes(32, "little"), shown)
        locks = _letter_key(link, shared, shown, _x25519_of(name)) if shared else b""
    padded = chacha_unlock(locks, _NONCE, data, name.encode("ascii")) if locks else b""
    length = int.from_bytes(padded[:4], "big")
    letter = padded[4 : 4 + length]
    return letter if padded and padded == _padded(letter) else None


def is_sealed_length(size: int) -> bool:
    """Can a sealed letter have this number of bytes?"""
    padded = size - _HEAD - _TAG
    return SMALLEST <= padded <= LARGEST and padded.bit_count() == 1


def _padded(letter: bytes) -> bytes:
    """Return the letter behind its length in four bytes, with zeros up to a power of two."""
    data = len(letter).to_bytes(4, "big") + letter
    return data.ljust(max(SMALLEST, 1 << (len(data) - 1).bit_length()), b"\0")


def _letter_key(link: RelayLink, shared: bytes, shown: bytes, reader: bytes) -> bytes:
    return hkdf(shared + link.secret, shown + reader, _WORDS + b"letter")


def _invitation_key(link: RelayLink, shown: bytes) -> bytes:
    return hkdf(link.secret, shown, _WORDS + b"letter")


def _x25519_of(key_line: str) -> bytes:
    """Return the X25519 key of a signing key's owner: u = (1 + y) / (1 − y) (RFC 7748, 4.1). Raises FormError."""
    check_key_line(key_line)
    y = int.from_bytes(base64.b64decode(key_line.split()[1])[-32:], "little") & (1 << 255) - 1
    return ((1 + y) * pow(1 - y, -1, P) % P).to_bytes(32, "little")


# -- requests and replies -----------------------------------------------------------------------------------------------


class _Told(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)


class Posted(_Told):
    """The reply to a letter: the SHA-256 of its bytes."""

    id: str


class Boxed(_Told):
    """A letter in a box: the SHA-256 of its bytes, and those bytes in base64."""

    id: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    raw: str

    @classmethod
    def of(cls, sealed: bytes) -> Boxed:
        """Return a letter with these bytes."""
        return cls(id=sha256_hex(sealed), raw=base64.b64encode(sealed).decode())

    @property
    def sealed(self) -> bytes:
        """Its bytes; b"" where they are not those of its id."""
        try:
            data = base64.b64decode(self.raw, validate=True)
        except (binascii.Error, ValueError):
            return b""
        return data if sha256_hex(data) == self.id else b""


class BoxShown(_Told):
    """The letters in a box, the oldest first; `more`: others are behind them."""

    letters: tuple[Boxed, ...] = ()
    more: bool = False


class RelayRefused(_Told):
    """Why a relay did not do what was asked, in a word and a sentence."""

    error: str = ""
    why: str = ""
