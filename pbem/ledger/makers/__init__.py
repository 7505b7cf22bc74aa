"""Who makes and checks Ed25519 signatures and opens OpenSSH key files; chosen when this is imported.

There are two. `native` asks `cryptography`, which is wherever pbem is installed. In a browser there is none: there the worker lays
out a module `pbem_noble` of JavaScript functions before any of pbem is imported, and `page` asks those. Both take the same
signatures for good and the same files for keys; the same tests run over both. Neither knows what is signed, or says why in words.
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
    "is_of_openssl",
    "read_file",
    "read_of_openssl",
    "write_file",
]
