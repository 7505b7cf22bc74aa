"""Authentication at the web address: a request must be signed by the present key of a seat, for this host, just now, and once.

It believes nothing outside the signature, and knows no HTTP. It writes nothing: a rejected request leaves no trace in the store.
It knows only the header of a request. The code that reads the body asks it whether that body was signed, and what a key without a
seat may bring.

A request is remembered as long as it could be repeated, but only until the web address closes. Whenever it opens, or its clock is
put back, it draws a new value that every request must name (`opened`). So no earlier request is valid any more.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable
from datetime import datetime

from pbem.errors import FormError
from pbem.i18n import N_, _
from pbem.ledger import sha256_hex
from pbem.mail import read_block, read_message
from pbem.mail.door import OF_THE_CLUB, VALID, Knock
from pbem.records import dataclass

from ..members import member_of
from ..store import Store
from ..store.rows import SeatRow

OFTEN = 120
"""The maximum number of requests per minute of one seat; for keys that have no seat yet, a quarter of that for each seat."""
ASKED = 30
"""The maximum number of letters to the club per minute: of one member, and of all keys of non-members together."""
_MINUTE = 60
_JOINERS = 4


class Turned(Exception):
    """Somebody is turned away at the door: the status of HTTP, a word of the list, and a sentence."""

    def __init__(self, status: int, error: str, why: str) -> None:
        self.status, self.error, self.why = status, error, why
        super().__init__(why)


WHY = {
    "form": N_("The request does not have the required form."),
    "time": N_("The time of the request is not that of the host's clock, which shows {time}."),
    "opened": N_("The web address was reopened since then. Ask for its greeting."),
    "again": N_("The request has been made before."),
    "key": N_("Unknown game, seat, key or host, or another request than was signed."),
    "game": N_("No such game is shown here."),
    "club": N_("This host has no club."),
    "often": N_("That is too often. Try again in a minute."),
    "body": N_("The body that arrived is not the one that was signed."),
    "large": N_("At most {most} bytes are read."),
    "slow": N_("The request took too long to come."),
    "origin": N_("A page from another address asks; only the page of this address may."),
    "closed": N_("The web address is being closed; nothing was taken."),
    "store": N_("The host cannot take anything now. Try again, or send it by mail."),
}
"""The reasons for rejecting a request, by error word."""
_STATUS = {"form": 400, "time": 401, "opened": 401, "again": 401, "key": 403, "game": 404, "club": 404, "often": 429, "body": 400,
           "large": 413, "slow": 408, "origin": 403, "closed": 503, "store": 503}  # fmt: skip


def turned(error: str, **values: object) -> Turned:
    """Return what turns somebody away, by its word."""
    return Turned(_STATUS[error], error, _(WHY[error], **values))


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller: the number of the game here, the seat and the key.

    `joins`: the seat has another key, or none, so the caller may bring a join and nothing more.
    """

    game: int
    seat: str
    key: str
    g: str
    joins: bool = False

    def check_body(self, body: bytes, sha256: str) -> None:
        """Raise Turned where a body is not the one that was signed, or brings what this key may not bring."""
        if sha256_hex(body) != sha256:
            raise turned("body")
        if self.joins and not self._is_his_join(body):
            raise turned("key")

    def _is_his_join(self, body: bytes) -> bool:
        try:
            envelope = read_block(read_message(body).text)
        except FormError:
            return False
        say = envelope.say if envelope else {}
        return (say.get("act"), say.get("game"), say.get("seat"), say.get("key")) == (
            "join",
            self.g,
            self.seat,
            self.key,
        )


class Hearing:
    """The ear of one door. `clock` tells the time of the host, `pulse` counts seconds by a clock that nobody sets."""

    def __init__(self, store: Store, host: str, clock: Callable[[], str], pulse: Callable[[], float]) -> None:
        self.store, self.host, self.clock, self.pulse = store, host, clock, pulse
        self.opened = ""
        self._last = ""
        self._heard: dict[str, str] = {}
        self._sweep = OFTEN
        self._often: dict[tuple[object, ...], deque[float]] = {}

    def now(self) -> str:
        """Return the time; where it was put back, nothing that was asked before counts any more."""
        now = self.clock()
        if not self.opened or now < self._last:
            self.opened, self._heard = secrets.token_hex(16), {}
        self._last = now
        return now

    def hear(self, header: str, method: str, target: str, *, brings: bool) -> tuple[Caller, Knock]:
        """Return who asks, and what he has signed. `brings`: the request brings a letter. Raises Turned."""
        knock = self._timely(header, method, target)
        heard = self._known(knock, brings=brings)
        self._check_signed(knock)
        most = OFTEN // (_JOINERS if heard.joins else 1)
        self._count((heard.game, heard.seat, heard.joins), most)
        return heard, knock

    def hear_for_club(self, header: str, method: str, target: str) -> Knock:
        """Return the signed request of a caller to the club, member or not. Raises Turned."""
        knock = self._timely(header, method, target)
        if (knock.game, knock.seat) != OF_THE_CLUB:
            raise turned("form")
        self._check_signed(knock)
        known = member_of(self.store, knock.key) is not None
        self._count(("club", knock.key if known else "", known), ASKED)
        return knock

    def _timely(self, header: str, method: str, target: str) -> Knock:
        """Return the request if it is current and not a repetition. Raises Turned."""
        now = self.now()
        knock = self._read(header, method, target)
        if knock.opened != self.opened:
            raise turned("opened")
        if not _is_near(knock.time, now):
            raise turned("time", time=now)
        if knock.nonce in self._heard:
            raise turned("again")
        return knock

    def _check_signed(self, knock: Knock) -> None:
        """See that it is signed; then it is not heard again."""
        if not knock.is_signed():
            raise turned("key")
        self._remember(knock, self._last)

    def is_present(self, heard: Caller) -> bool:
        """Is that still the key of its seat?"""
        row = self.store.get(SeatRow, game=heard.game, seat=heard.seat)
        return row is not None and row.key == heard.key

    def _read(self, header: str, method: str, target: str) -> Knock:
        try:
            return Knock.read(header, method, target, self.host)
        except FormError as error:
            raise turned("form") from error

    def _known(self, knock: Knock, *, brings: bool) -> Caller:
        """Return the owner of a seat by the store. Raises Turned, with the same answer for an unknown game or seat and a wrong
        key."""
        number = self.store.number_of(knock.game)
        row = self.store.get(SeatRow, game=number, seat=knock.seat) if number is not None else None
        if number is None or row is None or (row.key != knock.key and not brings):
            raise turned("key")
        return Caller(number, knock.seat, knock.key, knock.game, joins=row.key != knock.key)

    def _remember(self, knock: Knock, now: str) -> None:
        if len(self._heard) >= self._sweep:
            self._heard = {nonce: at for nonce, at in self._heard.items() if _is_near(at, now)}
            self._sweep = 2 * len(self._heard) + OFTEN
        self._heard[knock.nonce] = knock.time

    def _count(self, whose: tuple[object, ...], most: int) -> None:
        asked, now = self._often.setdefault(whose, deque()), self.pulse()
        while asked and asked[0] <= now - _MINUTE:
            asked.popleft()
        if len(asked) >= most:
            raise turned("often")
        asked.append(now)


def _is_near(time: str, now: str) -> bool:
    try:
        apart = (datetime.fromisoformat(now) - datetime.fromisoformat(time)).total_seconds()
    except ValueError:
        return False
    return -VALID <= apart <= VALID
