"""A host writes true where the rules say 1. Whoever reads the log in another language sees another report, and a player's
program may stop at it; so the audit, in Python, where the two are equal, must not."""

from __future__ import annotations

from typing import Any

import pytest

from .forger import Forger, Piece
from .judging import faulted, judged
from .recorded import a_log


def untrue(value: Any) -> bool:
    """Put true for the first 1 in a value, or false for the first 0."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if type(inner) is int and inner in (0, 1):
            value[key] = bool(inner)
            return True
        if untrue(inner):
            return True
    return False


def in_the_public_view(f: Forger) -> Piece:
    return next(tell for tell in f.all("tell") if untrue(tell.fields["pub"]["view"]))


def in_a_public_fact(f: Forger) -> Piece:
    return next(tell for tell in f.all("tell") if untrue(tell.fields["pub"]["facts"]))


PLACES = [in_the_public_view, in_a_public_fact]


@pytest.mark.variants
@pytest.mark.parametrize("game", ["tiny", "lords"])
@pytest.mark.parametrize("where", PLACES, ids=lambda where: where.__name__)
def test_true_for_1_is_a_false_report(game: str, where: Any) -> None:
    """TELL. A player's program stopped at `true`, and an audit did not."""
    f = Forger(a_log(game))
    tell = where(f)
    log = f.write()
    assert faulted(judged(game, log.tidy().dump())) == (tell.n, "TELL", "host")
