"""People who have nothing but a mailbox of a real server: they reply to the host's letters as some mail program does."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Sequence
from contextlib import suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from random import Random

from pbem.errors import WorldError
from pbem.host.kept import SPARE
from pbem.mail.imap import ImapBox
from pbem.mail.settings import Imap
from tests.replies.programs import Sent, reply

from .players import Player
from .real import PASSWORD, Servers


def opened(raw: bytes) -> EmailMessage:
    """A mail, as a program opens it."""
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def words_of(letter: EmailMessage) -> str:
    """The text of a letter, as a program shows it."""
    body = letter.get_body(("plain",))
    return str(body.get_content()).replace("\r\n", "\n") if body is not None else ""


class Person:
    """One of them, who joins with some words and answers each question with the first number, in each program in turn.

    He takes his seat over after so many answers, if he does: from then on a desk answers, with a key of his own.
    """

    def __init__(
        self, folder: Path, servers: Servers, seat: str, game: str, programs: Sequence[str], own_after: int = 0
    ) -> None:
        self.folder, self.servers, self.seat, self.game = folder, servers, seat, game
        self.programs, self.chance, self.own_after = programs, Random(seat), own_after
        (folder / seat).mkdir(parents=True)
        (folder / seat / "password").write_text(PASSWORD + "\n", "utf-8")
        account = {
            "host": "localhost", "port": servers.imaps, "ca_file": str(servers.certificate),
            "user": seat, "password_file": "password",
        }  # fmt: skip
        self.box = ImapBox(Imap.read(account, "the mailbox"), folder / seat)
        self.over, self.spare = False, b""
        self.answered, self.sent = set[str](), list[str]()
        self.later: Player | None = None

    @property
    def address(self) -> str:
        return f"{self.seat}@players.test"

    def attend(self, now: str) -> int:
        """Read every new mail and reply; return how many there were."""
        if self.later is not None:
            found = self.later.attend(now)
            self.over = self.later.over
            return found
        there = list(self.box.new(32_000_000))
        for number, raw, _ in there:
            with suppress(WorldError):  # as of any player
                self.box.done(number)
            if self._takes_over(raw, now):
                break
        return len(there)

    def close(self) -> None:
        """Leave the server."""
        self.box.close()
        if self.later is not None:
            self.later.box.close()

    def _takes_over(self, raw: bytes, now: str) -> bool:
        """Reply to a letter; does a desk answer from now on?"""
        letter = opened(raw)
        kind = str(letter["Message-ID"]).split(".")[1]
        for file in letter.iter_attachments():
            data = file.get_content()
            if file.get_filename() == SPARE:
                self.spare = data
            self.over |= str(file.get_filename()).endswith(".pbem") and b'"k":"end"' in data
        if kind == "reply" and self.own_after:
            self._take_over(raw, now)
            return True
        if "Reply with JOIN" in words_of(letter) and not self.sent:
            self._reply(letter, f"JOIN some words of {self.seat}")
        elif kind == "report" and "+r-" in (at := str(letter["Reply-To"])) and at not in self.answered:
            if self.own_after and len(self.answered) >= self.own_after:
                self._reply(letter, "RESEND")
            else:
                self.answered.add(at)
                self._reply(letter, "1")
        return False

    def _take_over(self, raw: bytes, now: str) -> None:
        """Make a desk of the whole log and of the file that the host sent, as `pbem read` and `pbem join` do."""
        self.later = Player(self.folder / "later", self.servers, self.seat, self.game)
        self.later.desk.read(raw)
        self.later.desk.join(self.spare, now)
        self.later.desk.tray.send()

    def _reply(self, letter: EmailMessage, own: str) -> None:
        program = self.programs[len(self.sent) % len(self.programs)]
        name, to = str(letter["Message-ID"]).strip("<>"), str(letter["Reply-To"])
        raw = reply(program, own, Sent(words_of(letter), name, to, str(letter["Subject"])), self.chance, self.address)
        context = ssl.create_default_context(cafile=str(self.servers.certificate))
        with smtplib.SMTP("localhost", self.servers.submission) as server:
            server.starttls(context=context)
            server.login(self.seat, PASSWORD)
            server.sendmail(self.address, [to], raw)
        self.sent.append(program)
