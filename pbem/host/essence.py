"""What of a mail stays the same however it travels: by that a mail that comes twice is known.

Mail servers write into the head of what they hand on: where it came from and went to, when, and what they think of it. The
same mail that comes by two ways, or a second time, differs in those lines and in its line ends, and in nothing else.
"""

from __future__ import annotations

import re
from hashlib import sha256

_TRACES = (
    b"return-path", b"received", b"delivered-to", b"x-original-to", b"envelope-to", b"x-envelope-to", b"x-envelope-from",
    b"delivery-date", b"x-delivered-to", b"x-received", b"received-spf", b"authentication-results", b"dkim-signature",
    b"x-google-dkim-signature", b"x-google-smtp-source", b"x-gm-message-state", b"x-forwarded-to", b"x-forwarded-for",
    b"status", b"x-status", b"x-keywords", b"x-uid", b"x-uidl", b"x-mozilla-status", b"x-mozilla-status2", b"x-mozilla-keys",
    b"x-virus-scanned", b"x-virus-status",
)  # fmt: skip
"""Headers that servers and folders add on the way, in lower case; those that begin with `arc-` and `x-spam-` too."""

_HEAD_END = re.compile(rb"\n\n")
_FOLDED = re.compile(rb"\n(?![ \t])")


def essence(raw: bytes) -> str:
    r"""Return the SHA-256, in hex, of a mail less its trace headers, its lines ending in LF.

    >>> essence(b"Subject: hm\n\nhello\n") == essence(b"Received: from x\r\n\tby y\r\nSubject: hm\r\n\r\nhello\r\n")
    True
    >>> essence(b"Subject: hm\n\nhello\n") == essence(b"Subject: hm\n\nhallo\n")
    False
    """
    data = raw.replace(b"\r\n", b"\n")
    if data.startswith(b"From "):  # the line that a mailbox file puts before a mail
        data = data.partition(b"\n")[2]
    found = _HEAD_END.search(data)
    head, body = (data[: found.start()], data[found.end() :]) if found else (data, b"")
    kept = [line for line in _FOLDED.split(head) if not _is_trace(line)]
    return sha256(b"\n".join(kept) + b"\n\n" + body.rstrip(b"\n")).hexdigest()


def _is_trace(line: bytes) -> bool:
    name = line.partition(b":")[0].strip().lower()
    return name in _TRACES or name.startswith((b"arc-", b"x-spam-"))
