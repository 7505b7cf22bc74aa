"""The command engine: a program in any language plays or tests any game, over lines of JSON."""

from __future__ import annotations


def engine() -> None:
    """Speak JSON Lines on standard input and output, so that a program in any language can play or test any game."""
    from pbem.engine.__main__ import main

    main()
