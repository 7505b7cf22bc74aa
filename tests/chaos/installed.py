"""The installed `pbem` as an operator has it: “pbem host run” as a process, and the commands that he types beside it.

No catch, no retry and no wait is added for the host: it is started, hears signals, and is started again, as by a supervisor.
"""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from threading import Thread

PBEM = Path(sysconfig.get_path("scripts")) / "pbem"
LONGEST = 240
"""So many seconds a program may be silent before it is taken for dead: none of them is waited for where all is well."""


def why_not() -> str:
    """Why the installed program cannot be driven here, or ""."""
    if os.name != "posix":
        return "there are no such signals"
    return "" if PBEM.exists() else "pbem is not installed where this Python is"


def typed(host: Path, command: str, *words: str, env: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Type a command of the host; return its exit code, and what it said."""
    words = (str(PBEM), "host", command, *words, *(() if command == "init" else ("--dir", str(host))))
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **(env or {})})
    return done.returncode, done.stdout + done.stderr


def said_first(host: Path, env: Mapping[str, str] | None = None) -> str:
    """What the operator's status says first."""
    return typed(host, "status", env=env)[1].partition("\n")[0]


class Host:
    """“pbem host run” in a folder, again and again."""

    def __init__(self, folder: Path, env: Mapping[str, str] | None = None) -> None:
        self.folder, self.env = folder, {**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})}
        self.said: list[str] = []
        """All that it has said, in all its lives."""
        self.process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def start(self) -> None:
        """Start it."""
        words = [str(PBEM), "host", "run", "--dir", str(self.folder)]
        self._lines = queue.SimpleQueue()
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.env
        )
        Thread(target=self._listen, args=(self.process, self._lines), daemon=True).start()

    def _listen(self, process: subprocess.Popen[str], lines: queue.SimpleQueue[str | None]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                self.said.append(line)
                lines.put(line)
        lines.put(None)

    def hear(self, words: str, longest: float = LONGEST) -> str:
        """Wait until it says something with these words."""
        while True:
            try:
                line = self._lines.get(timeout=longest)
            except queue.Empty:
                line = None
            assert line is not None, f"it never said “{words}”:\n{''.join(self.said[-40:])}"
            if re.search(words, line):
                return line

    def goes_on(self, seconds: float) -> bool:
        """Let it work for so long; is it at work still?"""
        assert self.process is not None
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return True
        return False

    def tell(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        """Kill it, as where the power fails for it alone."""
        self.tell(signal.SIGKILL)
        self.wait()

    def wait(self) -> int:
        """Wait until it has ended; its exit code."""
        assert self.process is not None
        return self.process.wait(LONGEST)

    def end(self) -> None:
        """Tell it to end, as a supervisor does; it ends well."""
        self.tell(signal.SIGTERM)
        assert self.wait() == 0, "".join(self.said[-40:])

    def let_go(self) -> None:
        """At the end of a test, however that ends."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
