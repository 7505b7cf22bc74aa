"""All are called to be ready again: in ambush nobody wins by it, and nobody holds the game up.

A call kept the `due` of the question that it made void. Who was late himself changed his key two minutes before his time
was over, was ready, and claimed: the opponent, who had answered, was “late”; with three seats both others were out at
once, and a second change by the recovery key caught one who had been awake. Leave, time given by the operator and
resignations were refused in a call. Now a call has a time of its own, as long at the least as what it voids, and who made
it claims nothing by it.
"""

from __future__ import annotations

import pytest

from pbem.ledger import plus_hours
from pbem.ledger.fields import plus_seconds
from pbem.referee import Pen, Refused
from pbem.referee.table import AT, Table
from tests.attacks.calls import a_game, a_table

from .adding import entry, extend, fault_of, later, log_with, objected, say
from .judging import judged, stands_in_every_copy
from .recorded import take_turn
from .rekey import NEW, SPARE, a_key

DAY = 86_400
SHORTLY = -120
"""Two minutes before a time is over, in seconds."""


@pytest.mark.slow
def test_the_honest_game_is_clean_in_every_copy() -> None:
    recorded = a_game()
    assert judged("tiny", recorded.whole).verdict == "clean"
    stands_in_every_copy(recorded)


def in_ambush(players: int = 2, late: str = "claim") -> Table:
    """Shortly before his time is over Bob, who has not answered, changes his key, and says that he is ready."""
    table = a_table(players, late=late)
    table.change_key("bob", NEW, at=plus_seconds(table.course.due, SHORTLY))
    table.ready("bob")
    return table


def refused(table: Table, seat: str, at: str, why: str) -> None:
    """At the door, and in the log of a host who takes it: ORDERING."""
    now = table.now
    with pytest.raises(Refused, match=why) as caught:
        table.say(seat, "claim", at=at)
    assert caught.value.code == "ORDERING"
    table.now = now
    claim = say(table, seat, "claim", at)
    assert fault_of(table, claim) == objected(table, claim) == "ORDERING"


@pytest.mark.variants
@pytest.mark.parametrize("late", ["default", "claim"])
@pytest.mark.parametrize("players", [2, 3])
def test_who_changes_his_key_in_ambush_wins_nothing(players: int, late: str) -> None:
    """A player changes his key and claims because the others are not ready. A ready round has its own time, and its
    cause may not claim."""
    table = in_ambush(players, late)
    asked = plus_seconds(AT, DAY)
    refused(table, "bob", asked, "before the time to be ready was over")
    assert table.course.due == plus_seconds(asked, SHORTLY + DAY), "the others have their whole time again"
    refused(table, "bob", table.course.due, "having called them himself")
    refused(table, "bob", plus_seconds(table.course.due, 100 * DAY), "having called them himself")


def test_a_second_change_by_the_recovery_key_catches_nobody() -> None:
    """The opponent was ready and has to confirm again before he knows it. The attacker may not claim."""
    table = in_ambush(3)
    table.ready("ann")
    again = plus_seconds(table.course.due, SHORTLY)
    table.change_key("bob", a_key("another"), SPARE, at=again)
    table.ready("bob")
    assert table.course.due == plus_seconds(again, DAY)
    assert set(table.course.missing) == {"ann", "cat"}
    refused(table, "bob", table.course.due, "having called them himself")
    table.ready("ann")
    refused(table, "ann", again, "before the time to be ready was over")


def test_who_made_an_earlier_call_claims_nothing_by_the_later_one() -> None:
    """Two who play together: one changes his key, the other his, and the first would claim."""
    table = in_ambush(3)
    table.change_key("cat", a_key("cat's new one"), at=later(table))
    table.ready("cat")
    table.ready("bob")
    for seat in ("bob", "cat"):
        refused(table, seat, table.course.due, "having called them himself")


def test_others_may_claim_when_the_time_of_a_ready_round_is_over() -> None:
    """A player never confirms, to hold the game up. This is the honest twin: Cat does not return, and Ann may claim."""
    table = in_ambush(3)
    table.ready("ann")
    assert objected(table, say(table, "ann", "claim", table.course.due)) == ""
    table.say("ann", "claim", at=table.course.due)
    assert table.course.gone.keys() == {"cat"}
    while table.open:
        take_turn(table)
    assert judged("tiny", table.whole()).verdict == "clean"


def test_who_is_not_ready_himself_claims_nothing() -> None:
    table = in_ambush(3)
    refused(table, "ann", table.course.due, "without being ready")


@pytest.mark.parametrize("added", ["time", "leave"])
def test_a_call_lasts_as_long_as_what_it_voids(added: str) -> None:
    """Ann has leave of two days, or the operator gave her two: a change of key takes nothing of it away."""
    table = a_table(leave=48)
    if added == "leave":
        table.say("ann", "leave", hours=48)
    else:
        table.scribe.extend(plus_seconds(table.course.due, 2 * DAY), "she is away", AT)
    table.change_key("bob", NEW, at=plus_seconds(AT, 60))
    assert table.course.due == plus_seconds(AT, 60 + 3 * DAY)


