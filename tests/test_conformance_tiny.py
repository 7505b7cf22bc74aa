"""The example game keeps the contract, with two, three and four at the table."""

from __future__ import annotations

import tiny_game
from tiny_game.knowing import KNOWING

from tests.conformance import Conformance


class TestTiny(Conformance):
    game = tiny_game.GAME
    look = tiny_game.LOOK
    knowing = KNOWING
    where = "tiny_game:GAME"
    options = ({}, {"players": 2, "turns": 4}, {"players": 4, "turns": 8})
    plans = ("ACT BANK", "ACT DIG")
    slow_stride = 1
