"""A seat changes its key in mid-game: by the old or the recovery key, and no die falls before all are ready again."""

from __future__ import annotations

from typing import Any

import pytest
import tiny_game

from pbem.ledger import Log, complaint, export_sig
from pbem.ledger.fields import plus_seconds
from pbem.ledger.keys import SAY, verify_sig
from pbem.referee import AskSeen, Pen, Refused, receipt
from pbem.referee.table import AT, Table
from tests.attacks.rekey import CODES, NEW, SPARE, THIEF, a_game

from .forger import Forger
from .judging import every_copy_shows, judged, stands_in_every_copy
from .recorded import take_turn


@pytest.mark.parametrize("by", ["the old key", "the recovery key"])
def test_the_honest_game_is_clean_in_every_copy(by: str) -> None:
    recorded = a_game(by)
    if by == "the old key":
        assert Forger(recorded).write().tidy().dump() == recorded.whole
    assert judged("tiny", recorded.whole).verdict == "clean"
    stands_in_every_copy(recorded)


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
