"""A seat's requests to its host's web address, one after the other, whatever carries them.

This module decides how a request is signed, which request comes next, and which parts of a reply to believe. Letters are read like
letters by mail; the rest is only the server's own claim. Each conversation is a generator that yields a request and receives its
reply. Python's sockets, a page in a browser and a test therefore use the same code. It has no clock: the caller passes one in, and
it is corrected by the time that the server gives.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Generator, Mapping
from dataclasses import field
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from pbem.errors import UsageError, WorldError
from pbem.i18n import _
from pbem.ledger import PrivateKey, sha256_hex
from pbem.mail.door import CALLS, SIGNED_HEADER, Answered, ClubAnswered, Greeting, Knock, TurnedAway, fault_of
from pbem.records import dataclass

_SIGN_AGAIN = ("time", "opened")
"""What the door says where the same, signed by its clock, would be heard."""
T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


class NotHeard(WorldError):
    """The door did not hear a request: `error` is its word for why, the text its sentence."""

    def __init__(self, error: str, why: str) -> None:
        self.error = error
        super().__init__(why)


class Unreached(WorldError):
    """No web address could be reached. Nobody here can know whether the letter arrived."""


class DoorRequest(NamedTuple):
    """A request to carry: to the whole `address`, without following redirects. `streams`: the reply does not end by itself."""

    method: str
    address: str
    headers: Mapping[str, str]
    body: bytes = b""
    streams: bool = False


class DoorReply(NamedTuple):
    """A reply: the HTTP status and the body. If a stream began (200), the body is not included."""

    status: int
    data: bytes = b""


Asking = Generator[DoorRequest, DoorReply, T]
"""A conversation; `throw` Unreached into it where a request could not be carried."""


@dataclass(frozen=True, slots=True)
class Brought:
    """A letter that was brought to a web address: its file now, and the host's result."""

    path: Path
    became: str


@dataclass(frozen=True, slots=True)
class NotBrought:
    """A letter that was not brought, and still waits."""

    path: Path
    why: str


@dataclass(frozen=True, slots=True)
class AtTheDoor:
    """A letter that waited at a game's web address. It counts as fetched when the errand is resumed."""

    game: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class NotFetched:
    """The reason why the letters at a game's web address could not all be fetched."""

    title: str
    why: str


Found = Brought | NotBrought | AtTheDoor | NotFetched
Errand = Generator[DoorRequest | Found, DoorReply, None]
"""A generator of requests to carry, as in `Asking`, and of results between them. A result is answered with None."""


def unreached(asked: DoorRequest, why: str) -> Unreached:
    """Return the error for a request that could not be carried."""
    return Unreached(
        _("The relay at {address} cannot be reached: {why}.", address=asked.address.rpartition("relay/")[0], why=why)
        if "Authorization" in asked.headers
        else _("The door at {address} cannot be reached: {why}.", address=asked.address.rpartition(CALLS)[0], why=why)
    )


@dataclass(slots=True)
class Visit:
    """What a door has said of itself: what it drew when it was opened, and by how much its clock goes before ours."""

    opened: str = ""
    ahead: timedelta = field(default_factory=timedelta)

    def time(self, now: str) -> str:
        """Return the door's time; our own, where that of the door comes to the end of the calendar."""
        try:
            return (datetime.fromisoformat(now) + self.ahead).strftime("%Y-%m-%dT%H:%M:%SZ")
        except OverflowError:
            return now

    def learn(self, now: str, time: str, opened: str) -> None:
        """Take the door's time, and what it drew."""
        try:
            self.ahead = datetime.fromisoformat(time) - datetime.fromisoformat(now)
        except (ValueError, TypeError):
            raise Unreached(
                _("The server that answered is not the door of a host: {why}", why=_("it says no time"))
            ) from None
        self.opened = opened


def greeting_at(address: str) -> Asking[Greeting]:
    """Ask for the host at a web address, if it is not known yet. Raises UsageError for an invalid web address."""
    if why := fault_of(address):
        raise UsageError(_("{address} is not the address of a door: {why}", address=address, why=why))
    return _as(Greeting, (yield DoorRequest("GET", f"{address}{CALLS}greeting", {})).data)


