"""Reply codes: the code in a reply tells the host which question of which seat it answers.

A code is 60 bits that only this host can derive from its secret, written as 12 characters of Crockford's base 32. So nobody can
guess the code of another's seat, whereas anybody in the game can work out a Message-ID without its code. The code is in three
places, and a mail program keeps at least one:
- the Message-ID of the letter (`<g16.kind.entry.seat.CODE@…>`),
- the reply address of the letter (`host+r-CODE@…`),
- the letter's first line.

A question keeps its code, so a reminder repeats it.

Nothing here believes a mail: a good code only shows that the writer has seen the letter.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from pbem.i18n import _
from pbem.i18n.visible import visible
from pbem.ledger.chains import Root
from pbem.mail import Letter
from pbem.mail.address import game_address, reply_address
from pbem.mail.codes import DIGITS, code_of
from pbem.mail.hours import shown
from pbem.mail.letter import fold_lines

from .hosted import HostedGame, Receipt
from .kept import SPARE
from .store import Store
from .store.rows import KEPT, MAY_BE_KEPT, GameRow

_WENT_ON = "histories "
"""So the notes begin that tell behind which entries a game went on; its number follows."""
_AGAIN = range(4)
"""The continuations after backups for which the code of a letter from a later history is looked up."""


class OpenQuestion(NamedTuple):
    """A question to a seat: the game's id, the seat, and the question's entry. `again`: how often before it the host was brought
    back from a backup and went on, so that another question may have stood at that entry."""

    game: str
    seat: str
    n: int
    again: int = 0


def code_for(root: Root, game: str, seat: str, n: int, again: int = 0) -> str:
    """Return the code of a question: 12 characters, without dashes. `game` is the game's id, `n` the question's entry; `again` as
    an open question has it: the code of a letter of a history that was lost fits no question of the one that took its place."""
    histories = [str(again)] if again else []
    return code_of(int(root.secret_for("reply", game, seat, str(n), *histories)[:DIGITS], 16))


def went_on(store: Store, game: int, last: int, at: str) -> None:
    """Note that a game continues after that entry, perhaps differently than before."""
    store.put_note(f"went on {game}", at)
    store.put_note(f"{_WENT_ON}{game}", f"{store.note(f'{_WENT_ON}{game}')} {last}".strip())


def coded(name: str, code: str) -> str:
    """Return the name of a letter, which its Message-ID begins with, with the code of the question that it puts; "" for none.

    >>> coded("report.41.scottish", "7F3K9QWX2M4P"), coded("report.41.scottish", "")
    ('report.41.scottish.7F3K9QWX2M4P', 'report.41.scottish')
    """
    return f"{name}.{code}" if code else name


def may_reply(game: HostedGame, seat: str) -> bool:
    """Return whether a plain reply counts as a seat's: the host keeps its key, or may do so as soon as its player answers JOIN."""
    row = game.seats[seat]
    return row.kept == KEPT or (row.kept == MAY_BE_KEPT and not row.key)


def question_put(game: HostedGame, seat: str) -> int:
    """Return the question that a letter puts to a seat: its entry, or a negative number for the invitation if none is open."""
    row = game.house.store.get(GameRow, id=game.id)  # the game in hand may still have the question before
    return int((row and row.ask) or -game.seats[seat].invited)


def invited_by(game: HostedGame, seat: str) -> str:
    """Return the code of the last invitation to a seat."""
    return code_for(game.house.root, game.g, seat, -game.seats[seat].invited)


def code_of_letter(game: HostedGame, seat: str) -> str:
    """Return the code of a letter to a seat that may reply: that of the open question, or of the invitation; "" for all others."""
    if not seat or not may_reply(game, seat):
        return ""
    n, behind = question_put(game, seat), game.house.store.note(f"{_WENT_ON}{game.id}").split()
    return code_for(game.house.root, game.g, seat, n, sum(int(last) < n for last in behind))


def answered_at(address: str, game: int, code: str) -> str:
    """Return where a letter is answered: the address of its question, or that of its game where it puts none."""
    return reply_address(address, code) if code else game_address(address, game)


def questions_of(row: GameRow) -> list[OpenQuestion]:
    """Return the open questions of a game, one for each seat that is asked."""
    return [OpenQuestion(row.g, seat, row.ask) for seat in row.asked if row.ask is not None]


def question_of(root: Root, code: str, questions: Iterable[OpenQuestion]) -> OpenQuestion | None:
    """Return the question that a code belongs to, among these; None where it belongs to none. `code` is as `codes_in` reads it."""
    return next((one for one in questions if hmac.compare_digest(code_for(root, *one).encode(), code.encode())), None)


def question_at(root: Root, code: str, game: str, seats: Iterable[str], first: int, last: int) -> OpenQuestion | None:
    """Return the question of the entries from `first` to `last` that a code belongs to, searching the latest first.

    So a host detects that a question is closed. If the entry is beyond its log, its store is an older one that was restored. Each
    entry and seat takes one HMAC: a few milliseconds for the longest game.
    """
    here = list(seats)
    found = (
        OpenQuestion(game, seat, n, again) for n in range(last, first - 1, -1) for seat in here for again in _AGAIN
    )
    return question_of(root, code, found)


def doubt_code(game: HostedGame, seat: str, mail: int) -> str:
    """Return the code of the letter that asks whether a mail, by its number here, is from a seat's player."""
    return code_of(int(game.house.root.secret_for("yes", game.g, seat, str(mail))[:DIGITS], 16))


def noted(game: HostedGame, seat: str, at: str, letter: Letter, code: str) -> Letter:
    """Keep a letter that has a code as it goes, and return it, in the thread of the invitation, which has a code, too."""
    n = -game.seats[seat].invited if code == invited_by(game, seat) else question_put(game, seat)
    game.house.store.insert(
        "put_letters", game=game.id, seat=seat, n=n, code=code, message_id=letter.message_id, at=at,
        words=fold_lines(visible(letter.text)),
    )  # fmt: skip
    name = letter.message_id.split(".")[1]
    return replace(
        letter, thread=_thread(game, seat, letter.thread), log_name=SPARE if name == "spare" else letter.log_name
    )


def _thread(game: HostedGame, seat: str, thread: str) -> str:
    """The Message-ID of the invitation, as it went."""
    invited, (local, _at, domain) = game.seats[seat].invited, thread.rpartition("@")
    name = f"{local}.{invited}" if invited else local
    return f"{coded(name, code_for(game.house.root, game.g, seat, -invited))}@{domain}"


def taken(game: HostedGame, seat: str, at: str, order: Receipt) -> str:
    """Describe in two lines how a reply was read, and until when it can be changed."""
    read, due = str(order.answer.order).replace("\n", "; "), game.row.due
    said = _("You play {order}.", order=read)
    if order.answer.plans:
        said += " " + _("With plans: {plans}.", plans=order.answer.plans.replace("\n", "; "))
    if not order.waiting:
        return f"{said}\n"
    if due:
        more = _("Reply again to change it before {due}.", due=shown(due, game.clock(seat), at))
    else:
        more = _("Reply again to change it, until {seats} have answered.", seats=game.names(*order.waiting))
    return f"{said}\n{more}\n"
