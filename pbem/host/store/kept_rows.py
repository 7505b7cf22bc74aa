"""The rows that a host keeps for kept seats: letters, mails, doubts, addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.records import dataclass

from .memory import Store
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
    """The mails behind an entry of a kept seat: the SHA-256 of the signed statement, the digest of the mails, its salt."""

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


@dataclass(slots=True)
class Vouched(Row):
    """A provider's signature (DKIM) on one of the mails behind an entry: the provider, the key in the DNS, and the verdict.

    `no`: which part of those behind the entry; `which`: which of its signatures; a `verdict` of "": nobody has looked yet.
    """

    TABLE = "vouched"
    game: int
    evidence: int
    no: int
    which: int
    domain: str
    selector: str
    key: str
    verdict: str
    at: str


def parts_behind(store: Store, game: int, evidence: int) -> list[tuple[str, bytes]]:
    """Return the bytes behind a signed statement, each with its kind, in their order."""
    sql = "select name, raw from evidence_parts where game = ? and evidence = ? order by no"
    return [(str(name), bytes(raw)) for name, raw in store.read(sql, game, evidence)]


_LISTED = re.compile(r"^ {2}1 {2}\S", re.MULTILINE)
"""How the list of answers begins in a letter."""


def letter_meant(letters: Sequence[PutLetter], references: Sequence[str]) -> tuple[PutLetter, str]:
    """Return which of the letters with one code, in the order sent, a mail with these Message-IDs answers.

    If that letter has no list of answers (a receipt, for example), the result is the last earlier letter with a list. The text of
    the answered letter is then returned as well. A mail that names none means the last letter with a list.
    """
    named = {one.message_id: one for one in letters}
    answered = next((named[name] for name in references if name in named), letters[-1])
    before = [one for one in letters if one.id <= answered.id and _LISTED.search(one.words)]
    meant = before[-1] if before else answered
    return meant, "" if meant is answered else answered.words


def written_from(store: Store, address: str) -> list[MoreAddress]:
    """Return the seats with this additional address for mail."""
    return store.where(MoreAddress, "lower(address) = lower(?)", address)


def forget_mails(store: Store, game: int, seat: str = "") -> None:
    """Forget the mails behind a game, or of one of its seats, and the letters that they answer."""
    where = {"game": game, "seat": seat} if seat else {"game": game}
    for one in store.find(Evidence, **where):
        for table in ("evidence_parts", "vouched"):
            store.delete(table, game=game, evidence=one.id)
    for table in ("evidence", "put_letters", "doubts", *(["more_addresses"] if seat else [])):
        store.delete(table, **where)


def with_old_mails(store: Store, before: str) -> list[int]:
    """Return the games that were over before that time, and behind which mails are kept."""
    sql = (
        "select distinct games.id from games join evidence on evidence.game = games.id "
        "where games.stage in ('ended', 'cancelled') and games.at < ?"
    )
    return [int(game) for (game,) in store.read(sql, before)]
