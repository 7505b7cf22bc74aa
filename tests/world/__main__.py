"""Play worlds: `python -m tests.world --seeds 1-200`, or one of them with all that happens, `--seed 7 --trace`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from hashlib import sha256
from pathlib import Path

os.environ.setdefault("PBEM_GAMES", str(Path(__file__).resolve().parents[2] / "examples"))
for name in ("PBEM_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
    os.environ.pop(name, None)

from tests.world.faults import FAULTS  # noqa: E402 - the example game is to be found
from tests.world.world import play  # noqa: E402


def outcome(seed: int, fault: str = "") -> tuple[int, str, str]:
    """Play a seed, perhaps with a fault put back; return it, the law that was broken, and why."""
    with FAULTS[fault]() if fault else nullcontext():
        broken = play(seed)
    return (seed, broken.law, broken.why) if broken else (seed, "", "")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.world", description="Play worlds, and look whether the laws hold."
    )
    parser.add_argument("--seeds", default="1-200", help="from and to")
    parser.add_argument("--seed", type=int, help="one only")
    parser.add_argument("--trace", action="store_true", help="with all that happens")
    parser.add_argument("--jobs", type=int, default=1, help="so many at once")
    parser.add_argument("--fault", default="", choices=list(FAULTS), help="put a fault back that was")
    parser.add_argument("--first", action="store_true", help="end at the first law that is broken")
    args = parser.parse_args()
    if args.seed is not None:
        lines: list[str] = []
        with FAULTS[args.fault]() if args.fault else nullcontext():
            broken = play(args.seed, print if args.trace else lines.append)
        if not args.trace:
            print(sha256("\n".join(lines).encode()).hexdigest(), len(lines), broken or "well")
        sys.exit(1 if broken else 0)
    first, _, last = args.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    of = partial(outcome, fault=args.fault)
    began, found, done = time.monotonic(), Counter[str](), 0
    with ProcessPoolExecutor(args.jobs) as pool:
        for seed, law, why in pool.map(of, seeds) if args.jobs > 1 else map(of, seeds):
            done += 1
            if law:
                found[law] += 1
                print(f"seed {seed}: {law}: {why}", flush=True)
                if args.first:
                    break
    minutes = (time.monotonic() - began) / 60
    print(f"{done} seeds, {done / minutes:.0f} a minute, {sum(found.values())} with a broken law {dict(found) or ''}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
