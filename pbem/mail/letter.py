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
from email import message_from_bytes
from email.headerregistry import Address
from email.message import Message
from email.utils import format_datetime
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.i18n.visible import visible
from pbem.records import dataclass

from .address import check_address
from .kinds import LOG_TYPE
from .writing import POLICY, QUOTED, VERSION, Part, as_text, bytes_of, filed, headers, holder

if TYPE_CHECKING:
    from .calendar import Deadline

WIDTH = 72
"""Columns of a text: quoted a few times it still fits."""
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
        id_, inner = _id(self.message_id), count()
        named = {
            "From": str(_address(self.sender)),
            "To": str(_address(self.to)),
            "Subject": one_line(self.subject)[:150],
        }
        named |= {"Date": format_datetime(self.date), "Message-ID": id_}
        if self.thread and self.thread != self.message_id:
            named["In-Reply-To"] = named["References"] = _id(self.thread)
        for name in self.headers:
            if not _NAME.fullmatch(name):
                raise UsageError(_("“{name}” is not the name of a header.", name=name))
        given = ((name, one_line(value)) for name, value in self.headers.items())
        files, digest = self._files(), sha256(self.message_id.encode()).hexdigest()[:24]
        around = f"=_{digest}_{next(inner)}" if files else ""
        part = as_text("plain", fold_lines(visible(self.text)))
        if self.html:
            part = holder("alternative", f"=_{digest}_{next(inner)}", [part, self._shown(f"=_{digest}_{next(inner)}")])
        if files:
            part = holder("mixed", around, [part, *files])
        own = f"{part.head}{VERSION}" if part.head.endswith(QUOTED) else f"{VERSION}{part.head}"
        spoken = headers(("Content-Language", one_line(self.language))) if self.language else ""
        return f"{headers(*named.items(), *given)}{own}{spoken}\r\n{part.body}".encode("ascii")

    def _shown(self, boundary: str) -> Part:
        """Return the HTML, with its pictures if it has any."""
        page = as_text("html", self.html)
        if not self.images:
            return page._replace(head=page.head + VERSION)
        pictures = [
            bytes_of("image/png", image, filed("inline", f"{cid}.png") + headers(("Content-ID", f"<{cid}>")))
            for cid, image in self.images.items()
        ]
        related = holder("related", boundary, [page, *pictures])
        said = f'Content-Type: multipart/related; type="text/html";\r\n boundary="{boundary}"\r\n'
        return related._replace(head=VERSION + said)

    def _files(self) -> list[Part]:
        """Return the attachments: the deadline, the page, and the lines of the log."""
        found = []
        if self.deadline:
            typed = 'Content-Type: text/calendar; charset="utf-8"; method="PUBLISH"\r\n'
            head = f"{QUOTED}{filed('attachment', 'deadline.ics')}{typed}{VERSION}"
            found.append(as_text("calendar", self.deadline.ics())._replace(head=head))
        if self.page:
            page = as_text("html", self.page)
            found.append(page._replace(head=f"{page.head}{filed('attachment', self.page_name)}{VERSION}"))
        if self.log:
            kind = "application/json" if self.log_name.endswith(".json") else LOG_TYPE
            found.append(bytes_of(kind, self.log, filed("attachment", self.log_name)))
        return found


def readdressed(raw: bytes, sender: str, to: str) -> bytes:
    """Return one of our messages with other addresses. Raises UsageError for an invalid address."""
    message = message_from_bytes(raw, policy=POLICY)
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
