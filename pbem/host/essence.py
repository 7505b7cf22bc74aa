"""The parts of a mail that stay the same however it travels. They identify a mail that comes twice.

Mail servers write into the head of a mail: where it came from and went to, when, and their judgement of it. The same mail that
comes by two ways, or a second time, differs only in those lines and in its line ends.

Some of those lines are read nevertheless: the recipient names its game, and an empty sender means a robot. Otherwise a copy with a
false line of that kind could keep a mail out. So everything that is read is part of the mark that identifies a mail, and a host
decides only on that (`as_read`).
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from hashlib import sha256

from pbem.mail import Incoming, read_message
from pbem.mail.mime import one_line_end
from pbem.records import dataclass

from .store.rows import Mail

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
    data = one_line_end(raw).replace(b"\r\n", b"\n")
    if data.startswith(b"From "):  # the line that a mailbox file puts before a mail
        data = data.partition(b"\n")[2]
    found = _HEAD_END.search(data)
    head, body = (data[: found.start()], data[found.end() :]) if found else (data, b"")
    kept = [line for line in _FOLDED.split(head) if not _is_trace(line)]
    return sha256(b"\n".join(kept) + b"\n\n" + body.rstrip(b"\n")).hexdigest()


_PLACES = ("address", "line", "subject", "thread")


def as_read(mail: Incoming) -> Incoming:
    """Return the parts of a mail that a host reads. The games it names come in an order that does not depend on the mail's way."""
    games = tuple(sorted(mail.games, key=lambda named: (_PLACES.index(named.where), named.game)))
    return replace(
        mail, games=games, subject="", seat="", token="", arrived="", to=(), references=(), language="", own_words=False,
        reads=(), door="", register="", zone="", shown="", players=(),
    )  # fmt: skip


def reading(mail: Incoming) -> str:
    """Return the SHA-256, in hex, of everything in a mail that a host decides by.

    The signs of a robot are left out: servers express them in several ways.
    """
    read = {
        **asdict(as_read(mail)),
        "robot": mail.automatic,
        "log": sha256(mail.log).hexdigest(),
        "excess": bool(mail.excess),
    }
    return sha256(
        json.dumps({name: value for name, value in read.items() if value}, sort_keys=True).encode()
    ).hexdigest()


def mark(raw: bytes, mail: Incoming) -> str:
    """Return the mark that identifies a repeated mail: the SHA-256 of its essence and of what is read in it."""
    return sha256(f"{essence(raw)} {reading(mail)}".encode()).hexdigest()


def _is_trace(line: bytes) -> bool:
    name = line.partition(b":")[0].strip().lower()
    return name in _TRACES or name.startswith((b"arc-", b"x-spam-"))


@dataclass(slots=True)
class Case:
    """A mail to be decided on: its number in the inbox, its readable parts, its mark, its time and way of arrival; its game, once
    known."""

    number: int
    mail: Incoming
    digest: str
    at: str
    way: str = ""
    game: int | None = None
    kept: bool = False
    """Are its bytes kept as evidence?"""
    references: tuple[str, ...] = ()
    """The Message-IDs that it answers, the nearest first."""
    quoting: str = ""
    """The text of the letter that it answers, if another letter's list counts."""

    @classmethod
    def of(cls, row: Mail, raw: bytes, own: str) -> Case:
        """Return the case of an inbox row and the mail's bytes: a function of stored data."""
        mail = read_message(raw, own=own, envelope=row.sender, recipient=row.recipient)
        return cls(row.id, as_read(mail), mark(raw, mail), row.at, row.door, references=mail.references)
