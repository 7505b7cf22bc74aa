"""Signatures checked in several processes, while this process checks the rest of a log.

A pass runs as if every signature were valid, while they are checked. If all are valid, the result is final. If one is not, or the
processes fail, the result is discarded and the log is checked again in one process. So the verdict never depends on the number of
processes.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from pbem.ledger.verifier.batches import BATCH, CheckSig, Forged, Signature, hold

T = TypeVar("T")


class _Pending:
    """Signatures that are taken to hold until it is known."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool
        self._batch: list[Signature] = []
        self._given: list[tuple[Future[bool], list[Signature]]] = []

    def check(self, key: str, namespace: str, message: bytes, sig: str) -> bool:
        """Take a signature on trust. Raises Forged if one is already known to be false."""
        self._batch.append((key, namespace, message, sig))
        if len(self._batch) == BATCH:
            if any(given.done() and not given.result() for given, _batch in self._given[-BATCH:]):
                raise Forged
            self._given.append((self._pool.submit(hold, self._batch), self._batch))
            self._batch = []
        return True

    def all_hold(self) -> bool:
        """Return whether the signatures are valid. Those that no process has begun are checked here, from the end."""
        while self._given:
            given, batch = self._given.pop()
            if not (hold(batch) if given.cancel() else given.result()):
                return False
        return hold(self._batch)


def in_processes(jobs: int, run: Callable[[CheckSig], T]) -> T | None:
    """Return what `run` finds, given a check of signatures; None where one does not hold, or there can be no processes."""
    ways = multiprocessing.get_all_start_methods()
    way = "fork" if "fork" in ways else None
    try:
        with ProcessPoolExecutor(jobs - 1, multiprocessing.get_context(way)) as pool:
            pending = _Pending(pool)
            found = run(pending.check)
            return found if pending.all_hold() else None
    except (Forged, BrokenProcessPool, OSError, ImportError, NotImplementedError):
        return None
