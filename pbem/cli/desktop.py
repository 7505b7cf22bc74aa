"""Handing a link or a file to the program that the person's desktop has for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from pbem.errors import UsageError, WorldError, system_said
from pbem.i18n import _

_PROGRAMS = {"darwin": "open", "cygwin": "cygstart"}
_PATIENCE = 60


def open_with_desktop(what: str | Path) -> None:
    """Open a link, or a file, as a double click would. Raises UsageError without a desktop, WorldError if it fails."""
    if sys.platform == "win32":
        try:
            os.startfile(what)  # noqa: S606 - as the desktop does
        except OSError as error:
            raise WorldError(_("The desktop did not open it: {why}.", why=system_said(error))) from error
        return
    name = _PROGRAMS.get(sys.platform, "xdg-open")
    program = shutil.which(name)
    if program is None:
        raise UsageError(_("No desktop here can open it ({name} is missing). Use --eml FILE or --mailto.", name=name))
    try:
        done = subprocess.run(  # noqa: S603 - the system's own program
            [program, str(what)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,  # it would repeat the whole link
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return  # some wait until what they opened is closed
    if done.returncode:
        raise WorldError(
            _(
                "{name} did not open it (code {code}): is a mail program chosen on this desktop? Use --eml FILE or --mailto.",
                name=name,
                code=done.returncode,
            )
        )
