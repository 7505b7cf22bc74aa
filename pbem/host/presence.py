"""Whether a program of this host is at work in a folder: each holds a lock there, which all can share, while its store is open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.errors import UsageError, WorldError
from pbem.words import _

from . import locks

_NAME = "working"


def present(folder: Path) -> locks.Lock:
    """Be at work in a folder, until the lock that is returned is closed. Raises WorldError where its store is being replaced."""
    try:
        lock = locks.shared(folder / _NAME, wait=1)  # one who tries to be alone, and cannot, is in the way for a moment
    except OSError as error:
        raise _unwritable(folder, error) from error
    if lock is None:
        raise WorldError(_("The store in {folder} is being replaced by a backup. Try again.", folder=folder))
    return lock


@contextmanager
def nobody_else(folder: Path) -> Iterator[None]:
    """Be alone in a folder. Raises UsageError while a program of the host is at work there."""
    try:
        lock = locks.alone(folder / _NAME)
    except OSError as error:
        raise _unwritable(folder, error) from error
    if lock is None:
        raise UsageError(
            _("A host is at work in {folder}. Stop it first: what it decides now would be lost.", folder=folder)
        )
    try:
        yield
    finally:
        lock.close()


def _unwritable(folder: Path, error: OSError) -> WorldError:
    return WorldError(_("The host's folder {folder} cannot be written to: {why}.", folder=folder, why=error.strerror))