class AtDoor:
    """One seat at a web address. `host` is the key line of the expected host, `key` signs, `clock` tells the time."""

    def __init__(
        self, address: str, host: str, game: str, seat: str, key: PrivateKey, clock: Callable[[], str]
    ) -> None:
        """Raises UsageError for an address at which no door is."""
        if why := fault_of(address):
            raise UsageError(_("{address} is not the address of a door: {why}", address=address, why=why))
        self.address, self.host, self.game, self.seat, self.key, self.clock = address, host, game, seat, key, clock
        self._visit = Visit()

    def greets(self) -> Asking[Greeting]:
        """Ask what the door says of itself. Raises WorldError, also where it is another host's."""
        told = _as(Greeting, (yield DoorRequest("GET", f"{self.address}{CALLS}greeting", {})).data)
        if told.host != self.host:
            raise WorldError(_("The door at {address} is another host's, not your game's.", address=self.address))
        self._visit.learn(self.clock(), told.time, told.opened)
        return told

    def brings(self, letter: bytes, since: int = 0) -> Asking[Answered]:
        """Bring a letter (a mail, or a signed block alone); return the result, and the letters for the seat behind `since`.

        Raises NotHeard if it was turned away, so that nothing was taken; Unreached if that is not known.
        """
        return _as(Answered, (yield from self._heard("POST", f"letters?since={since}", letter)).data)

    def asks(self, since: int = 0) -> Asking[Answered]:
        """Ask for the letters for the seat behind number `since`; not always all of them at once."""
        return _as(Answered, (yield from self._heard("GET", f"letters?since={since}")).data)

    def listens(self) -> Asking[None]:
        """Ask for the numbers of the letters for the seat: when it ends, the last request's answer is the stream of them."""
        yield from self._heard("GET", "events", streams=True)

    def asks_club(self, letter: bytes) -> Asking[ClubAnswered]:
        """Bring a letter to the host's club; return what it says. Raises NotHeard."""
        return _as(ClubAnswered, (yield from self._heard("POST", "club", letter)).data)

    def signed(self, method: str, call: str, body: bytes = b"") -> str:
        """Return the header with which something is asked (`call`: path and query behind “door/”), for who asks it by himself."""
        return Knock(
            method, f"{CALLS}{call}", self.host, self.game, self.seat, self.key.key_line, self._visit.time(self.clock()),
            secrets.token_hex(16), self._visit.opened, sha256_hex(body),
        ).header(self.key)  # fmt: skip

    def _heard(self, method: str, call: str, body: bytes = b"", *, streams: bool = False) -> Asking[DoorReply]:
        """Ask; where only the time or the greeting was wrong, ask once more with the door's. Raises NotHeard."""
        if not self._visit.opened:
            yield from self.greets()
        reply = yield self._request(method, call, body, streams=streams)
        if reply.status != 200 and self._learns(reply.data):
            reply = yield self._request(method, call, body, streams=streams)
        if reply.status != 200:
            told = _as(TurnedAway, reply.data)
            raise NotHeard(told.error, told.why or _("The door answers with {status}.", status=reply.status))
        return reply

    def _request(self, method: str, call: str, body: bytes, *, streams: bool) -> DoorRequest:
        return DoorRequest(
            method, f"{self.address}{CALLS}{call}", {SIGNED_HEADER: self.signed(method, call, body)}, body, streams
        )

    def _learns(self, data: bytes) -> bool:
        """Would the same, signed by what the door says of itself now, be heard?"""
        told = _as(TurnedAway, data)
        if told.error in _SIGN_AGAIN:
            self._visit.learn(self.clock(), told.time, told.opened)
        return told.error in _SIGN_AGAIN


def _as(model: type[M], data: bytes) -> M:
    try:
        return model.model_validate(json.loads(data))
    except (ValidationError, ValueError) as error:
        why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise Unreached(_("The server that answered is not the door of a host: {why}", why=why)) from None