@pytest.mark.parametrize("added", ["time", "leave"])
def test_a_second_call_lasts_as_long_as_the_first(added: str) -> None:
    """With what was added to it. (At first that was forgotten: the key in the morning, the recovery key at noon, and the leave
    that Ann had taken in between was gone.)"""
    table = a_table(leave=48)
    table.change_key("bob", NEW)
    if added == "leave":
        table.say("ann", "leave", hours=48)
    else:
        table.scribe.extend(plus_seconds(table.course.due, 2 * DAY), "she is away", AT)
    table.change_key("bob", a_key("another"), SPARE, at=plus_seconds(AT, 60))
    assert table.course.due == plus_seconds(AT, 60 + 3 * DAY)
    short = log_with(table)
    assert short.entries[-1].fields["due"] == table.course.due


# -- the time of a call, as the host writes it --------------------------------------------------------------------------


def rekeyed(table: Table, due: str | None) -> dict[str, object]:
    """The entry by which Bob changes his key, with a time that the host gives."""
    pen = Pen(NEW, table.id, "bob", begun=table.course.next_no("bob"))
    envelope = pen.rekey(
        table.pens["bob"].key, table.ledger.log.head, table.after("bob"), table.course.seats["bob"].next
    )
    return entry(table, "rekey", envelope, **({"due": due} if due else {}))


def test_a_call_gives_no_less_and_no_more_time_than_was_agreed() -> None:
    table = a_table()
    most = plus_hours(AT, 24 + 720)
    assert most
    for due, code in (
        (plus_seconds(AT, DAY - 1), "TIME"), (plus_seconds(AT, DAY), ""), (most, ""), (plus_seconds(most, 1), "TIME"),
        (None, "TIME"),
    ):  # fmt: skip
        fields = rekeyed(table, due)
        assert fault_of(table, fields) == objected(table, fields) == code, due


def test_without_a_time_limit_a_call_has_none() -> None:
    """And nobody claims anything by it."""
    table = a_table(hours=0)
    assert fault_of(table, rekeyed(table, None)) == ""
    assert fault_of(table, rekeyed(table, plus_seconds(AT, DAY))) == "TIME"
    table.change_key("bob", NEW)
    table.ready("ann")
    refused(table, "ann", plus_seconds(AT, 365 * DAY), "before the time to be ready was over")


def test_the_host_cuts_no_call_short() -> None:
    """TIME. The host may only extend the present ready round, within the terms."""
    table = in_ambush(3)
    due, call = table.course.due, table.course.call
    assert call
    most = plus_seconds(call.at, 3600 * table.course.terms.most)
    for until, code in (
        (due, "ORDERING"),
        (plus_seconds(due, -1), "ORDERING"),
        (plus_seconds(most, 1), "TIME"),
        (most, ""),
    ):
        assert fault_of(table, extend(table, until)) == code, until
    question = table.course.question
    assert question
    assert fault_of(table, {**extend(table, most), "ask": question.n}) == "ORDERING"


# -- leave and resignations in a call -----------------------------------------------------------------------------------


def test_leave_works_in_a_call() -> None:
    table = a_table(3, leave=48)
    table.change_key("bob", NEW)
    due = table.course.due
    table.say("ann", "leave", at=plus_seconds(due, SHORTLY), hours=40)
    assert table.course.due == plus_seconds(due, 40 * 3600)
    table.ready("bob")
    table.ready("cat")
    refused(table, "cat", due, "before the time to be ready was over")
    table.ready("ann", at=plus_seconds(due, 39 * 3600))
    while table.open:
        take_turn(table)
    assert judged("tiny", table.whole()).verdict == "clean"


def test_leave_that_does_not_work_in_a_call() -> None:
    """Over the budget, by one who is ready, or when the time is over: else it would stop a claim."""
    table = a_table(3, leave=48)
    table.change_key("bob", NEW)
    table.ready("cat")
    for seat, hours, at in (("ann", 49, later(table)), ("cat", 10, later(table)), ("ann", 10, table.course.due)):
        leave = say(table, seat, "leave", at, hours=hours)
        assert fault_of(table, leave) == objected(table, leave) == "ORDERING"
    in_time = say(table, "ann", "leave", plus_seconds(table.course.due, -1), hours=10)
    assert fault_of(table, in_time) == ""
    not_granted = say(table, "cat", "draw")
    assert fault_of(table, in_time, not_granted) == "ORDERING"


@pytest.mark.slow
def test_a_resignation_works_in_a_call() -> None:
    """Of three the others play on once they are ready; of two the other has won at once."""
    for players in (2, 3):
        table = a_table(players)
        table.change_key("bob", NEW)
        table.ready("bob")
        table.say("ann", "resign")
        if players == 2:
            assert table.ledger.log.entries[-1].fields["result"]["winner"] == "bob"
        else:
            assert table.course.missing == ("cat",)
            table.ready("cat")
        while table.open:
            take_turn(table)
        assert judged("tiny", table.whole()).verdict == "clean"


def test_the_last_who_is_missing_resigns_and_the_game_goes_on() -> None:
    table = a_table(3)
    table.change_key("bob", NEW)
    table.ready("bob")
    table.ready("cat")
    table.say("ann", "resign")
    assert table.open
    while table.open:
        take_turn(table)
    assert judged("tiny", table.whole()).verdict == "clean"


def test_nothing_is_offered_and_agreed_in_a_call() -> None:
    """A draw by consent waits until all are ready; no answer is taken back, for none is open."""
    table = a_table(3)
    offer = table.say("ann", "draw")
    assert fault_of(table, say(table, "bob", "takeback", about=1)) == "BIND"
    table.change_key("bob", NEW)
    assert fault_of(table, say(table, "cat", "agree", about=offer)) == "BIND", "it has lapsed"
    anew = say(table, "ann", "draw")
    assert fault_of(table, anew) == ""
