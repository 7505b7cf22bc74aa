"""A seat changes its key in mid-game: by the old or the recovery key, and no die falls before all are ready again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
import tiny_game

from pbem.ledger import REACH, Log, PrivateKey, complaint, export_sig, sha256_hex
from pbem.ledger.fields import plus_seconds
from pbem.ledger.keys import SAY, verify_sig
from pbem.referee import AskSeen, Pen, Refused, receipt
from pbem.referee.table import AT, Table

from .forger import Forger, Piece
from .judging import every_copy_shows, judged, stands_in_every_copy
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


@pytest.mark.parametrize("by", ["the old key", "the recovery key"])
def test_the_honest_game_is_clean_in_every_copy(by: str) -> None:
    recorded = a_game(by)
    if by == "the old key":
        assert Forger(recorded).write().tidy().dump() == recorded.whole
    assert judged("tiny", recorded.whole).verdict == "clean"
    stands_in_every_copy(recorded)


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


test_every_copy_shows_it_with_the_next_report = every_copy_shows(CODES, a_game)


def a_call() -> Table:
    """Bob has changed his key, and all are to be ready again."""
    table = Table(tiny_game.GAME, {"players": 2, "turns": 3}, "stall", hours=24)
    table.change_key("bob", NEW)
    return table


def test_nobody_holds_up_a_game_by_not_being_ready() -> None:
    """The others claim it when the time of the call is over, whatever the terms say about late answers."""
    table = a_call()
    table.ready("ann")
    with pytest.raises(Refused, match="before the time to be ready was over"):
        table.say("ann", "claim")
    table.say("ann", "claim", at=table.course.due)
    whole = table.whole()
    assert judged("tiny", whole).verdict == "clean"
    assert table.ledger.log.entries[-1].fields["result"] == {"winner": "ann", "why": "late", "seats": ["bob"]}


@pytest.mark.parametrize(
    ("seat", "too_late", "verdict", "at"),
    [("bob", False, "fault", "claim"), ("bob", True, "unfounded", "claim"), ("ann", False, "unfounded", "ready")],
)
def test_a_ready_that_was_left_out_is_proved_by_its_receipt(seat: str, too_late: bool, verdict: str, at: str) -> None:
    """DROPPED: a host that keeps a seat's word back, so that another may claim the game."""
    table = a_call()
    assert table.course.call
    kept_back = table.pens[seat].ready(table.ledger.log.head, table.course.call.mark)
    table.ready("ann")
    due = table.course.due
    table.say("ann", "claim", at=due)
    log = Log.parse(table.whole())
    ends = {"claim": log.entries[-2].n, "ready": next(e.n for e in reversed(log.entries) if e.k == "ready")}
    got = receipt(table.host_key, table.id, kept_back.say, plus_seconds(due, 1) if too_late else AT)
    found = complaint({"say": kept_back.say, "sig": kept_back.sig}, got, log)
    assert (found.verdict, found.entry) == (verdict, ends[at]), found


def test_the_recovery_key_undoes_what_a_thief_did_with_the_key() -> None:
    """Though he gave no order in between, and the thief's key is the seat's by then."""
    table = Table(tiny_game.GAME, {"players": 2, "turns": 3}, "thief", hours=24, recovery=SPARE.key_line)
    take_turn(table)
    table.rekey("bob", THIEF)
    table.rekey("bob", NEW, SPARE)
    while table.open:
        take_turn(table)
    assert judged("tiny", table.whole()).verdict == "clean"
    assert table.course.seats["bob"].key == NEW.key_line


def test_signatures_of_before_and_after_are_shown_with_their_keys() -> None:
    recorded = a_game("the recovery key")
    log = Log.parse(recorded.whole)
    signers: dict[str, set[Any]] = {}
    for entry in log.entries:
        if entry.k in ("join", "rekey", "ready", "order") and entry.fields["by"] == "bob":
            exported = export_sig(log, entry.n)
            key_line = exported.allowed_signers.split('" ')[1].strip()
            assert verify_sig(key_line, SAY, exported.message, entry.fields["sig"])
            signers.setdefault(entry.k, set()).add(key_line)
    old = recorded.before["bob"].key_line
    assert signers == {
        "join": {old}, "rekey": {SPARE.key_line}, "ready": {old, NEW.key_line}, "order": {old, NEW.key_line}
    }  # fmt: skip


def test_an_order_of_before_is_still_known_as_dropped_or_not() -> None:
    recorded = a_game()
    log = Log.parse(recorded.whole)
    ask = next(entry for entry in log.entries if entry.k == "ask" and "bob" in entry.fields["to"])
    fields = ask.fields
    pen = Pen(recorded.before["bob"], log.game, "bob")
    envelope = pen.order(AskSeen.of(ask.n, fields, ask.hash), "X", rev=3)
    got = receipt(recorded.host, log.game, envelope.say, AT)
    found = complaint({"say": envelope.say, "sig": envelope.sig}, got, log)
    assert (found.verdict, found.code) == ("fault", "DROPPED")
