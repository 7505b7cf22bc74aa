"""A relay of its own: a server with the page, until it is stopped. In a host's door the same routes are among the door's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.records import dataclass

from ..door.server import check_installed, listening_at, manners

if TYPE_CHECKING:
    import socket

    from uvicorn import Server

    from .app import RelayRoutes
    from .limits import RelayLimits
    from .store import Room


@dataclass(frozen=True, slots=True)
class RelayPlace:
    """Where a relay is: the `address` that players know, where it listens, its file, and the folder with the page ("": none).

    `proxied`: requests come through a proxy on this machine, which names the caller's address.
    """

    address: str
    host: str
    port: int
    file: Path
    page: str = ""
    proxied: bool = False


class RelayServer:
    """A relay that listens from now on, and answers in `run`. `report` is told of failures.

    Raises WorldError or UsageError where it cannot listen; `run` raises StoreError where it cannot use its file.
    """

    def __init__(
        self, place: RelayPlace, room: Room, limits: RelayLimits, report: Callable[[str], None],
        clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        check_installed()

        if place.page and not Path(place.page).is_dir():
            raise UsageError(_("The folder {path} of the page is missing.", path=place.page))
        self.place, self.limits, self.report, self.clock = place, limits, report, clock
        self._room = room
        self._server: Server | None = None
        self.routes: RelayRoutes | None = None
        self._socket: socket.socket = listening_at(place.host, place.port, "--port")
        self.port: int = self._socket.getsockname()[1]

    def run(self) -> None:
        """Answer until the process is told to end."""
        from uvicorn import Config, Server

        from ..door.app import app
        from ..door.patience import OneLength
        from .app import RelayRoutes
        from .store import RelayStore

        place = self.place
        store = RelayStore(place.file, self._room)  # of the thread that answers
        self.routes = RelayRoutes(store, self.limits, self.clock, self.report, proxied=place.proxied)
        shown = OneLength(app(self.routes.routes(), place.address, place.page))
        self._server = Server(Config(shown, **manners(self.limits.longest)))
        try:
            asyncio.run(self._server.serve([self._socket]))
        finally:
            self._socket.close()
            store.close()

    def stop(self) -> None:
        """Let `run` come to its end. Called from another thread."""
        if self._server is not None:
            self._server.should_exit = True
