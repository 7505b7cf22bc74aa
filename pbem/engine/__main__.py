"""The engine on standard input and output: `pbem engine`, or `python -m pbem.engine`."""

from __future__ import annotations

import sys

from pbem.i18n import ENGLISH, speaking

from .engine import serve


def main() -> None:
    """Answer the lines of standard input until they end; it is spoken to by programs, so in English."""

    def write(line: bytes) -> None:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()

    with speaking(ENGLISH):
        serve(sys.stdin.buffer, write)


if __name__ == "__main__":
    main()
