"""The private key file of OpenSSH (its PROTOCOL.key), for Ed25519: reading and writing.

This module does no cryptography: the caller passes a locksmith, which stretches a passphrase (bcrypt_pbkdf) and runs a cipher. In
an encrypted file, the stretched passphrase also gives the initial vector. Two equal numbers at the start of the encrypted part show
whether the passphrase was right.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Protocol

from pbem.i18n import N_

DAMAGED = N_("it is damaged or incomplete")

_MARK = b"openssh-key-v1\0"
_KIND = b"ssh-ed25519"
_BEGIN, _END = b"-----BEGIN OPENSSH PRIVATE KEY-----", b"-----END OPENSSH PRIVATE KEY-----"
_FILE = re.compile(re.escape(_BEGIN) + b"(.*?)" + re.escape(_END), re.DOTALL)
_CIPHERS = {"aes256-ctr": (32, 16, 0), "aes256-cbc": (32, 16, 0), "aes256-gcm@openssh.com": (32, 12, 16)}
"""The number of bytes of the key, of the initial vector, and of the tag after the ciphertext."""
_PKCS8 = re.compile(
    rb"-----BEGIN (ENCRYPTED )?PRIVATE KEY-----(.*?)-----END (?:ENCRYPTED )?PRIVATE KEY-----", re.DOTALL
)
_ED25519 = b"\x06\x03\x2b\x65\x70"
_PKCS8_KEY = re.compile(
    rb"\x30.\x02\x01[\0\x01]\x30\x05" + re.escape(_ED25519) + rb"\x04\x22\x04\x20(.{32})", re.DOTALL
)
"""The head that each such key has, and its 32 bytes; attributes and the public key may follow."""
LOCKED_PKCS8 = N_("it is locked as OpenSSL does it; “openssl pkey -in FILE -out NEW” writes it without a lock")
_ROUNDS = 16
_BLOCK = {True: 16, False: 8}
"""The content is padded to a multiple of this, encrypted or not."""


class KeyFileTrouble(Exception):
    """A key file that cannot be used; the caller phrases the message."""


class LockedError(KeyFileTrouble):
    """It is locked, and no passphrase was given."""


class UnlockedError(KeyFileTrouble):
    """It is not locked, though a passphrase was given."""


class NotOpenedError(KeyFileTrouble):
    """The passphrase does not open it, or it is damaged."""


class OtherKindError(KeyFileTrouble):
    """It contains a key of another kind."""


class UnreadableError(KeyFileTrouble):
    """It cannot be read; the text says why."""


def is_of_openssl(pem: bytes) -> bool:
    """Is it a private key file as OpenSSL writes it (PKCS 8)?"""
    return _PKCS8.search(pem) is not None


def read_of_openssl(pem: bytes, passphrase: bytes | None) -> bytes:
    """Return the secret key of 32 bytes in a file as OpenSSL writes it without a lock (RFC 8410). Raises the errors above."""
    found = _PKCS8.search(pem)
    if found is None:
        raise UnreadableError(DAMAGED)
    if found[1]:
        raise UnreadableError(LOCKED_PKCS8)
    if passphrase:
        raise UnlockedError
    try:
        data = binascii.a2b_base64(b"".join(found[2].split()), strict_mode=True)
    except binascii.Error:
        raise UnreadableError(DAMAGED) from None
    if len(data) > 20 and _ED25519 not in data[:20]:
        raise OtherKindError
    inside = _PKCS8_KEY.match(data)
    if inside is None or data[1] != len(data) - 2:
        raise UnreadableError(DAMAGED)
    return inside[1]


class Locksmith(Protocol):
    """Who stretches passphrases and runs ciphers."""

    def chance(self, length: int) -> bytes:
        """Return this many unguessable bytes."""

    def stretch(self, passphrase: bytes, salt: bytes, rounds: int, length: int) -> bytes:
        """Return the bytes that bcrypt_pbkdf derives from a passphrase."""

    def lock(self, cipher: str, key: bytes, start: bytes, data: bytes) -> bytes:
        """Return data encrypted without padding, with a tag at its end."""

    def unlock(self, cipher: str, key: bytes, start: bytes, data: bytes) -> bytes:
        """Return data decrypted, the tag taken from its end; b"" where the tag does not fit."""


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.rest = data

    def take(self, length: int) -> bytes:
        if len(self.rest) < length:
            raise UnreadableError(DAMAGED)
        taken, self.rest = self.rest[:length], self.rest[length:]
        return taken

    def number(self) -> int:
        return int.from_bytes(self.take(4), "big")

    def string(self) -> bytes:
        return self.take(self.number())

    def done(self) -> None:
        if self.rest:
            raise UnreadableError(DAMAGED)


def read(pem: bytes, passphrase: bytes | None, smith: Locksmith) -> tuple[bytes, bytes]:
    """Return secret and public key, 32 bytes each. Raises the errors above.

    Whether the two belong together is not looked at here.
    """
    outside = _Reader(_unwrapped(pem))
    if outside.take(len(_MARK)) != _MARK:
        raise UnreadableError(DAMAGED)
    cipher, stretching, how = (outside.string() for _three in range(3))
    if outside.number() != 1:
        raise UnreadableError(N_("it contains several keys"))
    public = outside.string()
    if (cipher, stretching) == (b"none", b"none"):
        if passphrase:
            raise UnlockedError
        inside = outside.string()
        outside.done()
    else:
        inside = _unlocked(outside, cipher, stretching, how, passphrase, smith)
    try:
        return _secret(inside, public)
    except UnreadableError:
        if passphrase is None:
            raise
        raise NotOpenedError from None


def _unwrapped(pem: bytes) -> bytes:
    found = _FILE.search(pem)
    try:
        return binascii.a2b_base64(found[1]) if found else b""
    except binascii.Error:
        return b""


def _unlocked(
    outside: _Reader, cipher: bytes, stretching: bytes, how: bytes, passphrase: bytes | None, smith: Locksmith
) -> bytes:
    name = cipher.decode("latin-1")
    if name not in _CIPHERS or stretching != b"bcrypt":
        raise UnreadableError(N_("it is locked in a way that is not known here"))
    key_length, start_length, tag_length = _CIPHERS[name]
    inside = outside.string()
    tag = outside.take(tag_length)
    outside.done()
    stretch = _Reader(how)
    salt, rounds = stretch.string(), stretch.number()
    stretch.done()
    if passphrase is None:
        raise LockedError
    if not passphrase or len(inside) % _BLOCK[True] or not salt or not rounds:
        raise NotOpenedError
    made = smith.stretch(passphrase, salt, rounds, key_length + start_length)
    return smith.unlock(name, made[:key_length], made[key_length:], inside + tag)


def _secret(inside: bytes, public: bytes) -> tuple[bytes, bytes]:
    """Return secret and public key from the decrypted content."""
    reader = _Reader(inside)
    if reader.take(4) != reader.take(4):
        raise UnreadableError(DAMAGED)
    shown = _Reader(public)
    kind = shown.string()
    if reader.string() != kind:
        raise UnreadableError(DAMAGED)
    if kind != _KIND:
        raise OtherKindError
    key = shown.string()
    shown.done()
    again, secret, _comment = reader.string(), reader.string(), reader.string()
    if len(key) != 32 or again != key or secret[32:] != key or len(secret) != 64:
        raise UnreadableError(DAMAGED)
    if reader.rest != bytes(range(1, len(reader.rest) + 1))[: _BLOCK[True]]:
        raise UnreadableError(DAMAGED)
    return secret[:32], key


def write(seed: bytes, public: bytes, passphrase: bytes | None, smith: Locksmith) -> bytes:
    """Return the file of a key, locked where a passphrase is given, as `ssh-keygen` would write it."""
    shown = _string(_KIND) + _string(public)
    twice = smith.chance(4) * 2
    inside = twice + shown + _string(seed + public) + _string(b"")
    inside += bytes(range(1, -len(inside) % _BLOCK[bool(passphrase)] + 1))
    cipher, stretching, how = b"none", b"none", b""
    if passphrase:
        salt = smith.chance(16)
        cipher, stretching, how = b"aes256-ctr", b"bcrypt", _string(salt) + _ROUNDS.to_bytes(4, "big")
        made = smith.stretch(passphrase, salt, _ROUNDS, 48)
        inside = smith.lock("aes256-ctr", made[:32], made[32:], inside)
    head = _MARK + _string(cipher) + _string(stretching) + _string(how) + (1).to_bytes(4, "big")
    text = base64.b64encode(head + _string(shown) + _string(inside))
    lines = [text[i : i + 70] for i in range(0, len(text), 70)]
    return b"\n".join([_BEGIN, *lines, _END, b""])


def _string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data
