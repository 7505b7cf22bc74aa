"""A player at his host's door: letters brought and fetched by HTTP, each request signed by his key.

It decides how a request is signed, and what of an answer may be believed: letters are read as those that come by mail are, and
everything else is the door's own word. It follows no redirect, sends nothing without TLS but to this machine, and uses Python's own
library alone. It knows no clock: that is handed in, and set right by what the door says of its own.
"""

from __future__ import annotations

import http.client
import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from pbem.errors import UsageError, WorldError
from pbem.i18n import _
from pbem.ledger import PrivateKey, sha256_hex
from pbem.mail.door import CALLS, SIGNED_HEADER, Answered, Greeting, Knock, TurnedAway, fault_of
from pbem.mail.incoming import MAX_FROM_HOST

MOST = 2 * MAX_FROM_HOST
"""So many bytes of an answer are read."""
_SIGN_AGAIN = ("time", "opened")
"""What the door says where the same, signed by its clock, would be heard."""
Carry = Callable[[str, str, bytes, dict[str, str]], tuple[int, bytes]]
"""Takes method, address, body and headers of a request; returns status and body of the answer. Raises Unreached."""
T = TypeVar("T", bound=BaseModel)


class NotHeard(WorldError):
    """The door did not hear a request: `error` is its word for why, the text its sentence."""

    def __init__(self, error: str, why: str) -> None:
        self.error = error
        super().__init__(why)


class Unreached(WorldError):
    """No door could be reached there: whether what was brought arrived nobody here can know."""


@dataclass(slots=True)
class Visit:
    """What a door has said of itself: what it drew when it was opened, and by how much its clock goes before ours."""

    opened: str = ""
    ahead: timedelta = field(default_factory=timedelta)

    def time(self, now: str) -> str:
        """Return the door's time."""
        return (datetime.fromisoformat(now) + self.ahead).strftime("%Y-%m-%dT%H:%M:%SZ")

    def learn(self, now: str, time: str, opened: str) -> None:
        """Take the door's time, and what it drew."""
        try:
            self.ahead = datetime.fromisoformat(time) - datetime.fromisoformat(now)
        except (ValueError, TypeError):
            raise Unreached(_("What answered is no door of a host: {why}", why=_("it says no time"))) from None
        self.opened = opened


