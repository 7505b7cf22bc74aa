"""The spool of a host: a mail server's pipe leaves its mails there while “pbem host run” is at work.

Loading a host to decide on one mail costs a second of the processor, and leaving the bytes a fifth. So this module imports nothing
of the host. Each mail is a file with the time and the envelope before it. The host deletes the file after storing the mail. If the
host ends first, the next one takes the mail.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeAlias

from pbem import private
from pbem.errors import WorldError
from pbem.i18n import _

SPOOL = "spool"
"""The folder in a host's own."""
RUNS = "running"
"""The lock in a host's folder of the “pbem host run” that is at work."""
Take: TypeAlias = Callable[[bytes, str, str, str | None, str | None], str]
"""Takes a mail: its bytes, when and by which way it came, sender and receiver of its envelope; returns the decision."""


def leave(folder: Path, raw: bytes, sender: str | None, recipient: str | None) -> bool:
    """Leave a mail for the host at work in a folder. Return False without a host at work, or for any but its plain address.

    Raises OSError.
    """
    if not _is_plain(folder, recipient) or not is_at_work(folder):
        return False
    private.make_folder(folder / SPOOL)
    envelope = json.dumps([time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), sender, recipient])
    private.put(folder / SPOOL / f"{time.time_ns():020}-{os.getpid()}.eml", envelope.encode() + b"\n" + raw)
    return True


def taken(folder: Path, take: Take, now: str) -> Iterator[str]:
    """Take the mails in the spool in their order; yield each decision. Raises OSError, WorldError, and whatever hinders one."""
    for path in sorted((folder / SPOOL).glob("*.eml")):
        envelope, _newline, raw = path.read_bytes().partition(b"\n")
        try:
            at, sender, recipient = json.loads(envelope)
        except ValueError as error:
            raise WorldError(
                _(
                    "{path} is no mail of the spool ({why}). Move it out of the folder; no deadline is decided before.",
                    path=path,
                    why=error,
                )
            ) from error
        yield take(raw, min(at, now), SPOOL, sender, recipient)
        path.unlink()


def is_at_work(folder: Path) -> bool:
    """Is a “pbem host run” at work in a folder? Its locked file says so (`locks`)."""
    try:
        with closing(
            sqlite3.connect(f"file:{folder / RUNS}?mode=rw", timeout=0, isolation_level=None, uri=True)
        ) as lock:
            lock.execute("begin exclusive")
    except sqlite3.OperationalError as error:
        return getattr(error, "sqlite_errorname", "") == "SQLITE_BUSY"
    return False


def _is_plain(folder: Path, recipient: str | None) -> bool:
    """Does an envelope name the host's own address? Others need all its settings."""
    if recipient is None:
        return True
    with suppress(OSError, ValueError):
        address = str(tomllib.loads((folder / "host.toml").read_text("utf-8")).get("address", "")).lower()
        local, _at, domain = recipient.lower().rpartition("@")
        return f"{local.partition('+')[0]}@{domain}" == address
    return False
