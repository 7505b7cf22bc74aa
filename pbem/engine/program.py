"""A program in a process of its own that is asked by lines of JSON: one line to its standard input, one line back.

It decides when there is no answer: the program has ended, takes too long, or says what is none. What the lines mean is decided
by who asks. What the program writes to standard error stands where ours does.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from pbem.errors import UsageError, WorldError
from pbem.games.process import kill_group
from pbem.i18n import _

LONGEST = 16 << 20
"""So many bytes one answer may have."""
_LEAVING = 5
"""So many seconds a program may take to end behind its last word, to be heard why."""


class ProgramFailed(WorldError):
    """A program has ended, answers too late, or with what is no answer. It is asked nothing more."""


class LineProgram:
    """A program that answers each line with one line; `name` is what it is called where it fails."""

    def __init__(self, command: Sequence[str], name: str, patience: int) -> None:
        """Start the program; an answer may take `patience` seconds. Raises UsageError where it cannot be started."""
        self.name, self._patience, self._late = name, patience, False
        if not command or isinstance(command, str):
            raise UsageError(
                _("A program is started by a list of words, its name first, and not by “{said}”.", said=command)
            )
        try:
            self._process = subprocess.Popen(  # noqa: S603 - to run this program is what was asked for
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise UsageError(_("{name} cannot be started: {why}.", name=name, why=error)) from error

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request. Raises ProgramFailed, and has ended the program then."""
        if self._ended:
            raise ProgramFailed(_("{name} was ended, and is asked nothing more.", name=self.name))
        timer = threading.Timer(self._patience, self._too_late)
        timer.daemon = True
        timer.start()
        try:
            line = self._through(json.dumps(request, separators=(",", ":")).encode() + b"\n")
        finally:
            timer.cancel()
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            said = shown(line.decode("utf-8", "replace"))
            raise self._failed(_("{name} has answered what is no answer: “{said}”.", name=self.name, said=said))
        return answer

    def _through(self, line: bytes) -> bytes:
        pipe_in, pipe_out = self._process.stdin, self._process.stdout
        assert pipe_in is not None  # noqa: S101 - both were asked for
        assert pipe_out is not None  # noqa: S101
        try:
            pipe_in.write(line)
            pipe_in.flush()
            answer = pipe_out.readline(LONGEST)
        except (OSError, ValueError):
            answer = b""
        if not answer:
            raise self._gone()
        return answer

    def _too_late(self) -> None:
        self._late = True
        kill_group(self._process)

    def _gone(self) -> ProgramFailed:
        if self._late:
            why = _("{name} has given no answer for {n} seconds, and was ended.", name=self.name, n=self._patience)
            return self._failed(why)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(min(_LEAVING, self._patience))
        status = self._process.poll()
        if status is None or self._late:  # it has shut its output, and lives on
            return self._failed(_("{name} answers no more.", name=self.name))
        how = _("signal {n}", n=-status) if status < 0 else _("exit code {n}", n=status)
        return self._failed(_("{name} has ended ({how}).", name=self.name, how=how))

    def _failed(self, why: str) -> ProgramFailed:
        self.end()
        return ProgramFailed(why)

    @property
    def _ended(self) -> bool:
        return self._process.stdout is None or self._process.stdout.closed

    def end(self) -> None:
        """End the program, with all that it has started; once more does nothing."""
        if not self._ended:
            kill_group(self._process)
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError, AttributeError):
                    pipe.close()  # type: ignore[union-attr]
            self._process.wait()


def shown(said: str, most: int = 80) -> str:
    """Return what a program has said, on one line, cut short behind so many letters.

    >>> shown(" one\\ntwo three", 10), shown("one")
    ('one; two t…', 'one')
    """
    line = "; ".join(said.strip()[: most + 1].splitlines())
    return line if len(line) <= most else f"{line[:most]}…"
