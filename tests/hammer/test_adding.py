"""The built-in players answer alike with every Python: none lets `sum` add floats, which it rounds otherwise from 3.12 on."""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from pbem.games.bot import Bot
from pbem.games.hammer.bots import BOTS, SensibleBot
from pbem.games.hammer.bots.adding import added
from pbem.games.hammer.bots.thinking import ThinkingBot
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from tests.hammer.bots import Judged, play

PLAYERS: dict[str, Callable[[], Bot]] = {
    **{name: make for name, make in BOTS.items() if not make().playouts},
    "who looks ahead": lambda: ThinkingBot(SensibleBot(), 4),
}
add = builtins.sum


def _whole_alone(values: Iterable[Any], /, start: Any = 0) -> Any:
    found = [*values]
    assert not any(type(value) is float for value in found), "floats are added by sum"
    return add(found, start)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("scenario", ["braveheart", "bruce"])
def test_no_player_lets_sum_add_floats(name: str, scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python versions round `sum` of floats differently. The built-in players add one number after the other, so an
    audit finds the same moves."""
    monkeypatch.setattr(builtins, "sum", _whole_alone)
    judged = {side: Judged(PLAYERS[name]()) for side in (ENGLISH, SCOTTISH)}
    play(judged, 4, scenario)
    assert all(bot.answers > 50 for bot in judged.values())


def test_floats_are_added_one_after_the_other() -> None:
    rng = random.Random(1)
    values = [rng.random() * 10 ** rng.randrange(8) for _ in range(1000)]
    by_hand = 0.0
    for value in values:
        by_hand += value
    assert added(values) == by_hand
    assert added([0.1] * 10) != 1.0, "a sum that is mended is another one"
    assert added([]) == 0.0
