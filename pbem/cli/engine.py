"""The command engine: a program in any language plays or tests any game, over lines of JSON."""

from __future__ import annotations

import sys

from pbem.i18n import ENGLISH, speaking


def engine() -> None:
    """Speak JSON Lines on standard input and output, so that a program in any language can play or test any game."""
    from pbem.engine import serve

    def write(line: bytes) -> None:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()

    with speaking(ENGLISH):  # it is spoken to by programs
        serve(sys.stdin.buffer, write)
