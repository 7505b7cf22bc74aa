"""Requests and replies at a host's web address: the words that both sides share. No network, no store, no clock.

A request has one header, which shows everything that its signature binds::

    Pbem-Signed: game=GAME; seat=SEAT; key=KEY; time=TIME; nonce=32 HEX; opened=32 HEX; body=SHA-256; sig=SIGNATURE

The signature (in the namespace `pbem-door-v1`) covers the canonical JSON of these fields. It also covers the method, the path and
query relative to the web address, and the key of the intended host. `opened` is a random value drawn when the server was opened.
Requests for an earlier opening are void, so a reopened server need not remember anything. Each reply gives the server's time and
`opened`.

A host's letters name its web address in a header that the host has signed, so a stranger's letter cannot lead anybody to another
address.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from pbem.errors import FormError
from pbem.i18n import _
from pbem.ledger import DOOR, PrivateKey, cj, sha256_hex, verify_sig
from pbem.records import dataclass

SIGNED_HEADER = "Pbem-Signed"
DOOR_HEADER = "X-Pbem-Door"
OF_THE_CLUB = ("0" * 64, "club")
"""Game and seat of a request that is for the club, and for no game."""
VALID = 120
"""The maximum difference in seconds between a request's time and the server's clock."""
CALLS = "door/"
"""The beginning of all calls, relative to the address; the rest is the page."""
_FIELDS = {
    "game": r"[0-9a-f]{64}",
    "seat": r"[a-z][a-z0-9_]{0,39}",
    "key": r"AAAAC3NzaC1lZDI1NTE5AAAAI[A-P][A-Za-z0-9+/]{42}",
    "time": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z",
    "nonce": r"[0-9a-f]{32}",
    "opened": r"[0-9a-f]{32}",
    "body": r"[0-9a-f]{64}",
    "sig": r"[A-Za-z0-9+/]{85}[AQgw]==",
}
_HEADER = re.compile("; ".join(f"{name}=(?P<{name}>{form})" for name, form in _FIELDS.items()), re.ASCII)
_ANNOUNCED = re.compile(r"([0-9]{1,9})\s+(\S{1,70})\s+([A-Za-z0-9+/]{44})\s+([A-Za-z0-9+/]{41}[AQgw]==)", re.ASCII)
_HERE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Knock:
    """One request: the sender, the seat and the game, the web address, and `target` (path and query)."""

    method: str
    target: str
    host: str
    game: str
    seat: str
    key: str
    time: str
    nonce: str
    opened: str
    body: str
    """The SHA-256 of its body, in hex; that of nothing where it has none."""
    sig: str = ""

    @property
    def signed(self) -> bytes:
        """The bytes under its signature."""
        names = [name for name in self.__slots__ if name != "sig"]
        return cj({name: getattr(self, name) for name in names})

    def is_signed(self) -> bool:
        """Has the key that it names signed it?"""
        return verify_sig(self.key, DOOR, self.signed, self.sig)

    def header(self, key: PrivateKey) -> str:
        """Return the header that goes with it, signed by that key."""
        told = {name: getattr(self, name) for name in _FIELDS} | {"sig": key.sign(DOOR, self.signed)}
        told["key"] = self.key.partition(" ")[2]
        return "; ".join(f"{name}={value}" for name, value in told.items())

    @classmethod
    def read(cls, header: str, method: str, target: str, host: str) -> Knock:
        """Return what a header says of a request to a host's door. Raises FormError."""
        found = _HEADER.fullmatch(header)
        if not found:
            raise FormError(
                _("The header {name} is missing, or not of the form that a door reads.", name=SIGNED_HEADER)
            )
        told = found.groupdict() | {"key": f"ssh-ed25519 {found['key']}"}
        return cls(method=method, target=target, host=host, **told)


class _Told(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)


class Greeting(_Told):
    """A web address's greeting to everybody: its host, its clock, and the random value that it drew when it was opened."""

    host: str
    address: str
    time: str
    opened: str = Field(pattern="^[0-9a-f]{32}$")


