"""Writing a message: an outgoing letter as bytes that depend only on the letter.

::

    multipart/mixed
      multipart/alternative
        text/plain
        multipart/related
          text/html
          image/png …        by Content-ID
      text/calendar          the deadline
      text/html              the self-contained page
      application/x-pbem     the log lines

Every part but the text may be missing, and a multipart of one part is that part. A letter made again after a crash has the same
bytes, including boundaries. The fields of a letter cannot add a header or an address, and its text contains no control characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage, Message
from email.utils import format_datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.i18n.visible import visible
from pbem.records import dataclass

from .address import check_address
from .kinds import LOG_TYPE

if TYPE_CHECKING:
    from .calendar import Deadline

WIDTH = 72
"""Columns of a text: quoted a few times it still fits."""
_DANGEROUS = re.compile(r"^\.|^F(?=rom )", re.MULTILINE)
_POLICY = policy.SMTP.clone(cte_type="7bit", max_line_length=78)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_ID = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,150}@[A-Za-z0-9.-]{1,253}")


@dataclass(frozen=True, slots=True)
class Letter:
    """A message to send. `message_id` and `thread` are without angle brackets.

    `return_path` is the envelope's sender: for a report its way back, for an automatic answer "". It is not in the bytes: the
    sending code passes it to the mail server. `images` are PNGs by the Content-IDs used in `html`; `page` is a self-contained HTML
    page. `language` is a code such as "fr".
    """

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
    html: str = ""
    images: Mapping[str, bytes] = field(default_factory=dict)
    page: str = ""
    page_name: str = "report.html"
    deadline: Deadline | None = None
    return_path: str = ""
    language: str = ""

    def raw(self) -> bytes:
        """Return the message as RFC 5322 bytes. Raises UsageError for an invalid address or Message-ID."""
        message = EmailMessage(policy=_POLICY)
        message["From"], message["To"] = _address(self.sender), _address(self.to)
        message["Subject"] = one_line(self.subject)[:150]
        message["Date"] = format_datetime(self.date)
        message["Message-ID"] = _id(self.message_id)
        if self.thread and self.thread != self.message_id:
            message["In-Reply-To"] = message["References"] = _id(self.thread)
        for name, value in self.headers.items():
            if not _NAME.fullmatch(name):
                raise UsageError(_("“{name}” is not the name of a header.", name=name))
            message[name] = one_line(value)
        message.set_content(fold_lines(visible(self.text)), cte="quoted-printable")
        if self.html:
            message.add_alternative(self.html, subtype="html", cte="quoted-printable")
            self._add_images(message)
        self._add_files(message)
        if self.language:  # only now: the library takes it for a header of the text, and moves it into a part
            message["Content-Language"] = one_line(self.language)
        _protect(message)
        _bound(message, sha256(self.message_id.encode()).hexdigest()[:24])
        return _bytes(message)

    def _add_images(self, message: EmailMessage) -> None:
        *_text, page = message.iter_parts()
        for cid, image in self.images.items():
            page.add_related(image, "image", "png", cid=f"<{cid}>", disposition="inline", filename=f"{cid}.png")
        if self.images:
            page.set_param("type", "text/html")

    def _add_files(self, message: EmailMessage) -> None:
        if self.deadline:
            message.add_attachment(
                self.deadline.ics(),
                subtype="calendar",
                cte="quoted-printable",
                filename="deadline.ics",
                params={"method": "PUBLISH"},
            )
        if self.page:
            message.add_attachment(self.page, subtype="html", cte="quoted-printable", filename=self.page_name)
        if self.log:
            maintype, subtype = ("application/json" if self.log_name.endswith(".json") else LOG_TYPE).split("/")
            message.add_attachment(self.log, maintype=maintype, subtype=subtype, filename=self.log_name)


def readdressed(raw: bytes, sender: str, to: str) -> bytes:
    """Return one of our messages with other addresses. Raises UsageError for an invalid address."""
    message = message_from_bytes(raw, policy=_POLICY)
    message.replace_header("From", _address(sender))
    message.replace_header("To", _address(to))
    return _bytes(message)


def _bytes(message: Message) -> bytes:
    head, blank, body = message.as_bytes().partition(b"\r\n\r\n")
    return head.replace(b"\r\nSubject:\r\n ", b"\r\nSubject: ") + blank + body  # filters look how it begins


def one_line(text: str) -> str:
    """Return a text as one line that is safe in a header: without control and formatting characters.

    It also contains no beginning of an encoded word, which the library would decode, including line feeds.
    """
    shown = "".join(c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
    return " ".join(shown.split()).replace("=?", "= ?")


def fold_lines(text: str) -> str:
    """Return a text folded at spaces so that lines have at most 72 columns if possible.

    It folds after a comma if one is near enough: a copied order continues after a comma. A folded line continues with the indent,
    quote marks or press prefix of its first.
    """
    return "\n".join(piece for line in text.split("\n") for piece in _fold(line))


_INDENT = re.compile(r"[\s>|]*")


def _fold(line: str) -> list[str]:
    found = _INDENT.match(line)
    indent = found[0] if found and len(found[0]) < WIDTH // 2 else ""
    pieces = []
    while len(line) > WIDTH:
        at = line.rfind(", ", WIDTH // 2, WIDTH) + 1 or line.rfind(" ", len(indent), WIDTH + 1)
        if at <= len(indent):  # a word too long
            at = line.find(" ", WIDTH)
        if at < 0:
            break
        pieces.append(line[:at])
        line = indent + line[at + 1 :]
    return [*pieces, line]


def _address(text: str) -> Address:
    """Return one address, with or without a name in front; refuse anything more, so that no address is added."""
    name, _sign, bare = text.rpartition("<") if text.endswith(">") else ("", "", text)
    plain = set(name).isdisjoint("<>@,;:\r\n") and name.isascii()
    check_address(address := bare.removesuffix(">") if plain else text)
    return Address(one_line(name).strip('"'), addr_spec=address)


def _id(text: str) -> str:
    if not _ID.fullmatch(text):
        raise UsageError(_("“{text}” is not a Message-ID.", text=text))
    return f"<{text}>"


def _protect(message: EmailMessage) -> None:
    """Hide a line's beginning that some servers change."""
    for part in message.walk():
        if part.get("Content-Transfer-Encoding") == "quoted-printable":
            part.set_payload(_DANGEROUS.sub(lambda found: f"={ord(found[0]):02X}", str(part.get_payload())))


def _bound(message: EmailMessage, digest: str) -> None:
    """Give every multipart a boundary that depends on the letter; `=_` occurs in no encoded body."""
    holders = [part for part in message.walk() if part.is_multipart()]
    for no, part in enumerate(holders):
        part.set_boundary(f"=_{digest}_{no}")
