"""The example game keeps the contract, with two, three and four at the table."""

from __future__ import annotations

import pytest
import tiny_game
from tiny_game.knowing import KNOWING

from tests.conformance import Conformance


class _Tiny(Conformance):
    game = tiny_game.GAME
    look = tiny_game.LOOK
    knowing = KNOWING
    where = "tiny_game:GAME"
    plans = ("ACT BANK", "ACT DIG")


class TestTiny(_Tiny):
    """What every run has time for."""

    options = ({"players": 2, "turns": 4},)
    games = 1
    hash_limit = 20
    seed = 1
    hash_seeds = ("1",)
    looked_at = frozenset({1})
    together = 80


@pytest.mark.slow
class TestTinyAtLength(_Tiny):
    """Every step of nine games."""

    options = ({}, {"players": 2, "turns": 4}, {"players": 4, "turns": 8})
    slow_stride = 1
