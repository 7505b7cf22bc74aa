"""A host with a door, at work in a thread with a real server on this machine, and its players' programs as they are."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.host import Office
from pbem.ledger import PrivateKey
from pbem.mail.incoming import MAX_RAW
from pbem.player.door import HostsDoor
from tests.host.post import HOST, Club, key_of, moment
from tests.host.running import Host
from tests.stored import stored_rows

PATIENCE = 19
"""Less than the silence in which a door says nothing, so that nobody waits for ever."""


def settings(address: str = "http://127.0.0.1:1/", more: str = "", port: int = 0) -> str:
    """The settings of a host with a door at a free port; players come by an address that a proxy would have."""
    return (
        f'address = "{HOST}"\nevery = 3600\n[out]\nmaildir = "mail/{{local}}"\n'
        f'[door]\naddress = "{address}"\nport = {port}\n{more}'
    )


class DoorHost(Host):
    """A host at work, the port of its door, and what its players do there."""

    port = 0

    def open(self) -> None:
        """Wait until the door is open; the clock stands."""
        said = self.hear("is open, at")
        self.port = int(re.findall(r":(\d+)$", said)[0])
        self.hear("waiting for mail")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def door(self, club: Club, seat: str, **other: object) -> HostsDoor:
        """A seat's way to the door; `other`: something else than what is right."""
        told: dict[str, object] = {
            "address": self.address, "host": key_of("host").key_line, "game": club.log().game, "seat": seat, "key": key_of(seat),
        }  # fmt: skip
        told |= other
        key = told["key"]
        assert isinstance(key, PrivateKey)
        return HostsDoor(
            str(told["address"]),
            str(told["host"]),
            str(told["game"]),
            str(told["seat"]),
            key,
            lambda: self.clock[0],
            timeout=PATIENCE,
        )

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Ask anything, signed or not."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            line.putrequest(method, path)
            for name, value in headers.items():
                line.putheader(name.replace("_", "-"), value)
            if body:
                line.putheader("Content-Length", str(len(body)))
            line.endheaders(
                body if len(body) <= MAX_RAW else None
            )  # of too much he who says so is told before he has sent it
            answer = line.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        finally:
            line.close()


@contextmanager
def at_work(club: Club, text: str = "", minute: int = 60) -> Iterator[DoorHost]:
    """Let the club's host be at work with a door, from that minute on; it is as before at the end, and its store open again."""
    home = club.folder / "host"
    club.game = club.log().game  # type: ignore[attr-defined]
    club.office.close()
    (home / "host.toml").write_text(text or settings(), "utf-8")
    host = DoorHost(home, [moment(minute)])
    club.office = Office(home)
    host.thread.start()
    host.ready.wait(PATIENCE)
    try:
        host.open()
        yield host
    finally:
        assert host.running is not None
        host.running.stop()
        host.thread.join(PATIENCE)
        assert not host.thread.is_alive()
        club.office.close()
        club.office = Office(home)


def stored(home: Path) -> dict[str, object]:
    """All that a request which is refused must not change; what was written before may be sent meanwhile."""
    office = Office(home)
    try:
        tables = ("inbox", "doorstep", "entries", "answers", "seats")
        found: dict[str, object] = {name: stored_rows(office.store, f"select * from {name}") for name in tables}  # noqa: S608
        return found | {"outbox": stored_rows(office.store, "select message_id from outbox order by id")}
    finally:
        office.close()
