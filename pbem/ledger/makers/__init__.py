"""The implementations of Ed25519 signatures, OpenSSH key files and sealed letters; one is chosen at import.

There are two. `native` uses `cryptography`, which every installation of pbem has. In a browser, the worker registers a module
`pbem_noble` of JavaScript functions before it imports pbem, and `page` uses those. Both accept the same signatures and key files,
and the same tests run on both. Neither knows the signed content, and neither phrases error messages.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from .openssh import (
    LockedError,
    NotOpenedError,
    OtherKindError,
    UnlockedError,
    UnreadableError,
    is_of_openssl,
    read_of_openssl,
)
from .sealing import chacha_lock, chacha_unlock, hkdf, x25519, x25519_public

if TYPE_CHECKING or not find_spec("pbem_noble"):
    from .native import PublicKey, SecretKey, read_file, write_file
else:
    from .page import PublicKey, SecretKey, read_file, write_file

__all__ = [
    "LockedError",
    "NotOpenedError",
    "OtherKindError",
    "PublicKey",
    "SecretKey",
    "UnlockedError",
    "UnreadableError",
    "chacha_lock",
    "chacha_unlock",
    "hkdf",
    "is_of_openssl",
    "read_file",
    "read_of_openssl",
    "write_file",
    "x25519",
    "x25519_public",
]
