"""A process with another pbem, whose rules are lent (`elsewhere`): how it is started, asked and ended.

It decides when there is no answer: the process has ended, takes too long, or says what is none. No page imports this: a browser
has no processes.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.errors import UsageError, WorldError
from pbem.i18n import _
from pbem.kernel import Chooser, Json

from .elsewhere import Elsewhere, lent
from .pack import FOLDERS
from .pipe import Pipe

SERVING = Path(__file__).with_name("serving.py")
PATIENCE = 120
"""So many seconds one call may take: far more than any rules need."""
LONGEST = 64 << 20
"""So many bytes one answer may have."""
INHERITED = (
    "PATH",
    "SYSTEMROOT",
    "WINDIR",
    "TEMP",
    "TMP",
    "TMPDIR",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LD_LIBRARY_PATH",
    FOLDERS,
)
"""What a program may need of the environment to run at all. Nothing else is handed on: there may be passphrases in it."""


def bare() -> dict[str, str]:
    """Return the environment of a program that is not ours: nothing but what it may need to run at all."""
    return {name: os.environ[name] for name in INHERITED if name in os.environ}


@contextmanager
def rules_in(folder: Path, game_id: str, patience: float = PATIENCE) -> Iterator[tuple[Elsewhere, str]]:
    """Lend the rules of a game out of a folder with another pbem, with the SHA-256 of their manifest, as long as they are needed.

    Raises UsageError where there are none; from then on WorldError when that pbem does not answer as it should.
    """
    place = folder.resolve()
    if not (place / "pbem" / "__init__.py").exists():
        raise UsageError(
            _("{folder} is no folder with a pbem in it: {file} is missing.", folder=folder, file="pbem/__init__.py")
        )
    games = os.pathsep.join(filter(None, [str(place), os.environ.get(FOLDERS, "")]))
    process = subprocess.Popen(  # noqa: S603 - to run what is in that folder is what was asked for
        [sys.executable, "-I", "-B", str(SERVING), game_id, str(place), *filter(os.path.isabs, sys.path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=place, start_new_session=True,
        env={**bare(), FOLDERS: games},
    )  # fmt: skip
    pipe = ProcessPipe(process, folder, patience)
    try:
        game = lent(pipe, game_id)
        yield game, game.sha256
    finally:
        pipe.end()


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads a group of its own, with all that it has started; one that has ended is none the worse."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


class ProcessPipe(Pipe):
    """What leads to the process with the other pbem. A call that lasts too long ends it."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path, patience: float) -> None:
        super().__init__(folder)
        self._process, self._patience = process, patience
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
                kill_group(self._process)

    def end(self) -> None:
        """End the process."""
        self._over.set()
        kill_group(self._process)
        self._process.communicate()

    def through(self, asked: str, chooser: Chooser | None) -> dict[str, Json]:
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
