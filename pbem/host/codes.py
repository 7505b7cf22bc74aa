"""Reply codes: by the code in a reply a host knows which question of which seat it answers.

A code is 60 bits of a secret that only this host can work out, written as 12 characters of Crockford's base 32: so nobody can guess
the code of a seat that is not his own, while a Message-ID without its code anybody in the game can work out. It stands in
three places, of which a mail program keeps at least one: in the Message-ID of the letter (`<g16.kind.entry.seat.CODE@…>`), in the
address that the letter is answered to (`host+r-CODE@…`), and in the letter's first line. A question keeps its code, so a reminder
repeats it.

Nothing here believes a mail: that its code is good says only that its writer has seen the letter.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import NamedTuple

from pbem.ledger.chains import Root
from pbem.mail.address import game_address, reply_address
from pbem.mail.codes import DIGITS, code_of

from .hosted import HostedGame
from .store.rows import GameRow

_PUT = ("report", "reminder")
"""Kinds of letters that put the question, with its list."""


class Question(NamedTuple):
    """A question to a seat: the game's id, the seat, and the question's entry."""

    game: str
    seat: str
    n: int


def code_for(root: Root, game: str, seat: str, n: int) -> str:
    """Return the code of a question: 12 characters, without dashes. `game` is the game's id, `n` the question's entry."""
    return code_of(int(root.secret_for("reply", game, seat, str(n))[:DIGITS], 16))


def coded(name: str, code: str) -> str:
    """Return the name of a letter, which its Message-ID begins with, with the code of the question that it puts; "" for none.

    >>> coded("report.41.scottish", "7F3K9QWX2M4P"), coded("report.41.scottish", "")
    ('report.41.scottish.7F3K9QWX2M4P', 'report.41.scottish')
    """
    return f"{name}.{code}" if code else name


def may_reply(game: HostedGame, seat: str) -> bool:
    """Does a plain reply count as the answer of a seat? That of no seat does whose player has its key."""
    return False


def code_of_letter(game: HostedGame, seat: str, name: str) -> str:
    """Return the code of a letter by its name: one that puts the open question to a seat that may reply; "" for every other."""
    if name.partition(".")[0] not in _PUT or not seat or not may_reply(game, seat):
        return ""
    row = game.house.store.get(GameRow, id=game.id)  # the game in hand may still have the question before
    return next((code_for(game.house.root, *one) for one in questions_of(row) if one.seat == seat), "") if row else ""


def answered_at(address: str, game: int, code: str) -> str:
    """Return where a letter is answered: the address of its question, or that of its game where it puts none."""
    return reply_address(address, code) if code else game_address(address, game)


def questions_of(row: GameRow) -> list[Question]:
    """Return the open questions of a game, one for each seat that is asked."""
    return [Question(row.g, seat, row.ask) for seat in row.asked if row.ask is not None]


def question_of(root: Root, code: str, questions: Iterable[Question]) -> Question | None:
    """Return the question that a code belongs to, among these; None where it belongs to none. `code` is as `codes_in` reads it."""
    return next((one for one in questions if hmac.compare_digest(code_for(root, *one).encode(), code.encode())), None)


def question_at(root: Root, code: str, game: str, seats: Iterable[str], first: int, last: int) -> Question | None:
    """Return the question of the entries from `first` to `last` that a code belongs to, the latest ones looked at first.

    So a host finds out that a question is closed; and, where the entry lies beyond its log, that its store is an older one that was
    restored. Each entry and seat takes one HMAC: a few milliseconds for the longest game.
    """
    here = list(seats)
    return question_of(root, code, (Question(game, seat, n) for n in range(last, first - 1, -1) for seat in here))
