"""The bytes of a letter as the standard library makes them, part by part: what `Letter.raw` writes in one pass must be the same."""

from __future__ import annotations

import re
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime
from hashlib import sha256

from pbem.i18n.visible import visible
from pbem.mail.kinds import LOG_TYPE
from pbem.mail.letter import Letter, _address, _bytes, _id, fold_lines, one_line

_POLICY = policy.SMTP.clone(cte_type="7bit", max_line_length=78)
_DANGEROUS = re.compile(r"^\.|^F(?=rom )", re.MULTILINE)


def by_the_library(letter: Letter) -> bytes:
    """Return a letter's bytes."""
    message = EmailMessage(policy=_POLICY)
    message["From"], message["To"] = _address(letter.sender), _address(letter.to)
    message["Subject"] = one_line(letter.subject)[:150]
    message["Date"] = format_datetime(letter.date)
    message["Message-ID"] = _id(letter.message_id)
    if letter.thread and letter.thread != letter.message_id:
        message["In-Reply-To"] = message["References"] = _id(letter.thread)
    for name, value in letter.headers.items():
        message[name] = one_line(value)
    message.set_content(fold_lines(visible(letter.text)), cte="quoted-printable")
    if letter.html:
        message.add_alternative(letter.html, subtype="html", cte="quoted-printable")
        _add_images(letter, message)
    _add_files(letter, message)
    if letter.language:  # only now: the library takes it for a header of the text, and moves it into a part
        message["Content-Language"] = one_line(letter.language)
    _protect(message)
    _bound(message, sha256(letter.message_id.encode()).hexdigest()[:24])
    return _bytes(message)


def _add_images(letter: Letter, message: EmailMessage) -> None:
    *_text, page = message.iter_parts()
    for cid, image in letter.images.items():
        page.add_related(image, "image", "png", cid=f"<{cid}>", disposition="inline", filename=f"{cid}.png")
    if letter.images:
        page.set_param("type", "text/html")


def _add_files(letter: Letter, message: EmailMessage) -> None:
    if letter.deadline:
        message.add_attachment(
            letter.deadline.ics(),
            subtype="calendar",
            cte="quoted-printable",
            filename="deadline.ics",
            params={"method": "PUBLISH"},
        )
    if letter.page:
        message.add_attachment(letter.page, subtype="html", cte="quoted-printable", filename=letter.page_name)
    if letter.log:
        maintype, subtype = ("application/json" if letter.log_name.endswith(".json") else LOG_TYPE).split("/")
        message.add_attachment(letter.log, maintype=maintype, subtype=subtype, filename=letter.log_name)


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
