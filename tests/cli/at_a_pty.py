"""The installed program at a real terminal: a pseudo-terminal, in which a person waits for a question before he answers it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path

_LIMIT = 30
"""Seconds after which nobody waits any more."""
_BEGIN = "import fcntl,os,sys,termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
"""A terminal is that of a program that says so, and passwords are asked for there."""
_SIGNS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\r")


class AtAPty:
    """A command that was typed at a terminal of 132 columns, in a folder."""

    def __init__(self, folder: Path, *arguments: object, env: Mapping[str, str] | None = None) -> None:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 132, 0, 0))
        program = Path(sys.executable).with_name("pbem")
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BEGIN, str(program), *map(str, arguments)],
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, cwd=folder,
            env={**os.environ, "TERM": "dumb", "NO_COLOR": "1", "LANG": "C.UTF-8", **(env or {})},
        )  # fmt: skip
        os.close(theirs)
        self._ours, self.shown, self._seen = ours, "", 0

    def sees(self, text: str) -> None:
        """Wait until a text is shown, behind what was waited for before."""
        until = time.monotonic() + _LIMIT
        while (at := self.shown.find(text, self._seen)) < 0:
            if not self._read(until):
                raise AssertionError(f"“{text}” was not shown behind\n{self.shown[-2000:]}")
        self._seen = at + len(text)

    def types(self, line: str) -> None:
        """Type a line and Enter."""
        os.write(self._ours, f"{line}\n".encode())

    def answers(self, question: str, line: str = "") -> None:
        """Wait for a question, and answer it; Enter alone where nothing is said."""
        self.sees(question)
        self.sees(": ")
        self.types(line)

    def leaves(self) -> None:
        """Type Ctrl-D."""
        os.write(self._ours, b"\x04")

    def ends(self) -> int:
        """Wait for the end; return the exit code."""
        until = time.monotonic() + _LIMIT
        while self._read(until):
            pass
        os.close(self._ours)
        return self._process.wait(_LIMIT)

    def _read(self, until: float) -> bool:
        if not select.select([self._ours], [], [], max(0, until - time.monotonic()))[0]:
            return False
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # Linux says so when nobody has the other end any more
            return False
        self.shown += _SIGNS.sub("", data.decode("utf-8", "replace"))
        return bool(data)
