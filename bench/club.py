"""What a club by mail comes to that nobody looks after: people who join, play, vanish, move house, flood and lie.

    PBEM_GAMES=examples python -m bench.club [--people 100] [--days 60] [--seed 1]

All of it is drawn from the seed and held to the laws of tests/club/season.py; then the counts are printed, and what a mail cost the
host, in processor time, as a ratio to reading it alone.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from time import process_time

from pbem.mail import read_message
from tests.club.season import Season


def main() -> None:
    """Play a season, and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        season = Season(Path(name), said.seed, said.people)
        taken, spent, raws = season.office.robot.take, [0.0], list[bytes]()

        def take(raw: bytes, at: str, *more: str) -> str:
            began = process_time()
            try:
                return taken(raw, at, *more)
            finally:
                spent[0] += process_time() - began
                raws.append(raw)

        season.office.robot.take = take  # type: ignore[assignment, method-assign]
        for _half in range(2 * said.days):
            season.half_a_day()
        season.check()
        began = process_time()
        for raw in raws:
            read_message(raw)
        floor = process_time() - began
        for what, count in sorted(season.count.items()):
            print(f"{count:>8}  {what}")
        print(
            f"{len(raws)} mails, {1000 * spent[0] / len(raws):.1f} ms each, {spent[0] / floor:.1f} times reading them"
        )
        season.office.close()


if __name__ == "__main__":
    main()
