"""The certificates that TLS trusts: the system's, or one named in the settings.

They are read once, not for each connection, because reading takes fifty milliseconds of processor time. A changed file is read
again; the system's certificates are read again when the program restarts.
"""

from __future__ import annotations

import ssl
from functools import lru_cache
from pathlib import Path


def trust(ca_file: str = "") -> ssl.SSLContext:
    """Return the context for connections to servers with a certificate in the file, or trusted by the system. Raises OSError."""
    file = Path(ca_file)
    return _read(ca_file, file.stat().st_mtime_ns if file.is_file() else 0)


@lru_cache(maxsize=8)
def _read(ca_file: str, _changed: int) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=ca_file or None)
