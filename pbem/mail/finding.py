"""Finding the valid text of a message, and its attachments.

This module decides where to look for a signed block, and which text takes precedence. A text with a block by its writer precedes
one with a quoted block. Likewise, an outer text precedes an attached one, plain text HTML, and a body a file. Archives are not
opened. It believes no block; other modules check the signatures.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pbem.errors import FormError
from pbem.i18n import N_
from pbem.kernel import legible, tidy

from .block import own_and_quoted, read_block, with_blocks
from .kinds import as_text, is_attached, is_log, is_message, is_text, log_in, text_bytes
from .mime import MAX_PARTS, Excess, MimePart, take_apart
from .text import MAX_TEXT

SEEN = 1_000_000
"""The number of bytes of a mail's texts that are searched for a block, and of the texts of attached mails.

Longer texts are cut where they are longest. Their beginning is searched, and the place where a block begins, or the end.
"""
MAX_INSIDE = 3
"""So deep messages are opened that lie inside each other."""
_BEGIN = re.compile(rb"BEGIN[\s>|]{1,99}PBEM", re.IGNORECASE)


class Found(NamedTuple):
    """The text that counts, at most MAX_TEXT long; whether it contains a block, whole or damaged; the log; whether more was left
    out.

    `shown` is the text as it was written, with its quotation marks and blanks, if it has no block. `excess` says why not everything
    was looked through for a block, None where all was. `page` is what the HTML of the mail says, where the mail has text and HTML.
    """

    text: str
    signed: bool
    log: bytes
    cut: bool
    shown: str = ""
    excess: Excess | None = None
    page: str = ""


class _Texts(NamedTuple):
    """The texts of a message that are not empty: the body, plain and as a page; files. `excess`: why not all was looked at."""

    bodies: list[str]
    files: list[str]
    excess: Excess | None
    log: bytes
    shown: str

    @property
    def own(self) -> list[str]:
        return [text for text in (*self.bodies, *self.files) if own_and_quoted(text)[0]]

    @property
    def quoted(self) -> list[str]:
        return [text for text in (*self.bodies, *self.files) if own_and_quoted(text)[1]]


def find_text(leaves: list[MimePart], *, opens: bool) -> Found:
    """Find the valid text among a mail's parts; `opens`: otherwise in attached messages."""
    outer, attached, excess = _texts(leaves, SEEN), [], None
    if own := outer.own:
        text = _best(own)
        others = [one for one in own if one in outer.files and one is not text] if text in outer.files else []
        return Found(with_blocks(text, MAX_TEXT, others), signed=True, log=outer.log, cut=bool(outer.excess))
    if opens:
        messages, excess = _opened(leaves)
        attached = [_texts(message, SEEN // len(messages)) for message in messages]
    excess = next(filter(None, (outer.excess, excess, *(message.excess for message in attached))), None)
    if found := [(message, own) for message in attached if (own := message.own)]:
        return _of_several(found, outer, cut=bool(excess))
    if quoted := outer.quoted:
        return Found(with_blocks(_best(quoted), MAX_TEXT), signed=True, log=outer.log, cut=bool(excess))
    if found := [(message, quoted) for message in attached if (quoted := message.quoted)]:
        return _of_several(found, outer, cut=bool(excess))
    text = next(iter((*outer.bodies, *outer.files)), "")
    shown = legible(outer.shown)[:MAX_TEXT]
    cut = bool(excess) or len(text) > MAX_TEXT
    page = outer.bodies[1][:MAX_TEXT] if len(outer.bodies) > 1 else ""
    return Found(text[:MAX_TEXT], signed=False, log=outer.log, cut=cut, shown=shown, excess=excess, page=page)


def _of_several(found: list[tuple[_Texts, list[str]]], outer: _Texts, *, cut: bool) -> Found:
    """The text of the first message that is attached, with the blocks of the others; the log is the mail's, or that one's."""
    first, *others = (_best(texts) for _message, texts in found)
    return Found(with_blocks(first, MAX_TEXT, others), signed=True, log=outer.log or found[0][0].log, cut=cut)


def _best(texts: list[str]) -> str:
    """Return the first text with a whole block, otherwise the first text."""
    return next(filter(_is_whole, texts), texts[0])


def _is_whole(text: str) -> bool:
    try:
        return read_block(text) is not None
    except FormError:
        return False


def attached_messages(raw: bytes) -> list[bytes]:
    """Return the messages that are attached to a message, those attached to these behind them."""
    found: list[bytes] = []
    waiting = [raw]
    for _level in range(MAX_INSIDE):
        inside = [leaf.content for message in waiting for leaf in take_apart(message)[1] if is_message(leaf)]
        waiting = inside[:MAX_PARTS]
        found += waiting
    return found


def _opened(leaves: list[MimePart]) -> tuple[list[list[MimePart]], Excess | None]:
    """The leaves of each message that is attached, and of those attached to these; and why not all of them are here."""
    found: list[list[MimePart]] = []
    excess: Excess | None = None
    waiting, room = leaves, MAX_PARTS
    for _level in range(MAX_INSIDE):
        inside: list[MimePart] = []
        for leaf in filter(is_message, waiting):
            message, parts = take_apart(leaf.content)
            excess = excess or message.excess
            if len(parts) > room:
                excess = excess or Excess(N_("The mails in it have more than {n} parts."), MAX_PARTS)
            if parts := parts[:room]:
                found.append(parts)
                inside += parts
                room -= len(parts)
        waiting = inside
    if any(map(is_message, waiting)):
        excess = excess or Excess(N_("Mails lie inside each other in it more than {n} deep."), MAX_INSIDE)
    return found, excess


def _texts(leaves: list[MimePart], room: int) -> _Texts:
    """Return the texts among some parts; at most `room` bytes of all of them together are read."""
    bodies: list[str] = []
    pages: list[str] = []
    files: list[str] = []
    log = b""
    found: list[tuple[MimePart, list[str], bytes]] = []
    for leaf in leaves:
        if is_log(leaf):
            log = log or log_in(leaf)
            continue
        if is_message(leaf) or not is_text(leaf):
            continue
        attached = is_attached(leaf)
        if leaf.type == "text/html":
            place = files if attached else pages
        else:
            place = files if attached or leaf.filename or leaf.type != "text/plain" else bodies
        found.append((leaf, place, text_bytes(leaf)))
    most = _share([len(data) for _leaf, _place, data in found], room)
    for leaf, place, data in found:
        place.append(as_text(leaf, _looked_at(data, most)))
    cut = any(len(data) > most for _leaf, _place, data in found)
    excess = Excess(N_("Its texts have more than {n} bytes."), room) if cut else None
    written = ["\n".join(bodies), "\n".join(pages)]
    first = next((text for text in (*written, *files) if text and not text.isspace()), "")
    return _Texts(_kept(written), _kept(files), excess, log, first)


def _share(sizes: list[int], room: int) -> int:
    """Return to how many bytes each of some texts is cut, so that all have room and as few as possible are cut."""
    for no, size in enumerate(sorted(sizes)):
        left = len(sizes) - no
        if size * left > room:
            return room // left
        room -= size
    return max(sizes, default=0)


def _looked_at(data: bytes, most: int) -> bytes:
    """Return a text's beginning, and the place after it where a block begins, or its end: `most` bytes in all."""
    if len(data) <= most:
        return data
    half = most // 8 * 4  # no letter of a charset with more bytes is cut in two
    begun = _BEGIN.search(data, half)
    at = min(begun.start() // 4 * 4 if begun else len(data), len(data) - half)
    return data[:half] + data[at : at + half]


def _kept(texts: list[str]) -> list[str]:
    return [tidy(text)[:SEEN] for text in texts if text and not text.isspace()]
