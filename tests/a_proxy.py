"""A wire that can be cut: on loopback, from a port to the socket or port of a server, for tests of what a break leaves behind."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Self

COMMIT = re.compile(rb"[^_]commit\x00", re.IGNORECASE)
"""So a client of PostgreSQL says that what was begun is to be written."""


class Wire:
    """Carries bytes both ways until it is told to cut, or to hold them.

    `cut_commit(N, M)`: of the message that brings the next COMMIT so many bytes come through, and of the answer so many; then both
    ends hear that the connection is gone. `cut_after(N)`: so many further bytes come through, both ways together. `hold()`: nothing
    comes through any more, and nobody hears of it. `to` may be changed: what connects then comes to the other server.
    """

    def __init__(self, to: Path | int) -> None:
        self.to, self.commits, self.cuts = to, 0, 0
        self._left: int | None = None
        self._cut: tuple[int, int] | None = None
        self._after, self._always = 0, False
        self._held, self._lock = Event(), Lock()
        self._held.set()
        self._ends: list[socket.socket] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._door.close()
        self.cut()

    def address(self, of: str) -> str:
        """The address of a database by this wire, made from the one without it."""
        return f"postgresql://pbem@127.0.0.1:{self.port}/postgres?sslmode=disable&gssencmode=disable&{of.partition('&')[2]}"

    def cut_commit(self, sent: int, answered: int, after: int = 0, *, always: bool = False) -> None:
        """Cut the wire in the midst of the next COMMIT, or after so many of them of the one that follows; `always`: of each one."""
        self._cut, self._after, self._always = (sent, answered), after, always

    def cut_after(self, most: int) -> None:
        """Cut the wire in the midst of what is said, when so many bytes have come through."""
        self._left = most

    def is_cut(self) -> bool:
        """Has it been cut where `cut_after` said?"""
        return self._left is None

    def mend(self) -> None:
        """Cut no COMMIT any more."""
        self._cut = None

    def hold(self) -> None:
        """Let nothing come through any more."""
        self._held.clear()

    def cut(self) -> None:
        """Cut all that is connected; what connects anew comes through."""
        with self._lock:
            ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._held.set()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._door.accept()
                try:
                    server = self._connected()
                except OSError:  # the server is away: who wants to go there hears so
                    client.close()
                    continue
                with self._lock:
                    self._ends += [client, server]
                left: list[int] = []
                Thread(target=self._carry, args=(client, server, left, True), daemon=True).start()
                Thread(target=self._carry, args=(server, client, left, False), daemon=True).start()

    def _connected(self) -> socket.socket:
        if isinstance(self.to, int):
            return socket.create_connection(("127.0.0.1", self.to))
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(str(self.to))
        except OSError:
            server.close()
            raise
        return server

    def _some(self, data: bytes) -> tuple[bytes, bool]:
        """Return how much of it comes through, and whether the wire is cut there."""
        with self._lock:
            if self._left is None or self._left > len(data):
                self._left = None if self._left is None else self._left - len(data)
                return data, False
            some, self._left = data[: self._left], None
            self.cuts += 1
        return some, True

    def _carry(self, source: socket.socket, to: socket.socket, left: list[int], to_server: bool) -> None:
        """`left`: how many bytes of the answer still come through, once a COMMIT went by."""
        with suppress(OSError):
            while data := source.recv(65536):
                self._held.wait()
                if to_server and COMMIT.search(data):
                    self.commits += 1
                    self._after -= 1
                    if self._cut is not None and self._after < 0:
                        (sent, answered), self._cut = self._cut, self._cut if self._always else None
                        left.append(answered)
                        to.sendall(data[:sent])
                        if sent < len(data):
                            break
                        continue
                if not to_server and left:
                    to.sendall(data[: left[0]])
                    left[0] -= len(data)
                    if left[0] <= 0:
                        break
                    continue
                some, is_cut = self._some(data)
                to.sendall(some)
                if is_cut:
                    break
        for end in (source, to):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