class HostsDoor:
    """The door at an address, for one seat: `host` is the key line of the host who is meant, `key` signs, `clock` tells the time.

    `ca_file` holds a certificate to trust, where the door has one of its own making; `timeout` are the seconds until it
    is given up. `carry` carries requests in the place of Python's own library, as where that has no sockets.
    """

    def __init__(
        self, address: str, host: str, game: str, seat: str, key: PrivateKey, clock: Callable[[], str], *, timeout: float = 60,
        ca_file: str = "", carry: Carry | None = None,
    ) -> None:  # fmt: skip
        """Raises UsageError for an address at which no door is."""
        if why := fault_of(address):
            raise UsageError(_("{address} is no address of a door: {why}", address=address, why=why))
        self.address, self.host, self.game, self.seat, self.key, self.clock = address, host, game, seat, key, clock
        self.timeout, self.ca_file, self.carry = timeout, ca_file, carry
        self._visit = Visit()

    # -- what can be asked ------------------------------------------------------------------------------------------

    def greeting(self) -> Greeting:
        """Return what the door says of itself. Raises WorldError, also where it is another host's."""
        told = _as(Greeting, self._asked("GET", "greeting", b"", {})[1])
        if told.host != self.host:
            raise WorldError(_("The door at {address} is another host's, not your game's.", address=self.address))
        self._visit.learn(self.clock(), told.time, told.opened)
        return told

    def bring(self, letter: bytes, since: int = 0) -> Answered:
        """Bring a letter (a mail, or a signed block alone); return what became of it, and the letters for the seat behind `since`.

        Raises NotHeard where it was turned away, and nothing of it was taken; Unreached where that is not known.
        """
        return _as(Answered, self._heard("POST", f"letters?since={since}", letter))

    def letters(self, since: int = 0) -> Answered:
        """Return the letters for the seat behind number `since`; not always all of them at once."""
        return _as(Answered, self._heard("GET", f"letters?since={since}", b""))

    def all_letters(self, since: int = 0) -> Iterator[tuple[int, bytes]]:
        """Go through all letters for the seat behind number `since`, with their numbers."""
        while (found := self.letters(since)).letters:
            for letter in found.letters:
                yield letter.no, letter.mail
            since = found.letters[-1].no

    @contextmanager
    def numbers(self) -> Iterator[Iterator[int]]:
        """Listen: go through the number of the last letter for the seat, now and whenever one comes, until the door ends it."""
        self._greet_once()
        line, answer = self._listening()
        try:
            yield _numbers(answer)
        except (OSError, http.client.HTTPException) as error:
            raise _unreached(self.address, error) from error
        finally:
            answer.close()
            line.close()

    def _listening(self, *, again: bool = True) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        line, answer = self._send("GET", "events", b"", {SIGNED_HEADER: self.signed("GET", "events")})
        if answer.status == 200:
            return line, answer
        try:
            data = _read(answer)
        finally:
            line.close()
        if again and self._learns(answer.status, data):
            return self._listening(again=False)
        raise _not_heard(answer.status, data)

    # -- how it is asked --------------------------------------------------------------------------------------------

    def signed(self, method: str, call: str, body: bytes = b"") -> str:
        """Return the header with which something is asked (`call`: path and query behind “door/”), for who asks it by himself."""
        return Knock(
            method, f"{CALLS}{call}", self.host, self.game, self.seat, self.key.key_line, self._visit.time(self.clock()),
            secrets.token_hex(16), self._visit.opened, sha256_hex(body),
        ).header(self.key)  # fmt: skip

    def _heard(self, method: str, call: str, body: bytes) -> bytes:
        """Ask; where only the time or the greeting was wrong, ask once more with the door's. Raises NotHeard."""
        self._greet_once()
        status, data = self._asked(method, call, body, {SIGNED_HEADER: self.signed(method, call, body)})
        if status != 200 and self._learns(status, data):
            status, data = self._asked(method, call, body, {SIGNED_HEADER: self.signed(method, call, body)})
        if status != 200:
            raise _not_heard(status, data)
        return data

    def _greet_once(self) -> None:
        if not self._visit.opened:
            self.greeting()

    def _learns(self, status: int, data: bytes) -> bool:
        """Would the same, signed by what the door says of itself now, be heard?"""
        told = _as(TurnedAway, data)
        if told.error in _SIGN_AGAIN:
            self._visit.learn(self.clock(), told.time, told.opened)
        return told.error in _SIGN_AGAIN

    def _asked(self, method: str, call: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        if self.carry is not None:
            return self.carry(method, f"{self.address}{CALLS}{call}", body, headers)
        line, answer = self._send(method, call, body, headers)
        try:
            return answer.status, _read(answer)
        except (OSError, http.client.HTTPException) as error:
            raise _unreached(self.address, error) from error
        finally:
            line.close()

    def _send(
        self, method: str, call: str, body: bytes, headers: dict[str, str]
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        line = self._line()
        try:
            path = urlsplit(self.address).path
            line.request(method, f"{path}{CALLS}{call}", body or None, {"Accept-Encoding": "identity", **headers})
            return line, line.getresponse()
        except (OSError, http.client.HTTPException) as error:
            line.close()
            raise _unreached(self.address, error) from error

    def _line(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.address)
        if parts.scheme == "http":
            return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=self.timeout)
        import ssl

        trust = ssl.create_default_context(cafile=self.ca_file or None)
        return http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=self.timeout, context=trust)


def _numbers(answer: http.client.HTTPResponse) -> Iterator[int]:
    while line := answer.readline(1000):
        name, _colon, value = line.strip().partition(b":")
        if name == b"data" and value.strip().isdigit():
            yield int(value)


def _read(answer: http.client.HTTPResponse) -> bytes:
    data = answer.read(MOST + 1)
    if len(data) > MOST:
        raise WorldError(_("What the door answers is too long: more than {most} bytes.", most=MOST))
    return data


def _as(model: type[T], data: bytes) -> T:
    try:
        return model.model_validate(json.loads(data))
    except (ValidationError, ValueError) as error:
        why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise Unreached(_("What answered is no door of a host: {why}", why=why)) from None


def _not_heard(status: int, data: bytes) -> NotHeard:
    told = _as(TurnedAway, data)
    return NotHeard(told.error, told.why or _("The door answers with {status}.", status=status))


def _unreached(address: str, error: Exception) -> Unreached:
    return Unreached(
        _("The door at {address} cannot be reached: {why}.", address=address, why=str(error) or type(error).__name__)
    )
