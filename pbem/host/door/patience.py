"""Time limits of connections to the web address: it does not wait for a request header that drips in.

An answer may take any time to come about: a decision, or the numbers that a listener waits for. But the client must read an answer
that is ready. When many connections are open, each new one closes the one that has been idle longest. So nobody can keep others
out by holding connections open.

A request with two lengths (Content-Length and Transfer-Encoding) is refused: a proxy may read the one, and we the other.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from typing import Any

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

CROWD = 250
"""The number of connections that may be open before idle ones are closed early."""


def patient(longest: float, crowd: int = CROWD) -> type[H11Protocol]:
    """Return the protocol class of a server that drops clients which stay silent, or leave a request incomplete, for too long.

    The limit is `longest` seconds, at most twice that. With more than `crowd` connections, it is as short as others need the room.
    """
    lines: dict[H11Protocol, None] = {}  # the one that has said something last comes last

    class Patient(H11Protocol):
        _look: TimerHandle | None = None
        _before: RequestResponseCycle | None = None
        _left = 0

        def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            lines[self] = None
            self._make_room()
            self._look = self.loop.call_later(longest, self._look_at_it)

        def connection_lost(self, exc: Exception | None) -> None:
            if self._look is not None:
                self._look.cancel()
            lines.pop(self, None)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if lines.pop(self, self) is None:
                lines[self] = None
            super().data_received(data)

        def _make_room(self) -> None:
            """Close those that have been idle longest, as long as there are too many."""
            for line in list(lines):
                if len(lines) <= crowd:
                    break
                cycle: Any = line.cycle
                if line is not self and (cycle is None or cycle.response_complete):
                    del lines[line]
                    line.transport.close()

        def _look_at_it(self) -> None:
            """Close it where no request has come whole since the last look, and none is being answered, or none is taken."""
            left, before = self.transport.get_write_buffer_size(), self._left
            if left and left == before:
                self.transport.abort()  # to close it would be to wait until the rest was taken
                return
            self._left = left
            cycle: Any = self.cycle
            if (cycle is None or cycle.response_complete) and cycle is self._before:
                self.transport.close()
                return
            self._before = cycle
            self._look = self.loop.call_later(longest, self._look_at_it)

    return Patient


class OneLength:
    """An application that is asked nothing by a request which says in two ways how long it is."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        names = {name.lower() for name, _value in scope.get("headers", ())}
        if {b"content-length", b"transfer-encoding"} <= names:
            await Response(status_code=400, headers={"connection": "close"})(scope, receive, send)
        else:
            await self.app(scope, receive, send)
