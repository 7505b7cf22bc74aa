"""A player at the host's web address, by Python's standard library: letters sent and fetched by HTTP, each request signed.

`asking` decides which requests to make and which parts of a reply to believe. This module carries them. It follows no redirects,
and sends nothing without TLS except to this machine.
"""

from __future__ import annotations

import http.client
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from pbem.errors import WorldError
from pbem.i18n import _
from pbem.kernel.digits import whole
from pbem.mail.incoming import MAX_FROM_HOST

from .asking import Asking, AtDoor, DoorReply, DoorRequest, NotHeard, Unreached, unreached

if TYPE_CHECKING:
    from pbem.ledger import PrivateKey
    from pbem.mail.door import Answered, ClubAnswered, Greeting

__all__ = ["DoorLine", "HostsDoor", "NotHeard", "Unreached"]

MOST = 2 * MAX_FROM_HOST
"""The maximum number of bytes read of a reply."""
T = TypeVar("T")
E = TypeVar("E")


class DoorLine:
    """A carrier of requests to web addresses. `ca_file` has an extra certificate to trust; `timeout` is in seconds."""

    def __init__(self, timeout: float = 60, ca_file: str = "") -> None:
        self.timeout, self.ca_file = timeout, ca_file

    def carry(self, asked: DoorRequest) -> DoorReply:
        """Carry a request; return its answer. Raises Unreached, WorldError for an answer that is too long."""
        with self.stream(asked) as answer:
            return DoorReply(answer.status, _read(answer))

    @contextmanager
    def stream(self, asked: DoorRequest) -> Iterator[http.client.HTTPResponse]:
        """Carry a request, and yield the reply to read as it comes. Raises Unreached."""
        parts = urlsplit(asked.address)
        line = self._to(parts.scheme, parts.hostname or "", parts.port)
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        try:
            line.request(asked.method, target, asked.body or None, {"Accept-Encoding": "identity", **asked.headers})
            with line.getresponse() as answer:
                yield answer
        except (OSError, http.client.HTTPException) as error:
            raise unreached(asked, str(error) or type(error).__name__) from error
        finally:
            line.close()

    def _to(self, scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
        if scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=self.timeout)
        from pbem.mail.tls import trust

        return http.client.HTTPSConnection(host, port, timeout=self.timeout, context=trust(self.ca_file))

    def carried(self, asking: Generator[DoorRequest | E, DoorReply, T]) -> Generator[E, None, T]:
        """Carry the requests of a conversation; yield its other values, and return its result."""
        reply: DoorReply | None = None
        trouble: WorldError | None = None
        while True:
            try:
                step = _next(asking, reply, trouble)
            except StopIteration as end:
                made: T = end.value
                return made
            reply = trouble = None
            if not isinstance(step, DoorRequest):
                yield step
                continue
            try:
                reply = self.carry(step)
            except WorldError as error:
                trouble = error

    def said(self, asking: Asking[T]) -> T:
        """Carry the requests of a conversation; return what it returns. Raises what it raises."""
        talk: Generator[object, None, T] = self.carried(asking)
        try:
            next(talk)
        except StopIteration as end:
            made: T = end.value
            return made
        raise AssertionError


class HostsDoor(AtDoor):
    """The door at an address, for one seat, as `AtDoor` has it; `timeout` and `ca_file` are those of its `DoorLine`."""

    def __init__(
        self, address: str, host: str, game: str, seat: str, key: PrivateKey, clock: Callable[[], str], *, timeout: float = 60,
        ca_file: str = "",
    ) -> None:  # fmt: skip
        """Raises UsageError for an address at which no door is."""
        super().__init__(address, host, game, seat, key, clock)
        self.line = DoorLine(timeout, ca_file)

    def greeting(self) -> Greeting:
        """Return what the door says of itself, as `greets`."""
        return self.line.said(self.greets())

    def bring(self, letter: bytes, since: int = 0) -> Answered:
        """Bring a letter, as `brings`."""
        return self.line.said(self.brings(letter, since))

    def to_club(self, letter: bytes) -> ClubAnswered:
        """Bring a letter to the host's club, as `asks_club`."""
        return self.line.said(self.asks_club(letter))

    def letters(self, since: int = 0) -> Answered:
        """Return the letters for the seat behind number `since`; not always all of them at once."""
        return self.line.said(self.asks(since))

    def all_letters(self, since: int = 0) -> Iterator[tuple[int, bytes]]:
        """Go through all letters for the seat behind number `since`, with their numbers."""
        while (found := self.letters(since)).letters:
            for letter in found.letters:
                yield letter.no, letter.mail
            since = found.letters[-1].no

    @contextmanager
    def numbers(self) -> Iterator[Iterator[int]]:
        """Listen: go through the number of the last letter for the seat, now and whenever one comes, until the door ends it."""
        asking = self.listens()
        request = next(asking)
        while not request.streams:
            request = asking.send(self.line.carry(request))
        with ExitStack() as stack:
            answer = stack.enter_context(self.line.stream(request))
            while answer.status != 200:
                request = asking.send(DoorReply(answer.status, _read(answer)))
                answer = stack.enter_context(self.line.stream(request))
            yield _numbers(answer)


def _next(asking: Generator[E, DoorReply, T], reply: DoorReply | None, trouble: WorldError | None) -> E:
    if trouble is not None:
        return asking.throw(trouble)
    return next(asking) if reply is None else asking.send(reply)


def _numbers(answer: http.client.HTTPResponse) -> Iterator[int]:
    while line := answer.readline(1000):
        name, _colon, value = line.strip().partition(b":")
        if name == b"data" and (number := whole(value.strip().decode("ascii", "replace"))) is not None:
            yield number


def _read(answer: http.client.HTTPResponse) -> bytes:
    data = answer.read(MOST + 1)
    if len(data) > MOST:
        raise WorldError(_("The door's answer is too long: more than {most} bytes.", most=MOST))
    return data
