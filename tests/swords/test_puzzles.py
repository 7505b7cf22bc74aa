"""The puzzles of Swords: all ways to leave a lost battle are gone through, not only those that are offered."""

from __future__ import annotations

import pytest

from pbem.games.swords.game import GAME
from pbem.games.swords.puzzles.matter import every_retreat
from tests.swords.bots import asked


@pytest.mark.slow
def test_every_retreat_is_legal_and_those_that_are_offered_are_among_them() -> None:
    split = 0
    for no in range(3):
        for view, _order in asked(no, players=2 + no, glory=["Druid", "Drums", "Quaich"]):
            if view.question != "retreat":
                continue
            ways = list(every_retreat(view))
            assert len(ways) == len(set(map(str, ways)))
            for way in ways:
                assert GAME.why_not(view, way) is None, f"{way} is not legal"
            assert {*map(str, GAME.options(view))} <= {*map(str, ways)}
            split += len(ways) > len(list(GAME.options(view)))
    assert split
