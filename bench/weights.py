"""Fits the weights of Hammer's outlook: what each feature of a position says of who wins, from the rows of `bench.outlook`.

    python -m bench.outlook --games 400 --bots sensible normal --seed x > rows.jsonl
    python -m bench.weights rows.jsonl > weights.txt

Prints what stands in `pbem/games/hammer/bots/foresight/weights.py`. Logistic regression with a ridge on standardised features: each
weighs always, by turns and by years still to come. It is made twice: the second time a position's answer is not only who won, but
a mean of that and of what the positions after it were thought to be, by the first. The same rows give the same weights, up to the
last digits of the machine's exponential. Every tenth game is kept out of it, and how well it is foretold goes to stderr.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import groupby
from math import exp, log, sqrt
from operator import mul
from pathlib import Path
from typing import NamedTuple

from pbem.games.hammer.bots.foresight.features import NAMES
from pbem.games.hammer.bots.foresight.worth import FAR_OFF
from pbem.games.hammer.rules import CARDS_A_YEAR

RIDGE = 30.0
FADES = 0.85
"""So much of its answer has a position from the one after it, the rest from what that was thought to be."""
STEPS, POWERS = 200, 20
KEPT_OUT = 10
CERTAIN = 30.0
"""Beyond that an exponential is not asked for."""

Row = list[float]


class Position(NamedTuple):
    """Which game it is from, all that is weighed of it, and whether the English won."""

    game: int
    seen: Row
    won: float


def read(path: Path) -> list[Position]:
    """Return the positions of a file, game by game."""
    found = []
    for line in path.read_text().splitlines():
        row = json.loads(line)
        turns, years = row["turns"] / CARDS_A_YEAR, max(0, min(FAR_OFF, row["years"])) / FAR_OFF
        seen = [1.0, *(float(row["features"][name]) for name in NAMES)]
        all_of_it = [*seen, *(turns * x for x in seen), *(years * x for x in seen)]
        found.append(Position(row["game"], all_of_it, float(row["won"])))
    return found


def standard(rows: Sequence[Row]) -> list[float]:
    """Return how much each number differs from row to row; 0 where it never does."""
    n = len(rows)
    found = []
    for column in zip(*rows, strict=True):
        mean = sum(column) / n
        found.append(sqrt(sum((x - mean) ** 2 for x in column) / n))
    return found


def share(x: float) -> float:
    """Return a sum of weights as a share of certainty."""
    return 1.0 / (1.0 + exp(-max(-CERTAIN, min(CERTAIN, x))))


def fit(rows: Sequence[Row], answers: Sequence[float]) -> list[float]:
    """Return the weights: Nesterov's accelerated descent, which begins its run-up anew where it overshoots."""
    spread = standard(rows)
    scaled = [[1.0, *(x / s if s else 0.0 for x, s in zip(row[1:], spread[1:], strict=True))] for row in rows]
    columns = [list(column) for column in zip(*scaled, strict=True)]
    step = 1.0 / (0.25 * steepest(scaled, columns) + RIDGE)
    weights = [0.0] * len(spread)
    ahead, speed, last = weights, 1.0, float("inf")
    for _ in range(STEPS):
        shares = [share(sum(map(mul, ahead, row))) for row in scaled]
        loss = RIDGE / 2 * sum(map(mul, ahead[1:], ahead[1:]))
        loss -= sum(a * log(p) + (1 - a) * log(1 - p) for p, a in zip(shares, answers, strict=True))
        if loss > last:
            ahead, speed, last = weights, 1.0, float("inf")
            continue
        wrong = [p - answer for p, answer in zip(shares, answers, strict=True)]
        slope = [sum(map(mul, column, wrong)) + RIDGE * w for column, w in zip(columns, ahead, strict=True)]
        new = [w - step * g for w, g in zip(ahead, slope, strict=True)]
        quicker = (1 + sqrt(1 + 4 * speed * speed)) / 2
        ahead = [w + (speed - 1) / quicker * (w - old) for w, old in zip(new, weights, strict=True)]
        weights, speed, last = new, quicker, loss
    return [weights[0], *(w / s if s else 0.0 for w, s in zip(weights[1:], spread[1:], strict=True))]


def steepest(rows: Sequence[Row], columns: Sequence[Row]) -> float:
    """Return how quickly a sum of squares can grow over these rows (their largest singular value, squared), by the power method."""
    along, grown = [1.0] * len(columns), 0.0
    for _ in range(POWERS):
        over = [sum(map(mul, along, row)) for row in rows]
        along = [sum(map(mul, column, over)) for column in columns]
        grown = sqrt(sum(map(mul, along, along)))
        along = [x / grown for x in along]
    return 1.1 * grown


def looking_on(positions: Sequence[Position], weights: Row) -> list[float]:
    """Return the answers of all positions: of each game from the end back."""
    found = list[float]()
    for _game, some in groupby(positions, key=lambda position: position.game):
        answers, answer, thought = [], None, 0.0
        for position in reversed(list(some)):
            answer = position.won if answer is None else FADES * answer + (1 - FADES) * thought
            thought = share(sum(map(mul, weights, position.seen)))
            answers.append(answer)
        found += reversed(answers)
    return found


def surprise(positions: Sequence[Position], weights: Row) -> float:
    """Return by how much, on average, who won was a surprise: 0.693 for one who knows nothing."""
    total = 0.0
    for position in positions:
        p = share(sum(map(mul, weights, position.seen)))
        total -= log(p if position.won else 1 - p)
    return total / len(positions)


def main() -> None:
    """Fit them, and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path)
    said = parser.parse_args()
    positions = read(said.rows)
    learnt = [position for position in positions if position.game % KEPT_OUT]
    asked = [position for position in positions if not position.game % KEPT_OUT]
    if not learnt or not asked:
        parser.error(f"{said.rows}: rows of {KEPT_OUT} games at least are needed; here are {len(positions)} rows")
    weights = fit([position.seen for position in learnt], [position.won for position in learnt])
    print(f"{len(positions)} positions; surprise {surprise(asked, weights):.4f}", file=sys.stderr)
    weights = fit([position.seen for position in learnt], looking_on(learnt, weights))
    print(f"looking on: surprise {surprise(asked, weights):.4f}", file=sys.stderr)
    n = len(NAMES) + 1
    at_first, *others = zip(weights[:n], weights[n : 2 * n], weights[2 * n :], strict=True)
    print(f"AT_FIRST: Weight = {_three(at_first)}")
    print("WEIGHTS: dict[str, Weight] = {")
    for name, three in zip(NAMES, others, strict=True):
        print(f'    "{name}": {_three(three)},')
    print("}")


def _three(weight: Sequence[float]) -> str:
    return "({})".format(", ".join(str(round(x, 5)) for x in weight))


if __name__ == "__main__":
    main()
