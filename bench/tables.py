"""How one player fares among others at a table of two or more: its share of the games won, with its interval.

    python -m bench.tables lords hard sensible [--players 4] [--games 40] [--seed x]

One seat plays A, all others B; A sits in each seat in turn with the same cards and dice, as in `pbem match`. A victory that is
shared counts as its part of one. The time is A's processor time for one answer, on average and at the most.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from time import process_time

from pbem.engine.luck import PairLuck
from pbem.engine.reckoning import share
from pbem.games import GamePack, find
from pbem.kernel import Ask, End, Json, Order, Stop


@dataclass(slots=True)
class Among:
    """What A has won so far, by how much, and what its answers took, in seconds."""

    games: int = 0
    won: Fraction = Fraction(0)
    ahead: int = 0
    answers: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def took(self, seconds: float) -> None:
        """Count an answer."""
        self.answers, self.seconds, self.longest = (
            self.answers + 1,
            self.seconds + seconds,
            max(self.longest, seconds),
        )

    def count(self, result: Json, seat: str) -> None:
        """Count a game that is over."""
        shared, points = result.get("shared", []), result["points"]
        self.games += 1
        self.won += Fraction(1, len(shared)) if seat in shared else Fraction(int(result["winner"] == seat))
        self.ahead += points[seat] - max(n for other, n in points.items() if other != seat)

    def __str__(self) -> str:
        found = share(self.won, self.games)
        return (
            f"{self.games:>5} games  {found.per_mille / 10:>5.1f} % ({found.low / 10:.1f} to {found.high / 10:.1f})"
            f"  ahead by {self.ahead / self.games:+.1f}"
            f"  {1000 * self.seconds / self.answers:.0f} ms an answer, {1000 * self.longest:.0f} at the most"
        )


def play(pack: GamePack, names: tuple[str, str], players: int, number: int, seed: str, found: Among) -> None:
    """Play the game of a number, and count it."""
    rules, options = pack.rules, pack.complete({"players": players})
    seats = rules.seats(options)
    ours, pair = seats[number % len(seats)], number // len(seats) + 1
    luck, stop = PairLuck(seed, pair), rules.start(options)
    bots = {seat: pack.bots[names[seat != ours]]() for seat in seats}
    chance = {seat: random.Random(f"{seed} {pair} {seat}") for seat in seats}

    def answer(stop: Stop, seat: str) -> Order:
        view = rules.read_view(rules.view(stop.state, seat))
        began = process_time()
        order = bots[seat].answer(view, chance[seat])
        if seat == ours:
            found.took(process_time() - began)
        return order

    while not isinstance(stop.wants, End):
        if isinstance(stop.wants, Ask):
            given: Mapping[str, Order] = {seat: answer(stop, seat) for seat in stop.wants.seats}
            stop = rules.step(stop.state, given)
        else:
            stop = rules.step(stop.state, luck.outcome(stop.wants))
    found.count(stop.wants.result, ours)


def main() -> None:
    """Play them, and say now and then what they came to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", default="x")
    said = parser.parse_args()
    pack, found = find(said.game), Among()
    for number in range(said.games):
        play(pack, (said.a, said.b), said.players, number, said.seed, found)
        if not (number + 1) % 10 or number + 1 == said.games:
            print(found, flush=True)


if __name__ == "__main__":
    main()
