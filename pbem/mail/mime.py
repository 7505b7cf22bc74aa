"""The bytes of a message split into its parts, by lines and boundaries alone (RFC 5322, 2045, 2046).

This module decides where heads end and parts begin, and how much of each is read. It knows no text and no meaning of a header. The
standard library's parser is not used for mail from strangers. It recurses as deep as they like, and takes time quadratic in a
header's length to find its parameters. Here every byte is read once for each level of parts, and there are at most eight levels.
Limits cut and never refuse: everything within the limits is read, and `excess` says why something was left out.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

from pbem.i18n import N_, _
from pbem.records import dataclass

from .parameters import parameters, token
from .text import words

MAX_HEAD, MAX_HEADS = 262_144, 1_000_000
"""The maximum number of bytes read of one head, half of them from its end, and of all heads of a message together."""
MAX_PARTS, MAX_DEPTH = 1000, 8
_HEAD_END = re.compile(rb"(?:\A|\n)\r?\n")
_LINE = re.compile(rb"[^\n]*\n?")
_ENDS = re.compile(rb"(?<!\r)\r{2,}\n")
"""A line end that was turned into CR LF more than once."""
_NAME = re.compile(rb"[!-9;-~]+(?=[ \t]*:)")
_TYPE = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]+")
_GUESS = re.compile(rb"(?:\A|\n)--([^\s-][^\r\n]{0,200}|-[^\r\n]{1,200})\r?\n(?=content-[a-z-]{1,40}:)", re.IGNORECASE)
"""A line that must be a boundary, whatever the head calls it: a head of a part is below it."""
_FIRST = 1000
"""So far from its beginning a text may hold the first boundary of parts that its head does not announce."""
OUTSIDE = "application/x-pbem-outside"
"""The type of the text before and after the parts: it is ignored unless it contains a block."""
_BEFORE = re.compile(
    rb"(?:\xef\xbb\xbf)?[\r\n]{0,99}(?:>From [^\n]{1,200}\n)?(?=(?:return-path|received|delivered-to|from|to|date|subject"
    rb"|message-id|mime-version|content-type|dkim-signature|arc-[a-z-]{1,40}|x-[a-z-]{1,40}):)",
    re.IGNORECASE,
)
"""What programs put before a head: a mark, empty lines, a line of a mailbox file."""
_UU = re.compile(rb"(?:\A|\n)begin [0-7]{3,4} [^\r\n]{1,200}\r?\n")


class Excess(NamedTuple):
    """Why not all of a message was read: `str` says it in the language that is spoken then."""

    what: str
    n: int

    def __str__(self) -> str:
        return _(self.what, n=self.n)


@dataclass(frozen=True)
class MimePart:
    """A head and the body that belongs to it. Names of headers are in small letters; values are unfolded.

    `excess` says why not all of it was read, None where all was.
    """

    headers: tuple[tuple[str, str], ...]
    body: bytes
    default: str = "text/plain"
    excess: Excess | None = None

    def all(self, name: str) -> list[str]:
        """Return the values of all headers of this name."""
        return [value for known, value in self.headers if known == name]

    def get(self, name: str) -> str:
        """Return the value of the first header of this name, or ""."""
        return next((value for known, value in self.headers if known == name), "")

    @cached_property
    def type(self) -> str:
        """The content type, in small letters."""
        found = _TYPE.fullmatch(token(self.get("content-type")))
        return found[0] if found else self.default

    def parameter(self, header: str, name: str) -> str:
        """Return a parameter of a header, or ""."""
        return parameters(self.get(header)).get(name, "")

    @cached_property
    def filename(self) -> str:
        """The name of the part's file, or ""; encoded words and percent signs are decoded."""
        name = self.parameter("content-disposition", "filename") or self.parameter("content-type", "name")
        return words(unquote(name))

    @cached_property
    def encoding(self) -> str:
        """The encoding of the body, in small letters and without signs: “quotedprintable”."""
        return _NO_SIGN.sub("", token(self.get("content-transfer-encoding")))

    @cached_property
    def content(self) -> bytes:
        """The body, decoded as its head says; undecoded if that fails."""
        match self.encoding:
            case "base64":
                return _base64(self.body)
            case "quotedprintable":
                return binascii.a2b_qp(_SOFT.sub(b"=\n", self.body))
            case "uuencode" | "xuuencode" | "uue" | "xuue":
                return unpack_uu(self.body) or self.body
            case _:
                return self.body


