"""Seals: a value bound now and shown later (PROTOCOL 3).

Decides the line that opens a seal and its digest. The digest stands in the chain; the line, with a salt that nobody can
guess, is an attachment once it may be seen.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.ledger.canon import cj, sha256_hex


@dataclass(frozen=True, slots=True)
class Seal:
    """A sealed value: `digest` for the chain, `line` (without LF) to open it."""

    line: bytes
    digest: str


def seal(game: str, who: str, ref: int, name: str, salt: str, value: object) -> Seal:
    """Seals a value; `who` is a seat (then `ref` is the ask's number) or "host" (then `ref` is the entry's)."""
    line = cj(["seal", game, who, ref, name, salt, value])
    return Seal(line, sha256_hex(line))
