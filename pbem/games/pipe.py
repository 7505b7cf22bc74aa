"""The pipe to a process with another pbem: one request, one answer, each a line of JSON.

It decides when there is no answer: the process has ended, takes too long, or says what is none. That is a WorldError, which no
replay takes for what rules say of a game. What the rules there raise is raised here.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from unicodedata import category

from pbem.errors import EndlessError, FormError, OrderError, PbemError, Problem, UsageError, WorldError
from pbem.i18n import _, spoken
from pbem.kernel import Chooser, Json

LONGEST = 64 << 20
"""So many bytes one answer may have."""


_KINDS: Mapping[str, type[PbemError]] = {kind.__name__: kind for kind in (UsageError, FormError, EndlessError)}
"""The errors of rules that are raised here as they were there."""


class Pipe:
    """What leads to the process with the other pbem. A call that lasts too long ends it."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path, patience: float) -> None:
        self.folder, self._process, self._patience = folder, process, patience
        self._since: float | None = None
        self._late = False
        self._over = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        """End the process when a call lasts too long: then whoever waits for it reads that it has ended."""
        while not self._over.wait(min(1, self._patience / 4)):
            since = self._since
            if since is not None and time.monotonic() - since > self._patience:
                self._late = True
                self._kill()

    def _kill(self) -> None:
        with suppress(OSError):
            if hasattr(os, "killpg"):  # with all that it has started
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def end(self) -> None:
        """End the process."""
        self._over.set()
        self._kill()
        self._process.communicate()

    def ask(self, number: int, do: str, *given: Json, chooser: Chooser | None = None) -> Json:
        """Return what a thing there answers. Raises what the rules raise, and WorldError when they are none."""
        return self._heard(self._through(json.dumps([number, do, given, spoken()]), chooser))

    def first(self) -> Json:
        """Return what the process says at first."""
        return self._heard(self._through("", None))

    def _through(self, asked: str, chooser: Chooser | None) -> Json:
        pipe_in, pipe_out = self._process.stdin, self._process.stdout
        assert pipe_in is not None  # noqa: S101 - both were asked for
        assert pipe_out is not None  # noqa: S101
        self._since = time.monotonic()
        try:
            while True:
                if asked:
                    pipe_in.write(asked.encode() + b"\n")
                    pipe_in.flush()
                line = pipe_out.readline(LONGEST)
                if not line:
                    raise self._ended()
                answer = json.loads(line)
                if not isinstance(answer, dict):
                    raise self.garbled(line)
                if chooser is None or "choose" not in answer:
                    return answer
                asked = str(chooser.randrange(answer["choose"]))
        except OSError:
            raise self._ended() from None
        except (ValueError, TypeError, RecursionError):
            raise self.garbled(line) from None
        finally:
            self._since = None

    def _heard(self, answer: dict[str, Json]) -> Json:
        """Return what was answered. Raises what the rules raised."""
        try:
            if "order" in answer:
                raise OrderError(*(_problem(*problem) for problem in answer["order"]))
            if "error" in answer:
                raise self._error(answer["error"], printable(answer["why"]))
            return answer["ok"]
        except (KeyError, TypeError, ValueError):
            raise self.garbled(answer) from None

    def _error(self, kind: str, why: str) -> PbemError:
        if kind in _KINDS:
            return _KINDS[kind](why)
        why = why.rstrip(".")
        if kind == "none":
            return UsageError(_("The pbem in {folder} cannot be run: {why}.", folder=self.folder, why=why))
        return WorldError(_("The rules in {folder} stumble: {why}.", folder=self.folder, why=why))

    def _ended(self) -> WorldError:
        status = self._process.wait()
        if self._late:
            return WorldError(
                _(
                    "The rules in {folder} have given no answer for {n} seconds, and were ended.",
                    folder=self.folder,
                    n=self._patience,
                )
            )
        why = _("signal {n}", n=-status) if status < 0 else _("exit code {n}", n=status)
        return WorldError(
            _("The rules in {folder} have ended, and answer no more ({why}).", folder=self.folder, why=why)
        )

    def garbled(self, said: object) -> WorldError:
        """Return the error for an answer that is none."""
        shown = printable(said.decode("utf-8", "replace") if isinstance(said, bytes) else json.dumps(said))
        return WorldError(
            _(
                "The rules in {folder} have answered what no rules answer: “{said}”.",
                folder=self.folder,
                said=shown.strip()[:80],
            )
        )


def _problem(line: int, read: str, why: str, rule: str, legal: str) -> Problem:
    return Problem(int(line), printable(read), printable(why), printable(rule), printable(legal))


def printable(text: str) -> str:
    """Return a text without what a terminal would obey."""
    return "".join(c if c == "\n" or category(c)[0] != "C" else "\ufffd" for c in text)
