"""The messages of a running host as JSON lines for a program that gathers logs, without anybody's address or code.

It decides the form of a line, not its destination. An operator can find an address by its digits.
"""

from __future__ import annotations

import json
import re

from pbem.ledger import sha256_hex

_ADDRESS = re.compile(r"[^\s<>\"“”,;:()]+@[^\s<>\"“”,;:()]*[^\s<>\"“”,;:().]")
_CODE = re.compile(r"[0-9a-f]{32,}", re.IGNORECASE)
_KIND = re.compile(r"[\w ]{1,40}")


def told_line(said: str, at: str) -> str:
    """Return a line as JSON: its time, its kind (the part before the first colon), and its text.

    >>> told_line("refused: FORM: nobody at ann@example.org", "2030-01-01T00:00:00Z")
    '{"at": "2030-01-01T00:00:00Z", "kind": "refused", "said": "FORM: nobody at [address 438c4c7a]"}'
    """
    kind, sign, rest = without_addresses(said).partition(": ")
    named = sign and _KIND.fullmatch(kind)
    told = {"at": at, "kind": kind if named else "", "said": rest if named else without_addresses(said)}
    return json.dumps(told, ensure_ascii=False)


def without_addresses(said: str) -> str:
    """Return a text with the first digits of its SHA-256 in place of each address, and without codes and tokens."""
    hidden = _ADDRESS.sub(lambda found: f"[address {sha256_hex(found[0].lower().encode())[:8]}]", said)
    return _CODE.sub("[code]", hidden)
