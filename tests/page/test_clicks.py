"""How many clicks a turn of Hammer takes on the page, for somebody who answers as the built-in player does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.page.clicks import turns

CEILING, TOUCHES = 17, 22
"""Of the game turn with most battles in three years, and without dragging: it was 30 when no touch was a whole answer."""


@pytest.mark.slow
def test_a_turn_with_many_battles_takes_few_clicks(tmp_path: Path) -> None:
    played = turns(tmp_path)
    heavy = played.answered[played.heavy]
    for way, ceiling in enumerate((CEILING, TOUCHES)):
        assert sum(one.clicks[way] for one in heavy) <= ceiling, heavy
    of_battles = [one for asked in played.answered.values() for one in asked if one.asked == "battle action"]
    assert sum(one.clicks[0] == 1 for one in of_battles) >= 0.9 * len(of_battles), of_battles
