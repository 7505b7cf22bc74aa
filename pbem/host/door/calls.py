"""The calls at the web address and their answers: letters brought and fetched, and a number that says that something is new.

It decides nothing about a game. A letter brought here goes to the thread that decides, like one that comes by mail. What it leads
to is then ready at the web address. It reads the store over a connection of its own, and never writes.

Letters are put there by the thread that decides, and by every other program of this host (`take`, `retry`). So the store is checked
once for all listeners: at once when this host's thread says so, and otherwise at intervals.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from pbem.errors import PbemError, WorldError
from pbem.ledger import sha256_hex
from pbem.mail.door import Answered, ClubAnswered, Handed, became

from ..moments import later
from ..store import Store
from .hearing import Caller, Hearing, turned

AT_ONCE = 4_000_000
"""The approximate maximum number of bytes of letters in one answer; the rest takes another request."""
LISTENERS = 4
"""The maximum number of listeners for one seat; one more replaces the first."""
BEAT = 20
"""The number of seconds of silence before an empty message is sent to listeners, so that no proxy drops them."""
LOOK = 0.5
"""The number of seconds between checks for letters from other programs of this host."""

STALLED = 15
"""The number of minutes without a look or a readable mailbox after which a host counts as not working."""
_READ = ("imap", "maildir")
"""The ways in that can fail while the host is at work."""

HandIn = Callable[[bytes], "Future[str]"]
"""Takes a letter; the result is known later."""


ToClub = Callable[[bytes, str], "Future[str]"]
"""Takes a letter to the club and the key that sent it. The result is the outcome in a line, then the answer."""


class Listener:
    """One who listens for a seat: `rings` when there is something to look at."""

    def __init__(self) -> None:
        self.rings, self.ended = asyncio.Event(), False

    def ring(self, *, ended: bool = False) -> None:
        """Let it look."""
        self.ended = self.ended or ended
        self.rings.set()


class Calls:
    """The calls of one web address, in the one thread that its store belongs to."""

    def __init__(
        self,
        store: Store,
        hearing: Hearing,
        hand_in: HandIn,
        report: Callable[[str], None],
        to_club: ToClub | None = None,
        has_room: Callable[[], bool] = lambda: True,
    ) -> None:
        self.store, self.hearing, self.hand_in, self.report, self.to_club = store, hearing, hand_in, report, to_club
        self.has_room = has_room
        self.closing = asyncio.Event()
        self._listeners: dict[tuple[int, str], list[Listener]] = {}
        self._looked, self._trouble = store.door_news(0)[0], ""

    def is_well(self) -> bool:
        """Has the thread that decides looked around within the last minutes, could its mail be read, and has it room?"""
        looked = self.store.note("clock")
        failing = [self.store.note(f"trouble {way}").partition(" ")[0] for way in _READ]
        before = later(self.hearing.now(), minutes=-STALLED)
        return looked > before and not any(since and since <= before for since in failing) and self.has_room()

    # -- letters ----------------------------------------------------------------------------------------------------

    async def bring(self, who: Caller, body: bytes, since: int) -> Answered:
        """Let the host store a letter and decide on it. Return the result, and the letters for the seat behind `since`."""
        outcome = await self._decided(self.hand_in(body))
        return self.fetch(who, since, became(outcome))

    async def ask_club(self, key: str, body: bytes) -> ClubAnswered:
        """Let the club decide on a letter from the owner of this key; return its answer. Raises Turned without a club."""
        if self.to_club is None:
            raise turned("club")
        outcome, _end, said = (await self._decided(self.to_club(body, key))).partition("\n")
        return ClubAnswered(became=became(outcome), said=said)

    async def _decided(self, coming: Future[str]) -> str:
        """What became of a letter; raises Turned where it was not taken."""
        deciding, closing = asyncio.wrap_future(coming), asyncio.create_task(self.closing.wait())
        either: set[asyncio.Future[Any]] = {deciding, closing}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not deciding.done() and coming.cancel():
                raise turned("closed")
            return await deciding
        except PbemError as error:
            raise turned("store") from error
        finally:
            closing.cancel()

    def fetch(self, who: Caller, since: int, outcome: str = "") -> Answered:
        """Return the letters for a seat behind number `since`, those that were laid there for the key that asks."""
        first, upto = self.store.at_door(who.game, who.seat)
        letters: list[Handed] = []
        room, before = AT_ONCE, ""
        for row in self.store.door_since(who.game, who.seat, since - 1):
            raw = self.store.raw("doorstep", row.id) if row.key == who.key else b""
            if row.no == since:
                before = sha256_hex(raw) if raw else ""
                continue
            room -= len(raw)
            if letters and room < 0:
                break
            if raw:
                letters.append(Handed.of(row.no, raw))
        return Answered(became=outcome, first=first, upto=upto, before=before, letters=tuple(letters))

    # -- events -----------------------------------------------------------------------------------------------------

    async def numbers(self, who: Caller) -> AsyncIterator[int | None]:
        """Go through the number of the last letter for a seat, now and whenever one comes; None in a silence.

        It ends with the door, with the key, and when too many others listen for the seat.
        """
        with self._listening(who) as listener:
            known = -1
            while not listener.ended and self.hearing.is_present(who):
                _first, upto = self.store.at_door(who.game, who.seat)
                if upto != known:
                    yield upto
                    known = upto
                elif not await _comes(listener.rings, BEAT):
                    yield None
                listener.rings.clear()

    @contextmanager
    def _listening(self, who: Caller) -> Iterator[Listener]:
        here = self._listeners.setdefault((who.game, who.seat), [])
        here.append(listener := Listener())
        for first in here[:-LISTENERS]:
            first.ring(ended=True)
        try:
            yield listener
        finally:
            here.remove(listener)
            if not here:
                self._listeners.pop((who.game, who.seat), None)

    def look(self) -> None:
        """Let those look who listen for a seat for which something was laid here since the last look. A store that cannot be read
        is told of, once, and that it can be again."""
        why = ""
        try:
            self._looked, news = self.store.door_news(self._looked)
            for game, seat, _number in news:
                for listener in self._listeners.get((game, seat), ()):
                    listener.ring()
        except (sqlite3.Error, WorldError) as error:
            why = f"{type(error).__name__}: {error}"
        if why != self._trouble:
            self.report(why)
            self._trouble = why

    async def keep_looking(self) -> None:
        """Look again and again while anybody listens, until the door is closed."""
        while not await _comes(self.closing, LOOK):
            if self._listeners:
                self.look()

    def close(self) -> None:
        """Let nobody wait any more."""
        self.closing.set()
        for here in self._listeners.values():
            for listener in here:
                listener.ring(ended=True)


async def _comes(event: asyncio.Event, seconds: float) -> bool:
    """Return whether the event happens within that number of seconds."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
