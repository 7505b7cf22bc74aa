"""An open web address: an HTTP server in a thread of its own, beside the thread that decides.

This thread has its own connection to the store, and only reads from it. A letter brought here is passed to the thread that
decides, with the moment at which it was complete. The answer waits until the decision is stored. Failures are reported by
`report`; mail continues without the web address.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pbem import __version__
from pbem.errors import UsageError, WorldError, installing, system_said
from pbem.i18n import _
from pbem.reports.policy import POLICY

from ..settings import WebDoor
from ..store import STORE, Store
from .calls import Calls, HandIn, ToClub
from .hearing import Hearing
from .looking import complaints, greeted
from .shown import Shown

if TYPE_CHECKING:
    from uvicorn import Server

AT_ONCE = 500
"""The maximum number of connections; further ones are told to come again."""
LEAVE = 5
"""The number of seconds for pending answers when the web address closes."""


class OpenDoor:
    """The web address of the host in a folder, open between `open` and `close`. `host` is the host's key line.

    `clock` returns the host's time, `pulse` counts seconds. `hand_in` takes a letter; `to_club` takes one for the club (None
    without a club). `report` is told of failures. `has_room`: whether the host has disk space to note its decisions.
    """

    def __init__(
        self, settings: WebDoor, folder: Path, store: Path | str, host: str, clock: Callable[[], str], pulse: Callable[[], float],
        hand_in: HandIn, report: Callable[[str], None], to_club: ToClub | None = None,
        has_room: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        self.settings, self.store, self.host, self.to_club = settings, store, host, to_club
        self.clock, self.pulse, self.hand_in, self.report, self.has_room = clock, pulse, hand_in, report, has_room
        self.folder, self.page = folder, str(folder / settings.page) if settings.page else ""
        self.port = settings.port
        self._thread = Thread(target=self._run, name="door", daemon=True)
        self._socket: socket.socket | None = None
        self._server: Server | None = None
        self._calls: Calls | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Begin to listen. Raises WorldError where that cannot be, UsageError where the page's folder cannot be shown."""
        check_installed()
        self._check_page()
        self._listen()
        self._thread.start()

    def check(self) -> Iterator[tuple[bool, str]]:
        """Test whether the web address could be opened, or is open; yield whether it works, and why."""
        if self.settings.relay and not self.settings.proxied:
            yield (
                False,
                _(
                    "[door] relay: all players of the relay share the limits of one address. Let the proxy name each caller's "
                    "address in X-Forwarded-For, and write proxied = true."
                ),
            )
        try:
            check_installed()
            self._check_page()
            self._listen()
            yield (
                True,
                _("Players' programs can come to {host}:{port}.", host=self.settings.host, port=self.settings.port),
            )
        except UsageError as error:
            yield False, str(error)
            return
        except WorldError as error:
            yield from self._look(str(error))
        finally:
            if self._socket is not None:
                self._socket.close()
        if other := _other_version(Path(self.page)) if self.page else "":
            yield False, other

    def has_ended(self) -> bool:
        """Has it been opened, and come to its end by itself?"""
        return self._thread.ident is not None and not self._thread.is_alive()

    def is_ours(self) -> bool:
        """Is what listens at its port the door of this host, at work?"""
        to = self.settings
        at = f"[{to.host}]" if ":" in to.host else to.host
        try:
            greeted(f"http://{at}:{to.port}{urlsplit(to.address).path}", self.host)
        except WorldError:
            return False
        return True

    def _look(self, taken: str) -> Iterator[tuple[bool, str]]:
        """Where its port is taken: is it by this host, at work, and how do players find it? `taken` says what it means if not."""
        if not self.is_ours():
            yield False, taken
            return
        yield True, _("The door is open: this host is at work.")
        yield from self._look_from_outside()

    def _look_from_outside(self) -> Iterator[tuple[bool, str]]:
        to = self.settings
        try:
            told = greeted(to.address, self.host)
        except WorldError as error:
            yield False, str(error)
            return
        yield True, _("Players come to it by {address}.", address=to.address)
        for why in complaints(to.address, told, self.clock(), POLICY if self.page else ""):
            yield False, why

    def look(self) -> None:
        """Look now for whom something was laid at the door. Called from another thread."""
        if self._loop is not None and self._calls is not None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                self._loop.call_soon_threadsafe(self._calls.look)

    def close(self) -> None:
        """Stop listening. Callers that wait for a decision not begun yet are told that nothing was taken."""
        if self._server is not None:
            self._server.should_exit = True
        if self._loop is not None and self._calls is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._calls.close)
        if self._thread.is_alive():
            self._thread.join(2 * LEAVE)
        if self._socket is not None:
            self._socket.close()

    def _listen(self) -> None:
        self._socket = listening_at(self.settings.host, self.settings.port, "[door]")
        self.port = self._socket.getsockname()[1]

    def _check_page(self) -> None:
        page = Path(self.page)
        if self.page and not page.is_dir():
            raise UsageError(_("[door] page: there is no folder {path}.", path=page))
        if self.page and any((page / name).exists() for name in ("host.toml", "key", STORE)):
            raise UsageError(_("[door] page: {path} is not a page but a host's folder, with every hand.", path=page))

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:  # noqa: BLE001 - the mail goes on, whatever this is
            self.report(f"{type(error).__name__}: {error}")
        finally:
            if self._socket is not None:
                self._socket.close()  # so that nobody waits at a door behind which nobody is

    async def _serve(self) -> None:
        from uvicorn import Config, Server

        from ..relay.app import beside_door
        from .app import CallRoutes, app
        from .patience import OneLength

        store = Store(self.store)
        hearing = Hearing(store, self.host, self.clock, self.pulse)
        calls = Calls(store, hearing, self.hand_in, self.report, self.to_club, self.has_room)
        looking = asyncio.create_task(calls.keep_looking())
        try:
            shown = Shown(self.store, self.settings.watch, self.pulse)
            routes = [
                *CallRoutes(calls, shown, self.settings).routes(),
                *beside_door(self.folder, self.report, self.settings),
            ]
            self._server = Server(
                Config(OneLength(app(routes, self.settings.address, self.page)), **manners(self.settings.longest))
            )
            self._calls, self._loop = calls, asyncio.get_running_loop()
            assert self._socket is not None  # noqa: S101 - `open` made it
            await self._server.serve([self._socket])
        finally:
            calls.close()
            await looking
            store.close()