class Handed(_Told):
    """A letter at the door: its number among those for its seat, and its bytes in base64."""

    no: Annotated[int, Field(ge=1)]
    raw: str

    @classmethod
    def of(cls, no: int, raw: bytes) -> Handed:
        """Return a letter with these bytes."""
        return cls(no=no, raw=base64.b64encode(raw).decode())

    @property
    def mail(self) -> bytes:
        """Its bytes. Raises FormError."""
        try:
            return base64.b64decode(self.raw, validate=True)
        except binascii.Error as error:
            raise FormError(_("A letter from the door is damaged ({why}).", why=error)) from error


class Answered(_Told):
    """The reply at a host's web address: the result of a letter ("" if none was brought), and letters for the seat.

    `upto` is the number of the last letter for the seat, `first` that of the first still here; 0 if there are no letters. `before`
    is the SHA-256 of the letter after which the request asked, "" if that letter is not here. One reply need not contain all
    letters: ask again, after the last one received.
    """

    became: str = ""
    first: int = 0
    upto: int = 0
    before: str = ""
    letters: tuple[Handed, ...] = ()

    def goes_on(self, since: int, last: str) -> bool:
        """Are these the letters behind the one with that number and SHA-256 ("": not known), or was the host's store set back?"""
        return self.upto >= since and (not last or self.before in ("", last))


class ClubAnswered(_Told):
    """A club's reply at the web address: the result of a letter to it, and its message."""

    became: str = ""
    said: str = ""


class ShownGame(_Told):
    """A game that anybody may view: its id, its rules, its host's title for it, whether it is over, and its last entry."""

    game: str
    played: str
    title: str
    over: bool
    n: int


class ShownGames(_Told):
    """The games that a door shows to everybody, the latest first."""

    games: tuple[ShownGame, ...] = ()


class TurnedAway(_Told):
    """Why a door did not hear a request: a word of the list in the reference, and a sentence, which nobody has signed."""

    error: str
    why: str = ""
    time: str = ""
    opened: str = ""


BECAME = ("taken", "duplicate", "refused", "waits", "ignored", "unreadable", "failed")
"""The possible results of a letter. “taken” covers every letter that had an effect."""


def became(outcome: str) -> str:
    """Return the word by which a host's note on a mail is reported: the host's other information stays private."""
    word = outcome.partition(":")[0].strip()
    return word if word in BECAME else "taken"


def announcement(key: PrivateKey, game: str, n: int, address: str) -> str:
    """Return what a host's letter says of its door: from which entry of the game on, where, and the host's signature."""
    sig = key.sign(DOOR, _announced(game, n, address))
    return f"{n} {address} {sig[:44]} {sig[44:]}"  # a longer word would be encoded in a header


def announced(header: str, game: str, host: str) -> tuple[int, str] | None:
    """Return from which entry on a host has its door where, by its letter; None where the host (a key line) did not sign that."""
    if not (found := _ANNOUNCED.fullmatch(header)):
        return None
    n, address = int(found[1]), found[2]
    fits = verify_sig(host, DOOR, _announced(game, n, address), found[3] + found[4]) and not fault_of(address)
    return (n, address) if fits else None


def _announced(game: str, n: int, address: str) -> bytes:
    return cj(["door", game, n, address])


def fault_of(address: str) -> str:
    """Return why an address is not that of a door, or "": https, or http on this machine alone; a folder, nothing behind it."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        return str(error)
    if parts.scheme not in ("https", "http") or not host or port == 0:
        return _("it begins with https:// and a name, as https://desk.club.example/")
    if parts.scheme == "http" and host not in _HERE:
        return _("without TLS everybody on the way could read the letters: it begins with https://")
    if parts.username is not None or parts.query or parts.fragment or not parts.path.endswith("/"):
        return _("it ends with a / and bears no name, no “?” and no “#”")
    if not re.fullmatch(r"[\x21-\x7e]{1,70}", address) or re.search(r"[\"'<>\\ ]|//|/\.", parts.path):
        return _("it is written in plain letters, at most 70")
    return ""


def origin_of(address: str) -> tuple[str, str, int | None]:
    """Return what browsers keep apart by: scheme, name and port, the port being the scheme's own where none is named."""
    parts = urlsplit(address)
    own = {"https": 443, "http": 80}.get(parts.scheme)
    return parts.scheme, (parts.hostname or "").rstrip("."), parts.port or own


NOTHING = sha256_hex(b"")
"""The SHA-256 of no body."""
