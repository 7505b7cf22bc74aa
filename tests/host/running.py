"""What several tests need of running: club, Host, running, hand_over, with_a_door."""

from __future__ import annotations

import queue
import smtplib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.host import Office, Running
from tests.servers.real import free_ports

from .post import Club

PATIENCE = 30


class Host:
    """A host that runs in a thread, and what it says."""

    def __init__(self, home: Path, clock: list[str]) -> None:
        self.said: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.home, self.clock = home, clock
        self.running: Running | None = None
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        office = Office(self.home)  # a store belongs to the thread that opened it
        self.running = Running(office, lambda: self.clock[0], self.said.put)
        self.ready.set()
        self.running.run()
        office.close()

    def hear(self, words: str) -> str:
        """Wait until it says something with these words."""
        while words not in (line := self.said.get(timeout=PATIENCE)):
            pass
        return line


@contextmanager
def running(home: Path, clock: list[str] | None = None, host: Host | None = None) -> Iterator[Host]:
    host = host or Host(home, clock or ["2030-01-01T12:00:00Z"])
    host.thread.start()
    host.ready.wait(PATIENCE)
    try:
        yield host
    finally:
        assert host.running is not None
        host.running.stop()
        host.thread.join(PATIENCE)
        assert not host.thread.is_alive()


def hand_over(port: int, to: str, raw: bytes) -> tuple[int, bytes]:
    """Hand a mail over as a mail server does; return its answer."""
    with smtplib.LMTP("127.0.0.1", port, timeout=PATIENCE) as door:
        door.ehlo_or_helo_if_needed()
        door.mail("ann@example.org")
        code, said = door.rcpt(to)
        return door.data(raw) if code == 250 else (code, said)


def with_a_door(club: Club) -> int:
    """Let the host have a door for a mail server; return its port."""
    (port,) = free_ports(1)
    club.office.close()
    home = club.folder / "host"
    text = f'address = "host@example.org"\n[in.lmtp]\nport = {port}\n[out]\nmaildir = "mail/{{local}}"\n'
    (home / "host.toml").write_text(text, "utf-8")
    return port
