"""Paired games, for a change of a built-in player: is it stronger than before, with the same cards and dice?

A change and what was before are two copies of pbem. Each plays one side of the same games, with `play`. Then `compare` reads both
files, and says after which pair a sequential test has decided (Wald's, of the pairs that one of both won):

    python -m bench.paired play normal sensible --seat english --seed 480 --games 200 --out before.jsonl
    python -m bench.paired play normal sensible --seat english --seed 480 --games 200 --out after.jsonl
    python -m bench.paired compare before.jsonl after.jsonl

`play` goes on where an earlier run stopped. The rows have the processor's seconds of each game and the longest answer.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from math import log, sqrt
from pathlib import Path
from typing import Any

from pbem.engine.match import A, B, Match
from pbem.games import find
from pbem.games.bot import Bot
from pbem.games.hammer.bots import ThinkingBot
from pbem.kernel import Chooser, Order, View

BETTER = 0.65
"""How often a better player wins a pair that only one of both wins; an equal one wins half of them."""
SURE = log(0.95 / 0.05)
Z = 1.96


class _Timed(Bot):
    """A player whose longest answer is kept, in seconds of the processor."""

    def __init__(self, bot: Bot) -> None:
        self.bot, self.longest, self.total = bot, 0.0, 0.0

    def answer(self, view: View, chooser: Chooser) -> Order:
        began = time.process_time()
        order = self.bot.answer(view, chooser)
        took = time.process_time() - began
        self.longest, self.total = max(self.longest, took), self.total + took
        return order


def _made(bots: Mapping[str, Callable[[], Bot]], name: str) -> Bot:
    """Return a player by name; `hard@100` is the player who looks ahead, with so many trials for a move."""
    plain, _, trials = name.partition("@")
    bot = bots[plain]()
    if trials:
        assert isinstance(bot, ThinkingBot)
        bot.playouts = int(trials)
    return bot


def rows(name: str, against: str, seat: str, seed: str, numbers: range) -> Iterator[dict[str, Any]]:
    """Play one game of each pair, the player `name` in the seat, and yield what came of it."""
    pack = find("hammer")
    match = Match(pack, {}, (name.partition("@")[0], against), seed, 600)
    made = list[_Timed]()

    def make() -> Bot:
        made.append(_Timed(_made(pack.bots, name)))
        return made[-1]

    contestant: Any = match.players[A]
    contestant._make = make
    for pair in numbers:
        other = next(one for one in match.seats if one != seat)
        game = match._game(2 * pair - 1, {seat: A, other: B})  # noqa: SLF001 - one game of a match, by its seat
        timed = made[-1]
        yield {
            "pair": pair, "won": int(game.winner == A), "fault": game.fault, "why": game.why,
            "seconds": round(timed.total, 2), "longest": round(timed.longest, 3),
        }  # fmt: skip


def wilson(won: int, games: int) -> tuple[float, float]:
    """Return the interval of 95 % for a share.

    >>> [round(end, 3) for end in wilson(50, 100)]
    [0.404, 0.596]
    """
    share, square = won / games, Z * Z / games
    middle, wide = share + square / 2, Z * sqrt(share * (1 - share) / games + square / games / 4)
    return (middle - wide) / (1 + square), (middle + wide) / (1 + square)


def decided(pairs: Iterator[tuple[int, int]]) -> tuple[str, int, int, int]:
    """Return the verdict of the sequential test, the pairs until then, and the pairs that only the second and only the first won.

    >>> decided(iter([(0, 1)] * 20))
    ('better', 12, 12, 0)
    """
    gained = lost = number = 0
    for number, (before, after) in enumerate(pairs, 1):
        gained += after > before
        lost += before > after
        odds = gained * log(BETTER / 0.5) + lost * log((1 - BETTER) / 0.5)
        if abs(odds) >= SURE:
            return ("better" if odds > 0 else "not better"), number, gained, lost
    return "open", number, gained, lost


def _read(path: Path) -> dict[int, dict[str, Any]]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return {row["pair"]: row for row in map(json.loads, lines)}


def _told(path: Path, found: dict[int, dict[str, Any]]) -> str:
    won, games = sum(row["won"] for row in found.values()), len(found)
    low, high = wilson(won, games)
    seconds = sum(row["seconds"] for row in found.values()) / games
    longest = max(row["longest"] for row in found.values())
    faults = sum(bool(row["fault"]) for row in found.values())
    return (
        f"{path}: {won} of {games} ({100 * low:.1f} to {100 * high:.1f} %), {seconds:.1f} s a game, "
        f"longest answer {longest:.2f} s, {faults} faults"
    )


def main() -> None:
    """Play, or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ways = parser.add_subparsers(dest="way", required=True)
    play = ways.add_parser("play")
    play.add_argument("player")
    play.add_argument("against")
    play.add_argument("--seat", default="english")
    play.add_argument("--seed", default="480")
    play.add_argument("--games", type=int, default=40)
    play.add_argument("--out", type=Path, default=Path(os.devnull), help="the file to add rows to")
    compare = ways.add_parser("compare")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    given = parser.parse_args()
    if given.way == "play":
        begun = max(_read(given.out), default=0) + 1
        for row in rows(given.player, given.against, given.seat, given.seed, range(begun, given.games + 1)):
            with given.out.open("a", encoding="utf-8") as out:
                out.write(json.dumps(row) + "\n")
            print(row)
        return
    before, after = _read(given.before), _read(given.after)
    for path, found in ((given.before, before), (given.after, after)):
        print(_told(path, found))
    both = sorted(before.keys() & after.keys())
    verdict, pairs, gained, lost = decided((before[n]["won"], after[n]["won"]) for n in both)
    print(f"{verdict} after {pairs} pairs: won {gained} that were lost, lost {lost} that were won")


if __name__ == "__main__":
    main()
