"""A program in a process of its own, called by lines of JSON: one line to its standard input, one line back.

It decides when an answer is missing: the program has ended, takes too long, or gives an invalid answer. The caller decides what the
lines mean. The program's standard error is ours. It gets only the environment it needs to run, because ours may contain
passphrases.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from pbem.errors import UsageError, WorldError
from pbem.games.running import bare, kill_group
from pbem.i18n import _

LONGEST = 16 << 20
"""The maximum number of bytes of one answer."""
_LEAVING = 5
"""The seconds a program has to end after its last output, so that its exit status is known."""


class ProgramFailed(WorldError):
    """A program has ended, timed out or given an invalid answer. It gets no further requests."""


class LineProgram:
    """A program that answers each line with one line; `name` is its name in error messages."""

    def __init__(self, command: Sequence[str], name: str, patience: int) -> None:
        """Start the program; an answer may take `patience` seconds. Raises UsageError where it cannot be started."""
        self.name, self._patience, self._ended = name, patience, False
        if not command or isinstance(command, str):
            raise UsageError(
                _("A program is started by a list of words, its name first, and not by “{said}”.", said=command)
            )
        try:
            self._process = subprocess.Popen(  # noqa: S603 - to run this program is what was asked for
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, env=bare()
            )
        except (OSError, ValueError) as error:
            raise UsageError(_("{name} cannot be started: {why}.", name=name, why=error)) from error
        self._asked, self._answered = SimpleQueue[bytes | None](), SimpleQueue[bytes]()
        threading.Thread(target=self._pass_on, daemon=True).start()

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request. Raises ProgramFailed, and has ended the program then."""
        if self._ended:
            raise ProgramFailed(_("{name} was ended, and is asked nothing more.", name=self.name))
        self._asked.put(json.dumps(request, separators=(",", ":")).encode() + b"\n")
        try:
            line = self._answered.get(timeout=self._patience)
        except Empty:
            why = _("{name} has given no answer for {n} seconds, and was ended.", name=self.name, n=self._patience)
            raise self._failed(why) from None
        if not line:
            raise self._failed(self._gone())
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            said = shown(line.decode("utf-8", "replace"))
            raise self._failed(_("{name} gave an invalid answer: “{said}”.", name=self.name, said=said))
        return answer

    def _pass_on(self) -> None:
        """Write requests and read answers in a thread of its own, so that a blocked pipe blocks only this thread."""
        pipe_in, pipe_out = self._process.stdin, self._process.stdout
        assert pipe_in is not None  # noqa: S101 - both were asked for
        assert pipe_out is not None  # noqa: S101
        while (line := self._asked.get()) is not None:
            try:
                pipe_in.write(line)
                pipe_in.flush()
                self._answered.put(pipe_out.readline(LONGEST))
            except (OSError, ValueError):
                self._answered.put(b"")
        for pipe in (pipe_in, pipe_out):
            with suppress(OSError):
                pipe.close()

    def _gone(self) -> str:
        """Describe how a program that gives no answer has ended."""
        try:
            status = self._process.wait(min(_LEAVING, self._patience))
        except subprocess.TimeoutExpired:  # it has shut its output, and lives on
            return _("{name} no longer answers.", name=self.name)
        how = _("signal {n}", n=-status) if status < 0 else _("exit code {n}", n=status)
        return _("{name} has ended ({how}).", name=self.name, how=how)

    def _failed(self, why: str) -> ProgramFailed:
        self.end()
        return ProgramFailed(why)

    def end(self) -> None:
        """End the program, with all that it has started; once more does nothing."""
        if not self._ended:
            self._ended = True
            kill_group(self._process)
            self._asked.put(None)
            self._process.wait()


def shown(said: str, most: int = 80) -> str:
    """Return a program's output on one line, cut after `most` letters.

    >>> shown(" one\\ntwo three", 10), shown("one")
    ('one; two t…', 'one')
    """
    line = "; ".join(said.strip()[: most + 1].splitlines())
    return line if len(line) <= most else f"{line[:most]}…"
