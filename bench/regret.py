"""What more trials could give Hammer's players who look ahead: how much worse what so many trials choose is than the best.

    python -m bench.regret [--positions 24] [--seed x]

Moves of games between sensible players, drawn by lot. For each, all that a player who looks ahead would try first is tried `TRIALS`
times to choose by, and as often again, with other dice, to judge the choice. Budgets from small to large choose as the player does
(`halving`), many times. What such a choice is worth less than that of all trials is its regret, in hundredths of a game; beside it
that of the sensible player's own move, and of doing nothing.

It says nothing of what the trials themselves get wrong: that shows in matches only.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from statistics import fmean

from pbem.engine.luck import PairLuck
from pbem.games import find
from pbem.games.hammer.bots import SensibleBot
from pbem.games.hammer.bots.foresight.worth import CERTAIN
from pbem.games.hammer.bots.tried.moves import MOST, Moving
from pbem.games.hammer.bots.tried.trials import Trials
from pbem.games.hammer.rules import card_value
from pbem.games.hammer.views import HammerView
from pbem.games.searching import halving
from pbem.kernel import Ask, End, Order

TRIALS = 192
BUDGETS = (75, 150, 500, 1500)
CHOICES = 30
"""So often each budget chooses, from other trials each time."""
SELDOM = 16
"""One move of so many is looked at."""
PERCENT = CERTAIN / 100

Table = list[list[int]]
"""For each move what each of its trials came to, those to choose by and then those to judge by; the sensible player's is the first,
doing nothing the second."""


def moves(seed: str, chance: random.Random) -> Iterator[tuple[HammerView, Order]]:
    """Play games without end; go through some of their moves: what the mover saw, and what the sensible player did."""
    pack, bot, number = find("hammer"), SensibleBot(), 0
    while True:
        number += 1
        luck, stop = PairLuck(seed, number), pack.rules.start(pack.ending(pack.complete({})))
        while not isinstance(stop.wants, End):
            if not isinstance(stop.wants, Ask):
                stop = pack.rules.step(stop.state, luck.outcome(stop.wants))
                continue
            views = {seat: pack.rules.read_view(pack.rules.view(stop.state, seat)) for seat in stop.wants.seats}
            given = {seat: bot.answer(view, chance) for seat, view in views.items()}
            for seat, view in views.items():
                assert isinstance(view, HammerView)
                ask = view.ask or {}
                if ask["what"] == "act" and card_value(ask["card"]) and not chance.randrange(SELDOM):
                    yield view, given[seat]
            stop = pack.rules.step(stop.state, given)


def tried(view: HammerView, usual: Order, chance: random.Random) -> Table:
    """Try all that comes to mind, each as often."""
    trials = Trials(view, chance)
    moving = Moving(trials)
    return [
        [trials.trial(number, plan, moving.play) for number in range(2 * TRIALS)]
        for plan in moving.thought_of(usual, MOST)
    ]


def lost(table: Table, row: int) -> float:
    """Return how much less one of a table's moves is worth than the one that all trials choose, in hundredths of a game."""
    best = max(table, key=lambda trials: sum(trials[:TRIALS]))
    return (sum(best[TRIALS:]) - sum(table[row][TRIALS:])) / TRIALS / PERCENT


def chosen(table: Table, budget: int, chance: random.Random) -> int:
    """Return which row so many trials choose."""
    start = chance.randrange(TRIALS)
    return halving(range(len(table)), lambda number, row: table[row][(start + number) % TRIALS], budget)


def report(tables: Sequence[Table], chance: random.Random) -> Iterator[str]:
    """Go through the lines that say it."""
    yield f"{len(tables)} moves, {fmean(map(len, tables)):.0f} ways each, {TRIALS} trials of each; regret in hundredths of a game"
    for title, row in (("the sensible player's", 0), ("doing nothing", 1)):
        yield f"{title:>24}: {fmean(lost(table, row) for table in tables):5.2f}"
    for budget in BUDGETS:
        regret = fmean(lost(table, chosen(table, budget, chance)) for table in tables for _ in range(CHOICES))
        yield f"{f'chosen by {budget:,} trials':>24}: {regret:5.2f}"


def main() -> None:
    """Try them, and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=24)
    parser.add_argument("--seed", default="x")
    said = parser.parse_args()
    chance, tables = random.Random(said.seed), list[Table]()
    for view, usual in moves(said.seed, chance):
        if len(tables) >= said.positions:
            break
        if len(table := tried(view, usual, chance)) > 2:
            tables.append(table)
    for line in report(tables, chance):
        print(line)


if __name__ == "__main__":
    main()
