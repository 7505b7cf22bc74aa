"""X25519, HKDF and ChaCha20-Poly1305, for the letters of a relay: by `cryptography`, or in a browser by `pbem_noble`.

Both give the same bytes, and the same tests run on both. All lengths are in bytes:

- `x25519_public(secret)`: the public key (32) of a secret (32; RFC 7748).
- `x25519(secret, public)`: the shared secret (32); b"" where it is all zeros, as it is for a public key of low order.
- `hkdf(ikm, salt, info)`: the 32 bytes that HKDF-SHA256 derives (RFC 5869).
- `chacha_lock(key, nonce, data, beside)`: data encrypted by ChaCha20-Poly1305 (RFC 8439), with its tag (16) at the end. The tag
  also covers `beside`.
- `chacha_unlock(key, nonce, data, beside)`: data decrypted; b"" where the tag does not fit.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING or not find_spec("pbem_noble"):
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    def x25519_public(secret: bytes) -> bytes:
        return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()

    def x25519(secret: bytes, public: bytes) -> bytes:
        try:
            return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(public))
        except ValueError:
            return b""

    def hkdf(ikm: bytes, salt: bytes, info: bytes) -> bytes:
        return HKDF(SHA256(), 32, salt, info).derive(ikm)

    def chacha_lock(key: bytes, nonce: bytes, data: bytes, beside: bytes) -> bytes:
        return ChaCha20Poly1305(key).encrypt(nonce, data, beside)

    def chacha_unlock(key: bytes, nonce: bytes, data: bytes, beside: bytes) -> bytes:
        try:
            return ChaCha20Poly1305(key).decrypt(nonce, data, beside)
        except InvalidTag:
            return b""

else:
    import pbem_noble

    def x25519_public(secret: bytes) -> bytes:
        return bytes.fromhex(pbem_noble.agreedPublic(secret.hex()))

    def x25519(secret: bytes, public: bytes) -> bytes:
        return bytes.fromhex(pbem_noble.agreed(secret.hex(), public.hex()))

    def hkdf(ikm: bytes, salt: bytes, info: bytes) -> bytes:
        return bytes.fromhex(pbem_noble.derived(ikm.hex(), salt.hex(), info.hex()))

    def chacha_lock(key: bytes, nonce: bytes, data: bytes, beside: bytes) -> bytes:
        return bytes.fromhex(pbem_noble.seal(key.hex(), nonce.hex(), data.hex(), beside.hex()))

    def chacha_unlock(key: bytes, nonce: bytes, data: bytes, beside: bytes) -> bytes:
        return bytes.fromhex(pbem_noble.unseal(key.hex(), nonce.hex(), data.hex(), beside.hex()))
