"""The letters of the host: what each says, and the headers they share.

A letter's Message-ID follows from what it is about, so the same letter made twice is the same letter. Headers tell other
robots that a robot speaks (RFC 3834).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from pbem.kernel import Json
from pbem.mail import SEAT_HEADER, Letter
from pbem.reports.text import environment


@dataclass(frozen=True, slots=True)
class About:
    """The game that a letter is about: its number here, its id, the name it goes by."""

    number: int
    g: str
    title: str


class Letters:
    """Makes letters for one host."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.domain = re.sub(r"[^A-Za-z0-9.-]", "", address.rpartition("@")[2]) or "localhost"

    def make(self, about: About, to: str, name: str, subject: str, text: str, at: str, log: bytes, seat: str) -> Letter:
        """Return a letter to `seat`; `name` tells it from all others of its game."""
        return Letter(
            sender=f"pbem <{self.address}>",
            to=to,
            subject=f"[pbem {about.number}] {about.title}: {subject}",
            text=text,
            message_id=f"{about.g[:16]}.{name}@{self.domain}",
            date=datetime.fromisoformat(at),
            thread=f"{about.g[:16]}.invitation.{seat}@{self.domain}",
            headers={
                "Auto-Submitted": "auto-generated",
                "X-Auto-Response-Suppress": "All",
                "X-Loop": self.address,
                "Precedence": "bulk",
                "List-Id": f"<{about.g[:16]}.{self.domain}>",
                SEAT_HEADER: seat,
            },
            log=log,
            log_name=f"{about.g[:8]}.pbem",
        )

    def text(self, letter: str, /, **values: Json) -> str:
        """Return the text of a letter from `templates/mail/`."""
        return environment().get_template(f"mail/{letter}.txt.j2").render(**values)
