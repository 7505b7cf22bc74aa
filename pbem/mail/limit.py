"""A time limit for a whole exchange with a server: a socket's timeout restarts with each byte, and a server may send byte by byte.

After the limit, another thread shuts the connection, and `during` raises OverLimit. It watches a second handle to the connection,
so that TLS may be started on the first.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Iterator
from threading import Lock, Timer


class OverLimit(TimeoutError):
    """An exchange took too long in all."""


class Limit:
    """How long each exchange over one connection may last, in seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = Lock()
        self._handle: socket.socket | None = None
        self._over = False

    @property
    def is_over(self) -> bool:
        """Return whether the current or last exchange has taken too long."""
        return self._over

    def connect(self, host: str, port: int, timeout: float | None, tls: ssl.SSLContext | None) -> socket.socket:
        """Connect to a server, watched from the beginning; with TLS from the first byte on, where `tls` is given."""
        sock = socket.create_connection((host, port), timeout)
        self._watch(sock)
        return tls.wrap_socket(sock, server_hostname=host) if tls else sock

    def _watch(self, sock: socket.socket) -> None:
        """Let this be the connection, in place of an earlier one; if the limit is over already it is shut at once."""
        with self._lock:
            if self._handle is not None:
                self._handle.close()
            self._handle = sock.dup()
        if self._over:
            self._shut()

    @contextlib.contextmanager
    def during(self) -> Iterator[None]:
        """Do an exchange within the limit. Raises OverLimit when it is over, in place of what the connection raises then."""
        self._over = False
        timer = Timer(self.seconds, self._shut)
        timer.daemon = True
        timer.start()
        try:
            yield
        except Exception as error:
            if self._over:
                raise OverLimit from error
            raise
        finally:
            timer.cancel()

    def close(self) -> None:
        """Let go of the connection."""
        with self._lock:
            if self._handle is not None:
                self._handle.close()
                self._handle = None

    def _shut(self) -> None:
        self._over = True
        with self._lock, contextlib.suppress(OSError):
            if self._handle is not None:
                self._handle.shutdown(socket.SHUT_RDWR)
