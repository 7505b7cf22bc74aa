"""People who read and write their mail with s-nail, from a mailbox that Dovecot keeps."""

from __future__ import annotations

import shutil
import subprocess
import time
from email.message import EmailMessage
from pathlib import Path

import pytest

from .people import opened
from .real import PASSWORD, Servers

needs_nail = pytest.mark.skipif(shutil.which("s-nail") is None, reason="s-nail is not installed")
PATIENCE = 60
RC = """\
set v15-compat
set from="{name} <{name}@players.test>"
set mta=smtp://{name}:{password}@localhost:{port}
set smtp-use-starttls
set tls-ca-file={certificate}
set quote
set indentprefix="> "
set forward-as-attachment
set sendwait
"""


def kind_of(letter: EmailMessage) -> str:
    """Of which kind a letter of the host is."""
    return str(letter["Message-ID"]).split(".")[1]


class Reader:
    """A mailbox, as Dovecot keeps it, and the program with which its owner replies."""

    def __init__(self, folder: Path, servers: Servers, name: str) -> None:
        self.box, self.rc = servers.folder / "home" / name / "Maildir", folder / f"mailrc of {name}"
        self.rc.write_text(
            RC.format(name=name, password=PASSWORD, port=servers.submission, certificate=servers.certificate), "utf-8"
        )
        self.there = len(self.letters())
        self.answered: set[str] = set()
        """The addresses to which its owner has replied."""

    def letters(self) -> list[EmailMessage]:
        """All letters, in the order in which they came."""
        found = [path for name in ("new", "cur") for path in (self.box / name).glob("*") if path.is_file()]
        return [opened(path.read_bytes()) for path in sorted(found, key=lambda path: path.name.partition(":")[0])]

    def new(self) -> list[EmailMessage]:
        """The letters that have come since the last look."""
        found = self.letters()[self.there :]
        self.there += len(found)
        return found

    def wait(self, *kinds: str) -> EmailMessage:
        """Wait for new letters, the last of one of these kinds; return that."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if any(kind_of(letter) in kinds for letter in self.letters()[self.there :]):
                time.sleep(0.5)  # what comes beside it
                return next(one for one in reversed(self.new()) if kind_of(one) in kinds)
            time.sleep(0.1)
        raise AssertionError(f"no {kinds} comes: {[str(one['Message-ID']) for one in self.letters()]}")

    def reply(self, letter: EmailMessage, said: str) -> None:
        """Reply as s-nail does, which quotes the whole letter; what is typed stands below what it quotes."""
        self.answered.add(str(letter["Reply-To"]))
        self._type(letter, "reply {n}", said)

    def forward(self, letter: EmailMessage, to: str) -> None:
        """Forward a letter as an attachment, as s-nail does where that is set."""
        self._type(letter, f"forward {{n}} {to}", "Here it is.")

    def _type(self, letter: EmailMessage, command: str, said: str) -> None:
        number = 1 + [one["Message-ID"] for one in self.letters()].index(letter["Message-ID"])
        typed = f"{command.format(n=number)}\n{said}\n~.\nx\n"
        done = subprocess.run(
            ["s-nail", "-:u", "-#", "-f", f"maildir://{self.box}"], input=typed, capture_output=True, text=True,
            check=False, timeout=30, env={"MAILRC": str(self.rc), "HOME": str(self.rc.parent), "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
