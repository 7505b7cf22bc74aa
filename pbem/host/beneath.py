"""What no host at work can note in its store: that nobody works on it, and that its disk has no room to note anything."""

from __future__ import annotations

import shutil
from pathlib import Path

from pbem.i18n import _
from pbem.kernel import Json

from .moments import later

LITTLE = 64 * 1024 * 1024
"""So many bytes are soon gone: some hundred reports with pictures that wait, or one backup."""
SILENT = 60
"""For so many minutes a host that works, or is started by a timer, has not looked around."""


def free_bytes(folder: Path) -> int:
    """Return how many bytes the disk of a host's folder has free."""
    return shutil.disk_usage(folder).free


def has_room(folder: Path) -> bool:
    """Has the disk of a host's folder more room than is soon gone?"""
    return free_bytes(folder) >= LITTLE


def troubles(folder: Path, clock: str, now: str = "") -> list[dict[str, Json]]:
    """Return what is wrong beneath a host that was last at work at `clock`; `now`, if that is to be held against it."""
    found: list[dict[str, Json]] = []
    if clock and now > later(clock, minutes=SILENT):
        found.append(
            {
                "matter": _("The host is not at work"), "since": clock,
                "why": _(
                    "No mail is decided, and no deadline kept, until it is: “pbem host run” or a timer has to run, and to be able "
                    "to write to its store. What it said last says why not (“journalctl -u pbem-host”, if systemd starts it)."
                ),
            }
        )  # fmt: skip
    if not has_room(folder):
        why = no_room(folder, free_bytes(folder))
        found.append({"matter": _("The disk is nearly full"), "since": now or clock, "why": why})
    return found


def no_room(folder: Path, free: int) -> str:
    """Return what is said where a disk has little room."""
    return _(
        "{mb} MB are free where {folder} lies. Without room no mail is taken; what was decided is safe. Make some: old backups, "
        "logs, then “pbem host tidy”.",
        mb=free // (1024 * 1024), folder=folder,
    )  # fmt: skip
