"""What TLS trusts here: the system's certificates, or one that settings name.

They are read once, and not for each connection: that takes fifty milliseconds of a processor. A file that has changed is read anew;
what the system trusts, when the program begins anew.
"""

from __future__ import annotations

import ssl
from functools import lru_cache
from pathlib import Path


def trust(ca_file: str = "") -> ssl.SSLContext:
    """Return the context of connections to servers that have a certificate by the file, or else by the system. Raises OSError."""
    file = Path(ca_file)
    return _read(ca_file, file.stat().st_mtime_ns if file.is_file() else 0)


@lru_cache(maxsize=8)
def _read(ca_file: str, _changed: int) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=ca_file or None)
