"""The kind of a part of a mail: a log, a message, a text. It follows from the content, as gateways change names and types of files.

It decides how the bytes of a part become text. It believes no block, and reads no log.
"""

from __future__ import annotations

import re
from binascii import a2b_qp
from collections.abc import Callable, Iterator

from pbem.ledger.line_ends import bare, without_words

from .mime import MimePart, unpack_uu
from .parameters import token
from .text import decode, plain, unflow

LOG_TYPE = "application/x-pbem"
_BEGIN = re.compile(rb"(?:BEGIN|END)[\s>|]{1,99}PBEM[\s>|]{1,99}ORDERS", re.IGNORECASE)
_LOG = re.compile(rb'\s{0,99}(?:\{"(?:[^\n]{0,9999}?")?(?:k|do)":"|\["(?:got|seal|link|head)",")')
"""So the lines of a log begin, or what a letter brings in their place."""
_MESSAGE = re.compile(
    rb"(?:From [^\n]{1,200}\n)?(?:return-path|received|delivered-to|from|to|date|subject|message-id|mime-version|dkim-signature"
    rb"|arc-seal|x-[a-z-]{1,40}):[^\n]{0,999}\n(?:[a-z-]{1,40}:|[ \t])",
    re.IGNORECASE,
)
_PAGE = re.compile(r"\s{0,99}<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
_LINE_OF_BASE64 = re.compile(rb"(?:\A|(?<=\n))[A-Za-z0-9+/]{4,1000}={0,2}[ \t]{0,9}\r?(?=\n|\Z)")
_CLOSED = re.compile(
    r"(?:image|audio|video|font)/|application/(?:zip|gzip|pdf|rtf|(?:vnd\.)?ms-tnef|msword|vnd\.(?:ms-|open|oasis)|x-(?:zip|7z|tar|gzip|rar))"
)
"""Parts of the following types are not texts, whatever their content."""
_BEGINNING = 8000
"""So much of a part tells whether a log begins in it."""
_RTF = b"{\\rtf"


def is_attached(leaf: MimePart) -> bool:
    """Is a part said to be a file?"""
    return token(leaf.get("content-disposition")) == "attachment"


def is_log(leaf: MimePart) -> bool:
    """Does a part hold lines of a log?"""
    if is_message(leaf) or _holds(leaf.content):
        return False
    if leaf.type == LOG_TYPE or leaf.filename.lower().endswith(".pbem"):
        return True
    # what a writer set may quote the source of a letter: only a file is looked at in more ways
    is_file = is_attached(leaf) or leaf.filename or not leaf.type.startswith("text/")
    ways = _read(leaf, _BEGINNING) if is_file else (bare(leaf.content[:_BEGINNING]),)
    return any(_LOG.match(found) for found in ways)


def log_in(leaf: MimePart) -> bytes:
    """Return the lines in a part as they were written, without what a gateway has set below them."""
    data = next((found for found in _read(leaf) if _LOG.match(found)), bare(leaf.content))
    return without_words(data.replace(b"\r\n", b"\n"))


def is_message(leaf: MimePart) -> bool:
    """Is a part a mail?"""
    if leaf.type in ("message/rfc822", "message/global") or leaf.filename.lower().endswith(".eml"):
        return True
    files = is_attached(leaf) or not leaf.type.startswith("text/")
    return files and leaf.type[:8] != "message/" and _MESSAGE.match(bare(leaf.content)) is not None


def is_text(leaf: MimePart) -> bool:
    """Return whether a part is a text. A part with a block is one, whatever its type and name say."""
    name = leaf.filename.lower()
    if leaf.type in ("text/plain", "text/html") or (is_attached(leaf) and leaf.type.startswith("text/")):
        return not is_rtf(leaf)
    if (leaf.type == "application/octet-stream" and not name) or name.endswith(".txt"):
        return True
    return not _CLOSED.match(leaf.type) and not is_rtf(leaf) and _holds(leaf.content)


def is_rtf(leaf: MimePart) -> bool:
    """Is a part a text with the commands of RTF between its words?"""
    return leaf.content.startswith(_RTF)


def text_bytes(leaf: MimePart) -> bytes:
    """Return the bytes of a text. Where its head is wrong about how they are encoded, a block tells how they are."""
    return next(filter(_holds, _read(leaf)), leaf.content)


def _read(leaf: MimePart, most: int | None = None) -> Iterator[bytes]:
    """Go through the ways in which a part can be read, the one that its head names first; `most`: only so far."""
    ways: tuple[Callable[[bytes], bytes], ...] = (_from_base64, unpack_uu, a2b_qp)
    yield bare(leaf.content[:most])
    for way in (bytes, *ways):
        yield from (bare(way(data[:most])) for data in dict.fromkeys((leaf.body, leaf.content)))


def _from_base64(data: bytes) -> bytes:
    """Return what lines of base64 hold; other lines, as those of a gateway, are passed over."""
    lines = (line[0].strip() for line in _LINE_OF_BASE64.finditer(data))
    whole = b"".join(line for line in lines if len(line) % 4 == 0)
    return MimePart((("content-transfer-encoding", "base64"),), whole).content


def as_text(leaf: MimePart, data: bytes) -> str:
    """Return the text of a part from its bytes."""
    text = decode(data, leaf.parameter("content-type", "charset"))
    if _holds(data) and not _holds(text.encode()):
        text = decode(data)
    if leaf.type == "text/html" or _PAGE.match(text):
        return plain(text)
    if leaf.parameter("content-type", "format").lower() == "flowed":
        return unflow(text, leaf.parameter("content-type", "delsp").lower() == "yes")
    return text


def _holds(data: bytes) -> bool:
    """Do these bytes hold a block?"""
    return _BEGIN.search(bare(data)) is not None