def _other_version(page: Path) -> str:
    """Return a complaint if the page was built by another version of pbem, or is missing; otherwise ""."""
    try:
        made = json.loads((page / "page.json").read_bytes()).get("pbem")
    except (OSError, ValueError, AttributeError):
        return _("[door] page: {path} contains no pbem page: page.json is missing.", path=page)
    if made != __version__:
        return _(
            "[door] page: the page in {path} is of version {made}, this is {own}.",
            path=page,
            made=made,
            own=__version__,
        )
    return ""


def check_installed() -> None:
    """Raise UsageError if the libraries for HTTP are not installed."""
    try:
        import starlette
        import uvicorn
    except ImportError as error:
        raise UsageError(_("A door needs libraries that are not installed. {how}", how=installing("door"))) from error
    del starlette, uvicorn


def listening_at(host: str, port: int, part: str) -> socket.socket:
    """Return a socket that listens; `part` is the part of the settings that names it. Raises WorldError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        raise WorldError(
            _(
                "Nothing can listen at {host}:{port}: {said}. Does “pbem host run” run already, or is the port taken? Name "
                "another one under {part}, and to the proxy.",
                host=host, port=port, said=system_said(error), part=part,
            )
        ) from error  # fmt: skip


def manners(longest: float) -> dict[str, Any]:
    """Return how a server of ours behaves: it says nothing of itself, believes no proxy, and waits for nobody for long."""
    from .patience import patient

    return {
        "http": patient(longest), "loop": "asyncio", "ws": "none", "lifespan": "off",
        "log_config": None, "log_level": "critical", "access_log": False, "server_header": False,
        "proxy_headers": False, "limit_concurrency": AT_ONCE, "timeout_graceful_shutdown": LEAVE,
        "h11_max_incomplete_event_size": 16_384,
    }  # fmt: skip
