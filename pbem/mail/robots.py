"""Mail that no person wrote: how to recognise it, and what a bounce or complaint says of a letter (RFC 3834, 3464, 3463, 5965).

Robots that answer robots never stop. So a mail with a robot's mark gets no answer, unless it has a signed block by its writer,
whole or damaged. A robot only quotes blocks. A bounce quotes our letters with their examples of orders, so its text is not read. It
is recognised by the address it comes to. If a mail server's report comes to the plain address, the token in the head of the
returned letter identifies it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from pbem.records import dataclass

from .address import addresses, token_in
from .mime import MAX_HEAD, MimePart

Kind = Literal["complaint", "hard", "soft", ""]

WAY_BACK_HEADER = "X-Pbem-Way-Back"
"""Contains a letter's token: the sender of the bounce has seen the letter."""
_WAY_BACK = re.compile(
    rb"^" + WAY_BACK_HEADER.encode() + rb":[ \t]*([0-9a-z]{1,64})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE
)
_RETURNED = (
    "message/rfc822",
    "text/rfc822-headers",
    "message/rfc822-headers",
    "message/global",
    "message/global-headers",
)
"""In these parts a report brings back a letter, or its head (RFC 6522, 6533)."""

_DAEMON = re.compile(r"(mailer-?daemon|mail-daemon|postmaster)([+_=.-].*)?@", re.IGNORECASE)
"""What an envelope or its sender says where a mail server wrote. Any other may be a way back (SRS, VERP) for a person's mail."""
_NOBODY = re.compile(rf"({_DAEMON.pattern}|((do-?)?no[t_-]?-?_?reply([+_=.-].*)?|bounces?)@)", re.IGNORECASE)
"""Addresses that nobody reads."""
OUR_LOOP = "pbem "
"""So X-Loop begins in letters of hosts. A forwarder writes an address there, and it may be that of a host."""
REPORT = "multipart/report"
_OURS = re.compile(r"<?[0-9a-f]{16}\.[^@\s]*@([^>\s]+)")
OF_OURS = "a mail of our own"
"""The mark of a mail of which its Message-ID alone speaks: players' programs give theirs the same form, in their own domain."""
_STATUS = re.compile(r"([245])\.(\d{1,3})\.(\d{1,3})")
_OF_THE_MAIL = re.compile(r"5\.(2\.[23]|3\.[0-9]+|4\.[0-9]+|6\.[0-9]+|7\.[0-9]+)")
"""Refusals because of the mail, the moment or the mailbox's space (RFC 3463), not because the address is invalid."""


@dataclass(frozen=True, slots=True)
class Bounce:
    """A report about one letter of ours: its token, and its kind.

    “hard”: the address is invalid; “soft”: not now; “complaint”: its reader calls it unwanted; "": nothing.
    """

    token: str
    kind: Kind = ""
    status: str = ""


def mark_of_a_robot(message: MimePart, envelope: str | None, own: str) -> str:
    """Return the mark by which a mail is known to be automatic, or "".

    `envelope` is the envelope sender, None where it is not known; `own` is the address of the host that reads.
    """
    if message.type == REPORT:
        return REPORT
    if mark := _says_so(message):
        return mark
    for value in message.all("precedence"):
        if value.strip().lower() in ("bulk", "junk", "list", "auto_reply"):
            return f"precedence: {value}"
    if any(value.strip().startswith(OUR_LOOP) for value in message.all("x-loop")):
        return "x-loop"
    if message.get("list-id"):
        return "list-id"
    if envelope == "" or message.get("return-path").strip() == "<>":
        return "an empty envelope sender"
    for sender in addresses(message.get("from")):
        if _NOBODY.match(sender):
            return f"from {sender}"
    for sender in (*addresses(message.get("sender")), *addresses(message.get("return-path")), envelope or ""):
        if _DAEMON.match(sender):
            return f"from {sender}"
    found = _OURS.match(message.get("message-id"))
    # the players may live at the host's domain: the form of a Message-ID of ours, too
    if found and own and found[1].lower() == own.rpartition("@")[2].lower():
        return OF_OURS
    return ""


def is_nobody(address: str) -> bool:
    """Does nobody read this address, as its name says?

    >>> is_nobody("No-Reply@example.org"), is_nobody("noreen@example.org")
    (True, False)
    """
    return _NOBODY.match(address) is not None


def _says_so(message: MimePart) -> str:
    """The line by which a mail says that a robot wrote it, or "".

    Exchange asks of people's mail, too, that no robot answers it; and people's programs say `auto-generated`. Both together, with
    All, are Exchange's note that somebody is away.
    """
    asks_for_rest = any("all" in value.lower().split() for value in message.all("x-auto-response-suppress"))
    people = ("", "no") if asks_for_rest else ("", "no", "auto-generated")
    for value in message.all("auto-submitted"):
        if value.partition(";")[0].strip().lower() not in people:
            return f"auto-submitted: {value[:60]}"
    return next((name for name in ("x-autoreply", "x-autorespond") if message.get(name)), "")


def is_of_a_list(mark: str) -> bool:
    """Return whether this mark only says that a list or program has passed on a mail. A person may have written that mail."""
    return mark.startswith("precedence:") or mark == "list-id"


def bounce_in(message: MimePart, leaves: Sequence[MimePart], to: Sequence[str]) -> Bounce | None:
    """Return what a mail says about a letter of ours, or None.

    It does where it was sent to a letter's way back, or is a report that brings the letter's token back.
    """
    complains = any(leaf.type == "message/feedback-report" for leaf in leaves)  # RFC 5965
    report = next((leaf for leaf in leaves if leaf.type == "message/delivery-status"), None)
    token = next(filter(None, map(token_in, to)), "") or (_token_returned(leaves) if report or complains else "")
    if not token:
        return None
    if complains:
        return Bounce(token, "complaint")
    if report is None:
        return Bounce(token)
    return Bounce(token, *_worst(report.content.decode("latin-1")))


def _token_returned(leaves: Sequence[MimePart]) -> str:
    for leaf in leaves:
        if leaf.type in _RETURNED:
            head = re.split(rb"\n\r?\n", leaf.content[:MAX_HEAD], maxsplit=1)[0]
            if found := _WAY_BACK.search(head):
                return found[1].decode("ascii").lower()
    return ""


def _worst(report: str) -> tuple[Kind, str]:
    """What a delivery status says: the hardest of its recipients; a letter of ours has one."""
    found: list[tuple[Kind, str]] = []
    for block in re.split(r"\n\r?\n", report[:16_384]):
        fields = dict(_field(line) for line in reversed(block.split("\n")))
        status = _STATUS.match(fields.get("status", ""))
        found.append((_kind(fields.get("action", ""), status[0] if status else ""), status[0] if status else ""))
    return max(found, key=lambda one: ("", "soft", "hard").index(one[0]))


def _kind(action: str, code: str) -> Kind:
    match action.lower().split()[:1]:
        case ["delivered" | "relayed" | "expanded"]:
            return ""
        case ["delayed"]:
            return "soft"
        case [] if not code:  # it speaks of the whole mail
            return ""
    if code.startswith("2"):
        return ""
    return "hard" if code.startswith("5") and not _OF_THE_MAIL.fullmatch(code) else "soft"


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip().lower(), value.strip()
