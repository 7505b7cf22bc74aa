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
from email.errors import MessageError
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.utils import format_datetime, parseaddr
from html import unescape

from pbem.kernel import tidy

MAX_RAW = 1_000_000
"""What a host reads of anybody: no order is larger."""
MAX_FROM_HOST = 32_000_000
"""What a player's program reads: the last mail of a game opens everything."""
MAX_TEXT = 65_536
MAX_HEAD, MAX_HEAD_LINES = 16_384, 400
MAX_PARTS, MAX_DEPTH = 20, 8
SEAT_HEADER = "X-Pbem-Seat"
"""Tells a player's program which seat a letter is for."""
LOG_TYPE = "application/x-pbem"
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_PART = re.compile(rb"^content-type:\s*([a-z]+)", re.IGNORECASE | re.MULTILINE)
_DANGEROUS = re.compile(r"^\.|^F(?=rom )", re.MULTILINE)
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
        # some servers change a line that begins so
        message.set_payload(_DANGEROUS.sub(lambda found: f"={ord(found[0]):02X}", str(message.get_payload())))
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
    if too_much := _too_much(raw, most):
        return Incoming(problem=too_much)
    try:
        return _read(raw)
    except (LookupError, ValueError, RecursionError, AttributeError, TypeError, OverflowError, MessageError) as error:
        return Incoming(problem=f"The message could not be read ({type(error).__name__}).")


def _too_much(raw: bytes, most: int) -> str:
    """Why the message is not even parsed, or ""."""
    if len(raw) > most:
        return f"The message has {len(raw)} bytes; at most {most} are read."
    head = _HEAD_END.split(raw, 1)[0]
    if len(head) > MAX_HEAD or head.count(b"\n") > MAX_HEAD_LINES:
        return (
            f"The head of the message has {len(head)} bytes; at most {MAX_HEAD}, in {MAX_HEAD_LINES} lines, are read."
        )
    parts = _PART.findall(raw)
    if len(parts) > MAX_PARTS or sum(kind.lower() in (b"multipart", b"message") for kind in parts) > MAX_DEPTH:
        return f"The message has too many parts; at most {MAX_PARTS}, {MAX_DEPTH} deep, are read."
    return ""


def _read(raw: bytes) -> Incoming:
    # the old policy looks at no header that it is not asked for; the new one can be led astray by any of them
    message = BytesParser(policy=policy.compat32).parsebytes(raw)
    texts: list[str] = []
    pages: list[str] = []
    log = b""
    for part in message.walk():
        if part.is_multipart():
            continue
        payload = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else b""
        if part.get_content_type() == LOG_TYPE or str(part.get_filename() or "").endswith(".pbem"):
            log = log or data
        elif part.get_content_type() == "text/html":
            pages.append(_plain(_decode(data, part.get_content_charset())))
        elif part.get_content_maintype() == "text":
            texts.append(_decode(data, part.get_content_charset()))
    found = [tidy(text[:MAX_TEXT]) for text in (*texts, *pages)]
    # the body is the first text; where it holds no block, one may lie beside it as a file
    text = next((text for text in found if "PBEM ORDERS" in text.upper()), found[0] if found else "")
    return Incoming(
        message_id=_header(message, "Message-ID").strip("<> "),
        sender=_header(message, "From"),
        subject=_header(message, "Subject"),
        text=text[:MAX_TEXT],
        log=log,
        seat=_header(message, SEAT_HEADER),
        automatic=_is_automatic(message),
    )


def _decode(data: bytes, charset: str | None) -> str:
    for name in (charset, "utf-8", "windows-1252", "latin-1"):
        with contextlib.suppress(LookupError, ValueError):
            text = data.decode(name or "utf-8").replace("\r\n", "\n")
            return text.encode("utf-8", "replace").decode()  # some charsets give lone surrogates
    return ""


_HIDDEN = re.compile(r"<(script|style|head)\b.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<(?:br|/?p|/?div|/?tr|/?li|/?pre|/?h[1-6]|/?blockquote)\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^>]*>", re.IGNORECASE)


def _plain(page: str) -> str:
    """The words of an HTML page."""
    return unescape(_TAG.sub("", _BREAK.sub("\n", _HIDDEN.sub("", page))))


def _header(message: Message, name: str) -> str:
    value = " ".join(str(message.get(name, "")).split())
    return "".join(c for c in value if c.isprintable())


_ROBOTS = re.compile(r"^(mailer-daemon|postmaster|no-?reply|do-?not-?reply)@")
"""Addresses that nobody reads."""


def _is_automatic(message: Message) -> bool:
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
