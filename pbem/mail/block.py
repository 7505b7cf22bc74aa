"""The signed block inside a mail: made to survive re-wrapping, quoting, lower case and conversion to HTML.

::

    BEGIN PBEM ORDERS
    0C4ME 9HJQA …
    END PBEM ORDERS

Between the two lines is Crockford's base32 (no I, L, O, U; case does not matter) in groups of five, at most ten groups a line. The
payload of the full form has three parts: the length (4 bytes), the CRC-32 (4 bytes), and the canonical JSON of `{say, sig,
openings}`. Premoves are added as `ahead`, a list of the same form. A join adds `proof`, which shows that its writer was invited.
The short form (`short`) has only the parts of an order that its host cannot know, and can be read only with the log. The decoder
drops spaces and quote marks. Length and CRC reveal lost or changed characters, the signature reveals forgery.

A mail may quote older ones. A block by the mail's writer takes precedence over a quoted block. Among several, those signed by the
seat that they name come first. Among these, for one seat, the block for the latest question and revision counts. A damaged block
is never skipped in favour of an older one.
"""

from __future__ import annotations

import base64
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.errors import FormError, FullWanted
from pbem.i18n import N_, _
from pbem.kernel import typed
from pbem.ledger import cj, read_line
from pbem.referee import Envelope

from . import short
from .unquoting import own_part

if TYPE_CHECKING:
    from .short import Short

BEGIN, END = "BEGIN PBEM ORDERS", "END PBEM ORDERS"
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RFC4648 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_CROCKFORD = str.maketrans(_RFC4648, _ALPHABET)
_PYTHONS = str.maketrans(_ALPHABET + "OIL", "0123456789abcdefghijklmnopqrstuv011")
"""From Crockford's letters to those of Python's base 32."""
_MARK = re.compile(r"(BEGIN|END)[\s>|]+PBEM[\s>|]+ORDERS", re.IGNORECASE)
_NO_LETTER = re.compile(f"[^{_ALPHABET}OIL]")
_GROUP, _GROUPS = 5, 10
_WRITTEN = re.compile(rf"{BEGIN}\n([0-9A-Z \n]+)\n{END}")
LANGUAGE = re.compile(r"LANGUAGE\s+([a-z]{2,3}(?:[-_][a-z]{2,4})?)[.!]?", re.IGNORECASE)
"""A line that asks for letters in another language."""
_WIDE = re.compile(".{1,400}")
_PROOF = re.compile("([0-9a-f]{64})?")
ROOM = 4 * short.MOST
"""The maximum number of bytes of the unpacked texts of all short blocks in a mail, so that a small mail makes little work."""
_FEW = 13
"""The minimum length of a block in characters: fewer cannot hold length and CRC, and are only text about a block."""


def write_block(envelope: Envelope) -> str:
    """Return the block of an envelope, without a line feed at its end."""
    body = cj(payload_of(envelope))
    return _lines(struct.pack(">II", len(body), zlib.crc32(body)) + body)


def write_short(said: Short, words: bytes) -> str:
    """Return a short block, its texts packed by a dictionary, without a line feed at its end. Raises FormError."""
    return _lines(short.write(said, words))


def _lines(data: bytes) -> str:
    text = base64.b32encode(data).decode().rstrip("=").translate(_CROCKFORD)
    groups = [text[i : i + _GROUP] for i in range(0, len(text), _GROUP)]
    lines = [" ".join(groups[i : i + _GROUPS]) for i in range(0, len(groups), _GROUPS)]
    return "\n".join([BEGIN, *lines, END])


def payload_of(envelope: Envelope) -> dict[str, Any]:
    """Return a full block's content for an envelope."""
    said = {"say": envelope.say, "sig": envelope.sig, "openings": [list(line) for line in envelope.openings]}
    said |= {"proof": envelope.proof} if envelope.proof else {}
    return said | ({"ahead": [payload_of(one) for one in envelope.ahead]} if envelope.ahead else {})


def without_blanks(text: str) -> str:
    """Return a text with the block in it as short as it can be: for a link, where each blank costs three letters."""
    return _WRITTEN.sub(lambda found: "\n".join([BEGIN, *_WIDE.findall("".join(found[1].split())), END]), text)


class _Block(NamedTuple):
    """A block in a text: its characters (None if its end is missing), whether it is quoted, its start and its end."""

    letters: str | None
    quoted: bool
    start: int
    end: int