_NO_SIGN = re.compile(r"[^a-z0-9]")
_SOFT = re.compile(rb"=[ \t]{1,99}\r?\n")
"""A soft line end of quoted-printable behind which blanks were put on the way."""
_NO_BASE64 = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="))
_URL_SAFE = bytes.maketrans(b"-_", b"+/")


def _base64(body: bytes) -> bytes:
    """Return the bytes in a body, of all its pieces: some programs pad each piece that they encode."""
    if b"+" not in body and b"/" not in body:
        body = body.translate(_URL_SAFE)
    return b"".join(map(_piece, body.translate(None, _NO_BASE64).split(b"=")))


def _piece(letters: bytes) -> bytes:
    if len(letters) % 4 == 1:  # a letter too many is no byte
        letters = letters[:-1]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def unpack_uu(body: bytes) -> bytes:
    """Return the first uuencoded file in a body, or b"" if there is none; a damaged line ends it."""
    begun = _UU.search(body)
    found: list[bytes] = []
    for line in body[begun.end() :].split(b"\n") if begun else ():
        line = line.rstrip(b"\r")
        if line in (b"end", b"`", b""):
            break
        try:
            found.append(binascii.a2b_uu(line))
        except binascii.Error:
            break
    return b"".join(found)


def take_apart(raw: bytes) -> tuple[MimePart, list[MimePart]]:
    """Return the message as one part, and its leaves: the parts that hold no others. Its `excess` is that of all its parts."""
    raw = one_line_end(raw)
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    if before := _BEFORE.match(raw):
        raw = raw[before.end() :]
    walk = _Walk()
    whole = walk.part(raw, "text/plain")
    leaves = list(walk.leaves(whole, 0))
    return replace(whole, excess=walk.excess), leaves


def one_line_end(raw: bytes) -> bytes:
    r"""Return a message in which no line ends in several CRs and a LF.

    >>> one_line_end(b"a\r\r\nb\r\nc\rd")
    b'a\r\nb\r\nc\rd'
    """
    return _ENDS.sub(b"\r\n", raw) if b"\r\r\n" in raw else raw


class _Walk:
    """The way through the parts of one message, and what may still be read on it."""

    _HEADS = Excess(N_("The heads of its parts have more than {n} bytes."), MAX_HEADS)

    def __init__(self) -> None:
        self.parts, self.heads = MAX_PARTS + 1, MAX_HEADS
        self.excess: Excess | None = None

    def part(self, raw: bytes, default: str) -> MimePart:
        """Take the head off a part."""
        part = _part(raw, default, min(MAX_HEAD, self.heads))
        self.excess = self.excess or (part.excess if self.heads >= MAX_HEAD else part.excess and self._HEADS)
        self.parts -= 1
        self.heads -= min(len(raw) - len(part.body), MAX_HEAD)
        return part

    def leaves(self, part: MimePart, depth: int) -> Iterator[MimePart]:
        """Go through the parts that hold no others."""
        if not part.type.startswith("multipart/"):
            yield part
            if depth or part.type != "text/plain" or not _GUESS.search(part.body, 0, _FIRST):
                return
            # a gateway has lost the line that says that there are parts
        inner = _inside(part) if depth < MAX_DEPTH else None
        if depth == MAX_DEPTH:
            self.excess = self.excess or Excess(N_("Its parts lie inside each other more than {n} deep."), MAX_DEPTH)
        if inner is None:  # it says that it has parts, and has none that are looked for: what stands there is the text
            yield MimePart((), part.body)
            return
        default = "message/rfc822" if part.type == "multipart/digest" else "text/plain"
        pieces, outside = inner
        if outside.strip():
            yield MimePart((), outside, OUTSIDE)
        for piece in pieces:
            if self.parts <= 0:
                self.excess = self.excess or Excess(N_("It has more than {n} parts."), MAX_PARTS)
                return
            if self.heads <= 0:
                self.excess = self.excess or self._HEADS
                return
            yield from self.leaves(self.part(piece, default), depth + 1)


