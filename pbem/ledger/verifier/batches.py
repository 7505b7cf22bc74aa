"""Signatures checked in batches, which is faster than checking each between other work that evicts data from the cache.

A pass runs as if every signature were valid, and each full batch is checked. If all are valid, the result is final. If one is not,
the result is discarded and the log is checked again, each signature in its place. So the verdict never depends on batches. A log
with a forged signature costs at most twice its normal cost up to that place, plus a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeAlias, TypeVar

from pbem.errors import FormError
from pbem.ledger.keys import verify_sig_read

T = TypeVar("T")
CheckSig: TypeAlias = Callable[[str, str, bytes, str], bool]
Signature: TypeAlias = tuple[str, str, bytes, str]
"""Key line, namespace, message, and the signature in base64."""
BATCH = 64
"""The number of signatures in a batch."""


class Forged(Exception):
    """A signature does not hold."""


def hold(signatures: Iterable[Signature]) -> bool:
    """Return whether all of the signatures are correct."""
    with suppress(FormError):
        return all(verify_sig_read(*signature) for signature in signatures)
    return False


def in_batches(run: Callable[[CheckSig], T]) -> T | None:
    """Return what `run` finds, given a check of signatures; None where one does not hold."""
    batch: list[Signature] = []

    def check(key: str, namespace: str, message: bytes, sig: str) -> bool:
        batch.append((key, namespace, message, sig))
        if len(batch) == BATCH:
            if not hold(batch):
                raise Forged
            batch.clear()
        return True

    try:
        found = run(check)
    except Forged:
        return None
    return found if hold(batch) else None
