"""What a door shows to everybody, without a key: a list of games, the log of each as far as everybody may know it, and events.

Of a game that goes on that is the chain, with what its tells have opened for all: what its public reports say, nothing of a hand.
Of one that is over it is the whole log, as its players have it. Which games these are the host's settings say, and what the players
were told when they were invited (`observers`). How events stand, who opens their rounds has noted. It writes nothing, and decides
nothing.

A log is put together in a thread of its own, one at a time, so that nobody at the door waits for a stranger.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pbem.errors import UsageError
from pbem.games import find
from pbem.mail.door import ShownGame, ShownGames

from .. import observers
from ..store import Store, StoredLedger
from ..store.rows import GameRow, SeatRow
from .hearing import turned

MOST = 200
"""So many games are listed, those that were made last."""
OFTEN = 30
"""So many logs are put together in a minute; those that were asked for last are kept, and handed out as often as one likes."""
_KEPT, _MINUTE = 8, 60
FRESH = 5
"""So many seconds a list is handed out before another is made."""

T = TypeVar("T")


class Shown:
    """What one door shows. `watch`: how much, by the host's settings; `pulse` counts seconds by a clock that nobody sets."""

    def __init__(self, path: Path | str, watch: str, pulse: Callable[[], float]) -> None:
        self.path, self.watch, self.pulse = path, watch, pulse
        self._in_turn = asyncio.Lock()
        self._logs: OrderedDict[str, tuple[str, bytes]] = OrderedDict()
        self._made: deque[float] = deque()
        self._list: tuple[float, ShownGames] | None = None
        self._standings: tuple[float, bytes] | None = None

    async def games(self) -> ShownGames:
        """Return the games that are shown, the latest first."""
        if self._list is None or self.pulse() >= self._list[0] + FRESH:
            self._list = self.pulse(), await self._look(self._listed)
        return self._list[1]

    async def standings(self) -> bytes:
        """Return how the events stand that are shown, as JSON."""
        if self._standings is None or self.pulse() >= self._standings[0] + FRESH:
            found = await self._look(lambda store: list(store.notes(observers.STANDING).values()))
            self._standings = self.pulse(), b'{"events":[%s]}' % ",".join(found).encode()
        return self._standings[1]

    async def log(self, game: str) -> bytes:
        """Return the log of a game, by its id. Raises Turned where it is not shown, as where there is none."""
        return await self._look(lambda store: self._log(store, game))

    async def _look(self, what: Callable[[Store], T]) -> T:
        def looked() -> T:
            store = Store(self.path)
            try:
                with store.one_look():
                    return what(store)
            finally:
                store.close()

        async with self._in_turn:
            return await asyncio.to_thread(looked)

    def _listed(self, store: Store) -> ShownGames:
        return ShownGames(games=tuple(_row(store, row) for row in observers.shown(store, self.watch, MOST)))

    def _log(self, store: Store, game: str) -> bytes:
        number = store.number_of(game)
        if number is None or not observers.is_shown(store, number, self.watch):
            raise turned("game")
        seats = [row.seat for row in store.find(SeatRow, game=number)]
        ledger = StoredLedger(store, number, seats)
        head, made = self._logs.get(game, ("", b""))
        if head != ledger.head:
            self._count()
            made = observers.shown_log(ledger).dump()
        self._logs[game] = ledger.head, made
        self._logs.move_to_end(game)
        if len(self._logs) > _KEPT:
            self._logs.popitem(last=False)
        return made

    def _count(self) -> None:
        now = self.pulse()
        while self._made and self._made[0] <= now - _MINUTE:
            self._made.popleft()
        if len(self._made) >= OFTEN:
            raise turned("often")
        self._made.append(now)


def _row(store: Store, row: GameRow) -> ShownGame:
    try:
        played = find(row.game).rules.title
    except UsageError:
        played = row.game  # rules that are here no more
    return ShownGame(game=row.g, played=played, title=row.title, over=row.stage == "ended", n=store.last_entry(row.id))
