"""The short form of a signed block: the parts of an order that a host cannot know, in some 110 to 140 bytes and a few words.

This module decides which bytes a short block has and which bytes are one, and knows no log. Both ends take the rest of the
statement from their logs (`rebuild`). It believes nothing. A short block contains only orders; other statements use the full form.

::

    form (1): 16 + the number of the dictionary      game (8)      seat (number)
    one part for each statement, the answer first
        flags (1)
        ask, or of a premove its mark (number)      rev (number)
        n of `seen` (number), unless it is the question      h_n (8)      neither, if they are those of the part before
        link (32), if the question bears a mark
        seed (16)      signature (64)
    the texts, one after the other with U+0000 between them, in UTF-8, by raw deflate with that dictionary
    CRC-32 of all that (4)

Numbers are LEB128 of minimal length.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from enum import IntEnum

from pbem.errors import FormError, FullWanted
from pbem.i18n import N_, _
from pbem.records import dataclass

VERSION, DICTIONARIES = 1, 15
"""The version that is written here, and the highest number of a dictionary: each has four bits."""
MOST = 65536
"""Bytes of the texts, unpacked."""
PARTS = 8
"""The maximum number of statements in a short block: an answer and the possible premoves, with some reserve."""
_DIGITS = 16
"""The number of hex digits that identify a game or an entry: a signature binds all digits."""
_AHEAD, _LINK, _SEEN, _MORE = 1, 2, 4, 32
_PLANS = 3
"""The position of the two flag bits that say which plans go with a part."""
_LONGEST = 3
"""The maximum number of bytes of a number: enough for every number in a log."""
_BETWEEN = "\0"
_LATER = N_("The signed block was made by a later pbem than this one, which cannot read it. Send it in its full form.")
_NONE = N_(
    "The signed block does not contain what a short block needs. Let your program make the block "
    "again, in its full form."
)


class Plans(IntEnum):
    """The plans that go with an order: none, those with text here, those of the seat's last order in the log, or of the part
    before.

    The last order is the one in the log when this statement was signed.
    """

    NONE = 0
    HERE = 1
    LAST = 2
    SAME = 3


@dataclass(frozen=True, slots=True)
class SignedPart:
    """One statement of a short block: the answer to question `number`, or (`ahead`) an order sent ahead for that mark.

    `seen` is the entry that its writer has seen, None where it is the question itself or that of the part before; `head` the
    first 16 digits of that entry's hash, "" for that of the part before. `link` has 64 digits or none, `seed` 32; `sig` is base64.
    """

    ahead: bool
    number: int
    rev: int
    seen: int | None
    head: str
    link: str
    seed: str
    sig: str
    plans: Plans
    order: str = ""
    """Its text; as it is read, "" until `Short.unpacked`."""
    planned: str = ""
    """The text of its plans, if this block has it."""


@dataclass(frozen=True, slots=True)
class Short:
    """A short block: the number of its dictionary, the first 16 digits of the game's id, the seat's place in it, the statements."""

    dictionary: int
    game: str
    seat: int
    parts: tuple[SignedPart, ...]
    packed: bytes = b""
    """Its texts, as it was read."""
    most: int = 0
    """The maximum number of bytes to which its texts may be unpacked."""

    def texts(self, words: bytes) -> list[tuple[str, str]]:
        """Return the order and plans ("" unless included) of each part, unpacked by a dictionary. Raises FormError."""
        found = _unpack(self.packed, words, self.most).split(_BETWEEN)
        sizes = [1 + (part.plans is Plans.HERE) for part in self.parts]
        if len(found) != sum(sizes):
            raise FormError(_(_NONE))
        left = iter(found)
        return [(next(left), next(left) if size > 1 else "") for size in sizes]


def write(short: Short, words: bytes) -> bytes:
    """Return the bytes of a short block, its texts packed by a dictionary. Raises FormError where it cannot hold what it says."""
    texts = [text for part in short.parts for text in (part.order, *([part.planned] * (part.plans is Plans.HERE)))]
    data = bytes([VERSION << 4 | short.dictionary]) + bytes.fromhex(short.game) + _number(short.seat)
    for left, part in zip(range(len(short.parts))[::-1], short.parts, strict=True):
        data += _written(part, more=left > 0)
    data += _pack(texts, words)
    return data + struct.pack(">I", zlib.crc32(data))


def _written(part: SignedPart, *, more: bool) -> bytes:
    flags = _AHEAD * part.ahead | _LINK * bool(part.link) | _SEEN * (part.seen is None) | part.plans << _PLANS
    data = bytes([flags | _MORE * more]) + _number(part.number) + _number(part.rev)
    if part.seen is not None:
        data += _number(part.seen)
    return data + bytes.fromhex(part.head + part.link + part.seed) + base64.b64decode(part.sig)


def _pack(texts: Sequence[str], words: bytes) -> bytes:
    if any(_BETWEEN in text for text in texts):
        raise FormError(_(_NONE))
    said = _BETWEEN.join(texts).encode()
    if len(said) > MOST:
        raise FormError(_(_NONE))
    known = {"zdict": words} if words else {}
    packed = []
    for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED):
        made = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, strategy, **known)
        packed.append(made.compress(said) + made.flush())
    return min(packed, key=len)


def _unpack(packed: bytes, words: bytes, most: int) -> str:
    made = zlib.decompressobj(-zlib.MAX_WBITS, zdict=words) if words else zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        said = made.decompress(packed, most + 1)  # never more than that in memory, whatever it would grow to
        if len(said) <= most and made.eof and not made.unused_data:
            return said.decode()
    except (zlib.error, UnicodeDecodeError):
        pass
    raise FormError(_(_NONE))


def is_short(data: bytes) -> bool:
    """Are these the bytes of a short block? A full one begins with its length, in four bytes of which the first is 0."""
    return bool(data) and data[0] != 0


def read(data: bytes, most: int = MOST) -> Short:
    """Return the short block in `data`; its texts are still packed, and may have `most` bytes.

    Raises FormError, or FullWanted for a later version.
    """
    if len(data) < 5 or zlib.crc32(data[:-4]) != struct.unpack(">I", data[-4:])[0]:
        raise FormError(
            _(
                "The signed block was damaged on its way: some of its letters are lost, or others than were sent (its checksum "
                "differs). Send the mail again."
            )
        )
    version, dictionary = divmod(data[0], 16)
    reader = _FromTheLeft(data[1:-4])
    if version != VERSION:
        raise FullWanted(_(_LATER))
    game, seat, parts = reader.hex(_DIGITS // 2), reader.number(), [reader.part(None)]
    while reader.more:
        if len(parts) == PARTS:
            raise FormError(_(_NONE))
        parts.append(reader.part(parts[-1]))
    return Short(dictionary, game, seat, tuple(parts), reader.rest(), max(0, min(most, MOST)))


class _FromTheLeft:
    """Reads the bytes of a short block from left to right; whatever is not there, or too much, is FORM."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at, self.more = data, 0, True

    def rest(self) -> bytes:
        return self._data[self._at :]

    def bytes(self, size: int) -> bytes:
        found = self._data[self._at : self._at + size]
        if len(found) < size:
            raise FormError(_(_NONE))
        self._at += size
        return found

    def hex(self, size: int) -> str:
        return self.bytes(size).hex()

    def number(self) -> int:
        found = 0
        for place in range(_LONGEST):
            byte = self.bytes(1)[0]
            found |= (byte & 127) << 7 * place
            if byte < 128:
                if place and not byte:
                    break  # it could be shorter
                return found
        raise FormError(_(_NONE))

    def part(self, before: SignedPart | None) -> SignedPart:
        """Return the next part; `before` is None for the first: the answer, or the first of the premoves."""
        flags = self.bytes(1)[0]
        ahead, same, how = bool(flags & _AHEAD), bool(flags & _SEEN), Plans(flags >> _PLANS & 3)
        self.more = bool(flags & _MORE)
        is_second = before is not None
        if flags >= _MORE << 1 or (is_second and not ahead) or (not is_second and how is Plans.SAME):
            raise FormError(_(_NONE))
        if ahead and (not flags & _LINK or (same and not is_second)):
            raise FormError(_(_NONE))
        number, rev = self.number(), self.number()
        seen = None if same else self.number()
        head = "" if ahead and same else self.hex(_DIGITS // 2)
        link = self.hex(32) if flags & _LINK else ""
        seed, sig = self.hex(16), base64.b64encode(self.bytes(64)).decode()
        return SignedPart(ahead, number, rev, seen, head, link, seed, sig, how)


def _number(number: int) -> bytes:
    """A number in as few bytes as hold it, seven bits in each, the lowest first."""
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])
