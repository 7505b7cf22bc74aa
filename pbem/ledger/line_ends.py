"""Logs with line ends changed by a mail program or an editor: the bytes are at fault, not a player.

No line of a log contains a carriage return or is empty. So other line ends, a byte-order mark, another encoding, empty lines and a
missing last line end can be undone with certainty. The verdict on the bytes remains. The verdict on the log with its proper line
ends is reported next to it.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from pbem.ledger.verifier.verdict import Change, Repaired, Verdict

_BLANK = b" \t\n\x1a\0"
"""Bytes that may follow the last line: old editors end a text with Ctrl-Z."""


def in_utf_8(data: bytes) -> bytes:
    """Return the bytes of a text in the encoding of logs and mails, where its mark tells that an editor gave it UTF-16."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        with suppress(UnicodeDecodeError):
            return data.decode("utf-16").encode("utf-8", "surrogatepass")
    return data


def bare(data: bytes) -> bytes:
    """Return the bytes of a text without the mark and the encoding that editors give it."""
    return in_utf_8(data).removeprefix(BOM_UTF8)


def repaired(data: bytes) -> tuple[bytes, tuple[Change, ...]]:
    r"""Return the bytes of a log with proper line ends, and the changes made; without changes, the same bytes.

    >>> repaired(b'\xef\xbb\xbf{"a":1}\r\n{"b":2}')
    (b'{"a":1}\n{"b":2}\n', ('mark', 'line ends', 'last line end'))
    """
    changed: list[Change] = []

    def change(what: Change, made: bytes) -> None:
        nonlocal data
        if made != data:
            changed.append(what)
            data = made

    change("encoding", in_utf_8(data))
    change("mark", data.removeprefix(BOM_UTF8))
    if b"\r" in data:
        change("line ends", _without_empty(data.replace(b"\r", b"\n")))
    elif data.startswith(b"\n") or b"\n\n" in data:
        change("empty lines", _without_empty(data))
    # a line that was cut off stays as it is: nothing can bring its rest back
    change("last line end", data.rstrip(_BLANK) + b"\n" if is_whole(data.rstrip(_BLANK)) else data)
    return data, tuple(changed)


def is_whole(data: bytes) -> bool:
    r"""Return whether the last line of the bytes is complete JSON.

    >>> is_whole(b'{"a":1}\n["b"]'), is_whole(b'{"a":1}\n["b'), is_whole(b"")
    (True, False, False)
    """
    with suppress(ValueError, RecursionError):
        return bool(json.loads(data[data.rfind(b"\n") + 1 :]))
    return False


def _without_empty(data: bytes) -> bytes:
    *lines, last = data.split(b"\n")
    return b"".join(line + b"\n" for line in lines if line) + last


def with_repaired(verdict: Verdict, data: bytes, judge: Callable[[bytes], Verdict]) -> Verdict:
    """Return a verdict on the bytes of a file, with the one on what they are once their line ends are repaired, if that differs."""
    if (verdict.code, verdict.party) != ("FORM", "supplier"):
        return verdict
    mended, changed = repaired(data)
    return replace(verdict, repaired=Repaired.of(judge(mended), changed)) if changed else verdict


def without_words(data: bytes) -> bytes:
    """Return the lines of a log without any text below the last one, where gateways and telephones add their own words."""
    last = max(data.rfind(begins) for begins in (b'\n{"', b'\n["'))
    end = data.find(b"\n", last + 1) + 1
    damaged = any(
        data.find(sign, max(end - 1, 0)) >= 0 for sign in (b"\n{", b'":', b'","')
    )  # a line of a log whose beginning is lost
    return data if damaged or not end else data[:end]


def lines_of_a_log(raw: bytes) -> bytes:
    """Return the lines if these bytes, as a letter brings them, are those of a log alone; otherwise nothing.

    Programs that save an attachment as text may add a byte-order mark and their own line ends: those are undone. Text below the
    lines is dropped.
    """
    data = repaired(raw)[0]
    return without_words(data).rstrip() + b"\n" if data.startswith((b'{"', b'["')) else b""
