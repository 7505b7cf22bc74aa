"""Run the benchmarks one after the other, each in a process of its own (`make bench`).

    python -m bench [--all | --smallest] [NAME…] [--but NAME…]

Without a name it is the table of where people wait, `bench.waiting`. With `--all` they are those of `USUAL`, with their usual
sizes. With `--smallest` every benchmark runs as small as it can: that measures nothing, and shows that each still works. A
benchmark that ends badly fails the run; one that says "skipped: …" cannot be tried here.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

Run = tuple[str, str]
"""A module of this package, and what stands behind its name."""

USUAL: tuple[Run, ...] = (
    ("waiting", ""),
    ("run", ""),
    ("run", "--game lords --games 5 --mail-games 1"),
    ("run", "--game swords --games 5 --mail-games 1"),
    ("rules", "--shares"),
    ("shares", ""),
    ("start", ""),
    ("waits", ""),
    ("flips", ""),
    ("load", ""),
    ("watch", ""),
    ("workers", ""),
    ("worst", ""),
    ("house", ""),
    ("keys", ""),
    ("page", ""),
    ("replies", ""),
)
"""The table first, which takes a few minutes; all take half an hour. The others are asked for by name when they are wanted."""

SMALLEST: tuple[Run, ...] = (
    ("balance", "swords 1 --players 2 --jobs 1"),
    ("batons", "--games 1 --modes 3 --option years=1"),
    ("club", "--players 12 --games 4 --days 20"),
    ("deck", "--cards 4 --hand 2 --times 1"),
    ("flips", "--games 1"),
    ("foretold", "--games 1 --bots sensible sensible --trials 1"),
    ("house", ""),
    ("keys", "--games 1 --option years=1"),
    ("letters", "--games 1 --turns 1"),
    ("load", "--game tiny --games 2 4 --mails 4"),
    ("of_two", "--games 1 --modes 0 --option years=1"),
    ("only", "tiny 1"),
    ("opinions", "lords --games 1 --players 2"),
    ("outlook", "--games 11 --option years=1"),
    ("weights", "{outlook}"),
    ("paired", "play random random --games 1"),
    ("peers", "tiny --games 1"),
    ("puzzles", "lords --games 0-1"),
    ("regret", "--positions 1"),
    ("rules", "lords --games 1 --times 1 --shares"),
    ("replies", "60 --games lords --questions 12"),
    ("run", "--game tiny --games 1 --mail-games 1"),
    ("shares", "--game tiny --games 1"),
    ("soak", "--game tiny --games 1"),
    ("start", "--runs 1"),
    ("tables", "lords random random --games 1"),
    ("waiting", "--game tiny --option players=2 turns=2 --times 1 --questions 1"),
    ("waits", "--games 1 --option years=1"),
    ("watch", "--games 2 --times 1"),
    ("workers", "--games 8 --stock 2 4 --rounds 1"),
    ("worst", "--bytes 20000 --files deals statements --games tiny"),
    ("page", "--games lords --times 1 --orders 1 --looks 1"),
)
"""Each once, as small as it can be; {NAME} is a file with what an earlier one has printed."""


def main_of(name: str) -> list[str]:
    """Return how Python is told to run one."""
    return ["-m", f"bench.{name}"]


def run(runs: Sequence[Run], folder: Path) -> list[str]:
    """Run them; return the names of those that ended badly. What each prints is shown, and kept in the folder."""
    badly = []
    for name, said in runs:
        print(f"== bench.{name} {said}", flush=True)
        words = said.format_map({other: str(folder / other) for other, _said in runs}).split()
        before = _spent()
        with (folder / name).open("w", encoding="utf-8") as kept:
            command = [sys.executable, *main_of(name), *words]
            with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as child:  # noqa: S603 - our own programs
                for line in child.stdout or ():
                    kept.write(line)
                    print(line, end="", flush=True)
        print(f"   {_spent() - before:.1f} s of a processor", flush=True)
        badly += [name] if child.returncode else []
    return badly


def _spent() -> float:
    of = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of.ru_utime + of.ru_stime


def main() -> int:
    """Run what is asked for; return 1 if one ended badly."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="these alone")
    parser.add_argument("--but", nargs="+", default=[], metavar="NAME", help="all but these")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--all", action="store_true", help="what is usual, and not the table alone")
    size.add_argument("--smallest", action="store_true", help="each as small as it can be, to see that it works")
    said = parser.parse_args()
    usual = USUAL if said.all or said.names or said.but else USUAL[:1]
    runs = [one for one in (SMALLEST if said.smallest else usual) if one[0] not in said.but]
    if unknown := {*said.names, *said.but} - {name for name, _said in SMALLEST}:
        parser.error(
            f"there is no {', '.join(sorted(unknown))}; there are {', '.join(name for name, _said in SMALLEST)}"
        )
    os.environ.setdefault("PBEM_GAMES", "examples")
    with tempfile.TemporaryDirectory() as folder:
        badly = run([one for one in runs if not said.names or one[0] in said.names], Path(folder))
    print(f"BROKEN: {', '.join(badly)}" if badly else "All of them came to their end.")
    return 1 if badly else 0


if __name__ == "__main__":
    sys.exit(main())
