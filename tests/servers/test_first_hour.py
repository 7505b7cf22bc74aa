"""The first hour of somebody who has a mailbox and s-nail, and reads nothing but his mail: from the invitation to turn 3."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.servers.games import a_host, pbem, running

from .people import opened, words_of
from .real import PASSWORD, Servers

pytestmark = pytest.mark.slow

PATIENCE = 60
RC = """\
set v15-compat
set from="Ann <ann@players.test>"
set mta=smtp://ann:{password}@localhost:{port}
set smtp-use-starttls
set tls-ca-file={certificate}
set quote
set indentprefix="> "
set sendwait
"""


class Reader:
    """Her mailbox, as Dovecot keeps it, and the program with which she replies."""

    def __init__(self, folder: Path, servers: Servers) -> None:
        self.box, self.rc = servers.folder / "home" / "ann" / "Maildir", folder / "mailrc"
        self.rc.write_text(
            RC.format(password=PASSWORD, port=servers.submission, certificate=servers.certificate), "utf-8"
        )
        self.there = len(self.letters())

    def letters(self) -> list[EmailMessage]:
        found = [path for name in ("new", "cur") for path in (self.box / name).glob("*") if path.is_file()]
        return [opened(path.read_bytes()) for path in sorted(found, key=lambda path: path.name.partition(":")[0])]

    def wait(self, kind: str) -> EmailMessage:
        """Wait for new letters, the last of a kind; return that."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            new = self.letters()[self.there :]
            if any(str(letter["Message-ID"]).split(".")[1] == kind for letter in new):
                time.sleep(0.5)  # what comes beside it
                new = self.letters()[self.there :]
                self.there += len(new)
                return next(one for one in reversed(new) if str(one["Message-ID"]).split(".")[1] == kind)
            time.sleep(0.1)
        raise AssertionError(f"no {kind} comes: {[str(one['Message-ID']) for one in self.letters()]}")

    def reply(self, letter: EmailMessage, said: str) -> None:
        """Reply as s-nail does, which quotes the whole letter; its lines are typed below what it quotes."""
        number = 1 + [one["Message-ID"] for one in self.letters()].index(letter["Message-ID"])
        typed = f"reply {number}\n{said}\n~.\nx\n"
        done = subprocess.run(
            ["s-nail", "-:u", "-#", "-f", f"maildir://{self.box}"], input=typed, capture_output=True, text=True,
            check=False, timeout=30, env={"MAILRC": str(self.rc), "HOME": str(self.rc.parent), "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("s-nail") is None, reason="s-nail is not installed")
def test_somebody_with_nothing_but_a_mailbox_gets_to_the_third_turn(tmp_path: Path, servers: Servers) -> None:
    home = a_host(tmp_path, servers, "imap smtp")
    reader = Reader(tmp_path, servers)
    seats = ("--seat", "english=sensible", "--seat", "scottish=ann@players.test")
    pbem("host", "new", "--dir", str(home), "--game", "hammer", *seats, "--hours", "72", "--zone", "Europe/London")
    with running(home):
        letter = reader.wait("invitation")
        assert "Against:   the English (a built-in player)" in words_of(letter)
        reader.reply(letter, "JOIN seven old boats")
        letter, texts = reader.wait("report"), list[str]()
        reader.reply(letter, "Hello! How do I play a card?")
        asked = reader.wait("told")
        assert "Nothing in your mail could be read as an answer." in words_of(asked)
        reader.reply(asked, "HELP")
        assert words_of(reader.wait("reply")).split("\n")[1].startswith("You play Hammer of the Scots by replying")
        reader.reply(letter, "1?")
        refused = reader.wait("refusal")
        assert "This asks something. Write the number alone." in words_of(refused)
        reader.reply(refused, "1")
        for _ in range(40):
            letter = reader.wait("report")
            texts.append(words_of(letter))
            if "turn 3" in str(letter["Subject"]):
                break
            listed = re.findall(r"^ {2}(\d) {2}\S", texts[-1], re.MULTILINE)
            reader.reply(letter, f"Hello,\n{listed[min(3, len(listed)) - 1]}\nThanks, Ann")
        else:
            raise AssertionError("the third turn does not come")
    assert not any("Not read as an order" in words_of(one) for one in reader.letters()[reader.there - len(texts) :])
    assert all("pbem " not in text for text in texts), "no letter of the game asks for a program"
