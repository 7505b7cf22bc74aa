"""What several tests need of rekey: a_key, a_game, called, a_thief_takes_the_seat, the_new_key_signs_for_itself, …."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import tiny_game

from pbem.ledger import REACH, PrivateKey, sha256_hex
from pbem.referee import Pen
from pbem.referee.table import Table

from .forger import Forger, Piece
from .misdeeds import IDENTITY_KEY
from .recorded import Recorded, record, take_turn


def a_key(name: str) -> PrivateKey:
    return PrivateKey.from_seed(bytes.fromhex(sha256_hex(name.encode())))


SPARE, NEW, THIEF = a_key("spare"), a_key("new"), a_key("thief")


@cache
def a_game(by: str = "the old key") -> Recorded:
    """Bob changes his key, Cat has resigned; signed by the key before, or by the recovery key."""
    options = {"players": 3, "turns": 3}
    table = Table(tiny_game.GAME, options, "rekey", hours=24, recovery=SPARE.key_line)
    before = table.pens["bob"].key
    table.say("cat", "resign")
    take_turn(table)
    while len(table.open.to if table.open else ()) < 2:
        take_turn(table)
    table.rekey("bob", NEW, SPARE if by == "the recovery key" else None)
    while table.open:
        take_turn(table)
    return record(table, {"bob": before})


def called(f: Forger) -> list[Piece]:
    """Those who say again that they are ready."""
    return [piece for piece in f.all("ready") if f.pieces.index(piece) > f.pieces.index(f.first("rekey"))]


def a_thief_takes_the_seat(f: Forger) -> Piece:
    rekey = f.first("rekey")
    rekey.key = THIEF
    return rekey


def the_new_key_signs_for_itself(f: Forger) -> Piece:
    rekey = f.first("rekey")
    rekey.key = NEW
    return rekey


def another_seat_signs(f: Forger) -> Piece:
    rekey = f.first("rekey")
    rekey.signer = "ann"
    return rekey


def by_a_recovery_key_that_nobody_bound(f: Forger) -> Piece:
    rekey = f.first("rekey")
    rekey.fields["say"]["recovery"], rekey.key = THIEF.key_line, THIEF
    return rekey


def the_old_key_signs_as_the_recovery_key(f: Forger) -> Piece:
    rekey = f.first("rekey")
    rekey.fields["say"]["recovery"] = SPARE.key_line
    return rekey


def a_key_under_which_any_signature_fits(f: Forger) -> Piece:
    rekey = f.first("rekey")
    rekey.fields["say"]["key"] = IDENTITY_KEY
    return rekey


def to_the_key_of_another_seat(f: Forger) -> Piece:
    rekey = f.first("rekey")
    rekey.fields["say"]["key"] = f.recorded.keys["ann"].key_line
    return rekey


def of_another_game(f: Forger) -> Piece:
    rekey = f.first("rekey")
    rekey.before_signing = lambda say: say.update(game="7" * 64)
    return rekey


def its_number_jumps(f: Forger) -> Piece:
    rekey = f.first("rekey")
    rekey.fields["say"]["no"] = 2
    return rekey


def a_thief_with_the_key_exchanges_the_recovery_key(f: Forger) -> Piece:
    rekey = f.first("rekey")
    rekey.fields["say"]["next"] = sha256_hex(THIEF.key_line.encode())
    return rekey


def a_second_time_at_once(f: Forger) -> Piece:
    """Else a seat could hold up a game that it loses, for ever."""
    rekey = f.first("rekey")
    say = {**rekey.fields["say"], "key": THIEF.key_line, "no": 2}
    ask = f.next("ask", rekey)
    return f.insert(Piece({**rekey.fields, "say": say}, key=NEW), before=f.next("order", ask))


def while_answers_are_written(f: Forger) -> Piece:
    rekey = f.first("rekey")
    del f.pieces[f.pieces.index(rekey) + 1 :]
    f.drop(rekey)
    rekey.has_head = True
    order = next(o for o in f.all("order") if len(f.answers(f.asked(o))) > 1)
    at = f.pieces.index(order)
    f.pieces[at + 1 :] = [rekey]
    rekey.fields["say"]["seen"] = f.asked(order)
    return rekey


def a_roll_before_all_are_ready(f: Forger) -> Piece:
    last = list(f.all("ready"))[-1]
    rolls = f.all("rand", lambda fields: fields["chain"] == "pub")
    i = 1 + sum(f.pieces.index(roll) < f.pieces.index(last) for roll in rolls)
    return f.roll(i, [{"op": "roll", "n": 1, "sides": 6}], before=last)


def the_question_before_all_are_ready(f: Forger) -> Piece:
    f.drop(called(f)[-1])
    return f.next("ask", f.first("rekey"))


def ready_twice(f: Forger) -> Piece:
    first = called(f)[0]
    return f.insert(Piece(dict(first.fields)), before=called(f)[1])


def ready_who_is_out(f: Forger) -> Piece:
    ready = called(f)[0]
    say = {**ready.fields["say"], "seat": "cat"}
    return f.insert(Piece({**ready.fields, "by": "cat", "say": say}), before=ready)


def ready_with_the_last_link_again(f: Forger) -> Piece:
    """Whoever made the new chain knows that one already."""
    ready = called(f)[0]
    n = ready.fields["say"]["link_n"] - 1
    ready.fields["say"] |= {"link": f.recorded.table.pens["ann"].link(n), "link_n": n}
    return ready


def ready_with_the_link_after_it(f: Forger) -> Piece:
    """It may have been given with an order sent ahead."""
    return _ready_with(f, 1)


def ready_with_the_last_link_that_may_be_known(f: Forger) -> Piece:
    return _ready_with(f, REACH)


def _ready_with(f: Forger, further: int) -> Piece:
    """Whoever is ready gives a link so many marks above the highest that a question has borne."""
    ready = called(f)[0]
    before = f.pieces[: f.pieces.index(ready)]
    n = max(piece.fields.get("mark", 0) for piece in before) + further
    ready.fields["say"] |= {"link": f.recorded.table.pens["ann"].link(n), "link_n": n}
    return ready


def ready_with_a_link_of_the_old_chain(f: Forger) -> Piece:
    table, ready = f.recorded.table, called(f)[1]
    old = Pen(f.recorded.before["bob"], table.id, "bob")
    ready.fields["say"]["link"] = old.link(ready.fields["say"]["link_n"])
    return ready


def ready_without_having_seen_the_key(f: Forger) -> Piece:
    ready = called(f)[0]
    ready.fields["say"]["seen"] = f.last("ask", ready)
    return ready


def ready_by_the_old_key(f: Forger) -> Piece:
    ready = called(f)[1]
    ready.key = f.recorded.before["bob"]
    return ready


def an_order_by_the_old_key(f: Forger) -> Piece:
    order = next(o for o in f.answers(f.next("ask", f.first("rekey"))) if o.seat == "bob")
    order.key = f.recorded.before["bob"]
    return order


def put_again_with_the_mark_of_before(f: Forger) -> Piece:
    """Its link has become known with the one of being ready."""
    ask = f.next("ask", f.first("rekey"))
    ask.fields["mark"] -= 1
    return ask


def a_void_question_is_answered(f: Forger) -> Piece:
    order = f.next("order", f.first("rekey"))
    order.fields["say"]["ask"] = f.last("ask", f.first("rekey"))
    return order


CODES: dict[str, list[Callable[[Forger], Piece]]] = {
    "SIG": [
        a_thief_takes_the_seat, the_new_key_signs_for_itself, another_seat_signs, by_a_recovery_key_that_nobody_bound,
        the_old_key_signs_as_the_recovery_key, a_key_under_which_any_signature_fits, ready_by_the_old_key,
        an_order_by_the_old_key,
    ],
    "BIND": [to_the_key_of_another_seat, of_another_game, a_thief_with_the_key_exchanges_the_recovery_key],
    "ORDERING": [
        its_number_jumps, a_second_time_at_once, while_answers_are_written, the_question_before_all_are_ready, ready_twice,
        ready_who_is_out, put_again_with_the_mark_of_before,
    ],
    "EARLY": [a_roll_before_all_are_ready],
    "LINK": [
        ready_with_the_last_link_again, ready_with_the_link_after_it, ready_with_the_last_link_that_may_be_known,
        ready_with_a_link_of_the_old_chain,
    ],
    "SEEN": [ready_without_having_seen_the_key],
    "ASK": [a_void_question_is_answered],
}  # fmt: skip
