"""Files in which people save their mail: a message, many messages in one file, or only an attachment.

This module decides the type of a file by its first bytes, never by its name, and how much to unpack. It knows no game, and believes
nothing that it finds.
"""

from __future__ import annotations

import re
import sys
import zipfile
from contextlib import suppress
from io import BytesIO
from typing import NamedTuple
from zlib import error as zlib_error

from pbem.errors import FormError, UsageError
from pbem.i18n import _
from pbem.ledger import read_line
from pbem.ledger.line_ends import bare, lines_of_a_log

from .incoming import MAX_FROM_HOST, read_message
from .mime import one_line_end

MAX_MAILS = 500
"""The maximum number of mails taken from one file or folder."""
MAX_UNPACKED = 4 * MAX_FROM_HOST
"""The maximum number of bytes unpacked from one archive, whatever size it claims."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_PRIVATE = re.compile(rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----")
_OTHERS = (
    b"%PDF-", b"%!PS", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"{\\rtf", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh",
    b"\xfd7zXZ", b"-----BEGIN PGP",
)  # fmt: skip
"""So documents, pictures and archives begin, some of which hold no byte that a text does not."""
_NO_TEXT = re.compile(rb"[\0-\x06\x0e-\x19\x1c-\x1f]")
"""Bytes that occur in no text of a charset for mails; Ctrl-Z may end such a text."""
_FROM = re.compile(rb"(?:\A|\n\r?\n)From [^\r\n]{1,200} \d\d:\d\d(?::\d\d)? [^\r\n]{0,40}\d{4}[^\r\n]{0,20}\r?\n")
"""The line before each mail of an mbox: it ends in a time, so that no sentence is mistaken for it."""
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_LENGTH = re.compile(rb"(\d{1,9}) *\r?\n(?=[!-9;-~]{1,70}:)")
_HEAD = re.compile(rb"[!-9;-~]{1,70}[ \t]{0,9}:")


class Saved(NamedTuple):
    """A message, or the bare lines of a log, as bytes; `name` is where it was found."""

    name: str
    raw: bytes


def first_entry(raw: bytes) -> int:
    """Return the number of the entry with which the lines in a saved mail begin; of others, as of receipts, one behind all."""
    log = lines_of_a_log(raw) or read_message(raw, MAX_FROM_HOST).log
    with suppress(FormError):
        entry = read_line(next((line for line in log.split(b"\n") if line.startswith(b"{")), b"[]"))
        if not log.startswith(b'["got"') and isinstance(entry, dict) and isinstance(entry.get("n"), int):
            return int(entry["n"])
    return sys.maxsize


def unpacked(name: str, data: bytes, *, inside: bool = False) -> list[Saved]:
    """Return the mails in a file. Raises UsageError for an unreadable file, and says what would work.

    `inside`: it comes from an archive or folder with others; then no error is raised for a file that is not a mail, which is
    skipped.
    """
    data = _undressed(data)
    if not data.strip() and not inside:
        raise UsageError(_("{name} is empty. Save the mail once more.", name=name))
    if data.startswith(_OLE):
        raise UsageError(
            _(
                "{name} is a mail in Outlook's own format (.msg), which only Outlook can read. Open it there "
                "and save the attached file that ends in .pbem, then use that. Or save the mail as .eml.",
                name=name,
            )
        )
    if _PRIVATE.match(data) and not inside:
        raise UsageError(
            _(
                "{name} is a private key, not a mail. It was not displayed. Keep it to yourself. “pbem key "
                "--import {name}” makes a folder with this key.",
                name=name,
            )
        )
    if data.startswith(_ZIP) and not inside:
        return _in_archive(name, data)
    data = one_line_end(data)
    if lines_of_a_log(data):
        return [Saved(name, data)]
    if found := list(_FROM.finditer(data[:MAX_UNPACKED])):
        return _in_mbox(name, data, found)
    is_text = _HEAD.match(data) or not _NO_TEXT.search(data[:1000])
    if b"\0" in data[:1000] or data.startswith(_OTHERS) or not is_text:
        if inside:
            return []
        raise UsageError(
            _(
                "{name} is neither a mail nor an attached file that ends in .pbem. Name a mail, such a file, "
                "a folder, a zip of mails or an mbox.",
                name=name,
            )
        )
    return [Saved(name, data)] if not inside or _HEAD.match(data) else []


def _undressed(data: bytes) -> bytes:
    """Take off what programs put round a mail that they save: Apple Mail its length (.emlx), editors a mark or another encoding."""
    data = bare(data)
    if found := _LENGTH.match(data):
        data = data[found.end() : found.end() + int(found[1])]
    return data.lstrip(b"\r\n")


def _in_mbox(name: str, data: bytes, found: list[re.Match[bytes]]) -> list[Saved]:
    if found[0].start():  # a mail that quotes such a line
        return [Saved(name, data)]
    if len(found) > MAX_MAILS:
        raise _too_many(name)
    ends = [one.start() + 1 for one in found[1:]] + [len(data)]
    mails = [_QUOTED_FROM.sub(rb"\1", data[one.end() : end]) for one, end in zip(found, ends, strict=True)]
    return [Saved(name if len(mails) == 1 else f"{name}, {no}", raw) for no, raw in enumerate(mails, 1)]


def _in_archive(name: str, data: bytes) -> list[Saved]:
    """Return the mails in a zip. Its list of sizes may be false, so the unpacked bytes are limited."""
    found: list[Saved] = []
    room = MAX_UNPACKED
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            files = [one for one in archive.infolist() if not one.is_dir()]
            if len(files) > MAX_MAILS:
                raise _too_many(name)
            for one in files:
                if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise NotImplementedError(f"method {one.compress_type}")
                with archive.open(one) as file:
                    content = file.read(min(room, MAX_FROM_HOST) + 1)
                room -= len(content)
                if room < 0 or len(content) > MAX_FROM_HOST:
                    raise UsageError(
                        _("{name} contains more than pbem unpacks. Unpack it, and name the mails in it.", name=name)
                    )
                found += unpacked(f"{name}: {one.filename}", content, inside=True)
                if len(found) > MAX_MAILS:
                    raise _too_many(name)
    except (zipfile.BadZipFile, zlib_error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise UsageError(
            _(
                "{name} is a zip that cannot be unpacked: {why}. Unpack it, and name the mails in it.",
                name=name,
                why=error,
            )
        ) from error
    if not found:
        raise UsageError(_("{name} contains no mail, and no attached file that ends in .pbem.", name=name))
    return found


def _too_many(name: str) -> UsageError:
    return UsageError(
        _("{name} contains more than {most} mails. Name only those of your game.", name=name, most=MAX_MAILS)
    )
