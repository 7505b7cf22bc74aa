"""Handing letters to this machine's own mail system: its `sendmail` program, which reads them from its standard input."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

from pbem.errors import NotTaken, WorldError
from pbem.i18n import _

from .trouble import one_line

if TYPE_CHECKING:
    from .settings import Sendmail

_FOR_GOOD = {os.EX_DATAERR, os.EX_NOUSER, os.EX_NOHOST} if hasattr(os, "EX_NOUSER") else {65, 67, 68}
"""Exit codes (sysexits) that speak of the letter or its receiver; all others may go over."""
_NOT_OF_THE_SENDER = {67, 68, 71, 72, 73, 74, 75}
"""Those that speak of the receiver, of this machine, or of later."""


class SendmailCarrier:
    """A program that takes one letter at a time."""

    def __init__(self, settings: Sendmail) -> None:
        self.settings = settings

    def carry(self, sender: str, address: str, raw: bytes) -> None:
        """Hand over one letter; `sender` is that of its envelope, "" for none. Raises NotTaken or WorldError."""
        if address.startswith("-"):
            raise NotTaken(_("“{address}” would be read as an option of the program.", address=address), for_good=True)
        words = {"{sender}": sender, "{address}": address}
        command = [self._program(), *(words.get(word, word) for word in self.settings.command[1:])]
        try:
            done = subprocess.run(  # noqa: S603 - the host's settings name the program; no shell reads the words
                command,
                input=raw.replace(b"\r\n", b"\n"),
                capture_output=True,
                timeout=self.settings.timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise WorldError(
                _(
                    "{command} did not end within {timeout} seconds.",
                    command=command[0],
                    timeout=f"{self.settings.timeout:g}",
                )
            ) from error
        except OSError as error:
            raise WorldError(_("{command} cannot be run: {why}.", command=command[0], why=error.strerror)) from error
        if done.returncode:
            said = one_line(done.stderr or done.stdout) or _("it says nothing")
            why = _("{command} ended with {code}: {said}.", command=command[0], code=done.returncode, said=said)
            by_sender = done.returncode not in _NOT_OF_THE_SENDER
            raise NotTaken(why, for_good=done.returncode in _FOR_GOOD, by_sender=by_sender)

    def check(self, sender: str) -> str:
        """Look whether the program is there; return a sentence. Raises WorldError."""
        return _("{program} is there; whether it sends on, its own log tells.", program=self._program())

    def objection(self, sender: str, address: str) -> str:
        """A program cannot be asked without sending: ""."""
        return ""

    def close(self) -> None:
        """Nothing stays open."""

    def _program(self) -> str:
        program = self.settings.command[0]
        found = shutil.which(program)
        if found is None:
            raise WorldError(
                _("There is no program {program}. Install a mail system, or name another command.", program=program)
            )
        return found
