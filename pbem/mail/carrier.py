"""How letters leave: what every carrier can do, and the one that settings ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from .maildir import MaildirCarrier
from .settings import Sendmail, Smtp


class Carrier(Protocol):
    """Takes letters to where they go, one after the other."""

    def carry(self, sender: str, address: str, raw: bytes) -> None:
        """Hand over one letter; `sender` is that of its envelope, "" for none.

        Raises NotTaken for what is wrong with this letter, and WorldError where no letter can go.
        """

    def check(self, sender: str) -> str:
        """Try the way without sending; return a sentence. Raises WorldError."""

    def objection(self, sender: str, address: str) -> str:
        """Return what is said against letters with that sender, "" where nothing, or nobody can be asked without sending.

        `address` is one of ours, to be named as receiver. Raises WorldError.
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
