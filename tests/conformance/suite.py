"""What a game under test says of itself, and the recorded games that the checks go over."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

from pbem.kernel import (
    Ask,
    Game,
    Json,
    View,
)
from pbem.look import Look

from .playing import Record, play


@lru_cache(maxsize=64)
def _recorded(game: Game, options: str, seed: int, limit: int) -> Record:
    return play(game, json.loads(options), seed, limit)


class Suite:
    """What all checks share: which game, how much of it is played and looked at."""

    game: ClassVar[Game]
    where: ClassVar[str]
    """Where another Python finds the game: `module:NAME`."""
    look: ClassVar[Look | None] = None
    """The game's look, where it has touches. Without one the checks of what is shown are left out."""
    options: ClassVar[tuple[Json, ...]] = ({},)
    """Each is played `games` times."""
    plans: ClassVar[tuple[str, ...]] = ()
    """Some canonical plans; empty for a game without plans."""
    games: ClassVar[int] = 3
    seed: ClassVar[int] = int(os.environ.get("PBEM_SEED", "1"))
    """The first game's seed. `.ci/run` sets another each day, and prints it; each failure names it, too. Suites that every run
    takes play the same games each day."""
    limit: ClassVar[int] = 20_000
    """A random game that is not over after so many steps fails."""
    stride: ClassVar[int] = 1
    """For the cheap checks every so many steps are looked at."""
    slow_stride: ClassVar[int] = 3
    """The same for those that make positions up or play on from them."""
    hash_limit: ClassVar[int] = 300
    """So many steps are played anew by another Python."""
    hash_seeds: ClassVar[tuple[str, ...]] = ("1", "2")
    """Each is that of a Python of its own."""
    looked_at: ClassVar[frozenset[int]] = frozenset({1, 4})
    """Of each kind of question these are looked at that come so many-th, where a look is dear."""
    foresees: ClassVar[bool] = True
    """Is anything sure after some order? Not where the rules run in a process of their own, or nothing is seen before all is."""
    lists: ClassVar[bool] = True
    """Are answers numbered? Not where the rules run in a process of their own, and views come without their parts."""
    together: ClassVar[int] = 20_000
    """So many steps of a game are gone through by peers."""

    def records(self) -> Iterator[Record]:
        for options in self.options:
            for seed in range(self.seed, self.seed + self.games):
                yield _recorded(self.game, json.dumps(options), seed, self.limit)

    def asked(self, stride: int) -> Iterator[tuple[Record, int, str, View]]:
        """Go through questions: the record, the step, an asked seat and its view."""
        for record in self.records():
            for index in record.every(stride):
                wanted = record.stops[index].wants
                for seat in wanted.seats if isinstance(wanted, Ask) else ():
                    yield record, index, seat, record.view(index, seat)
