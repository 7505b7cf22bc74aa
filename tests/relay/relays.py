"""A relay as it is, with a real server in a thread or in a process of its own, and what is asked there byte by byte."""

from __future__ import annotations

import http.client
import json
import re
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from pbem.host import Office
from pbem.host.relay.limits import RelayLimits
from pbem.host.relay.server import RelayPlace, RelayServer
from pbem.host.relay.store import Room
from pbem.mail.relay import LARGEST_SEALED, BoxShown, RelayLink, seal_letter
from tests.chaos.installed import PBEM
from tests.door.doors import settings
from tests.host.post import HOST, key_of
from tests.mail.relay_vectors import ANN, BOB

DAY = 86_400.0
PATIENCE = 40
_PORT = re.compile(r":(\d+)\.?$")


class Told(NamedTuple):
    """A reply: status, headers in small letters, body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class AtRelay:
    """A caller at a relay's port, with the secret of one game. `ca_file`: the certificate of the proxy at that port."""

    ca_file = ""

    def __init__(self, port: int, secret: bytes = bytes(range(16))) -> None:
        self.port, self.link = port, RelayLink(f"http://localhost:{port}/", secret)

    def ask(
        self,
        method: str,
        path: str,
        token: str = "",
        body: bytes | None = None,
        *,
        named: tuple[str, ...] = (),
        **headers: str,
    ) -> Told:
        """Ask anything; `named` are lines of X-Forwarded-For."""
        line = http.client.HTTPConnection("localhost", self.port, timeout=PATIENCE)
        if self.ca_file:
            trust = ssl.create_default_context(cafile=self.ca_file)
            line = http.client.HTTPSConnection("localhost", self.port, timeout=PATIENCE, context=trust)
        try:
            line.putrequest(method, path)
            for name, what in {**({"Authorization": f"Bearer {token}"} if token else {}), **headers}.items():
                line.putheader(name.replace("_", "-"), what)
            for what in named:
                line.putheader("X-Forwarded-For", what)
            if body is not None:
                line.putheader("Content-Length", str(len(body)))
            line.endheaders(body if body and len(body) <= LARGEST_SEALED else None)  # who sends too much is told before
            reply = line.getresponse()
            return Told(reply.status, {name.lower(): what for name, what in reply.getheaders()}, reply.read())
        finally:
            line.close()

    def sealed(self, letter: bytes) -> bytes:
        """A letter of Ann's to Bob."""
        return seal_letter(self.link, BOB.key_line, letter, ANN)

    @property
    def token(self) -> str:
        """Of Bob's box."""
        return self.link.token(BOB.key_line)

    def post(self, letter: bytes, *named: str) -> Told:
        return self.ask("POST", "/relay/letters", self.token, self.sealed(letter), named=named)

    def box(self, wait: int = 0) -> BoxShown:
        told = self.ask("GET", f"/relay/letters?wait={wait}", self.token)
        assert told.status == 200, told
        return BoxShown.model_validate_json(told.body)


class Running:
    """A relay in a thread, with a clock that can be put forward; `reports` is what it said of failures."""

    def __init__(self, folder: Path, room: Room, limits: RelayLimits, *, proxied: bool, page: str, port: int) -> None:
        self.now, self.reports, self.file = 20_000 * DAY, list[str](), folder / "relay.sqlite"
        place = RelayPlace("http://localhost/", "127.0.0.1", port, self.file, page, proxied=proxied)
        self.server = RelayServer(place, room, limits, self.reports.append, lambda: self.now)

    @property
    def server_waits(self) -> bool:
        """Does a request wait there?"""
        return bool(self.server.routes and self.server.routes.counts.waits.total())

    def at(self, secret: bytes = bytes(range(16))) -> AtRelay:
        return AtRelay(self.server.port, secret)


@contextmanager
def relay(
    folder: Path,
    room: Room | None = None,
    limits: RelayLimits | None = None,
    *,
    proxied: bool = False,
    page: str = "",
    port: int = 0,
) -> Iterator[Running]:
    """A relay while it runs."""
    running = Running(folder, room or Room(), limits or RelayLimits(), proxied=proxied, page=page, port=port)
    thread = Thread(target=running.server.run)
    thread.start()
    try:
        assert running.at().ask("GET", "/relay/").status == 200
        yield running
    finally:
        running.server.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


class OneProcess:
    """A command as a process that listens; `said` is the line that named its port. What it says of failures is in `log`."""

    def __init__(self, log: Path, *words: str) -> None:
        self.log = log
        command = [str(PBEM), *words]
        with log.open("ab") as errors:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        assert self.process.stdout is not None
        self.said = next((line for line in self.process.stdout if _PORT.search(line)), "")
        assert self.said, log.read_text("utf-8")
        self.port = int(_PORT.findall(self.said)[0])
        self.address = f"http://localhost:{self.port}/"

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.communicate()

    def end(self) -> int:
        """End it as Ctrl-C does; return its exit code."""
        self.process.send_signal(2)
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode


class RelayProcess(OneProcess):
    """`pbem relay` as a process."""

    def __init__(self, folder: Path, *options: str, port: int = 0) -> None:
        store = str(folder / "relay.sqlite")
        super().__init__(folder / "relay.log", "relay", "--port", str(port), *options, "--store", store)


class DoorProcess(OneProcess):
    """`pbem host run` as a process, whose door is a relay; `more` is what its settings say of it."""

    def __init__(self, folder: Path, more: str = "", port: int = 0) -> None:
        home = folder / "host"
        if not home.exists():
            Office.create(home, key_of("host"), HOST).close()
        (home / "host.toml").write_text(settings("http://localhost/", f"relay = true\n{more}", port), "utf-8")
        super().__init__(folder / "host.log", "host", "run", "--dir", str(home))
