"""The time to answer binds the host as well: no moment lies before another above it, no question is shorter or longer than agreed.

A question might bear a `due` of the day before. Where late answers are claimed, a host and one player won so at once, with a clean
log. Now entry 0 says how long every question lasts at the least and at the most, and each bears its moment. How a host chooses
within that is his business; and whether a moment is true no log can tell.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import tiny_game

from pbem.ledger import agreed_host, cj, objection, player_root, pledged, sha256_hex
from pbem.ledger.course import Terms
from pbem.ledger.fields import plus_hours, plus_seconds
from pbem.referee import HostChains, Pen, Refused
from pbem.referee.table import AT, Table

from .adding import Fields, entry, extend, fault_of, later, objected, say, signed_now, skip
from .forger import Forger
from .judging import judged, shows_with_the_next_report
from .recorded import a_log, record, take_turn
from .rekey import NEW, a_key

HOUR = 3600
ALWAYS = "9999-12-31T23:59:59Z"
"""The last moment that an entry can bear."""


def a_table(hours: int = 24, late: str = "default", leave: int = 0, players: int = 2) -> Table:
    return Table(tiny_game.GAME, {"players": players, "turns": 3}, "times", hours=hours, late=late, leave=leave)


# -- moments ------------------------------------------------------------------------------------------------------------


def an_amendment(table: Table) -> Fields:
    what = {"rules": {"id": "tiny", "ver": 2, "sha256": "0" * 64}}
    for seat in table.seats:
        table.say(seat, "agree", what=sha256_hex(cj(what)))
    return {"k": "amend", "at": later(table), "what": what, "agreed": pledged(table.course, what)}


def a_change_of_key(table: Table) -> Fields:
    pen = Pen(NEW, table.id, "bob", begun=table.course.next_no("bob"))
    envelope = pen.rekey(table.pens["bob"].key, table.ledger.log.head, table.after("bob"))
    return entry(table, "rekey", envelope, due=plus_hours(later(table), 24))


def another_host(table: Table) -> Fields:
    key, seen = a_key("host"), table.ledger.log.head
    chains = HostChains(player_root(key), table.scribe.chains.nonce)
    fields = {"key": key.key_line, **chains.published(table.seats, table.course), "seen": list(seen)}
    fields["mark"] = table.course.next_mark_of_call
    for seat in table.seats:
        agreed = signed_now(table, seat, "agree", seen=list(seen), what=sha256_hex(cj(agreed_host(fields))))
        table.scribe.say(agreed, table.now)
    moment = later(table)
    agreements = pledged(table.course, agreed_host(fields))
    return {"k": "host", "at": moment, **fields, "agreed": agreements, "due": plus_hours(moment, 24)}


def ready_again(table: Table) -> Fields:
    table.change_key("bob", NEW)
    assert table.course.call
    return entry(table, "ready", table.pens["ann"].ready(table.ledger.log.head, table.course.call.mark))


DATED: dict[str, Callable[[Table], Fields]] = {
    "say": lambda table: say(table, "ann", "draw"),
    "skip": lambda table: skip(table, "bob", table.course.due),
    "extend": lambda table: extend(table, plus_seconds(table.course.due, HOUR)),
    "amend": an_amendment,
    "rekey": a_change_of_key,
    "host": another_host,
    "ready": ready_again,
}


@pytest.mark.variants
@pytest.mark.parametrize("kind", DATED)
def test_no_entry_bears_a_moment_that_has_passed(kind: str) -> None:
    """TIME, for a host who dates an entry before an earlier one."""
    table = a_table(leave=48)
    table.say("bob", "draw", at=plus_seconds(AT, HOUR))
    if kind == "skip":
        table.say("bob", "leave", at=plus_seconds(AT, HOUR), hours=1)
        table.say("bob", "draw", at=table.course.due)
    fields = DATED[kind](table)
    passed = {**fields, "at": later(table, -1)}
    assert (fields["k"], objected(table, fields), objected(table, passed)) == (kind, "", "TIME")
    if kind != "host":  # whose entries nobody answers for who is in office
        assert (fault_of(table, fields), fault_of(table, passed)) == ("", "TIME")


def test_an_order_that_was_sent_ahead_may_have_come_before_its_question() -> None:
    """The honest twin of an order that is dated back: it came on the day before, and the host says so."""
    table = a_table()
    hand = table.referee.views()["ann"]["sides"]["ann"]["hand"]
    table.ahead("ann", 3, f"CARD {hand[1]}")
    while not any(e.k == "order" and e.fields["say"]["act"] == "ahead" for e in table.ledger.log.entries):
        take_turn(table)
    f = Forger(record(table))
    ahead = f.first("order", lambda fields: fields["say"]["act"] == "ahead")
    ahead.fields["at"], ahead.keeps_moment = "2029-12-31T00:00:00Z", True
    assert judged("tiny", f.write().tidy().dump()).verdict in ("clean", "unfinished")


# -- how long a question lasts ------------------------------------------------------------------------------------------


def test_a_host_and_one_player_do_not_win_by_a_question_without_time() -> None:
    """TIME, at the question. Nobody can claim before the agreed time has passed."""
    table = a_table(late="claim")
    f = Forger(record(table))
    ask = f.first("ask")
    for seconds in (-86_400, -1, 0, 86_399):
        ask.time = (ask.fields["due"], seconds)
        shows_with_the_next_report(f, ask, "TIME")
    too_soon = say(table, "ann", "claim", plus_seconds(table.course.due, -1))
    assert fault_of(table, too_soon) == objected(table, too_soon) == "ORDERING"


def test_who_is_late_loses_to_a_claim() -> None:
    """The honest twin."""
    table = a_table(late="claim")
    take_turn(table, ("bob",), table.say("ann", "claim", at=table.course.due))
    assert table.ledger.log.entries[-1].fields["result"]["winner"] == "ann"
    assert judged("tiny", table.whole()).verdict == "clean"


def test_the_time_is_what_the_terms_say_with_grace() -> None:
    """TIME, for a host who gives less."""
    table = a_table()
    course = table.course
    asked = {"k": "ask", "at": course.clock, "to": ["ann"], "what": "act", "secret": "until end"}
    told = course.but(phase="told", terms=Terms("default", leave=0, hours=24, grace=6, most=100))
    for hours, code in ((29, "TIME"), (30, None), (100, None), (101, "TIME")):
        found = objection(told, {**asked, "due": plus_hours(course.clock, hours)})
        assert (found.code if found else None) == code, hours
    assert objection(told, asked), "no time at all"


def test_without_a_time_limit_no_question_has_one() -> None:
    """TIME; and nobody is skipped, takes leave or claims the game."""
    table = a_table(hours=0, late="claim", leave=48)
    assert "due" not in table.ledger.log.entries[-1].fields
    f = Forger(record(table))
    ask = f.first("ask")
    ask.fields["due"] = plus_hours(AT, 24)
    shows_with_the_next_report(f, ask, "TIME")
    ever = plus_seconds(AT, 366 * 86_400)
    for fields in (
        skip(table, "bob", ever), say(table, "ann", "claim", ever), say(table, "ann", "leave", ever, hours=5),
        extend(table, plus_seconds(ever, HOUR)),
    ):  # fmt: skip
        assert fault_of(table, fields) == objected(table, fields) == "ORDERING", fields["k"]


@pytest.mark.parametrize("late", ["default", "claim"])
def test_nobody_is_skipped_before_his_time_is_over(late: str) -> None:
    """ORDERING, with all extensions. Where players claim late answers, the host skips nobody."""
    table = a_table(late=late, leave=48)
    first = table.course.due
    table.say("bob", "leave", hours=48)
    assert fault_of(table, skip(table, "bob", first)) == "ORDERING"
    assert fault_of(table, skip(table, "bob", plus_seconds(table.course.due, -1))) == "ORDERING"
    assert fault_of(table, skip(table, "bob")) == ("" if late == "default" else "ORDERING")


def test_the_host_adds_no_more_time_than_was_agreed_leave_apart() -> None:
    """TIME: otherwise the host's friend could have any time. Leave is the player's own and is added."""
    table = a_table(leave=48)
    most = plus_hours(AT, table.course.terms.most)
    assert most
    assert fault_of(table, extend(table, plus_seconds(most, 1))) == "TIME"
    assert fault_of(table, extend(table, most)) == ""
    table.say("bob", "leave", hours=48)
    most = plus_seconds(most, 48 * HOUR)
    assert fault_of(table, extend(table, plus_seconds(most, 1))) == "TIME"
    table.scribe.extend(most, "kindness", AT)
    table.scribe.sign_head()
    assert judged("tiny", table.whole()).verdict == "unfinished"


def test_time_is_not_taken_away() -> None:
    table = a_table()
    for due in (AT, plus_seconds(table.course.due, -1), table.course.due):
        less = extend(table, due)
        assert fault_of(table, less) == objected(table, less) == "ORDERING"


# -- leave --------------------------------------------------------------------------------------------------------------


def test_leave_that_is_taken_too_late_stops_no_claim() -> None:
    """Refused. The player wanted to stop a claim for two days."""
    table = a_table(late="claim", leave=48)
    for seconds, code in ((-1, ""), (0, "ORDERING"), (1, "ORDERING")):
        leave = say(table, "bob", "leave", plus_seconds(table.course.due, seconds), hours=48)
        assert fault_of(table, leave) == objected(table, leave) == code
    with pytest.raises(Refused, match="after the time to answer was over"):
        table.say("bob", "leave", at=table.course.due, hours=48)
    take_turn(table, ("bob",), table.say("ann", "claim", at=table.course.due))
    assert table.ledger.log.entries[-1].fields["result"]["winner"] == "ann"


# -- the end of the calendar --------------------------------------------------------------------------------------------


def test_at_the_end_of_the_calendar_no_question_is_over_before_it_is_put() -> None:
    """TIME: a host whose log has come to the last moment there is gives time until then. (At first he might give any time of the
    past, as no later one exists.)"""
    table = a_table()
    take_turn(table, ("bob",), at=ALWAYS)
    assert table.course.clock == ALWAYS
    assert table.course.due == ALWAYS
    f = Forger(record(table))
    ask = f.last("ask", f.pieces[-1]) if f.pieces[-1].k != "ask" else f.pieces[-1]
    ask.time = None
    ask.fields["due"] = AT
    assert fault(f) == (ask.n, "TIME")
    ask.fields["due"] = ALWAYS
    assert fault(f) == (None, None)


def fault(f: Forger) -> tuple[int | None, str | None]:
    verdict = judged("tiny", f.write().tidy().dump())
    return verdict.entry, verdict.code


@pytest.mark.slow
def test_the_recorded_games_run_on() -> None:
    """Of all moments of an honest log none lies before another above it, but those of orders."""
    for name in ("tiny", "hammer", "lords"):
        moments = [e.fields["at"] for e in a_log(name).table.ledger.log.entries if "at" in e.fields and e.k != "order"]
        assert moments == sorted(moments)
