"""A host under a supervisor: it tells systemd that it has begun, and is alive. Only one “pbem host run” works in a folder.

systemd names a socket and, with WatchdogSec, the time after which it ends a program that is silent (sd_notify(3)). Between two
pieces of work the thread that decides says that it is alive. No other thread does: a host that decides nothing must not seem alive.
Without systemd all this says nothing.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path

from pbem.errors import StoreAway
from pbem.i18n import _
from pbem.spool import RUNS

from . import locks
from .office import Office
from .run import Running, when_there

_OFTEN = 4
"""A host looks around, and says that it is alive, so often in the time that it may be silent."""


class Supervisor:
    """The one who has started this program, as its environment names him, if any."""

    def __init__(self, pulse: Callable[[], float], told: Mapping[str, str] = os.environ) -> None:
        self.pulse, self._thread, self._said = pulse, threading.get_ident(), float("-inf")
        self._at = told.get("NOTIFY_SOCKET", "")
        own = told.get("WATCHDOG_PID", "") in ("", str(os.getpid()))
        self.patience = int(told.get("WATCHDOG_USEC") or 0) / 1_000_000 if own and self._at else 0.0
        """The number of seconds for which it may be silent; 0 without a limit."""

    def ready(self, status: str = "") -> None:
        """Say that it has begun, and what it does or waits for; nobody has to wait for it any more."""
        self._say("READY=1", *[f"STATUS={status}"] * bool(status))

    def alive(self) -> None:
        """Say that it is alive, when it was silent for a while; only the thread that decides is asked."""
        if (
            self.patience
            and threading.get_ident() == self._thread
            and self.pulse() >= self._said + self.patience / _OFTEN
        ):
            self._said = self.pulse()
            self._say("WATCHDOG=1")

    def ends(self) -> None:
        """Say that it comes to its end."""
        self._say("STOPPING=1")

    def hurry(self, office: Office) -> None:
        """Let a host look around more often where its own pace would make it seem dead."""
        if self.patience and office.settings.every > self.patience / _OFTEN:
            office.settings = office.settings.model_copy(update={"every": self.patience / _OFTEN})

    def _say(self, *lines: str) -> None:
        if not self._at:
            return
        place = f"\0{self._at[1:]}" if self._at.startswith("@") else self._at
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.settimeout(0)  # who does not read what he is told must not stop the host
            to.sendto("\n".join(lines).encode(), place)


def begun(
    at_work: ExitStack, host: Callable[[], AbstractContextManager[Office]], clock: Callable[[], str], say: Callable[[str], None],
    rest: Callable[[float], bool],
) -> Running | None:  # fmt: skip
    """Begin to work, as soon as the store is there and no other works in the folder; None if told to stop before (`rest`)."""
    supervisor = Supervisor(time.monotonic)
    at_work.callback(supervisor.ends)

    def wait(seconds: float) -> bool:
        supervisor.ready(_("waiting, and trying again"))
        supervisor.alive()
        return rest(seconds)

    office = when_there(lambda: at_work.enter_context(host()), say, wait)
    if office is None or not when_there(lambda: at_work.enter_context(only_one(office.folder)), say, wait):
        return None
    supervisor.hurry(office)
    running = Running(office, clock, say)
    running.alive = supervisor.alive
    supervisor.ready(_("at work"))
    return running


@contextmanager
def only_one(folder: Path) -> Iterator[bool]:
    """Be the one “pbem host run” in a folder. Raises StoreAway while another is at work there."""
    with locks.writable(folder):
        lock = locks.alone(folder / RUNS)
    if lock is None:
        raise StoreAway(
            _(
                "Another “pbem host run” is at work in {folder}. Two would do the same work: stop one of them.",
                folder=folder,
            )
        )
    try:
        yield True
    finally:
        lock.close()
