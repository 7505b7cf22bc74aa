"""Writes a store as this version of the program makes it, as SQL text: what later versions must be able to open.

    PBEM_GAMES=examples python -m tests.host.stores.make

It writes `schema-N.sql` beside this file, N being the version of the schema: a game of Tiny with a deadline in its second
turn, one order here and one awaited, a letter not sent, and a mail that was stored and not decided. Run it when a
step has been added to the schema; a file that is there is never written again.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.host.post import Club, a_club, moment

HERE = Path(__file__).parent
UNDECIDED = 3000
"""The minute in which the undecided mail arrived: after the deadline."""


def fill(club: Club) -> None:
    """Play into the second turn; leave work undone."""
    club.begin()
    club.turn()
    while len(club.asked()) < 2:
        club.turn()
    first, second = club.asked()
    club.take(club.order(first))
    late = club.order(second)
    club.robot.keep(late, moment(UNDECIDED))


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        a_club(Path(folder), turns=3, hours=24, terms={"rated": True}) as club,
    ):
        fill(club)
        version = club.office.store.row("select value from meta where name = 'schema'")
        assert version is not None
        path = HERE / f"schema-{version['value']}.sql"
        if path.exists():
            raise SystemExit(f"{path} is there already; it is what was written then, and stays.")
        path.write_text("\n".join(club.office.store.db.iterdump()) + "\n", "utf-8")
        print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
