"""What the worst files that are known cost their reader: seconds and memory, each in a process of its own (`make bench`).

    python -m bench.worst [--bytes 1000000] [--files NAME…] [--games hammer lords]

A file of 1 MB is to be verified within 5 seconds and 500 MB, whatever it holds; for comparison, bare signatures of the machine. The
counts of work, which do not hang on a machine, are what the tests look at. Real games are audited as well, by the megabyte.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from collections.abc import Callable
from typing import NamedTuple

from bench.games import play_at_a_table
from pbem.games import find, manifest
from pbem.ledger.verifier import verify_checked
from pbem.referee.audit import audit
from tests.ledger.builder import key_of
from tests.ledger.worst import WORST

SECONDS, MEGABYTES = 5, 500


class Cost(NamedTuple):
    """Of one file: its bytes, the seconds, the most memory in MB, and what came out."""

    size: int
    seconds: float
    memory: float
    found: str


def verified(name: str, size: int) -> Cost:
    """Build a file and verify it."""
    data = WORST[name](size)
    begin = time.perf_counter()
    verdict, c = verify_checked(data)
    return _cost(data, begin, f"{verdict.code or verdict.verdict}; {c.work}")


def audited(game: str, seed: int) -> Cost:
    """Play a game, and audit its log."""
    pack = find(game)
    data = play_at_a_table(pack, pack.rules.options_model().model_dump(mode="json"), seed).whole()
    begin = time.perf_counter()
    found = audit(data, lambda _game: (pack.rules, manifest(pack)[1]))
    return _cost(data, begin, f"{found.verdict.verdict}; {found.decisions} decisions")


def _cost(data: bytes, begin: float, found: str) -> Cost:
    took = time.perf_counter() - begin
    return Cost(len(data), took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, found)


def _alone(run: Callable[..., Cost], *given: object) -> Cost:
    """Do it in a fresh process, whose memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(run, given)


def signatures_a_second() -> float:
    key, count = key_of("host"), 500
    begin = time.perf_counter()
    for n in range(count):
        key.sign("bench", str(n).encode())
    return count / (time.perf_counter() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.worst", description="The worst files that are known.")
    parser.add_argument("--bytes", type=int, default=1_000_000)
    parser.add_argument("--files", nargs="+", default=list(WORST), choices=list(WORST), metavar="NAME")
    parser.add_argument("--games", nargs="+", default=["hammer", "lords"], metavar="GAME")
    args = parser.parse_args()
    print(f"One signature: {1000 / signatures_a_second():.2f} ms on this machine.")
    slow, big = [], []
    for name in args.files:
        cost = _alone(verified, name, args.bytes)
        slow += [name] if cost.seconds > SECONDS else []
        big += [name] if cost.memory > MEGABYTES else []
        print(
            f"verify {name:38} {cost.size:>9,} bytes {cost.seconds:6.2f} s {cost.memory:6.0f} MB  {cost.found}",
            flush=True,
        )
    for game in args.games:
        cost = _alone(audited, game, 1)
        each = cost.seconds / cost.size * args.bytes
        print(
            f"audit  {game:38} {cost.size:>9,} bytes {each:6.2f} s for {args.bytes:,} {cost.memory:6.0f} MB  {cost.found}",
            flush=True,
        )
    print(f"Above {SECONDS} s: {', '.join(slow) or 'none'}; above {MEGABYTES} MB: {', '.join(big) or 'none'}.")


if __name__ == "__main__":
    main()
