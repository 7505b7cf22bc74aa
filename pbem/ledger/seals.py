"""Seals: a value committed now and shown later (PROTOCOL 3).

Decides the line that opens a seal, and its digest. The digest is in the chain. The line, with a salt that nobody can guess, becomes
an attachment once it may be seen.
"""

from __future__ import annotations

import hmac

from pbem.ledger.canon import cj
from pbem.ledger.log import Attachment


def seal(game: str, who: str, ref: int, name: str, salt: str, value: object) -> Attachment:
    """Seals a value; `who` is a seat (then `ref` is the ask's number) or "host" (then `ref` is the entry's)."""
    fields = ["seal", game, who, ref, name, salt, value]
    return Attachment(fields, cj(fields))


def salt_from(seed: str, name: str) -> str:
    """Return the salt of the seal `name` of an order, 32 hex digits, from the order's seed of as many.

    Who knows one salt learns nothing of seed or other salt, so a seal may be opened while the other stays shut.
    """
    return hmac.digest(bytes.fromhex(seed), name.encode(), "sha256").hex()[:32]
