"""What several tests need of encodings: uuencoded."""

from __future__ import annotations

import binascii


def uuencoded(data: bytes) -> bytes:
    lines = b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45))
    return b"begin 644 order.txt\n" + lines + b"`\nend\n"
