"""People who have nothing but a mailbox of a real server: they reply to the host's letters as some mail program does."""

from __future__ import annotations

import re
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
from pbem.i18n import _, speaking
from pbem.mail.imap import ImapBox
from pbem.mail.settings import Imap
from tests.replies.people import around, by_number
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


_LISTED = re.compile(r"^ {2}([1-9]) {2}(\S.*)$", re.MULTILINE)
"""A line of the numbered list, as far as it is not folded."""


class Person:
    """One of them, at a mailbox of his seat's name or `at` another: he joins with some words, and answers with a number of each
    letter's list, as people write it, in each program in turn. Where the host asks him to write once more he sends that alone.

    He takes his seat over after so many answers, if he does: from then on a desk answers, with a key of his own.
    """

    def __init__(
        self,
        folder: Path,
        servers: Servers,
        seat: str,
        game: str,
        programs: Sequence[str],
        own_after: int = 0,
        at: str = "",
        language: str = "en",
    ) -> None:
        self.folder, self.servers, self.seat, self.game, self.at = folder, servers, seat, game, at or seat
        self.programs, self.chance, self.own_after, self.language = programs, Random(seat), own_after, language
        (folder / seat).mkdir(parents=True)
        (folder / seat / "password").write_text(PASSWORD + "\n", "utf-8")
        account = {
            "host": "localhost", "port": servers.imaps, "ca_file": str(servers.certificate),
            "user": self.at, "password_file": "password",
        }  # fmt: skip
        self.box = ImapBox(Imap.read(account, "the mailbox"), folder / seat)
        self.over, self.spare = False, b""
        self.meant: dict[str, tuple[int, int]] = {}
        """Which number he meant for which entry's question, by the address that he replied to."""
        self.again, self.sent = set[str](), list[str]()
        """Where he had to write once more; and the programs he wrote with."""
        self.later: Player | None = None

    @property
    def address(self) -> str:
        return f"{self.at}@players.test"

    def attend(self, now: str) -> int:
        """Read every new mail and reply; return how many there were."""
        if self.later is not None:
            found = self.later.attend(now)
            self.over = self.later.over
            return found
        there = list(self.box.new(32_000_000))
        for number, raw, _size in there:
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
        _game, kind, n = str(letter["Message-ID"]).split(".")[:3]
        to, copy = str(letter["Reply-To"]), False
        for file in letter.iter_attachments():
            data = file.get_content()
            if file.get_filename() == SPARE:
                self.spare = data
            copy |= str(file.get_filename()).endswith(".pbem")
            self.over |= copy and b'"k":"end"' in data
        if kind == "reply" and copy and self.own_after:
            self._take_over(raw, now)
            return True
        if kind == "invitation" and not self.sent:
            self._reply(letter, f"JOIN some words of {self.seat}")
        elif (
            to in self.meant
            and to not in self.again
            and (kind == "refusal" or (kind == "told" and self._unread(letter)))
        ):
            self.again.add(to)
            self._reply(letter, str(self.meant[to][1]))
        elif kind == "report" and to not in self.meant and (listed := _LISTED.findall(words_of(letter))):
            if self.own_after and len(self.meant) >= self.own_after:
                self._reply(letter, "RESEND")
            else:
                self._reply(letter, self._answer(listed, int(n), to))
        return False

    def _unread(self, letter: EmailMessage) -> bool:
        """Does the host say that it found no answer?"""
        with speaking(self.language):
            return (
                words_of(letter).partition("\n\n")[2].startswith(_("Nothing in your mail could be read as an answer."))
            )

    def _answer(self, listed: Sequence[tuple[str, str]], n: int, to: str) -> str:
        """Choose a line of the list."""
        number, words = self.chance.choice(listed)
        self.meant[to] = (n, int(number))
        said = by_number(int(number), words, self.language, self.chance)
        return around(said, self.language, self.chance)

    def _take_over(self, raw: bytes, now: str) -> None:
        """Make a desk of the whole log and of the file that the host sent, as `pbem read` and `pbem join` do."""
        self.later = Player(self.folder / "later", self.servers, self.seat, self.game, at=self.at)
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
            server.login(self.at, PASSWORD)
            server.sendmail(self.address, [to], raw)
        self.sent.append(program)
