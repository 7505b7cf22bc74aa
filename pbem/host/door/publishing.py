"""The club's pages, served by the host itself: a server in a thread of its own, at an address used by no player's key.

It has no connection to the store. The thread that decides writes its folder and the numbers for a monitor. If that thread stops,
they stop changing.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pbem.errors import UsageError, WorldError
from pbem.i18n import _
from pbem.mail.door import origin_of

from ..settings import ClubPages, WebDoor
from .server import LEAVE, check_installed, listening_at, manners

if TYPE_CHECKING:
    from uvicorn import Server

_PATIENCE = 20


class OpenPages:
    """The pages of the host in a folder, shown between `open` and `close`. `report` is told what fails."""

    def __init__(
        self, settings: ClubPages, door: WebDoor | None, host: Path, pulse: Callable[[], float],
        report: Callable[[str], None],
    ) -> None:  # fmt: skip
        self.settings, self.door, self.host, self.pulse, self.report = settings, door, host, pulse, report
        self.folder = host / settings.folder
        self.port = settings.port
        self.numbers = ""
        """The numbers for a monitor, as they were told last."""
        self._thread = Thread(target=self._run, name="pages", daemon=True)
        self._socket: socket.socket | None = None
        self._server: Server | None = None
        self._stopped = False

    def open(self) -> None:
        """Begin to listen. Raises WorldError where that cannot be, UsageError where these pages may not be shown so."""
        self._check()
        self._listen()
        self._thread.start()

    def check(self) -> Iterator[tuple[bool, str]]:
        """Test whether the pages could be served, or are; yield whether it works, and why."""
        to = self.settings
        try:
            self._check()
            self._listen()
            yield True, _("The club's pages can be shown at {host}:{port}.", host=to.host, port=to.port)
        except UsageError as error:
            yield False, str(error)
        except WorldError as error:
            yield (
                (True, _("The club's pages are shown: this host is at work."))
                if self.is_ours()
                else (
                    False,
                    str(error),
                )
            )
        finally:
            if self._socket is not None:
                self._socket.close()

    def close(self) -> None:
        """Stop listening."""
        self._stopped = True
        if self._server is not None:
            self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(2 * LEAVE)
        if self._socket is not None:
            self._socket.close()

    def _check(self) -> None:
        check_installed()
        check_folder(self.folder, self.host, self.door)
        own = self.settings.address
        if self.door is not None and origin_of(self.door.address) == origin_of(own):
            raise UsageError(
                _(
                    "[pages] address: {address} has the same name and port as the door, {door}. Players' keys "
"belong to the door's address, and any page there could read them. Give the pages a name of "
"their own.",
                    address=own, door=self.door.address,
                )
            )  # fmt: skip

        if self.door is not None and self.door.port == self.settings.port != 0:
            raise UsageError(
                _("[pages] port: the door listens at {port} already: name another one.", port=self.settings.port)
            )

    def _listen(self) -> None:
        self._socket = listening_at(self.settings.host, self.settings.port, "[pages]")
        self.port = self._socket.getsockname()[1]

    def has_ended(self) -> bool:
        """Has it been opened, and come to its end by itself?"""
        return self._thread.ident is not None and not self._thread.is_alive()

    def is_ours(self) -> bool:
        """Is what listens at its port this host, showing this folder?"""
        import http.client

        to = self.settings
        line = http.client.HTTPConnection(to.host, to.port, timeout=_PATIENCE)
        try:
            line.request("GET", f"{urlsplit(to.address).path}index.html")
            return line.getresponse().read() == (self.folder / "index.html").read_bytes()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            line.close()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:  # noqa: BLE001 - the mail goes on, whatever this is
            self.report(f"{type(error).__name__}: {error}")
        finally:
            if self._socket is not None:
                self._socket.close()

    async def _serve(self) -> None:
        from uvicorn import Config, Server

        from .patience import OneLength
        from .published import Published

        told = Published(self.settings, self.folder, lambda: self.numbers, self.pulse)
        self._server = Server(Config(OneLength(told), **manners(self.settings.longest)))
        self._server.should_exit = self._stopped
        assert self._socket is not None  # noqa: S101 - `open` made it
        await self._server.serve([self._socket])


def check_folder(folder: Path, host: Path, door: WebDoor | None) -> None:
    """Raise UsageError for a folder of pages that nobody may be shown, or that is the page's with players' keys."""
    if host.resolve().is_relative_to(folder.resolve()):
        raise UsageError(
            _(
                "{folder} contains the host's own folder, with its key. Give the pages a folder of their own.",
                folder=folder,
            )
        )
    page = host / door.page if door and door.page else None
    if page and (folder.resolve().is_relative_to(page.resolve()) or page.resolve().is_relative_to(folder.resolve())):
        raise UsageError(
            _(
                "{folder} shares a folder with the page that the door shows, and players' keys belong to "
                "that page's address. Give the club's pages a folder, and an address, of their own.",
                folder=folder,
            )
        )
