"""How quick the rules alone are: whole games are recorded, and replayed through `step` without views, parsing or words.

    python -m bench.rules [hammer] [lords] [swords] [--games 3] [--times 5] [--shares]

Games of the sensible players and of random ones, Hammer's in every scenario. Processor time, the best of a few turns; as the speed
of a machine is another one every day, each figure is given as so many times a floor of the same run as well: small frozen
dataclasses made and tuples rebuilt, no code of pbem. `--shares` says which modules the time goes to, as a profiler counts it.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pbem.games import GamePack, find
from pbem.kernel import Chance, End, Game, Json, Order, Outcome
from tests.conformance import outcome

PLAYERS = ("sensible", "random")
STARTS: Mapping[str, tuple[dict[str, Json], ...]] = {
    "hammer": ({"scenario": "braveheart"}, {"scenario": "bruce"}, {"scenario": "campaign"}),
}
"""The options of the games that are recorded, where it is not the usual ones alone."""
MOST_SHARES = 12


class Recorded(NamedTuple):
    """A whole game: what it began with, what its steps were given, and how many of that were orders."""

    options: Json
    given: tuple[Mapping[str, Order] | Outcome, ...]
    orders: int


def record(pack: GamePack, options: Json, player: str, seed: int) -> Recorded:
    """Play a game to its end, all seats by one kind of built-in player."""
    rules, chance, bot = pack.rules, random.Random(f"rules {seed}"), pack.bots[player]()
    stop = rules.start(options)
    given: list[Any] = []
    orders = 0
    while not isinstance(wanted := stop.wants, End):
        if isinstance(wanted, Chance):
            given.append(outcome(wanted, chance))
        else:
            given.append({seat: bot.answer(_view(rules, stop.state, seat), chance) for seat in wanted.seats})
            orders += len(wanted.seats)
        stop = rules.step(stop.state, given[-1])
    return Recorded(options, tuple(given), orders)


def _view(rules: Game, state: Any, seat: str) -> Any:
    return rules.read_view(rules.view(state, seat))


def replay(rules: Game, game: Recorded) -> None:
    """Go through a recorded game by the rules alone."""
    state = rules.start(game.options).state
    for given in game.given:
        state = rules.step(state, given).state


# the floor


@dataclass(frozen=True)
class _Small:
    name: str
    at: str
    steps: int
    rest: tuple[int, ...] = ()


def floor() -> None:
    """Do a thousand times what any rules in Python do: make small objects, rebuild a tuple, count in a dict."""
    row = tuple(range(40))
    for n in range(1000):
        made = _Small("a name", "a place", n, row[:3])
        items = list(row)
        items[n % 40] = made.steps
        row = tuple(items)
        found: dict[int, int] = {}
        for item in row:
            found[item % 7] = found.get(item % 7, 0) + 1


def quickest(run: Callable[[], object], times: int) -> float:
    """Return the seconds of processor time of the quickest of a few runs."""
    took = []
    for _ in range(times):
        begin = time.process_time()
        run()
        took.append(time.process_time() - begin)
    return min(took)


# shares


def shares(run: Callable[[], object]) -> Iterator[tuple[str, float]]:
    """Go through the modules that a run spends its time in, the most first; what is built in counts for who calls it."""
    profile = cProfile.Profile()
    profile.runcall(run)
    spent: dict[str, float] = {}
    for (path, _line, _name), (_cc, _nc, own, _ct, callers) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        built_in = path == "~" and callers
        for where, took in [(c[0], told[2]) for c, told in callers.items()] if built_in else [(path, own)]:
            spent[_module(where)] = spent.get(_module(where), 0.0) + took
    whole = sum(spent.values())
    yield from sorted(((module, took / whole) for module, took in spent.items()), key=lambda pair: -pair[1])


def _module(path: str) -> str:
    if path.startswith("<") or path == "~":
        return "made by dataclasses, and the like"
    parts = Path(path).with_suffix("").parts
    return ".".join(parts[parts.index("pbem") + 1 :]) if "pbem" in parts else parts[-1]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.rules", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", default=["hammer", "lords", "swords"], metavar="game")
    parser.add_argument("--games", type=int, default=3, help="of each kind of player, in each scenario")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shares", action="store_true")
    args = parser.parse_args()
    base = quickest(floor, 2 * args.times) / 1000
    print(f"The rules alone, processor time; the floor of this run {1e6 * base:.2f} µs")
    for name in args.names:
        pack = find(name)
        for player in PLAYERS:
            seeds = range(args.seed, args.seed + args.games)
            starts = [pack.ending(options) for options in STARTS.get(name, ({},))]
            games = [record(pack, options, player, seed) for options in starts for seed in seeds]
            _print(pack, player, games, base, args)


def _print(pack: GamePack, player: str, games: list[Recorded], base: float, args: argparse.Namespace) -> None:
    def run() -> None:
        for game in games:
            replay(pack.rules, game)

    run()
    took, orders = quickest(run, args.times), sum(game.orders for game in games)
    steps = sum(len(game.given) for game in games)
    print(
        f"  {pack.rules.id:<7} {player:<9} {len(games):>3} games {orders:>7,} decisions {steps:>7,} steps "
        f"{1000 * took / len(games):>8.1f} ms a game {1e6 * took / orders:>7.1f} µs a decision {took / orders / base:>6.2f} floors"
    )
    if args.shares:
        for module, share in list(shares(run))[:MOST_SHARES]:
            print(f"      {100 * share:>5.1f} %  {module}")


if __name__ == "__main__":
    main()
