"""Ed25519 and OpenSSH key files by JavaScript, in a browser: @noble/curves, @noble/ciphers and bcrypt-pbkdf.

`pbem_noble` is what `pbem/page/carrier/signing.mjs` gives: functions that take and return hexadecimal text, and answer at once.
"""

from __future__ import annotations

import pbem_noble  # type: ignore[import-not-found]  # the page's worker lays it out

from . import openssh


class PublicKey:
    """A public key of 32 bytes that may be used."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw.hex()

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Are these 64 bytes its signature over the message?"""
        return bool(pbem_noble.verifies(self._raw, signature.hex(), message.hex()))


class SecretKey:
    """The key of a 32-byte secret."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.public = bytes.fromhex(pbem_noble.publicKey(seed.hex()))

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes of its signature."""
        return bytes.fromhex(pbem_noble.sign(self.seed.hex(), message.hex()))


def read_file(pem: bytes, passphrase: bytes | None) -> SecretKey:
    """Return the key in an OpenSSH private key file. Raises LockedError and its siblings."""
    seed, public = openssh.read(pem, passphrase, _Locksmith)
    key = SecretKey(seed)
    if key.public != public:
        raise openssh.UnreadableError(openssh.DAMAGED)
    return key


def write_file(key: SecretKey, passphrase: bytes | None) -> bytes:
    """Return the key as an OpenSSH private key file, locked where a passphrase is given."""
    return openssh.write(key.seed, key.public, passphrase, _Locksmith)


class _Locksmith:
    @staticmethod
    def chance(length: int) -> bytes:
        return bytes.fromhex(pbem_noble.chance(length))

    @staticmethod
    def stretch(passphrase: bytes, salt: bytes, rounds: int, length: int) -> bytes:
        return bytes.fromhex(pbem_noble.stretch(passphrase.hex(), salt.hex(), rounds, length))

    @staticmethod
    def lock(cipher: str, key: bytes, start: bytes, data: bytes) -> bytes:
        return bytes.fromhex(pbem_noble.lock(cipher, key.hex(), start.hex(), data.hex()))

    @staticmethod
    def unlock(cipher: str, key: bytes, start: bytes, data: bytes) -> bytes:
        return bytes.fromhex(pbem_noble.unlock(cipher, key.hex(), start.hex(), data.hex()))
