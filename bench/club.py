"""What a mail costs the host of a club that nobody looks after, in processor time, as a ratio to reading it alone.

    PBEM_GAMES=examples python -m bench.club [--players 100] [--games 20] [--days 60] [--seed 1]

The club is that of `tests.world.a_club`, which prints what it came to; here its mails are timed.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from time import process_time

from pbem.mail import read_message
from tests.world.a_club import STEP, ClubWorld
from tests.world.club_laws import hold
from tests.world.club_people import DAY


def main() -> None:
    """Play a club, and print what a mail has cost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in (("players", 100), ("games", 20), ("days", 60), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        world = ClubWorld(Path(name), said.seed, said.players, said.games, said.days)
        taken, spent, raws = world.office.robot.take, [0.0], list[bytes]()

        def take(raw: bytes, at: str, *more: str) -> str:
            began = process_time()
            try:
                return taken(raw, at, *more)
            finally:
                spent[0] += process_time() - began
                raws.append(raw)

        world.office.robot.take = take  # type: ignore[assignment, method-assign]
        for _step in range(said.days * DAY // STEP):
            world.half_a_day()
        hold(world)
        began = process_time()
        for raw in raws:
            read_message(raw)
        floor = process_time() - began
        print(
            f"{len(raws)} mails, {1000 * spent[0] / len(raws):.1f} ms each, {spent[0] / floor:.1f} times reading them"
        )
        world.close()


if __name__ == "__main__":
    main()
