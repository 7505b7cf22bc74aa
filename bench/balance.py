"""Whether a seat is better than another: whole games of the sensible players, counted by seat and by place in turn order.

    python -m bench.balance [swords] [1000] [--players 2 3 4] [--seed 1] [--option tokens=drawn] [--jobs 2]

By the rules alone, without keys and mail. A victory that is shared counts for nobody: shares are of the games with one winner.
“Place 1” is who began the game. The intervals are Wilson's, of 95 in 100. A share that is more than six percentage points off the
fair one is marked. Every hundred games it is printed what they came to so far.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from bench.games import chosen
from pbem.games import GamePack, find
from pbem.kernel import Ask, Chance, End, Fact, Json, Stop
from tests.conformance import outcome

OFF = 6.0
"""Percentage points that a seat may be off its fair share."""
Z = 1.96


@dataclass(slots=True)
class Played:
    """What one game came to. `places` are the seats in turn order from who began it."""

    winner: str
    places: tuple[str, ...]
    points: Mapping[str, int]
    battles: int = 0
    from_battles: int = 0
    facts: Counter[str] = field(default_factory=Counter)


class TellingKinds(NamedTuple):
    """Which facts of a game say who began, that there is a battle, and that it brought points."""

    first: str
    battle: str
    won: frozenset[str]


TOLD = {"swords": TellingKinds("first", "battle", frozenset(("won", "bonus")))}
"""Games whose balance can be looked at."""


def play(game: str, options: Json, seed: int, names: Mapping[str, str] | None = None) -> Played:
    """Play one game; all of the sensible players, but for those seats whose player is named."""
    pack, told = find(game), TOLD[game]
    rules, rng = pack.rules, random.Random(f"balance {seed}")
    seats = rules.seats(options)
    bots = {seat: pack.bots[(names or {}).get(seat, "sensible")]() for seat in seats}
    stop, first = rules.start(options), seats[0]
    found = Played("", seats, {})
    while not isinstance(stop.wants, End):
        stop = rules.step(stop.state, _answered(pack, bots, stop, rng))
        for fact in (event.public or {} for event in stop.events if isinstance(event, Fact)):
            first = fact["seat"] if fact.get("f") == told.first else first
            found.battles += fact.get("f") == told.battle
            found.from_battles += fact["points"] if fact.get("f") in told.won else 0
    start = seats.index(first)
    found.places = seats[start:] + seats[:start]
    found.winner, found.points = stop.wants.result["winner"], stop.wants.result["points"]
    return found


def _answered(pack: GamePack, bots: Mapping[str, Any], stop: Stop, rng: random.Random) -> Any:
    if isinstance(stop.wants, Chance):
        return outcome(stop.wants, rng)
    assert isinstance(stop.wants, Ask)
    views = {seat: pack.rules.read_view(pack.rules.view(stop.state, seat)) for seat in stop.wants.seats}
    return {seat: bots[seat].answer(view, rng) for seat, view in views.items()}


def interval(won: int, of: int) -> tuple[float, float]:
    """Return between which percentages a share lies that was won so often, in 95 cases of 100 (Wilson).

    >>> [round(bound, 1) for bound in interval(50, 100)]
    [40.4, 59.6]
    """
    share, spread = won / of, Z * Z / of
    middle = (share + spread / 2) / (1 + spread)
    reach = Z / (1 + spread) * math.sqrt(share * (1 - share) / of + spread / (4 * of))
    return 100 * (middle - reach), 100 * (middle + reach)


def _row(name: str, won: int, decided: int, fair: float, points: Iterable[int]) -> None:
    share, (low, high), scored = 100 * won / decided, interval(won, decided), list(points)
    off = abs(share - fair) > OFF
    mean = sum(scored) / len(scored)
    print(
        f"  {name:<10}{won:>7}{share:>8.1f} %{low:>8.1f} to {high:.1f}{mean:>9.1f} points{'   OFF' if off else ''}",
        flush=True,
    )


def show(games: list[Played], seats: tuple[str, ...]) -> None:
    """Print what came of games with one number of players, by seat and by place in turn order."""
    decided = [game for game in games if game.winner]
    fair = 100 / len(seats)
    battles, points = sum(game.battles for game in games), sum(sum(game.points.values()) for game in games)
    share = 100 * sum(game.from_battles for game in games) / points
    print(f"{len(seats)} players, {len(games)} games, {len(games) - len(decided)} of them with no single winner")
    print(
        f"  battles a game {battles / len(games):.1f}; of all points {share:.0f} % from battles; fair share {fair:.1f} %"
    )
    kinds: tuple[tuple[Callable[[Played, int], str], str], ...] = (
        (lambda game, no: seats[no], ""),
        (lambda game, no: game.places[no], "place "),
    )
    for seat_of, name in kinds:
        for no, seat in enumerate(seats):
            won = sum(game.winner == seat_of(game, no) for game in decided)
            scored = (game.points[seat_of(game, no)] for game in games)
            _row(f"{name}{no + 1}" if name else seat, won, len(decided), fair, scored)


def _against_chance(game: str, options: Json, seed: int) -> tuple[str, Played]:
    """Play one sensible player, each seat in turn, against random ones."""
    seats = find(game).rules.seats(options)
    mine = seats[seed % len(seats)]
    return mine, play(game, options, seed, {seat: "random" for seat in seats if seat != mine})


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.balance", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("game", nargs="?", default="swords", choices=sorted(TOLD))
    parser.add_argument("games", nargs="?", type=int, default=1000)
    parser.add_argument("--players", nargs="+", type=int, default=[2, 3, 4])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--chance", action="store_true", help="one sensible player against random ones")
    parser.add_argument("--every", type=int, default=100, help="after so many games print what they came to")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    pack, seeds = find(args.game), range(args.seed, args.seed + args.games)
    print(f"{pack.rules.title}, seeds {seeds.start} to {seeds.stop - 1}")
    with ProcessPoolExecutor(args.jobs) as pool:
        for players in args.players:
            options = pack.complete({"players": players, **chosen(args.option)})
            if args.chance:
                found = list(pool.map(partial(_against_chance, args.game, options), seeds, chunksize=4))
                won, score = (
                    sum(game.winner == mine for mine, game in found),
                    sum(game.points[mine] for mine, game in found),
                )
                rest = sum(sum(game.points.values()) for _mine, game in found) - score
                print(f"  {players} players: one sensible won {won} of {len(found)}, {score / len(found):.1f} points; "
                      f"the random {rest / len(found) / (players - 1):.1f} each", flush=True)  # fmt: skip
                continue
            games: list[Played] = []
            for game in pool.map(partial(play, args.game, options), seeds, chunksize=4):
                games.append(game)
                if len(games) == len(seeds) or len(games) % args.every == 0:
                    show(games, pack.rules.seats(options))


if __name__ == "__main__":
    main()
