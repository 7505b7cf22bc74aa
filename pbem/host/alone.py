"""Decides on one mail in a process of its own, for a mail over which the program has died.

The passphrase of the host's key comes on standard input. What becomes of the mail stands in the store then; where the process
dies, its parent lives.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

from pbem.errors import WorldError

LATER = 75
"""The exit code that says: the store could not be used, nothing is known of the mail."""
LONGEST = 120
"""So many seconds it may take: one mail's work is bounded, and nothing else is decided meanwhile."""


def decide(folder: Path, number: int, passphrase: bytes | None) -> bool:
    """Let a mail be decided on by another process; did that come to its end?"""
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-P", "-c", "from pbem.host.alone import run; run()", str(folder.absolute()), str(number)],
            input=passphrase or b"",
            stdout=subprocess.DEVNULL,
            timeout=LONGEST,
            check=False,
            env=os.environ | {"PYTHONPATH": paths},
        )
    except (subprocess.TimeoutExpired, OSError):
        return False
    return done.returncode in (0, LATER)


def run() -> None:
    """Decide on a mail, in the other process: the host's folder and the mail's number are its arguments."""
    from .office import Office

    try:
        office = Office(Path(sys.argv[1]), sys.stdin.buffer.read() or None)
        try:
            office.robot.decide(int(sys.argv[2]))
        finally:
            office.close()
    except (WorldError, sqlite3.OperationalError):
        sys.exit(LATER)
