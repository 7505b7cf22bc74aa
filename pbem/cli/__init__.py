"""The command line, the only place that uses a clock and the system's randomness.

Every command is a thin layer over the library: it reads arguments, calls functions, prints sentences. The exit codes are:

- 0: success
- 1: a fault was found, or the command failed
- 2: wrong usage
- 3: only the line ends of a log were changed
- 65: a host's store is damaged, or a game in it
- 75: a host's store is missing, busy or away: trying again later may help
"""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
from pathlib import Path

from pbem.errors import DAMAGED, LATER, PbemError, StoreAway, StoreDamaged, StoreError, UsageError, system_said
from pbem.i18n import _, speaking

from .language import of_the_machine

LITTER = 50_000
"""The number of allocations before the garbage collector runs: loading modules leaves no garbage."""
_CODES = {UsageError: 2, StoreDamaged: DAMAGED, StoreError: LATER, StoreAway: LATER}
"""All other errors of ours end with 1."""
_FULL = (errno.ENOSPC, errno.EDQUOT)
"""The error numbers of a full disk, or of a full quota on it."""


def main() -> None:
    """Run the command line; errors of ours become one sentence each."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # we have none, and looking for them takes long
    gc.set_threshold(LITTER, *gc.get_threshold()[1:])
    with speaking(of_the_machine(os.environ)):
        _run()


def _run() -> None:
    from . import screen
    from .app import app

    if sys.stdin is None:  # whoever called us closed it
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                errors="replace"
            )  # a console of few letters, or a file under Windows, gets “?” for the others
    try:
        app()
    except PbemError as error:
        screen.echo(f"pbem: {error}", err=True)
        sys.exit(next((code for kind, code in _CODES.items() if isinstance(error, kind)), 1))
    except BrokenPipeError:
        sys.exit(1)
    except OSError as error:
        what = error.filename if error.filename is not None else _("A file or device")
        said = _("{what} cannot be used: {why}.", what=what, why=system_said(error))
        if error.errno in _FULL:
            said += " " + _("Free some space and try again; the old content is unchanged.")
        screen.echo(f"pbem: {said}", err=True)
        sys.exit(1)
