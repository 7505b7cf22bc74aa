"""A log whose line ends a mail program or an editor has changed: its bytes are at fault, and nobody who played is.

The line ends of other systems, a byte-order mark, another encoding, empty lines, a missing last line end: all of that can be undone
without a doubt, because no line of a log holds a carriage return or is empty. The verdict on the bytes stays; what is true of the
log with its own line ends is said beside it.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from pbem.ledger.verifier.verdict import Change, Repaired, Verdict

_BLANK = b" \t\n\x1a\0"
"""What stands behind the last line: editors of old end a text with Ctrl-Z."""


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
    r"""Return the bytes of a log with the line ends that a log has, and what was changed; where nothing was, the bytes themselves.

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
    r"""Is the last line of these bytes JSON, and not the beginning of it?

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
    """Return lines of a log without what is below the last of them: gateways and telephones write their words there."""
    last = max(data.rfind(begins) for begins in (b'\n{"', b'\n["'))
    end = data.find(b"\n", last + 1) + 1
    damaged = any(
        data.find(sign, max(end - 1, 0)) >= 0 for sign in (b"\n{", b'":', b'","')
    )  # a line of a log whose beginning is lost
    return data if damaged or not end else data[:end]


def lines_of_a_log(raw: bytes) -> bytes:
    """Return the lines where these bytes are those of a log alone, as a letter brings them; else nothing.

    Programs that save an attachment as text may put a mark before it, their own line ends: those are undone. What stands below the
    lines is dropped.
    """
    data = repaired(raw)[0]
    return without_words(data).rstrip() + b"\n" if data.startswith((b'{"', b'["')) else b""
