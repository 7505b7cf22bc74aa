"""Public data at the web address, without a key: a list of games, the public part of each game's log, and events.

For a running game that is the chain with the facts opened for all: the content of its public reports, nothing of a hand. For a
finished game it is the whole log, as its players have it. The host's settings, and the players' invitations, say which games are
shown (`observers`). The standings of events are noted by the program part that opens their rounds. It writes and decides nothing.

Logs are assembled one at a time in a separate thread, so that nobody at the web address waits for a stranger.
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
"""The maximum number of games listed, the latest ones."""
OFTEN = 30
"""The maximum number of logs assembled per minute. Those requested last are cached, and served without limit."""
_KEPT, _MINUTE = 8, 60
FRESH = 5
"""The number of seconds for which a list is served before it is made again."""

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
        """Return the public standings of events as JSON."""
        if self._standings is None or self.pulse() >= self._standings[0] + FRESH:
            found = await self._look(lambda store: list(store.notes(observers.STANDING).values()))
            self._standings = self.pulse(), b'{"events":[%s]}' % ",".join(found).encode()
        return self._standings[1]

    async def log(self, game: str) -> bytes:
        """Return the log of a game, by its id. Raises Turned if there is none, or it is not public."""
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