def read_block(
    text: str, fits: Callable[[Envelope], bool] | None = None, rebuild: Callable[[Short], Envelope] | None = None
) -> Envelope | None:
    """Return the envelope in `text`, or None without a block. Raises FormError if the block is damaged.

    `fits` checks whether an envelope is signed by the seat that it names. Among several, those that fit take precedence, so that
    nobody can block a writer's signed block with other words in the mail. `rebuild` expands a short block. One that cannot be
    expanded (FullWanted) counts only if no other block fits.
    """
    envelopes, wanting = _all_in(text, rebuild)
    if len(envelopes) + len(wanting) > 1 and fits:
        if fitting := list(filter(fits, envelopes)):
            envelopes, wanting = fitting, []
    if wanting:
        raise wanting[0]
    if len(envelopes) > 1 and any(envelope.say.get("act") != "order" for envelope in envelopes):
        raise FormError(_("The mail contains several signed blocks. Send one mail for each."))
    if len({(str(envelope.say.get("game")), str(envelope.say.get("seat"))) for envelope in envelopes}) > 1:
        raise FormError(_("The mail contains signed blocks of several games or seats. Send one mail for each."))
    return max(envelopes, key=_revision, default=None)


def _all_in(text: str, rebuild: Callable[[Short], Envelope] | None) -> tuple[list[Envelope], list[FullWanted]]:
    """All envelopes in a text that count, and why short blocks cannot be written out."""
    envelopes, wanting, room = [], [], ROOM
    for letters in dict.fromkeys(block.letters for block in _counted(_blocks(text))):
        data = _data(letters)
        try:
            envelopes.append(_rebuilt(short.read(data, room), rebuild) if short.is_short(data) else _decode(data))
            room -= _unpacked(envelopes[-1]) if short.is_short(data) else 0
        except FullWanted as error:
            wanting.append(error)
    return envelopes, wanting


def _rebuilt(said: Short, rebuild: Callable[[Short], Envelope] | None) -> Envelope:
    if rebuild is None:
        raise FullWanted(_("This is the short form of a signed block, which is read only where the game's log is."))
    return rebuild(said)


def _unpacked(envelope: Envelope) -> int:
    """The bytes of its texts."""
    return sum(len(str(line[6]).encode()) for one in (envelope, *envelope.ahead) for line in one.openings)


def short_blocks(text: str) -> list[Short]:
    """Return the valid short blocks in a text, unexpanded; damaged ones are skipped."""
    found = []
    for letters in dict.fromkeys(block.letters for block in _counted(_blocks(text))):
        with suppress(FormError):
            data = _data(letters)
            found += [short.read(data)] if short.is_short(data) else []
    return found


def own_and_quoted(text: str) -> tuple[bool, bool]:
    """Does a text hold a block that its writer set, and one that is quoted, be they whole or damaged?"""
    found = list(_blocks(text))
    return any(not block.quoted for block in found), any(block.quoted for block in found)


def with_blocks(text: str, most: int, others: Sequence[str] = ()) -> str:
    """Return the beginning of a text, at most `most` characters, in which `read_block` finds the same as in the whole text.

    Valid blocks further down, and those of the `others`, are added at its end. If they do not all fit, a block without its end is
    added, so that the omission is noticed.
    """
    if len(text) <= most and not others:
        return text
    found = list(_blocks(text))
    counted = _counted([*found, *(block for other in others for block in _blocks(other))])
    kept = [
        ("> " if quoted else "") + _set(letters)
        for letters, quoted in dict.fromkeys((b.letters, b.quoted) for b in counted)
    ]
    sizes = list(accumulate((len(block) + 2 for block in kept), initial=0))
    fitting = max(n for n, size in enumerate(sizes) if n == 0 or size <= most - _ROOM)
    size = sizes[fitting]
    if fitting < len(kept):
        kept[fitting:] = [_set(None)]
        size += _ROOM
    return "\n\n".join([text[: _before_a_block(text, max(0, most - size))], *kept])


_ROOM = 50
"""So much room, at least, a block without its end takes."""


def _before_a_block(text: str, end: int) -> int:
    """The place, `end` or before it, at which a text can be cut so that no block is cut in two."""
    begun = end
    for mark in _MARK.finditer(text):
        if mark.start() >= end:
            break
        if mark[1].upper() == "BEGIN":
            begun = mark.start()
        elif mark.end() <= end:
            begun = end
    return begun if end < len(text) else end


def _set(letters: str | None) -> str:
    """A block with these letters, in few lines; without its end where they are None."""
    return "\n".join([BEGIN, "0" * _FEW] if letters is None else [BEGIN, *_WIDE.findall(letters), END])


def _counted(blocks: Iterable[_Block]) -> list[_Block]:
    """Those that count: one's own before quoted ones, and before words about blocks."""
    found = list(blocks)
    own = [block for block in found if not block.quoted] or found
    return [block for block in own if block.letters is None or len(block.letters) >= _FEW] or own


def _blocks(text: str) -> Iterator[_Block]:
    begun: re.Match[str] | None = None
    line = seen = 0
    for mark in [*_MARK.finditer(text), None]:
        if begun:
            line = (
                text.rfind("\n", seen, begun.start()) + 1 or line
            )  # what was looked through is not looked through again
            seen = begun.start()
            quoted = text[line : line + 80].lstrip()[:1] in (">", "|")
            inside = _NO_LETTER.sub("", text[begun.end() : mark.start() if mark else len(text)].upper())
            closed = mark is not None and mark[1].upper() == "END"
            # the words alone, in a sentence about blocks, are no block that lost its end
            if closed or mark is None or len(inside) >= _FEW:
                end = mark.end() if closed and mark else mark.start() if mark else len(text)
                yield _Block(inside if closed else None, quoted, begun.start(), end)
        begun = mark if mark and mark[1].upper() == "BEGIN" else None


