"""Mail from a seat's own address in which nothing that counts could be read: it is answered, and stops the open question's deadline
once.

Each game has one note for each seat: the mail, the question, and whether it holds that question. `status` shows the mail first,
until the seat is heard. While the note holds the question, nobody is late with it (`arrivals`). Once the time is over, the host
adds the days of a held deadline by an entry in the log. The entry names the seat, so everybody can count these entries.

A seat gains one hold. It gains another after it has answered a later question for which it sent nothing unreadable, so that nobody
lives on such mail. The sender may have forged the address: that gains him one hold, too, and the seat is told.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from pbem.records import dataclass

from .store import Store
from .store.rows import AnswerRow, GameRow

if TYPE_CHECKING:
    from .hosted import HostedGame

_NAME = "unread "


@dataclass(frozen=True, slots=True)
class UnreadMail:
    """A mail of a seat: its time, the open question then, why it could not be read, and whether it stops that question.

    `until`: up to when such a mail has held a question, "" where none has. `open`: the seat has not been heard since.
    """

    game: int
    seat: str
    mail: int
    at: str
    ask: int
    why: str
    holds: bool
    until: str = ""
    open: bool = True


def mails(store: Store) -> list[UnreadMail]:
    """Return the mails of seats that have not been heard since, the first that came first."""
    found = [one for one in _noted(store, "") if one.open]
    on = {game.id for game in store.find(GameRow, stage="playing")} if found else set()
    return sorted((one for one in found if one.game in on), key=lambda one: (one.at, one.mail))


def note(game: HostedGame, seat: str, mail: int, at: str, why: str) -> bool:
    """Note that a mail of a seat could not be read. Return whether it holds the open question from now on."""
    ask, due = game.row.ask, game.row.due or ""
    if ask is None:
        return False
    store, name = game.house.store, _name(game.id, seat)
    before = next((one for one in _noted(store, name) if one.seat == seat), None)
    if before is not None and before.ask == ask:
        if not before.open:
            store.put_note(f"{_NAME}{name}", asdict(replace(before, mail=mail, at=at, why=why, open=True)))
        return False
    may = before is None or not before.until or _has_answered(game, seat, before.ask)
    until = "" if may or before is None else before.until
    one = UnreadMail(game.id, seat, mail, at, ask, why, may and at <= due and seat in game.waiting(), until)
    store.put_note(f"{_NAME}{name}", asdict(one))
    return one.holds


def heard(store: Store, game: int, seat: str) -> None:
    """Note that a seat has been heard: its earlier mail does not matter any more."""
    name = _name(game, seat)
    for one in _noted(store, name):
        if one.seat == seat and (one.open or one.holds):
            store.put_note(f"{_NAME}{name}", asdict(replace(one, open=False, holds=False)))


def holding(store: Store, game: int, due: str) -> list[UnreadMail]:
    """Return the mails that hold the open question of a game: those of the seats that it waits for."""
    found = [one for one in _noted(store, f"{game} ") if one.holds and one.at <= due and not due >= one.until > ""]
    row = store.get(GameRow, id=game) if found else None
    if row is None:
        return []
    here = {answer.seat for answer in store.find(AnswerRow, game=game, ask=row.ask)}
    return [one for one in found if one.ask == row.ask and one.seat in row.asked and one.seat not in here]


def was_held(store: Store, one: UnreadMail, until: str) -> None:
    """Note the end of a mail's hold on its question."""
    store.put_note(f"{_NAME}{_name(one.game, one.seat)}", asdict(replace(one, until=until)))


def _has_answered(game: HostedGame, seat: str, ask: int) -> bool:
    """Has a seat answered a question that was put after that one?"""
    asked = 0
    for n, entry in enumerate(game.ledger.entries()):
        if entry["k"] == "ask":
            asked = n
        elif entry["k"] == "order" and entry["by"] == seat and asked > ask:
            return True
    return False


def _name(game: int, seat: str) -> str:
    return f"{game} {seat}"


def _noted(store: Store, name: str) -> Iterator[UnreadMail]:
    for value in store.notes(f"{_NAME}{name}").values():
        told: Mapping[str, Any] = json.loads(value)
        yield UnreadMail(**told)
