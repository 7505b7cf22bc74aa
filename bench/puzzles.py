"""Search games of built-in players for puzzles: positions where a seat wins, or has the best chance, by few orders.

    python -m bench.puzzles lords [--games 0-100] [--bots sensible normal] [--seed x] [--answers 1] [--orders 8] [--steps 2500]
        [--option players=2] [--keep]

Whole games by the rules alone; each seat is played by one of the players named, by lot. Wherever the game says that a proof can
be made (`Matter.suits`), all orders of the seat to move are looked at, for each aim, the most worth having first. Kept are
positions in which no more than `--answers` of at least `--orders` orders win, which silence and the easy player miss, and whose
proof takes no more than `--steps`. Where chances are reckoned, the next best order must be worse by a twentieth of the chance.
Each is printed as a line of JSON; `--keep` adds them behind the game's kept ones, which keep their numbers, in the
order of the work that proving takes.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from bench.games import chosen
from pbem.engine.luck import PairLuck
from pbem.games import GamePack, find
from pbem.games.bot import steady
from pbem.games.positions import Placed
from pbem.games.proving import TooMuch
from pbem.games.puzzles import Puzzle, kept, written
from pbem.kernel import Ask, End, Json, View

WORSE = Fraction(19, 20)
"""At the most so much of the best chance have other orders."""


class Search:
    """Goes through games, and counts what it meets: in a puzzle at the most `answers` of at least `orders` win."""

    def __init__(self, pack: GamePack, options: Json, bots: list[str], answers: int, orders: int, steps: int) -> None:
        self._pack, self._options, self._bots = pack, options, bots
        self._answers, self._orders, self._steps = answers, orders, steps
        self.counts: Counter[str] = Counter()

    def game(self, seed: str) -> Iterator[Puzzle]:
        """Play a game, and go through the puzzles that come up in it."""
        rules, chance = self._pack.rules, random.Random(seed)
        seats, luck, stop = rules.seats(self._options), PairLuck(seed, 1), rules.start(self._options)
        names = {seat: chance.choice(self._bots) for seat in seats}
        players = {seat: self._pack.bots[name]() for seat, name in names.items()}
        found = f"{' '.join(names.values())}, {seed}"
        while not isinstance(stop.wants, End):
            if isinstance(stop.wants, Ask):
                views = {seat: rules.own_view(rules.view(stop.state, seat)) for seat in stop.wants.seats}
                for seat, view in views.items() if len(views) == 1 else ():
                    if puzzle := self._puzzle(stop.state, seat, view, found):
                        yield puzzle
                stop = rules.step(stop.state, {s: players[s].answer(view, chance) for s, view in views.items()})
            else:
                stop = rules.step(stop.state, luck.outcome(stop.wants))

    def _puzzle(self, state: object, seat: str, view: View, found: str) -> Puzzle | None:
        matter = self._pack.puzzles
        assert matter is not None, "the game says nothing of proofs"
        for aim in matter.aims:
            if not matter.suits(view, aim):
                continue
            self.counts[f"{aim}: positions looked at"] += 1
            try:
                proof = matter.prover(state, seat, aim, self._steps).proof(self._answers)
            except TooMuch:
                self.counts[f"{aim}: more orders win, or too long to prove"] += 1
                continue
            if not proof.wins:
                self.counts[f"{aim}: none wins"] += 1
                continue
            orders = len(proof.wins) + len(proof.refuted)
            if orders < self._orders:
                self.counts[f"{aim}: too few orders"] += 1
            elif proof.next > proof.chance * WORSE:
                self.counts[f"{aim}: others are as good"] += 1
            elif {self._easy(view), str(self._pack.rules.default(view))} & {*map(str, proof.wins)}:
                self.counts[f"{aim}: silence or the easy player finds it"] += 1
            else:
                self.counts[f"{aim}: puzzles"] += 1
                position = written(Placed(self._pack, self._options, state))
                wins = tuple(map(str, proof.wins))
                chance = proof.chance if proof.reckoned else None
                return Puzzle(
                    self._pack, 0, position, seat, aim, wins, orders, matter.arrangements(view), found, chance
                )
        return None

    def _easy(self, view: View) -> str:
        return str(steady(self._pack.bots["sensible"](), view))


def keep(pack: GamePack, puzzles: list[Puzzle]) -> None:
    """Add puzzles behind the kept ones that are not there yet, those first whose proof is the shortest."""
    path = Path(__file__).parent.parent / pack.package.replace(".", "/") / "puzzles" / "kept.json"
    path.write_text(
        json.dumps([one.json() for one in added(kept(pack), puzzles)], indent=1, ensure_ascii=False) + "\n", "utf-8"
    )


def added(there: list[Puzzle], puzzles: list[Puzzle]) -> list[Puzzle]:
    """Return the kept puzzles with others behind them."""
    new = {puzzle.position: puzzle for puzzle in puzzles}
    for puzzle in there:
        new.pop(puzzle.position, None)
    return [*there, *sorted(new.values(), key=lambda puzzle: (puzzle.arrangements, puzzle.orders, puzzle.position))]


def main() -> None:
    """Search, and print what is found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", default="0-40", help="the numbers of the games, from-to")
    parser.add_argument("--bots", nargs="+", default=["sensible", "normal"])
    parser.add_argument("--seed", default="x")
    parser.add_argument("--answers", type=int, default=1)
    parser.add_argument("--orders", type=int, default=8)
    parser.add_argument("--steps", type=int, default=2_500)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--keep", action="store_true")
    said = parser.parse_args()
    pack = find(said.game)
    two = {"players": 2} if "players" in pack.rules.options_model.model_fields else {}
    options = pack.complete(two | chosen(said.option))
    first, _sign, last = said.games.partition("-")
    search, found = Search(pack, options, said.bots, said.answers, said.orders, said.steps), list[Puzzle]()
    for number in range(int(first), int(last)):
        for puzzle in search.game(f"{said.seed} {number}"):
            found.append(puzzle)
            print(json.dumps(puzzle.json(), ensure_ascii=False), flush=True)
    for what, n in sorted(search.counts.items()):
        print(f"# {n:>6} {what}")
    if said.keep:
        keep(pack, found)


if __name__ == "__main__":
    main()
