"""The parts of an outgoing message, each written once: headers, texts, files, and the multiparts around them.

The standard library builds a tree of objects, parses each header, and writes the tree at the end. A letter of ours has few shapes,
so its bytes are joined here in one pass. The library folds what is not a plain line: long or non-ASCII headers, odd addresses and
file names. The bytes are those of the library (`tests/mail/by_library.py`).
"""

from __future__ import annotations

import re
from base64 import encodebytes
from collections.abc import Iterable
from email import policy
from email.message import EmailMessage
from email.quoprimime import body_encode
from typing import NamedTuple

POLICY = policy.SMTP.clone(cte_type="7bit", max_line_length=78)
_DANGEROUS = re.compile(r"^\.|^F(?=rom )", re.MULTILINE)
_WIDE, _SHORT = 78, 30
"""The columns of a header that is not folded, and the letters of a file's name that leave its header in one line."""
VERSION, QUOTED = "MIME-Version: 1.0\r\n", "Content-Transfer-Encoding: quoted-printable\r\n"
_ASCII, _FILE = re.compile(r"[!-~](?:[ -~]*[!-~])?"), re.compile(r"[A-Za-z0-9._@-]+")
_PLAIN = re.compile(r"(?:[A-Za-z]+ <(?=.*>)|(?!.*>))[A-Za-z0-9.+_-]+@[A-Za-z0-9.-]+>?")
_ADDRESSES = ("from", "to", "reply-to", "sender", "cc", "bcc")
"""Headers that the library reads as addresses."""


class Part(NamedTuple):
    """The headers of a part, each with its line end, and its encoded body."""

    head: str
    body: str


def as_text(kind: str, text: str) -> Part:
    """Return a text as quoted-printable; a line's beginning that some servers change is hidden."""
    lines = b"\n".join(text.encode().splitlines()) + b"\n"
    said = body_encode(lines.decode("latin-1"), POLICY.max_line_length or 0)
    body = _DANGEROUS.sub(lambda found: f"={ord(found[0]):02X}", said).replace("\n", "\r\n")
    return Part(f'Content-Type: text/{kind}; charset="utf-8"\r\n{QUOTED}', body)


def bytes_of(kind: str, data: bytes, said: str) -> Part:
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n{said}{VERSION}"
    return Part(head, encodebytes(data).decode("ascii").replace("\n", "\r\n"))


def holder(kind: str, boundary: str, parts: Iterable[Part]) -> Part:
    """Return a multipart; its boundary depends on the letter, and `=_` occurs in no encoded body."""
    inside = "".join(f"--{boundary}\r\n{part.head}\r\n{part.body}\r\n" for part in parts)
    return Part(f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n', f"{inside}--{boundary}--\r\n")


def headers(*those: tuple[str, str]) -> str:
    """Return headers, each with its line end."""
    return "".join(_header(name, value) for name, value in those)


def _header(name: str, value: str) -> str:
    """Return a header; the library folds a value that does not fit in the line or is more than plain ASCII."""
    if len(name) + 2 + len(value) <= _WIDE and (_PLAIN if name.lower() in _ADDRESSES else _ASCII).fullmatch(value):
        return f"{name}: {value}\r\n"
    folded = str(POLICY.fold_binary(*POLICY.header_store_parse(name, value)), "ascii")
    return folded.replace("Subject:\r\n ", "Subject: ", 1)  # filters look how it begins


def filed(how: str, name: str) -> str:
    """Return the header that names a part's file."""
    if len(name) < _SHORT and _FILE.fullmatch(name):
        return f'Content-Disposition: {how}; filename="{name}"\r\n'
    part = EmailMessage(policy=POLICY)
    part["Content-Disposition"] = how
    part.set_param("filename", name, header="Content-Disposition", replace=True)
    return str(POLICY.fold_binary("Content-Disposition", part["Content-Disposition"]), "ascii")
