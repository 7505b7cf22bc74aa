"""What an audit spends its time on: the rules, looking, reading, judging, fingerprints, and what the referee does besides.

    python -m bench.shares [--games 2] [--game hammer] [--seed 1]

Processor time, the best of a few runs; the baseline, measured in the same run, is the library's check of the log's signatures.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from bench.games import play_at_a_table
from bench.parts import check_bare, signatures
from pbem.games import GamePack, find, manifest
from pbem.kernel import Game
from pbem.ledger import Log, verify
from pbem.referee.audit import audit

PARTS = {
    "step": "rules", "start": "rules", "told_secret": "rules", "wants": "rules", "view": "views", "read_view": "typed views",
    "own_view": "typed views", "parse": "reading orders", "read_plans": "reading orders", "planned": "plans",
    "why_not": "judging orders", "default": "default answers", "fingerprint": "fingerprints",
}  # fmt: skip
"""Each method of a game that an audit calls, and what its time is counted as."""


class Clock:
    """Counts time by part: of parts that call each other, the inner one's is its own."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self._since, self._on = 0.0, [""]

    def _turn(self) -> None:
        now = time.process_time()
        self.spent[self._on[-1]] += now - self._since  # type: ignore[assignment]
        self._since = now

    def timed(self, part: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return a method whose time is counted."""

        def run(*args: Any) -> Any:
            self._turn()
            self._on.append(part)
            try:
                return method(*args)
            finally:
                self._turn()
                self._on.pop()

        return run

    def over(self, run: Callable[[], object]) -> dict[str, float]:
        """Run something; return the seconds of each part, and under "" those of everything else."""
        self.spent, self._since = Counter(), time.process_time()
        run()
        self._turn()
        return dict(self.spent)


def processor(run: Callable[[], object]) -> float:
    """Return the seconds of processor time that something takes."""
    begin = time.process_time()
    run()
    return time.process_time() - begin


def _watched(game: Game, clock: Clock) -> Game:
    methods = {name: clock.timed(part, getattr(game, name)) for name, part in PARTS.items() if hasattr(game, name)}
    kind = type(type(game).__name__, (type(game),), {})
    watched: Game = object.__new__(kind)
    vars(watched).update(vars(game), **methods)
    return watched


def shares(pack: GamePack, data: bytes, times: int = 5) -> dict[str, float]:
    """Return seconds: of the bare signatures, of verifying, of the whole audit, and of each of its parts."""
    clock = Clock()
    sha256, watched = manifest(pack)[1], _watched(pack.rules, clock)
    found = signatures(Log.parse(data))
    runs: list[dict[str, float]] = []
    for _time in range(times):
        bare, checked = processor(lambda: check_bare(found)), processor(lambda: verify(data))
        whole = processor(lambda: audit(data, lambda _: (pack.rules, sha256)))
        runs.append({"bare signatures": bare, "verify": checked, "audit": whole})
        spent = clock.over(lambda: audit(data, lambda _: (watched, sha256)))
        runs[-1] |= {part: spent.get(part, 0.0) for part in PARTS.values()}
    best = {part: min(run[part] for run in runs) for part in runs[0]}
    apart = best["audit"] - best["verify"]
    return best | {"comparing, and the referee": apart - sum(best[part] for part in dict.fromkeys(PARTS.values()))}


def main() -> None:
    """Print the parts for some games."""
    parser = argparse.ArgumentParser(prog="python -m bench.shares", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--game", default="hammer")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    pack, total = find(args.game), Counter[str]()
    for seed in range(args.seed, args.seed + args.games):
        total.update(shares(pack, play_at_a_table(pack, {}, seed).whole()))
    bare = total["bare signatures"]
    print(f"{pack.rules.title}: {args.games} games, processor time a game, and to the bare signatures of the log")
    for part, seconds in [*total.items(), ("audit, signatures apart", total["audit"] - total["verify"])]:
        print(f"  {part:<28} {1000 * seconds / args.games:8.1f} ms   {seconds / bare:5.2f}")


if __name__ == "__main__":
    main()
