"""Running another pbem that lends its rules (`archived`): in a process of its own, or by turns in this interpreter.

A process gets its own environment and nothing to write to, and is ended if it takes too long. A process that has ended, takes too
long or answers in a malformed way gives no answer.

By turns is for a page, which cannot start processes. Our modules and theirs have the same names, so they take turns. While the
other rules answer, Python knows the modules of their folder, and afterwards ours again. Any lookup of a module by its name (by an
import in a function, or pydantic) finds that of its own side. Only the JSON of the pipe passes between the two, so no object of one
side reaches the other. This keeps rules apart, but protects against nothing: only what comes with the page is run so. It must not
be used in a program in which another thread may import something meanwhile.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import invalidate_caches
from pathlib import Path
from types import ModuleType

from pbem.errors import UsageError, WorldError
from pbem.i18n import _
from pbem.kernel import Chooser, Json

from .archived import Elsewhere, Pipe, lent
from .pack import FOLDERS
from .serving import Lending

SERVING = Path(__file__).with_name("serving.py")
PATIENCE = 120
"""The number of seconds that one call may take: far more than any rules need."""
LONGEST = 64 << 20
"""The maximum number of bytes of one answer."""
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
"""The environment variables that a program may need to run at all. No others are passed on, because they may hold passphrases."""


def bare() -> dict[str, str]:
    """Return the environment of a program that is not ours: nothing but what it may need to run at all."""
    return {name: os.environ[name] for name in INHERITED if name in os.environ}


@contextmanager
def rules_in(folder: Path, game_id: str, patience: float = PATIENCE) -> Iterator[tuple[Elsewhere, str]]:
    """Lend the rules of a game from a folder with another pbem, with the SHA-256 of their manifest, within the context.

    Raises UsageError if there are none, and later WorldError if that pbem does not answer properly.
    """
    place = folder.resolve()
    if not (place / "pbem" / "__init__.py").exists():
        raise UsageError(
            _("{folder} is not a folder that contains pbem: {file} is missing.", folder=folder, file="pbem/__init__.py")
        )
    games = os.pathsep.join(filter(None, [str(place), os.environ.get(FOLDERS, "")]))
    process = subprocess.Popen(  # noqa: S603 - to run what is in that folder is what was asked for
        [sys.executable, "-I", "-B", str(SERVING), game_id, str(place), *filter(os.path.isabs, sys.path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=place, start_new_session=True,
        env={**bare(), FOLDERS: games},
    )  # fmt: skip
    yield from _lent(ProcessPipe(process, folder, patience), game_id)


def _lent(pipe: ProcessPipe | _NearPipe, game_id: str) -> Iterator[tuple[Elsewhere, str]]:
    try:
        game = lent(pipe, game_id)
        yield game, game.sha256
    finally:
        pipe.end()


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads its own group, with everything it has started; a process that has ended does no harm."""
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
        """End the process when a call lasts too long; its caller then reads that it has ended."""
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
            _("The rules in {folder} have ended, and no longer answer ({why}).", folder=self.folder, why=why)
        )


@contextmanager
def rules_beside(folder: Path, game_id: str) -> Iterator[tuple[Elsewhere, str]]:
    """Lend the rules of a game from a folder with another pbem, with the SHA-256 of their manifest, within the context.

    Raises UsageError if there are none, and later WorldError if they do not answer properly.
    """
    yield from _lent(_NearPipe(folder.resolve(), game_id), game_id)


class _Turns:
    """The owner of the modules that Python knows: this pbem at first, and the other side after each `change`."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._tops = {entry.name.removesuffix(".py") for entry in folder.iterdir()}
        self._others: dict[str, ModuleType] = {}
        self._way = [self._folder, *sys.path]
        invalidate_caches()

    def change(self) -> None:
        """Let the modules be here that were away, and the others be away."""
        here = {name: sys.modules.pop(name) for name in self._ours()}
        sys.modules.update(self._others)
        self._others = here
        sys.path[:], self._way = self._way, list(sys.path)

    def _ours(self) -> Sequence[str]:
        return [name for name in sys.modules if name.partition(".")[0] in self._tops]

    @contextmanager
    def changed(self) -> Iterator[None]:
        """Let the other side's modules be here for a while."""
        self.change()
        try:
            yield
        finally:
            self.change()

    def end(self) -> None:
        """Clear Python's caches for the folder."""
        for place in [place for place in sys.path_importer_cache if place.startswith(self._folder)]:
            del sys.path_importer_cache[place]


class _NearPipe(Pipe):
    """What leads to the other pbem, by turns."""

    def __init__(self, folder: Path, game_id: str) -> None:
        super().__init__(folder)
        self._turns = _Turns(folder)
        self._chooser: Chooser | None = None
        self._lending = self._opened(game_id)

    def _opened(self, game_id: str) -> Lending | str:
        """Return the object that lends the rules there, or why there are none."""
        before = os.environ.get(FOLDERS)
        os.environ[FOLDERS] = os.pathsep.join(filter(None, [str(self.folder), before]))
        try:
            with self._turns.changed():
                return Lending(game_id, self)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with that pbem is told
            return f"{type(error).__name__}: {error}"
        finally:
            os.environ.pop(FOLDERS)
            if before is not None:
                os.environ[FOLDERS] = before

    def through(self, asked: str, chooser: Chooser | None) -> dict[str, Json]:
        if isinstance(self._lending, str):
            return {"error": "none", "why": self._lending}
        self._chooser = chooser
        with self._turns.changed():
            said = json.dumps(self._lending.answer(json.loads(asked)) if asked else {"ok": self._lending.about()})
        return dict(json.loads(said))

    def randrange(self, stop: int, /) -> int:
        """Let the caller choose a number, on its own side."""
        if self._chooser is None:
            raise self.garbled({"choose": stop})
        with self._turns.changed():
            return self._chooser.randrange(stop)

    def end(self) -> None:
        """Let go of the other side."""
        self._lending = ""
        self._turns.end()
