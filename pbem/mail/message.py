"""Messages in and out.

`Letter` is what we send: plain text, perhaps a file of log lines, with deterministic headers, so that a letter made again
after a crash is the same bytes. `read_message` takes any bytes and returns what can be read in them; it never raises for
what a stranger sends, and who wrote it is decided by signatures elsewhere, never by a header.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import format_datetime, parseaddr

from pbem.kernel import tidy

MAX_RAW = 1_000_000
"""What a host reads of anybody: no order is larger."""
MAX_FROM_HOST = 32_000_000
"""What a player's program reads: the last mail of a game opens everything."""
MAX_TEXT = 65_536
SEAT_HEADER = "X-Pbem-Seat"
"""Tells a player's program which seat a letter is for."""
LOG_TYPE = "application/x-pbem"
_POLICY = policy.SMTP.clone(cte_type="7bit", max_line_length=78)


@dataclass(frozen=True, slots=True)
class Letter:
    """A message to be sent. `message_id` and `thread` are without angle brackets."""

    sender: str
    to: str
    subject: str
    text: str
    message_id: str
    date: datetime
    thread: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    log: bytes = b""
    log_name: str = "game.pbem"

    def raw(self) -> bytes:
        """Return the message as RFC 5322 bytes; the same letter gives the same bytes."""
        message = EmailMessage(policy=_POLICY)
        message["From"], message["To"] = self.sender, self.to
        message["Subject"] = re.sub(r"\s+", " ", self.subject)[:150]
        message["Date"] = format_datetime(self.date)
        message["Message-ID"] = f"<{self.message_id}>"
        if self.thread and self.thread != self.message_id:
            message["In-Reply-To"] = message["References"] = f"<{self.thread}>"
        for name, value in self.headers.items():
            message[name] = value
        message.set_content(self.text, cte="quoted-printable")
        if self.log:
            maintype, subtype = LOG_TYPE.split("/")
            message.add_attachment(self.log, maintype=maintype, subtype=subtype, filename=self.log_name)
            message.set_boundary(f"=_{re.sub(r'[^A-Za-z0-9]', '', self.message_id)[:48]}_=")
        return message.as_bytes()


@dataclass(frozen=True, slots=True)
class Incoming:
    """What could be read in a message. `problem` says why nothing could, for its sender; "" when all is well."""

    message_id: str = ""
    sender: str = ""
    subject: str = ""
    text: str = ""
    log: bytes = b""
    seat: str = ""
    automatic: bool = False
    problem: str = ""


def read_message(raw: bytes, most: int = MAX_RAW) -> Incoming:
    """Read a message; whatever it is, return what could be read."""
    if len(raw) > most:
        return Incoming(problem=f"The message has {len(raw)} bytes; at most {most} are read.")
    try:
        return _read(raw)
    except (LookupError, ValueError, RecursionError, AttributeError, TypeError, OverflowError) as error:
        return Incoming(problem=f"The message could not be read ({type(error).__name__}).")


def _read(raw: bytes) -> Incoming:
    message = BytesParser(policy=policy.default).parsebytes(raw)
    text, log = "", b""
    for part in message.walk():
        if part.is_multipart():
            continue
        payload = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else b""
        if part.get_content_type() == LOG_TYPE or str(part.get_filename() or "").endswith(".pbem"):
            log = log or data
        elif part.get_content_type() == "text/plain" and not text:
            text = _decode(data, part.get_content_charset())
    return Incoming(
        message_id=_header(message, "Message-ID").strip("<> "),
        sender=_header(message, "From"),
        subject=_header(message, "Subject"),
        text=tidy(text)[:MAX_TEXT],
        log=log,
        seat=_header(message, SEAT_HEADER),
        automatic=_is_automatic(message),
    )


def _decode(data: bytes, charset: str | None) -> str:
    for name in (charset, "utf-8", "windows-1252"):
        with contextlib.suppress(LookupError, UnicodeDecodeError):
            return data.decode(name or "utf-8").replace("\r\n", "\n")
    return data.decode("latin-1").replace("\r\n", "\n")


def _header(message: EmailMessage, name: str) -> str:
    return " ".join(str(message.get(name, "")).split())


_ROBOTS = re.compile(r"^(mailer-daemon|postmaster|no-?reply|do-?not-?reply)@")
"""Addresses that nobody reads."""


def _is_automatic(message: EmailMessage) -> bool:
    """Was it written by a robot, or sent on by one? Without a signed block such mail is never answered."""
    if _header(message, "Auto-Submitted").lower() not in ("", "no"):
        return True
    if _header(message, "Precedence").lower() in ("bulk", "junk", "list"):
        return True
    if any(_header(message, name) for name in ("X-Loop", "List-Id", "X-Auto-Response-Suppress")):
        return True
    if _header(message, "Return-Path") == "<>" or message.get_content_type() == "multipart/report":
        return True
    return bool(_ROBOTS.match(parseaddr(_header(message, "From"))[1].lower()))
