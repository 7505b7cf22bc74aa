"""The rows of what a host keeps of seats whose keys it keeps: letters, mails, doubts, addresses."""

from __future__ import annotations

from pbem.records import dataclass

from .rows import Row


@dataclass(slots=True)
class PutLetter(Row):
    """A letter to a kept seat: which question it puts (its entry; 0: none), by which code an answer to it is known, its text."""

    TABLE = "put_letters"
    id: int
    game: int
    seat: str
    n: int
    code: str
    message_id: str
    at: str
    words: str


@dataclass(slots=True)
class Evidence(Row):
    """Which mails are behind an entry of a kept seat: the SHA-256 of what was signed, the digest of the mails, its salt."""

    TABLE = "evidence"
    id: int
    game: int
    seat: str
    said: str
    digest: str
    salt: str
    at: str
    language: str
    program: str


@dataclass(slots=True)
class Doubt(Row):
    """A mail that counts once its seat has answered YES: what it says, which question it answers, who wrote it."""

    TABLE = "doubts"
    id: int
    game: int
    seat: str
    n: int
    code: str
    at: str
    sender: str
    what: str
    mail: int
    letter: int
    is_open: int
    words: str


@dataclass(slots=True)
class MoreAddress(Row):
    """A further address from which a seat's player writes."""

    TABLE = "more_addresses"
    game: int
    seat: str
    address: str
