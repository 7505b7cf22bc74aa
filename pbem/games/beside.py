"""Another pbem in this very interpreter, where no process can be had: in the page.

Ours and theirs have modules of the same names. So they are here by turns: as long as the other rules answer, Python knows the
modules of their folder, and afterwards ours again. Whatever looks a module up by its name, an import in a function or pydantic,
finds that of its own side. Between the two goes the JSON of the pipe and nothing else, so no object of one side gets to the
other.

This keeps rules apart, and guards against none: only what comes with the page is run so. It is not for a program in which
another thread may import something meanwhile.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from types import ModuleType

from pbem.kernel import Chooser, Json

from .elsewhere import Elsewhere, lent
from .pack import FOLDERS
from .pipe import Pipe
from .serving import Lending


@contextmanager
def rules_beside(folder: Path, game_id: str) -> Iterator[tuple[Elsewhere, str]]:
    """Lend the rules of a game out of a folder with another pbem, with the SHA-256 of their manifest, as long as they are needed.

    Raises UsageError where there are none; from then on WorldError when they answer as no rules do.
    """
    place = folder.resolve()
    pipe = _NearPipe(place, game_id)
    try:
        game = lent(pipe, game_id)
        yield game, game.sha256
    finally:
        pipe.end()


class _Turns:
    """Whose modules Python knows: ours at first, and with each `change` the other side's."""

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
        """Forget what was read of the folder."""
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
        """Return what lends the rules there, or why there are none."""
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
        """Let whoever asks choose a number, on his own side."""
        if self._chooser is None:
            raise self.garbled({"choose": stop})
        with self._turns.changed():
            return self._chooser.randrange(stop)

    def end(self) -> None:
        """Let go of the other side."""
        self._lending = ""
        self._turns.end()
