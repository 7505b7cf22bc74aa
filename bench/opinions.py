"""How well the second opinion of a game knows who wins: of those it gave so much, how many won.

    python -m bench.opinions lords [--players 3] [--games 100] [--bots sensible random] [--seed x] [--option years=3]

Whole games by the rules alone; each seat is played by one of the players named, by lot. At the beginning of each part of the game
(a turn, a round) the opinion is asked, from the views of all seats. The table counts the seat to which it gave most, by how much
that was, and how often that seat won; a victory that is shared counts in parts. Cases of one game hang together: so the intervals,
which take them for independent, are too narrow.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from time import process_time

from bench.games import chosen
from pbem.engine.luck import PairLuck
from pbem.engine.reckoning import share
from pbem.games import GamePack, find
from pbem.kernel import Ask, End, Fact, Json, Stop


@dataclass(slots=True)
class Level:
    """What came of opinions of about one height."""

    cases: int = 0
    won: Fraction = Fraction(0)
    hoped: int = 0

    def __add__(self, other: Level) -> Level:
        return Level(self.cases + other.cases, self.won + other.won, self.hoped + other.hoped)

    def __str__(self) -> str:
        if not self.cases:
            return "no case"
        part = share(self.won, self.cases)
        return (
            f"{self.cases:>5} cases, on average {self.hoped / self.cases / 10:.1f} %, won {part.per_mille / 10:.1f} % "
            f"({part.low / 10:.1f} to {part.high / 10:.1f})"
        )


LEVELS = (0, 500, 600, 700, 800, 900, 1001)
"""Opinions are put together from one of these thousandths up to, and without, the next."""
ABOVE = (600, 700, 800)
"""And all of them from one of these on."""


def judged(pack: GamePack, options: Json, bots: list[str], seed: str) -> tuple[list[Mapping[str, int]], Json, float]:
    """Play a game; return what was thought of it at each of its parts, how it ended, and the seconds of an opinion on average."""
    rules, judge, chance = pack.rules, pack.opinion, random.Random(seed)
    assert judge is not None, f"{rules.title} has no judge"
    seats, luck, stop = rules.seats(options), PairLuck(seed, 1), rules.start(options)
    players = {seat: pack.bots[chance.choice(bots)]() for seat in seats}
    found, spent = list[Mapping[str, int]](), 0.0
    while not isinstance(stop.wants, End):
        if any(_begins(pack, stop)):
            views = [rules.read_view(rules.view(stop.state, seat)) for seat in seats]
            began = process_time()
            found.append(judge(views, random.Random(len(found))))
            spent += process_time() - began
        if isinstance(stop.wants, Ask):
            views = [rules.read_view(rules.view(stop.state, seat)) for seat in stop.wants.seats]
            given = zip(stop.wants.seats, views, strict=True)
            stop = rules.step(stop.state, {seat: players[seat].answer(view, chance) for seat, view in given})
        else:
            stop = rules.step(stop.state, luck.outcome(stop.wants))
    return found, stop.wants.result, spent / max(1, len(found))


def _begins(pack: GamePack, stop: Stop) -> Iterator[bool]:
    for event in stop.events:
        if isinstance(event, Fact) and event.public is not None and (chapter := pack.look.chapter(event.public)):
            yield chapter.depth == 0 and not chapter.adds


def main() -> None:
    """Play them, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--bots", nargs="+", default=["sensible"])
    parser.add_argument("--seed", default="x")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    said = parser.parse_args()
    pack = find(said.game)
    options = pack.ending(chosen(said.option) | ({"players": said.players} if said.players else {}))
    counts = {level: Level() for level in LEVELS[:-1]}
    longest = 0.0
    for number in range(said.games):
        found, result, spent = judged(pack, options, said.bots, f"{said.seed} {number}")
        longest = max(longest, spent)
        for hopes in found:
            seat = max(hopes, key=hopes.__getitem__)
            level = max(level for level in LEVELS if level <= hopes[seat])
            shared = result.get("shared", [])
            count = counts[level]
            count.cases += 1
            count.won += Fraction(1, len(shared)) if seat in shared else int(result["winner"] == seat)
            count.hoped += hopes[seat]
    players = ", ".join(said.bots)
    print(
        f"{pack.rules.title}, {said.games} games of {players}; {1000 * longest:.0f} ms an opinion in the slowest game"
    )
    for (level, count), top in zip(counts.items(), LEVELS[1:], strict=True):
        print(f"{level // 10:>5} to {min(top, 1000) // 10} %: {count}")
    for least in ABOVE:
        print(f"   {least // 10} % or more: {sum((counts[level] for level in counts if level >= least), Level())}")


if __name__ == "__main__":
    main()
