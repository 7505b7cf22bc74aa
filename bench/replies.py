"""The reader in shadow: replies of whole games, as mail programs write them, and what the reader made of them.

Two things count: orders that nobody meant, of which there must be none, and replies that were refused though they were right.
"""

from __future__ import annotations

import argparse
import sys

from tests.replies.shadow import GAMES, run

REFUSED = 3
"""Fewer percent of the replies that mean an order may be refused."""
_SHOWN = 12


def main() -> int:
    """Print the figures, and what was not read as it was meant; return 1 where a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.replies", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("count", nargs="?", type=int, default=5400, help="so many replies")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GAMES)
    parser.add_argument("--questions", type=int, default=10_000, help="of each game the first so many questions")
    args = parser.parse_args()
    figures = run(args.count, args.seed, args.games, args.questions)
    for title, lines in (("Not meant", figures.wrong), ("Refused", figures.refused)):
        for line in lines[:_SHOWN]:
            print(f"{title}: {line}")
    print(figures)
    return bool(figures.wrong) or 100 * len(figures.refused) >= REFUSED * max(1, figures.meant)


if __name__ == "__main__":
    sys.exit(main())
