"""How letters leave: what every carrier can do, and the one that settings ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from .maildir import MaildirCarrier
from .settings import Sendmail, Smtp


class Carrier(Protocol):
    """Takes letters to where they go, one after the other."""

    def carry(self, sender: str, address: str, raw: bytes) -> None:
        """Hand over one letter; `sender` is the envelope's sender, "" for none.

        Raises NotTaken for a fault of this letter, and WorldError if no letter can be sent.
        """

    def check(self, sender: str) -> str:
        """Try the way without sending; return a sentence. Raises WorldError."""

    def objection(self, sender: str, address: str) -> str:
        """Return the objection to letters with that sender; "" without one, or if one cannot ask without sending.

        `address` is one of ours, named as the receiver. Raises WorldError.
        """

    def close(self) -> None:
        """End what stays open between letters."""


def carrier(way: Smtp | Sendmail | str, folder: Path, *, make: bool = True) -> Carrier:
    """Return the carrier for a way: a mail server, a program, or folders. Paths are relative to `folder`.

    `make`: where the folder for all letters is missing it is made, as none has been sent.
    """
    match way:
        case Smtp():
            from .smtp import SmtpCarrier

            return SmtpCarrier(way, folder)
        case Sendmail():
            from .sendmail import SendmailCarrier

            return SendmailCarrier(way)
    return MaildirCarrier(way, folder, make=make)
