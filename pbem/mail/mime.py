"""The bytes of a message taken apart into its parts, by lines and boundaries alone (RFC 5322, 2045, 2046).

It decides where heads end and parts begin, and how much of either is read. It knows no text and no meaning of a header.
The standard library's parser is not used on what strangers send: it recurses as deep as they like, and takes the square of a
header's length to find its parameters. Here every byte is looked at once for each level of parts, of which there are eight.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from functools import cached_property
from urllib.parse import unquote

from pbem.i18n import _
from pbem.records import dataclass

from .parameters import parameters, token
from .text import words

MAX_HEAD, MAX_HEADERS = 16_384, 200
MAX_PARTS, MAX_DEPTH = 20, 8
_HEAD_END = re.compile(rb"(?:\A|\n)\r?\n")
_NAME = re.compile(rb"[!-9;-~]+(?=[ \t]*:)")
_TYPE = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]+")
_GUESS = re.compile(rb"(?:\A|\n)--([^\s-][^\r\n]{0,200}|-[^\r\n]{1,200})\r?\n(?=content-[a-z-]{1,40}:)", re.IGNORECASE)
"""A line that must be a boundary, whatever the head calls it: a head of a part is below it."""
_UU = re.compile(rb"(?:\A|\n)begin [0-7]{3,4} [^\r\n]{1,200}\r?\n")


class TooMuchError(ValueError):
    """A message that is not read to its end: its text is a sentence for the sender."""


@dataclass(frozen=True)
class MimePart:
    """A head and the body that belongs to it. Names of headers are in small letters; values are unfolded."""

    headers: tuple[tuple[str, str], ...]
    body: bytes
    default: str = "text/plain"

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

    def data(self) -> bytes:
        """Return the body, decoded as its head says; where that fails, as it stands."""
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
    """Return the first uuencoded file in a body, b"" where there is none; a damaged line ends it."""
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
    """Return the message as one part, and its leaves: the parts that hold no others. Raises TooMuchError."""
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    whole = _part(raw, "text/plain")
    leaves: list[MimePart] = []
    for leaf in _leaves(whole, 0):
        leaves.append(leaf)
        if len(leaves) > MAX_PARTS:
            raise TooMuchError(_("The message has more than {n} parts.", n=MAX_PARTS))
    return whole, leaves


def _leaves(part: MimePart, depth: int) -> Iterator[MimePart]:
    if not part.type.startswith("multipart/"):
        yield part
        return
    if depth == MAX_DEPTH:
        raise TooMuchError(_("The parts of the message lie inside each other more than {n} deep.", n=MAX_DEPTH))
    boundary = part.parameter("content-type", "boundary")
    inner = _between(part.body, boundary) or (_between(part.data(), boundary) if part.encoding else None)
    if not inner and (guess := _GUESS.search(part.body)):
        inner = _between(part.body, guess[1].decode("utf-8", "surrogateescape"))
    if inner is None:  # it says that it has parts, and has none: what stands there is the text
        yield MimePart((), part.body)
        return
    default = "message/rfc822" if part.type == "multipart/digest" else "text/plain"
    for piece in inner:
        yield from _leaves(_part(piece, default), depth + 1)


def _between(body: bytes, boundary: str) -> list[bytes] | None:
    """Return what stands between the lines of a boundary, or None where there is no such line."""
    if not boundary:
        return None
    mark = re.escape(b"--" + boundary.rstrip().encode("utf-8", "surrogateescape"))
    lines = list(re.finditer(rb"(?:\A|\n)" + mark + rb"(--)?[ \t]*\r?(?=\n|\Z)", body))
    if not lines:
        return None
    last = next((no for no, line in enumerate(lines) if line[1]), len(lines))
    if last > MAX_PARTS:
        raise TooMuchError(_("The message has more than {n} parts.", n=MAX_PARTS))
    ends = [line.start() for line in lines[1:]] + [len(body)]
    return [body[line.end() + 1 : end].removesuffix(b"\r") for line, end in zip(lines[:last], ends[:last], strict=True)]


def _part(raw: bytes, default: str) -> MimePart:
    found = _HEAD_END.search(raw, 0, MAX_HEAD + 4)
    if found is None and len(raw) > MAX_HEAD:
        if _NAME.match(raw):
            raise TooMuchError(_("A head of the message has more than {n} bytes.", n=MAX_HEAD))
        return MimePart((), raw, default)
    head, body = (raw[: found.start()], raw[found.end() :]) if found else (raw, b"")
    headers: list[tuple[str, list[bytes]]] = []
    for no, line in enumerate(head.split(b"\n")):
        line = line.rstrip(b"\r")
        if line[:1] in (b" ", b"\t"):
            if headers:
                headers[-1][1].append(line.strip())
            continue
        name = _NAME.match(line)
        if name:
            value = line[name.end() :].lstrip()[1:]
            headers.append((name[0].decode("ascii").lower(), [value.strip()]))
        elif line and not (
            no == 0 and line.startswith(b"From ")
        ):  # a text that never had a head, or lost its empty line
            body = b"\n".join([line, *head.split(b"\n")[no + 1 :], b"", body])
            break
        if len(headers) > MAX_HEADERS:
            raise TooMuchError(_("A head of the message has more than {n} headers.", n=MAX_HEADERS))
    return MimePart(tuple((name, _text(b" ".join(lines))) for name, lines in headers), body, default)


def _text(value: bytes) -> str:
    """The value of a header: ASCII by the rules, UTF-8 in practice, anything from a few."""
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        text = value.decode("latin-1")
    return text
