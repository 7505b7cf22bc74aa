"""Decides on one mail in a process of its own, for a mail over which the program has died; `stuck` starts it.

The passphrase of the host's key comes on standard input. The outcome is written to the store. If the process dies, its parent
survives.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from pbem.errors import LATER, WorldError

from .office import Office


def run() -> None:
    """Decide on a mail, in the other process: the host's folder and the mail's number are its arguments."""
    try:
        office = Office(Path(sys.argv[1]), sys.stdin.buffer.read() or None)
        try:
            office.robot.decide(int(sys.argv[2]))
        finally:
            office.close()
    except (WorldError, sqlite3.OperationalError):
        sys.exit(LATER)
