"""The suite that every game must pass, for Hammer of the Scots and each of its scenarios, editions and options."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.knowing import KNOWING
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.rules.printed import AREAS
from pbem.games.hammer.rules.variants import INLAND_LANDING, OPTIONS
from pbem.games.hammer.rules.winter_builds import NOT_INLAND
from pbem.kernel import Order, Stop, View
from tests.conformance import Conformance
from tests.hammer.alike import alike, needed


class _Hammer(Conformance):
    """What all of them share."""

    game = GAME
    where = "pbem.games.hammer:GAME"
    look = LOOK
    knowing = KNOWING
    spelled_out = ("MOVE",)

    def _normal(self, order: Order) -> str:
        return alike(order)

    def _check_reached(self, view: View, order: Order, at: str) -> None:
        super()._check_reached(view, needed(order, view), at)


class TestHammer(_Hammer):
    """A random game, looked at here and there: what every run has time for."""

    games = 1
    stride = 61
    slow_stride = 151
    hash_limit = 8
    seed = 1
    hash_seeds = ("1",)
    looked_at = frozenset({3})
    together = 80


@pytest.mark.slow
class TestHammerAtLength(_Hammer):
    """Random whole games, looked at step by step."""

    games = 2
    stride = 4
    slow_stride = 11
    hash_limit = 150


class _Landing(_Hammer):
    """Games in which Norse and French that are drawn inland land on a coast, where everybody sees it."""

    def lies_open(self, stop: Stop, drawn: Any) -> bool:
        builds = stop.state.stack[-1]
        return builds.at == "builds" and not AREAS[builds.drawing[0]].coastal and drawn[0][0] in NOT_INLAND


@pytest.mark.slow
class TestEdition23(_Landing):
    """The older edition, all its differences together."""

    options = ({"edition": "2.3"},)
    games = 1
    stride = 7
    slow_stride = 23
    hash_limit = 80


@pytest.mark.slow
class TestAllOptions(_Landing):
    """All options together."""

    options = (dict.fromkeys(OPTIONS, True), {"scenario": "bruce", **dict.fromkeys(OPTIONS, True)})
    games = 1
    stride = 11
    slow_stride = 31
    hash_limit = 80


@pytest.mark.slow
class TestEachOption(_Hammer):
    """Each option alone, with the longest strides."""

    options = tuple({name: True} for name in OPTIONS if name != INLAND_LANDING)
    games = 1
    stride = 41
    slow_stride = 131
    hash_limit = 20


@pytest.mark.slow
class TestTheBruceAndTheCampaign(_Hammer):
    """The other scenarios, with longer strides."""

    options = ({"scenario": "bruce"}, {"scenario": "campaign", "years": 40})
    games = 1
    stride = 17
    slow_stride = 43
    hash_limit = 80
