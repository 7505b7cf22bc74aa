"""Work that comes to no end, as where the rules of a game loop: it is broken off, noted, and tried again after growing delays.

The limit counts seconds of the processor, so a slow disk, a store that is away or a suspended program costs nothing. A signal keeps
it, in the thread that decides, and only where the system has such signals (not under Windows). The supervisor ends what hangs
elsewhere (`supervised`): the mail that was being decided is then known to have killed the program (`stuck`).
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pbem.i18n import _
from pbem.kernel import Json

from . import troubles
from .moments import later
from .store import Store
from .stuck import WAITS
from .troubles import DAMAGE, ENDLESS, MATTER

MOST = 30
"""The number of seconds of the processor for one decision; the longest ones need two or three."""
_AGAIN = 5
"""The number of seconds after which it is broken off again, if somebody has swallowed the first time."""
_RESTS = "rests "
"""So the notes begin of work that rests: after how many tries, and until when."""


class TooLong(BaseException):
    """A piece of work has come to no end. Rules must not catch it, so it is a BaseException."""


def why() -> str:
    """Return why it was broken off, in a sentence."""
    return _("The rules came to no end in {n} seconds of the processor. Other games continue.", n=MOST)


_inside = False
"""Is this process at a piece of work with a limit?"""


def _break_off(_number: int, _frame: object) -> None:
    if _inside:
        raise TooLong


@contextmanager
def bounded() -> Iterator[None]:
    """Raise TooLong if what is done inside takes longer than any decision does."""
    global _inside  # noqa: PLW0603 - a process has one such timer
    if _inside or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before: Any = signal.signal(signal.SIGPROF, _break_off)
    _inside = True
    signal.setitimer(signal.ITIMER_PROF, MOST, _AGAIN)
    try:
        yield
    finally:
        _inside = False
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def in_game(store: Store, game: int | None, what: str, at: str, do: Callable[[], None], *, skip: bool = False) -> bool:
    """Do one piece of work in one game, as `troubles.in_game` does; what comes to no end rests, as if it were done."""
    name = f"{_RESTS}{what}"
    tries, _blank, until = store.note(name).partition(" ")
    if at < until <= later(at, minutes=WAITS[-1]):  # a longer rest was set by a clock that has been put back since
        return True
    try:
        with bounded():
            done = troubles.in_game(store, game, what, at, do, skip=skip)
    except TooLong:
        n = int(tries or 0) + 1
        store.put_note(name, f"{n} {later(at, minutes=WAITS[min(n, len(WAITS)) - 1])}")
        troubles.note(store, f"{ENDLESS}{what}", why(), at)
        return True
    if done and tries:
        store.forget(name)
        troubles.note(store, f"{ENDLESS}{what}", "", at)
    return done


def noted(name: str, since: str, text: str) -> dict[str, Json]:
    """Return what the status says of a trouble that is noted under a name."""
    kind = next((kind for kind in (MATTER, DAMAGE, ENDLESS) if name.startswith(kind)), "way ")
    return {kind.strip(): name.removeprefix(kind), "since": since, "why": text}


def rank(trouble: dict[str, Json]) -> int:
    """Return the place of a trouble in the status: damage, then what comes to no end or kills the program, then all others."""
    return 0 if "damage" in trouble else 1 if "endless" in trouble or trouble.get("died") else 2
