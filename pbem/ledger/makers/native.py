"""Ed25519 and OpenSSH key files by `cryptography`, which `sealing` alone names, too."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_ssh_private_key,
)

from . import sodium
from .openssh import LockedError, NotOpenedError, OtherKindError, UnlockedError, UnreadableError


class PublicKey:
    """A public key of 32 bytes that may be used."""

    def __init__(self, raw: bytes) -> None:
        self._raw, self._key = raw, Ed25519PublicKey.from_public_bytes(raw)

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Return whether these 64 bytes are its signature over the message. Signatures that libsodium rejects are judged again."""
        if sodium.verifies(self._raw, signature, message):
            return True
        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True


class SecretKey:
    """The key of a 32-byte secret."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)

    @property
    def seed(self) -> bytes:
        """The 32 bytes that it is made from."""
        return self._key.private_bytes_raw()

    @property
    def public(self) -> bytes:
        """The 32 bytes of its public key."""
        return self._key.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes of its signature."""
        return self._key.sign(message)


def read_file(pem: bytes, passphrase: bytes | None) -> SecretKey:
    """Return the key in an OpenSSH private key file. Raises LockedError and its siblings."""
    try:
        key = load_ssh_private_key(pem, passphrase)
    except (ValueError, TypeError, UnsupportedAlgorithm) as why:
        text = str(why).lower()
        if passphrase is None and ("password" in text or "encrypted" in text):
            raise LockedError from None
        if passphrase is not None and ("corrupt" in text or "password" in text):
            raise (UnlockedError if "not encrypted" in text else NotOpenedError) from None
        raise UnreadableError(str(why)) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise OtherKindError
    return SecretKey(key.private_bytes_raw())


def write_file(key: SecretKey, passphrase: bytes | None) -> bytes:
    """Return the key as an OpenSSH private key file, locked where a passphrase is given."""
    lock = BestAvailableEncryption(passphrase) if passphrase else NoEncryption()
    made = Ed25519PrivateKey.from_private_bytes(key.seed)
    return made.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, lock)
