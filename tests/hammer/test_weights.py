"""How the weights of the outlook are fitted from rows of whole games (`bench.weights`)."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from bench.weights import FADES, Position, fit, looking_on, read, surprise
from pbem.games.hammer.bots.foresight.features import NAMES


def played(folder: Path, games: int) -> Path:
    """Write rows of games in which who leads mostly wins, the more surely the later it is, and all else is chance."""
    rng, rows = random.Random("weights"), []
    for game in range(1, games + 1):
        won = game % 2
        for turns in (4, 2, 0):
            lead = (2 * won - 1) * rng.choice((1, 1, 1, -1)) * rng.randrange(1, 4)
            features = {name: lead if name == "lead" else rng.randrange(3) for name in NAMES}
            rows.append({"game": game, "features": features, "turns": turns, "years": 3, "won": won})
    path = folder / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.mark.slow
def test_what_decides_games_foretells_games_that_were_not_seen(tmp_path: Path) -> None:
    positions = read(played(tmp_path, 80))
    learnt, asked = positions[:180], positions[180:]
    weights = fit([one.seen for one in learnt], [one.won for one in learnt])
    assert weights[1 + NAMES.index("lead")] > 0
    assert surprise(asked, weights) < 0.62 < surprise(asked, [0.0] * len(weights)) < 0.7


def test_the_same_rows_give_the_same_weights(tmp_path: Path) -> None:
    positions = read(played(tmp_path, 12))
    rows, answers = [one.seen for one in positions], [one.won for one in positions]
    assert fit(rows, answers) == fit(rows, answers)


def test_a_position_answers_for_what_came_after_it() -> None:
    """To who knows nothing each position is even: so a game that was won fades into that, from its end back."""
    positions = [Position(1, [1.0], 1.0)] * 3 + [Position(2, [1.0], 0.0)] * 2
    second = FADES + (1 - FADES) / 2
    first = FADES * second + (1 - FADES) / 2
    assert looking_on(positions, [0.0]) == pytest.approx([first, second, 1.0, (1 - FADES) / 2, 0.0])