def _revision(envelope: Envelope) -> tuple[int, int]:
    ask, rev = (envelope.say.get(name) for name in ("ask", "rev"))
    return ask if isinstance(ask, int) else 0, rev if isinstance(rev, int) else 0


def _data(letters: str | None) -> bytes:
    """The bytes of a block. Raises FormError where its end is missing."""
    if letters is None:
        raise FormError(
            _("The end of the signed block is missing: part of the block was lost on the way. Send the mail again.")
        )
    number = int(letters.translate(_PYTHONS) or "0", 32)
    size = len(letters) * 5 // 8
    return (number >> (len(letters) * 5 - size * 8)).to_bytes(size, "big")


def _decode(data: bytes) -> Envelope:
    """The envelope in the bytes of a full block."""
    if len(data) < 8:
        raise FormError(_("The signed block is too short: part of the block was lost on the way. Send the mail again."))
    length, crc = struct.unpack(">II", data[:8])
    body = data[8:]
    if len(body) != length:
        raise FormError(
            _(
                "The signed block was damaged on its way ({n} bytes came; it says it has {length}). Send the mail again.",
                n=len(body),
                length=length,
            )
        )
    if zlib.crc32(body) != crc:
        raise FormError(
            _(
                "The signed block was damaged on the way. All {n} bytes arrived, but some characters were "
                "changed (the checksum differs). Send the mail again.",
                n=length,
            )
        )
    return envelope_in(body)


def envelope_in(body: bytes) -> Envelope:
    """Return the envelope that was written as canonical JSON. Raises FormError."""
    value = read_line(body)
    more = value.pop("ahead", []) if isinstance(value, dict) else []
    envelope, ahead = _statement(value), tuple(map(_statement, more if isinstance(more, list) else [None]))
    if any(one.say.get("act") != "ahead" for one in ahead):
        raise FormError(_(_NO_STATEMENT))
    return replace(envelope, ahead=ahead)


_NO_STATEMENT = N_("The signed block does not contain a signed statement. Let your program make the block again.")


def _statement(value: Any) -> Envelope:
    match value:
        case {"say": dict() as say, "sig": str() as sig, "openings": list() as openings, **more}:
            proof: Any = more.pop("proof", "")
            whole = not more and isinstance(proof, str) and _PROOF.fullmatch(proof)
            if whole and all(isinstance(line, list) for line in openings):
                return Envelope(say, sig, tuple(openings), proof=proof)
    raise FormError(_(_NO_STATEMENT))


# --- the text around a block ------------------------------------------------------------------------------------------


def own_lines(text: str, page: str = "") -> list[str]:
    """Return the lines that a mail's writer wrote himself, up to END or SIGNOFF, without comments; `page` as with `own_part`."""
    return _own(text, page)[0]


def _own(text: str, page: str = "") -> tuple[list[str], bool]:
    """The writer's own lines, and whether a line END or SIGNOFF closes them."""
    found: list[str] = []
    for line in own_part(text, page).split("\n"):
        said = " ".join(line.split())
        if said.upper() in ("END", "SIGNOFF"):
            return found, True
        if _MARK.match(said):
            break
        if said := said.partition("#")[0].rstrip():
            found.append(said)
    return found, False


def has_own_block(text: str) -> bool:
    """Return whether the lines by the mail's writer contain a block, or what a mail program has left of one."""
    return bool(_MARK.search(own_part(text)))


def ahead_lines(envelope: Envelope) -> list[str]:
    """Return an order sent ahead as the lines that a player could type."""
    text = str(envelope.openings[0][6]) if envelope.openings and len(envelope.openings[0]) == 7 else ""
    return typed(int(envelope.say["link_n"]), text) if isinstance(envelope.say.get("link_n"), int) else []


def said_otherwise(text: str, envelope: Envelope) -> list[str]:
    """Return the readable lines next to a signed order if they contradict it; otherwise nothing.

    Only the signed order counts, so a writer who changed the words after signing must be told. A greeting above the order is
    ignored.
    """
    lines, closed = _own(text)
    openings = [str(line[6]) for line in envelope.openings if len(line) == 7]
    lines = [line for line in lines if not LANGUAGE.fullmatch(line)]
    if not closed or not lines or len(openings) != 2:
        return []
    order, plans = openings
    signed = f"{order}\nPLANS\n{plans}" if plans else order
    signed = "\n".join([signed, *(line for one in envelope.ahead for line in ahead_lines(one))])
    said, meant = _words("\n".join(lines)), _words(signed)
    return [] if said[-len(meant) :] == meant else lines


def _words(text: str) -> list[str]:
    return [word for line in text.split("\n") for word in line.partition("#")[0].casefold().split()]
