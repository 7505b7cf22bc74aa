"""The signed block inside a mail: made to survive re-wrapping, quoting, lower case and conversion to HTML.

::

    BEGIN PBEM ORDERS
    0C4ME 9HJQA …
    END PBEM ORDERS

Between the two lines stands Crockford's base32 (no I, L, O, U; case does not matter) in groups of five, at most ten groups
a line. The payload is the length (4 bytes), the CRC-32 (4 bytes), and the canonical JSON of `{say, sig, openings}`.
The decoder drops blanks and quote marks; what is lost or changed is found by length and CRC, what is forged by the signature.
"""

from __future__ import annotations

import re
import struct
import zlib

from pbem.errors import FormError
from pbem.ledger import cj, read_line
from pbem.referee import Envelope

BEGIN, END = "BEGIN PBEM ORDERS", "END PBEM ORDERS"
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PYTHONS = str.maketrans(_ALPHABET + "OIL", "0123456789abcdefghijklmnopqrstuv011")
"""From Crockford's letters to those of Python's base 32."""
_WORDS = r"{0}[\s>|]+PBEM[\s>|]+ORDERS"
_FIND_BEGIN = re.compile(_WORDS.format("BEGIN"), re.IGNORECASE)
_FIND = re.compile(f"{_WORDS.format('BEGIN')}(.*?){_WORDS.format('END')}", re.IGNORECASE | re.DOTALL)
_NO_LETTER = re.compile(f"[^{_ALPHABET}OIL]")
_GROUP, _GROUPS = 5, 10


def write_block(envelope: Envelope) -> str:
    """Return the block of an envelope, without a line feed at its end."""
    body = cj({"say": envelope.say, "sig": envelope.sig, "openings": [list(line) for line in envelope.openings]})
    data = struct.pack(">II", len(body), zlib.crc32(body)) + body
    bits = len(data) * 8
    pad = -bits % 5
    number = int.from_bytes(data, "big") << pad
    text = "".join(_ALPHABET[number >> shift & 31] for shift in range(bits + pad - 5, -1, -5))
    groups = [text[i : i + _GROUP] for i in range(0, len(text), _GROUP)]
    lines = [" ".join(groups[i : i + _GROUPS]) for i in range(0, len(groups), _GROUPS)]
    return "\n".join([BEGIN, *lines, END])


def read_block(text: str) -> Envelope | None:
    """Return the envelope in `text`, or None where there is no block. Raises FormError when the block is damaged."""
    found = _FIND.search(text)
    if found is None:
        if _FIND_BEGIN.search(text):
            raise FormError(
                "The end of the signed block is missing: part of it was lost on its way. Send the mail again."
            )
        return None
    letters = _NO_LETTER.sub("", found.group(1).upper())
    number = int(letters.translate(_PYTHONS) or "0", 32)
    size = len(letters) * 5 // 8
    data = (number >> (len(letters) * 5 - size * 8)).to_bytes(size, "big")
    if size < 8:
        raise FormError("The signed block is too short: part of it was lost on its way. Send the mail again.")
    length, crc = struct.unpack(">II", data[:8])
    body = data[8:]
    if len(body) != length or zlib.crc32(body) != crc:
        raise FormError(
            f"The signed block was damaged on its way ({len(body)} bytes came; it says it has {length}). Send the mail again."
        )
    value = read_line(body)
    if not isinstance(value, dict) or set(value) != {"say", "sig", "openings"} or not isinstance(value["say"], dict):
        raise FormError("The signed block does not hold a signed statement. Let your program make it anew.")
    sig, openings = value["sig"], value["openings"]
    if not isinstance(sig, str) or not isinstance(openings, list) or not all(isinstance(x, list) for x in openings):
        raise FormError("The signed block does not hold a signed statement. Let your program make it anew.")
    return Envelope(value["say"], sig, tuple(openings))
