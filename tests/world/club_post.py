"""The ways between a club and its people, without a network: mail servers that fail now and then, and the door, unplugged."""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any
from urllib.parse import urlsplit

from pbem.errors import NotTaken, WorldError
from pbem.host import Office
from pbem.host.arrivals import CLUB_DOOR, DOOR
from pbem.host.door.app import CallRoutes, app
from pbem.host.door.calls import Calls
from pbem.host.door.hearing import Hearing
from pbem.host.door.shown import Shown
from pbem.host.store import Store
from pbem.mail import read_message
from pbem.player.asking import DoorReply, DoorRequest
from pbem.player.door import DoorLine


class Boxes:
    """The mailboxes of all people, as a carrier of the host's. Those in `shut` are there no more."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.shut = chance, set[str]()
        self.boxes: defaultdict[str, list[bytes]] = defaultdict(list)
        self.came: Counter[str] = Counter()
        """How often each letter was taken, by its Message-ID."""
        self.failed: Counter[str] = Counter()

    def carry(self, sender: str, address: str, raw: bytes) -> None:
        """Take a letter, or fail: for good, for now, or after it was taken."""
        if address in self.shut:
            self.failed["for good"] += 1
            raise NotTaken("no such mailbox", for_good=True)
        luck = self.chance.random()
        if luck < 0.004:
            self.failed["not now"] += 1
            raise NotTaken("the mailbox is full", for_good=False)
        if luck < 0.005:
            self.failed["no server"] += 1
            raise WorldError("the server does not answer")
        self.boxes[address].append(raw)
        self.came[read_message(raw, len(raw)).message_id] += 1
        if luck < 0.006:
            self.failed["taken all the same"] += 1
            raise WorldError("the line broke")

    def take(self, address: str) -> list[bytes]:
        """Return what has come for an address, in order, and keep nothing of it."""
        return self.boxes.pop(address, [])

    def check(self, sender: str) -> str:
        """It is never tried."""
        return sender

    def objection(self, sender: str, address: str) -> str:
        """Nor asked."""
        return ""

    def close(self) -> None:
        """Nothing stays open."""


class DoorUnplugged(DoorLine):
    """Carries the requests of players' programs into the very application that answers at a host's door, and no further."""

    def __init__(self, office: Office, clock: Callable[[], str], pulse: Callable[[], float]) -> None:
        super().__init__()
        settings = office.settings.door
        assert settings is not None
        self.office, self.clock, self.settings = office, clock, settings
        self.store, self.wrong = Store(office.store.path), list[str]()
        hearing = Hearing(self.store, office.robot.house.key.key_line, clock, pulse)
        self.calls = Calls(self.store, hearing, self._take, self.wrong.append, self._to_club)
        routes = CallRoutes(self.calls, Shown(office.store.path, "nothing", pulse), settings).routes()
        self.app = app(routes, settings.address)
        self.loop = asyncio.new_event_loop()
        self.turned_away: Counter[str] = Counter()

    def _take(self, raw: bytes, way: str = DOOR) -> Future[str]:
        coming: Future[str] = Future()
        outcome = self.office.robot.take(raw, self.clock(), way)
        said = self.office.robot.club.said_at_door() if self.office.robot.club and way != DOOR else ""
        coming.set_result(f"{outcome}\n{said}")
        return coming

    def _to_club(self, raw: bytes, key: str) -> Future[str]:
        return self._take(raw, f"{CLUB_DOOR}{key}")

    def carry(self, asked: DoorRequest) -> DoorReply:
        """Let a request be answered."""
        reply = self.loop.run_until_complete(self._asked(asked))
        if reply.status != 200:
            self.turned_away[str(reply.status)] += 1
        return reply

    async def _asked(self, asked: DoorRequest) -> DoorReply:
        parts, said = urlsplit(asked.address), list[dict[str, Any]]()
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": asked.method, "scheme": "http",
            "path": parts.path, "raw_path": parts.path.encode(), "query_string": parts.query.encode(), "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in asked.headers.items()],
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": asked.body, "more_body": False}

        async def send(message: Any) -> None:
            said.append(message)

        await self.app(scope, receive, send)
        body = b"".join(message.get("body", b"") for message in said)
        return DoorReply(said[0]["status"], body)

    def close(self) -> None:
        """Shut it."""
        self.loop.close()
        self.store.close()
