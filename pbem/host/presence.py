"""Whether a program of this host is at work in a folder: each holds a lock there, which all can share, while its store is open.

Under Windows, which has no such locks, nobody is noticed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem import private
from pbem.errors import UsageError, WorldError
from pbem.words import _

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

locks = fcntl is not None
"""Is it known here who is at work?"""


def present(folder: Path) -> int:
    """Be at work in a folder, until the file that is returned is closed. Raises WorldError where its store is being replaced."""
    file = _open(folder)
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            os.close(file)
            raise WorldError(
                _("The store in {folder} is being replaced by a backup. Try again.", folder=folder)
            ) from error
    return file


@contextmanager
def nobody_else(folder: Path) -> Iterator[None]:
    """Be alone in a folder. Raises UsageError while a program of the host is at work there."""
    file = _open(folder)
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        raise UsageError(
            _("A host is at work in {folder}. Stop it first: what it decides now would be lost.", folder=folder)
        ) from error
    try:
        yield
    finally:
        os.close(file)


def _open(folder: Path) -> int:
    try:
        private.touch(folder / "working")
        return os.open(folder / "working", os.O_RDWR)
    except OSError as error:
        raise WorldError(
            _("The host's folder {folder} cannot be written to: {why}.", folder=folder, why=error.strerror)
        ) from error
