"""The command line: the only place where a clock and the system's randomness come in.

Every command is a thin layer over the library: it reads arguments, calls, prints sentences. Exit codes: 0 well, 1 a fault
was found or the thing failed, 2 wrong usage.
"""

from __future__ import annotations

import sys

from pbem.errors import PbemError, UsageError


def main() -> None:
    """Run the command line; errors of ours become one sentence each."""
    from .app import app

    try:
        app()
    except UsageError as error:
        print(f"pbem: {error}", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    except PbemError as error:
        print(f"pbem: {error}", file=sys.stderr)  # noqa: T201
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(1)
