"""What no host at work can note in its store: that nobody works on it, and that its disk has no room to note anything."""

from __future__ import annotations

import shutil
from pathlib import Path

from pbem.i18n import _
from pbem.kernel import Json

from .moments import later

LITTLE = 64 * 1024 * 1024
"""The number of free bytes below which a disk is nearly full: room for some hundred waiting reports with pictures, or one backup.
"""
SILENT = 60
"""The number of minutes of silence after which a host counts as not working, whether it runs or a timer starts it."""


def free_bytes(folder: Path) -> int:
    """Return how many bytes the disk of a host's folder has free."""
    return shutil.disk_usage(folder).free


def has_room(folder: Path) -> bool:
    """Has the disk of a host's folder more room than is soon gone?"""
    return free_bytes(folder) >= LITTLE


def troubles(folder: Path, clock: str, now: str = "") -> list[dict[str, Json]]:
    """Return what is wrong with the machine of a host last at work at `clock`; `now`, if the silence is to be checked."""
    found: list[dict[str, Json]] = []
    if clock and now > later(clock, minutes=SILENT):
        found.append(
            {
                "matter": _("The host is not at work"), "since": clock,
                "why": _(
                    "Until the host works again, no mail is decided and no deadline kept. “pbem host run” or a "
"timer must run, and be able to write to the host's store. The host's last output says what "
"is wrong (“journalctl -u pbem-host”, if systemd starts it)."
                ),
            }
        )  # fmt: skip
    if not has_room(folder):
        why = no_room(folder, free_bytes(folder))
        found.append({"matter": _("The disk is nearly full"), "since": now or clock, "why": why})
    return found


def no_room(folder: Path, free: int) -> str:
    """Return the message that a disk has little room."""
    return _(
        "{mb} MB are free in {folder}. Without free space no mail is taken; past decisions are safe. "
"Make room: delete old backups and logs, then run “pbem host tidy”.",
        mb=free // (1024 * 1024), folder=folder,
    )  # fmt: skip
