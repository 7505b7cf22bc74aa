"""The suite that every game must pass, for Lords of Scotland with each number of players and each option."""

from __future__ import annotations

from pbem.games.lords import GAME
from pbem.games.lords.look import LOOK
from tests.conformance import Conformance


class TestLords(Conformance):
    """Whole games of two to five."""

    game = GAME
    look = LOOK
    where = "pbem.games.lords:GAME"
    options = tuple({"players": players} for players in (2, 3, 4, 5))
    plans = ("CLAIM STRONGEST", "CLAIM Scott 12, Wemyss 9")
    games = 1
    stride = 3
    slow_stride = 23
    hash_limit = 60


class TestOptions(Conformance):
    """Bruce, claims in turn, the other condition for powers, a set first player."""

    game = GAME
    look = LOOK
    where = "pbem.games.lords:GAME"
    options = (
        {"players": 3, "bruce": True, "claims": "in turn", "activation": "clan", "first": "carrick"},
        {"players": 5, "bruce": True, "activation": "lowest", "goal": 15, "bruce_strength": 3, "bruce_ranks": [0, 100]},
    )
    plans = ("CLAIM STRONGEST",)
    games = 1
    stride = 5
    slow_stride = 29
    hash_limit = 40