def _inside(part: MimePart) -> tuple[Iterator[bytes], bytes] | None:
    """Return the parts in a part and the text around them; None without parts, whatever boundary the head names."""
    boundary = part.parameter("content-type", "boundary")
    inner = _between(part.body, boundary) or (_between(part.content, boundary) if part.encoding else None)
    if inner is None and (guess := _GUESS.search(part.body)):
        return _between(part.body, guess[1].decode("utf-8", "surrogateescape"))
    return inner


def _between(body: bytes, boundary: str) -> tuple[Iterator[bytes], bytes] | None:
    """Return the sections between the lines of a boundary, and the text around them; None without sections."""
    if not boundary:
        return None
    mark = re.escape(b"--" + boundary.rstrip().encode("utf-8", "surrogateescape"))
    found = re.finditer(rb"(?:\A|\n)" + mark + rb"(--)?[ \t]*\r?(?=\n|\Z)", body)
    lines = list(islice(found, MAX_PARTS + 2))
    last = next((no for no, line in enumerate(lines) if line[1]), len(lines))
    if not last:
        return None
    ends = [line.start() for line in lines[1:]] + [len(body)]
    outside = body[: lines[0].start()] + (body[lines[last].end() :] if last < len(lines) else b"")
    places = zip(lines[:last], ends[:last], strict=True)
    return (body[line.end() + 1 : end].removesuffix(b"\r") for line, end in places), outside


def _part(raw: bytes, default: str, most: int = MAX_HEAD) -> MimePart:
    found = _HEAD_END.search(raw)
    end, rest = (found.start(), found.end()) if found else (len(raw), len(raw))
    headers: list[tuple[str, list[bytes]]] = []
    for line, at in _lines_of_head(raw, end, most):
        if line[:1] in (b" ", b"\t"):
            if headers:
                headers[-1][1].append(line.strip())
            continue
        name = _NAME.match(line)
        if name:
            value = line[name.end() :].lstrip()[1:]
            headers.append((name[0].decode("ascii").lower(), [value.strip()]))
        elif line and not (
            at == 0 and line.startswith(b"From ")
        ):  # a text that never had a head, or lost its empty line
            end, rest = at, at
            break
    excess = Excess(N_("A head in it has more than {n} bytes."), most) if end > most else None
    return MimePart(tuple((name, _text(b" ".join(lines))) for name, lines in headers), raw[rest:], default, excess)


def _lines_of_head(raw: bytes, end: int, most: int) -> Iterator[tuple[bytes, int]]:
    """Go through the lines of a head, and where each begins: of a long one those at its beginning and at its end."""
    spans = [(0, end)]
    if end > most:
        half = most // 2
        spans = [(0, raw.rfind(b"\n", 0, half) + 1 or half), (raw.find(b"\n", end - half, end) + 1 or end, end)]
    for start, stop in spans:
        at = start
        while at < stop:
            found = _LINE.match(raw, at, stop)
            line = found[0] if found else b""
            yield line.rstrip(b"\r\n"), at
            at += len(line)


def _text(value: bytes) -> str:
    """The value of a header: ASCII by the rules, UTF-8 in practice, anything from a few."""
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        text = value.decode("latin-1")
    return text
