"""Faults that were, put back into the program as it is: a test finds each of them again.

- deadlines before mail: a question closes although a mailbox was not read (seed 34, in time)
- three kills fail a mail: nobody hears of it, and the default is taken (seed 3, accounted)
- a missing store is made: mail goes into an empty one (seed 1, accounted)
- waiting mail loses its bytes and is read as empty (seed 2, accounted)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from unittest.mock import patch

from pbem.host import robot
from pbem.host.arrivals import Arrivals
from pbem.host.robot import Robot
from pbem.host.store import Store


@contextmanager
def deadlines_before_mail() -> Iterator[None]:
    """A question is closed when the clock says so, though a mailbox has not been looked into, or cannot be."""
    with patch.object(Arrivals, "is_over", lambda *_: True):
        yield


@contextmanager
def three_kills_fail_a_mail() -> Iterator[None]:
    """A mail over which the host was killed three times counts as failed, and nobody hears of it."""

    def fail(self: Robot, number: int) -> str:
        outcome = "failed: the program died over it, time and again"
        with self.store.decision():
            self.store.change("inbox", number, outcome=outcome)
        return outcome

    with patch.object(Robot, "_decide_elsewhere", fail):
        yield


@contextmanager
def a_missing_store_is_made() -> Iterator[None]:
    """Where the file of the store is missing or empty, a new one is made, and mail is taken into it."""
    begin = Store.__init__

    def made(self: Store, path: Path | str, *, new: bool = False) -> None:
        begin(self, path, new=True)

    with patch.object(Store, "__init__", made):
        yield


@contextmanager
def waiting_mail_loses_its_bytes() -> Iterator[None]:
    """A mail that waits until a deadline may pass is kept without its bytes, and read as an empty one afterwards."""
    with patch.object(robot, "_is_needed", lambda outcome: outcome.startswith("failed:")):
        yield


FAULTS: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "deadlines before mail": deadlines_before_mail,
    "three kills fail a mail": three_kills_fail_a_mail,
    "a missing store is made": a_missing_store_is_made,
    "waiting mail loses its bytes": waiting_mail_loses_its_bytes,
}
"""By name, what puts a fault back."""
