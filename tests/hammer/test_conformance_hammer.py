"""The suite that every game must pass, for Hammer of the Scots and each of its scenarios and editions."""

from __future__ import annotations

from pbem.games.hammer import GAME
from tests.conformance import Conformance


class TestHammer(Conformance):
    """Random whole games, looked at step by step."""

    game = GAME
    where = "pbem.games.hammer:GAME"
    games = 2
    stride = 4
    slow_stride = 11
    hash_limit = 150


class TestEdition23(Conformance):
    """The older edition, all its differences together."""

    game = GAME
    where = "pbem.games.hammer:GAME"
    options = ({"edition": "2.3"},)
    games = 1
    stride = 7
    slow_stride = 23
    hash_limit = 80


class TestTheBruceAndTheCampaign(Conformance):
    """The other scenarios, with longer strides."""

    game = GAME
    where = "pbem.games.hammer:GAME"
    options = ({"scenario": "bruce"}, {"scenario": "campaign"})
    games = 1
    stride = 17
    slow_stride = 43
    hash_limit = 80
