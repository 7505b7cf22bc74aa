"""A number of thousands of digits, which Python does not even read, is answered like any other that cannot stand there."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from pbem.errors import OrderError
from pbem.games import find
from pbem.kernel import Ask, Game, Planning, SendingAhead, View, next_marks, read_ahead, read_plans
from tests.conformance import play

DIGITS = "9" * 5000
GAMES: dict[str, dict[str, Any]] = {
    "hammer": {}, "lords": {"players": 2}, "swords": {"players": 2}, "tournament": {"players": ["ann", "bob"]},
}  # fmt: skip
PLANS = (
    "BATTLE ANY: FIGHT 2 ROUNDS, THEN RETREAT Fife", "BATTLE ANY: RETREAT Fife IF ROUND 3 OR LOST 3 OR ODDS BELOW 1:2",
    "BATTLE ANY: RETREAT Fife IF Wallace BELOW 2", "BUILD ANY: DRAW 2", "COMMIT ANY: 3", "GLORY 2 Drums", "CLAIM Scott 9",
)  # fmt: skip


def questions(game: Game, options: Any) -> Iterator[tuple[View, int, str]]:
    """Go through what is asked in a random game: view, how many marks have come, question."""
    marks = 0
    for stop in play(game, options, 1, 80).stops:
        if isinstance(ask := stop.wants, Ask):
            marks += bool(ask.mark)
            for seat in ask.seats:
                yield game.own_view(game.view(stop.state, seat)), marks, ask.what


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_number_that_is_too_long_is_answered(name: str) -> None:
    pack = find(name)
    game, options, chance, asked = pack.rules, pack.ending(GAMES[name]), random.Random(2), 0
    for view, mark, what in questions(game, options):
        text = str(game.options(view).sample(chance))
        ends = [text.partition(" ")[0], text, *(f"{text} {seat}" for seat in game.seats(options))]
        for typed in [re.sub(r"\d+", DIGITS, text), *(f"{end}{colon} {DIGITS}" for end in ends for colon in ("", ":"))]:
            asked += 1
            with suppress(OrderError):
                game.parse(view, typed)
        if isinstance(game, SendingAhead):
            with pytest.raises(OrderError):
                read_ahead(game, view, next_marks(game, mark, what, 4), f"AHEAD {DIGITS}: {text}")
    assert asked > 10
    for plan in PLANS if isinstance(game, Planning) else ():
        for found in re.finditer(r"\d+", plan):
            with pytest.raises(OrderError):
                read_plans(game, f"{plan[: found.start()]}{DIGITS}{plan[found.end() :]}")
