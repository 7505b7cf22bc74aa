"""Signatures checked in several processes, while the rest of a log is checked in this one.

A pass is made as if every signature held; meanwhile they are checked. Where all of them do, what the pass found is what it would
have found; where one does not, or the processes fail, nothing of it counts, and the log is checked anew in one process. So the
verdict never depends on how many there are.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import TypeAlias, TypeVar

from pbem.errors import FormError
from pbem.ledger.keys import verify_sig_read

T = TypeVar("T")
Signature: TypeAlias = tuple[str, str, bytes, str]
"""Key line, namespace, message, and the signature in base64."""
BATCH = 64
"""So many signatures are handed over at a time."""


class _Forged(Exception):
    """A signature does not hold."""


def _hold(batch: list[Signature]) -> bool:
    with suppress(FormError):
        return all(verify_sig_read(*signature) for signature in batch)
    return False


class _Pending:
    """Signatures that are taken to hold until it is known."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool
        self._batch: list[Signature] = []
        self._given: list[tuple[Future[bool], list[Signature]]] = []

    def check(self, key: str, namespace: str, message: bytes, sig: str) -> bool:
        """Take a signature, and say that it holds. Raises _Forged where one is known by now that does not."""
        self._batch.append((key, namespace, message, sig))
        if len(self._batch) == BATCH:
            if any(given.done() and not given.result() for given, _batch in self._given[-BATCH:]):
                raise _Forged
            self._given.append((self._pool.submit(_hold, self._batch), self._batch))
            self._batch = []
        return True

    def all_hold(self) -> bool:
        """Do they? What no process has begun is checked here, from the end."""
        while self._given:
            given, batch = self._given.pop()
            if not (_hold(batch) if given.cancel() else given.result()):
                return False
        return _hold(self._batch)


def in_processes(jobs: int, run: Callable[[Callable[[str, str, bytes, str], bool]], T]) -> T | None:
    """Return what `run` finds, given a check of signatures; None where one does not hold, or there can be no processes."""
    ways = multiprocessing.get_all_start_methods()
    way = "fork" if "fork" in ways else None
    try:
        with ProcessPoolExecutor(jobs - 1, multiprocessing.get_context(way)) as pool:
            pending = _Pending(pool)
            found = run(pending.check)
            return found if pending.all_hold() else None
    except (_Forged, BrokenProcessPool, OSError, ImportError, NotImplementedError):
        return None
