"""What several tests need of replace: until_all_are_asked, a_game, without_one_agreement, …."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import tiny_game

from pbem.ledger import SAY, cj, sha256_hex
from pbem.referee import Pen
from pbem.referee.table import Table

from .forger import Forger, Piece
from .misdeeds import IDENTITY_KEY
from .recorded import Recorded, record, take_turn
from .rekey import NEW, THIEF, a_roll_before_all_are_ready


def until_all_are_asked(table: Table) -> None:
    while len(table.open.to if table.open else ()) < 3:
        take_turn(table)


@cache
def a_game(late: str = "default") -> Recorded:
    """Of three, Bob does not answer, and is skipped twice or loses by time; his successor plays on."""
    table = Table(tiny_game.GAME, {"players": 3, "turns": 4}, "vanish", hours=24, late=late)
    before = table.pens["bob"].key
    until_all_are_asked(table)
    if late == "claim":
        take_turn(table, ("bob",), table.say("ann", "claim", at=table.course.due))
    while not table.course.vanished("bob", table.now):
        take_turn(table, ("bob",) if table.open and "bob" in table.open.to else ())
    table.replace("bob", NEW)
    while table.open:
        take_turn(table)
    return record(table, {"bob": before})


def _with(f: Forger, change: Callable[[dict[str, Any]], None], key: Any = NEW) -> Piece:
    """Another newcomer, whom all have agreed to."""
    amend = f.first("amend")
    player = amend.fields["what"]["player"]
    change(player["say"])
    player["sig"] = key.sign(SAY, cj(player["say"]))
    _agree(f)
    return amend


def _agree(f: Forger) -> None:
    for agreed in f.all("say", lambda fields: "what" in fields["say"]):
        agreed.fields["say"]["what"] = sha256_hex(cj(f.first("amend").fields["what"]))


def without_one_agreement(f: Forger) -> Piece:
    f.drop(list(f.all("say"))[-1])
    amend = f.first("amend")
    amend.fields["agreed"] = amend.fields["agreed"][:-1]
    return amend


def another_than_was_agreed_on(f: Forger) -> Piece:
    table, amend = f.recorded.table, f.first("amend")
    newcomer = Pen(THIEF, table.id, "bob").join()
    amend.fields["what"] = {"player": {"say": newcomer.say, "sig": newcomer.sig}}
    return amend


def a_player_who_is_there(f: Forger) -> Piece:
    return _with(f, lambda say: say.update(seat="cat"))


def a_seat_that_is_not_there(f: Forger) -> Piece:
    return _with(f, lambda say: say.update(seat="dan"))


def who_has_answered_since(f: Forger) -> Piece:
    """He let one answer be the default, but he is there."""
    amend = f.first("amend")
    f.say("bob", "draw", before=amend)
    return amend


def with_the_key_of_another_seat(f: Forger) -> Piece:
    key = f.recorded.keys["ann"]
    return _with(f, lambda say: say.update(key=key.key_line), key)


def for_another_game(f: Forger) -> Piece:
    return _with(f, lambda say: say.update(game="7" * 64))


def who_did_not_sign(f: Forger) -> Piece:
    return _with(f, lambda say: None, THIEF)


def with_a_key_under_which_any_signature_fits(f: Forger) -> Piece:
    return _with(f, lambda say: say.update(key=IDENTITY_KEY))


def the_old_player_answers(f: Forger) -> Piece:
    order = next(o for o in f.all("order") if o.seat == "bob" and f.pieces.index(o) > f.pieces.index(f.first("amend")))
    order.key = f.recorded.before["bob"]
    return order


CODES: dict[str, list[Callable[[Forger], Piece]]] = {
    "BIND": [
        without_one_agreement, another_than_was_agreed_on, a_player_who_is_there, a_seat_that_is_not_there,
        who_has_answered_since, with_the_key_of_another_seat, for_another_game,
    ],
    "SIG": [who_did_not_sign, with_a_key_under_which_any_signature_fits, the_old_player_answers],
    "EARLY": [a_roll_before_all_are_ready],
}  # fmt: skip
