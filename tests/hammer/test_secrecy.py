"""Nothing hidden is told: twenty games of all scenarios, editions and options, looked at step by step by two spies."""

from __future__ import annotations

import random

import pytest

from pbem.games import find
from pbem.games.hammer.rules.printed import SIDES
from pbem.games.hammer.rules.variants import EDITIONS, OPTIONS
from pbem.kernel import Json
from tests.conformance.spying import Spy
from tests.hammer.invariants import REVEALING

STEPS = 250


def setting(seed: int) -> Json:
    """Return scenario, edition, bid and some options, all of which come up among the seeds."""
    rng = random.Random(f"setting {seed}")
    chosen = dict.fromkeys(rng.sample(list(OPTIONS), 3), True) if seed % 4 else {}
    scenario = ("braveheart", "braveheart", "bruce", "campaign")[seed // 4 % 4]
    bid = ("", "E1", "", "S2", "E2")[seed % 5]
    return {"scenario": scenario, "edition": list(EDITIONS)[seed % len(EDITIONS)], "bid": bid, **chosen}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_twins_look_sound_and_read_the_same(seed: int) -> None:
    Spy(find("hammer"), SIDES, random.Random(f"spied {seed}"), REVEALING).follow(setting(seed), STEPS)


def test_all_options_and_editions_are_spied_on() -> None:
    settings = [setting(seed) for seed in range(20)]
    assert set(OPTIONS) <= {name for given in settings for name in given}
    assert {given["edition"] for given in settings} == set(EDITIONS)
    assert {given["scenario"] for given in settings} == {"braveheart", "bruce", "campaign"}
