"""The suite that every game must pass, for Lords of Scotland with each number of players and each option."""

from __future__ import annotations

from typing import ClassVar

import pytest

from pbem.games.lords import GAME
from pbem.games.lords.look import LOOK
from tests.conformance import Conformance


class _Lords(Conformance):
    """What all of them share."""

    game = GAME
    look = LOOK
    where = "pbem.games.lords:GAME"
    plans: ClassVar[tuple[str, ...]] = ("CLAIM STRONGEST", "CLAIM Scott 12, Wemyss 9")
    spelled_out = ("CLAIM",)
    games = 1


class TestLords(_Lords):
    """A game of three, looked at here and there: what every run has time for."""

    options = ({"players": 3},)
    plans = ("CLAIM STRONGEST",)
    stride = 4
    slow_stride = 41
    hash_limit = 20
    seed = 1
    hash_seeds = ("1",)
    looked_at = frozenset({1})
    together = 80


@pytest.mark.slow
class TestLordsAtLength(_Lords):
    """Whole games of two to five."""

    options = tuple({"players": players} for players in (2, 3, 4, 5))
    stride = 3
    slow_stride = 23
    hash_limit = 60


@pytest.mark.slow
class TestOptions(_Lords):
    """Bruce, claims in turn, the other condition for powers, a set first player."""

    options = (
        {"players": 3, "bruce": True, "claims": "in turn", "activation": "clan", "first": "carrick"},
        {"players": 5, "bruce": True, "activation": "lowest", "goal": 15, "bruce_strength": 3, "bruce_ranks": [0, 100]},
    )
    plans = ("CLAIM STRONGEST",)
    stride = 5
    slow_stride = 29
    hash_limit = 40
