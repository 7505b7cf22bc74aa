"""How a reply code is written, and where to find it in a mail: an address, the Message-ID of the letter answered, the text.

A code is 60 bits as 12 characters of Crockford's base 32. They are read leniently: O as 0, I and L as 1, in any case, with or
without dashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH, GROUP = 12, 4
DIGITS = LENGTH * 5 // 4
"""The number of hex digits in a code."""
_AS_MEANT = str.maketrans("OIL", "011")
_ADDRESS = re.compile(r"\+r-([0-9a-z-]{12,14})@", re.IGNORECASE)
_THREAD = re.compile(r"[0-9a-f]{16}\.[^@\s]{1,140}\.([0-9a-z]{12})@", re.IGNORECASE)
_GAP = r"[-\s>|]{1,9}"
_WRITTEN = re.compile(
    rf"(?<![0-9a-z-])([0-9a-z]{{4}}){_GAP}([0-9a-z]{{4}}){_GAP}([0-9a-z]{{4}})(?=\s{{0,9}}-)", re.IGNORECASE
)
"""A code as the first line of a letter has it, between dashes."""
_MOST = 20


def code_of(number: int) -> str:
    """Return a number of 60 bits as a code.

    >>> code_of(0), code_of(2**60 - 1)
    ('000000000000', 'ZZZZZZZZZZZZ')
    """
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(LENGTH)))


def in_groups(code: str) -> str:
    """Return a code as people read it.

    >>> in_groups("7F3K9QWX2M4P")
    '7F3K-9QWX-2M4P'
    """
    return "-".join(code[at : at + GROUP] for at in range(0, len(code), GROUP))


def read_code(text: str) -> str:
    """Return the code that somebody typed, or "" if it is not a code.

    >>> read_code("7f3k-9qwx 2m4p"), read_code("OIL0-0000-0000"), read_code("7F3K"), read_code("7F3K-9QWX-2M4U")
    ('7F3K9QWX2M4P', '011000000000', '', '')
    """
    code = "".join(text.replace("-", "").split()).upper().translate(_AS_MEANT)
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else ""


def code_in(address: str) -> str:
    """Return the code in an address to which a letter is answered, or "".

    >>> code_in("host+r-7F3K9QWX2M4P@example.org")
    '7F3K9QWX2M4P'
    """
    found = _ADDRESS.search(address)
    return read_code(found[1]) if found else ""


def codes_in(addresses: Iterable[str], message_ids: Iterable[str], text: str) -> tuple[str, ...]:
    """Return the codes that a mail brings, the one first that counts: of the address it was sent to, of the letter that it answers,
    of a letter's first line in its text.
    """
    threads = (found[1] for found in map(_THREAD.match, message_ids) if found)
    written = ("".join(found.groups()) for found in _WRITTEN.finditer(text))
    found = (*map(code_in, addresses), *map(read_code, threads), *map(read_code, written))
    return tuple(dict.fromkeys(filter(None, found)))[:_MOST]
