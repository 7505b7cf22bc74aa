"""Keys as words that are easy to say, so that two people compare them by telephone without spelling letters and signs.

Sixteen bits are a word of five letters, consonants and vowels in turn, which speakers of most languages can say and hear apart.
Six words are 96 bits of the fingerprint: nobody finds another key with the same.
"""

from __future__ import annotations

import base64

from pbem.ledger.keys import fingerprint

WORDS = 6
_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"


def aloud(key_line: str) -> str:
    """Return the first words of a key's fingerprint: "lusab-babad-gutih-tugad-mudof-sakat"."""
    digest = base64.b64decode(fingerprint(key_line).removeprefix("SHA256:") + "=")
    return "-".join(_word(digest[2 * i : 2 * i + 2]) for i in range(WORDS))


def _word(two: bytes) -> str:
    n = int.from_bytes(two, "big")
    first, one, second, other, third = n >> 12, n >> 10, n >> 6, n >> 4, n
    return (
        _CONSONANTS[first & 15]
        + _VOWELS[one & 3]
        + _CONSONANTS[second & 15]
        + _VOWELS[other & 3]
        + _CONSONANTS[third & 15]
    )


def to_compare(key_line: str) -> str:
    """Return two lines to read out for a key: its fingerprint, and the same as words, indented by two blanks."""
    return f"{fingerprint(key_line)}\n  {aloud(key_line)}"
