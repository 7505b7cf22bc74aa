"""How long a connection may hold the door without asking anything whole: a head that drips in is not waited for.

A request that is being answered may take as long as it takes: a decision, and the numbers that somebody listens for. But of an
answer that lies ready something must be taken.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle


def patient(longest: float) -> type[H11Protocol]:
    """Return the protocol of a door at which nobody may be silent, or half said, for longer than so many seconds, twice over."""

    class Patient(H11Protocol):
        _look: TimerHandle | None = None
        _before: RequestResponseCycle | None = None
        _left = 0

        def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._look = self.loop.call_later(longest, self._look_at_it)

        def connection_lost(self, exc: Exception | None) -> None:
            if self._look is not None:
                self._look.cancel()
            super().connection_lost(exc)

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
