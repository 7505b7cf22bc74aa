"""A statement that a host kept in a drawer is worth nothing once its seat has gone on.

An offer of a draw that had been signed after entry 41 was entered at 176, accepted, and the audit was clean; so was a
resignation of the first evening, on the day on which its seat was about to win. Now every say and every change of key
names the last orders that its seat had signed, and is void above a later one. What was said behind an order that is on
its way waits for that.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import tiny_game

from pbem.ledger import Log, verify
from pbem.ledger.fields import plus_seconds
from pbem.referee import AskSeen, Envelope, Pen, Refused, check_rekey, check_say
from pbem.referee.table import Table

from .adding import Fields, entry, fault_of, objected, signed_now
from .judging import judged
from .recorded import take_turn
from .rekey import NEW, a_key


def a_table(players: int = 2, hours: int = 24) -> Table:
    return Table(tiny_game.GAME, {"players": players, "turns": 4}, "drawer", hours=hours, leave=48)


def a_change_of_key(table: Table, seat: str) -> Envelope:
    pen = Pen(NEW, table.id, seat, begun=table.course.next_no(seat))
    return pen.rekey(table.pens[seat].key, table.ledger.log.head, table.after(seat), table.course.seats[seat].next)


def entered(table: Table, kept: Envelope) -> Fields:
    """The entry by which a host enters what he kept, now."""
    kind = "rekey" if kept.say["act"] == "rekey" else "say"
    fields = entry(table, kind, kept)
    if kind == "rekey":
        fields["due"] = plus_seconds(fields["at"], table.course.call_length())
    return fields


def refuse(table: Table, kept: Envelope) -> str:
    """What the intake says to it: the code, or ""."""
    try:
        if kept.say["act"] == "rekey":
            check_rekey(kept, table.history, table.now)
        else:
            check_say(kept, table.history, table.now)
    except Refused as refused:
        return refused.code
    return ""


def until_asked(table: Table, *seats: str) -> None:
    """Let the game go on until these seats are asked together."""
    while not table.open or not set(seats) <= set(table.open.to):
        take_turn(table)


KEPT: dict[str, Callable[[Table], Envelope]] = {
    "draw": lambda table: signed_now(table, "ann", "draw"),
    "resign": lambda table: signed_now(table, "ann", "resign"),
    "leave": lambda table: signed_now(table, "ann", "leave", hours=5),
    "agree": lambda table: signed_now(table, "ann", "agree", what="7" * 64),
    "rekey": lambda table: a_change_of_key(table, "ann"),
}


@pytest.mark.variants
@pytest.mark.parametrize("what", KEPT)
def test_a_statement_kept_back_is_void_after_an_order(what: str) -> None:
    """SEEN. A resignation or an offer, kept by the player or the host, is void after the seat's next order."""
    table = a_table()
    take_turn(table)
    until_asked(table, "ann")
    kept = KEPT[what](table)
    assert fault_of(table, entered(table, kept)) == refuse(table, kept) == "", "the honest twin: at once it counts"
    take_turn(table)
    until_asked(table, "ann")
    assert fault_of(table, entered(table, kept)) == objected(table, entered(table, kept)) == "SEEN"
    assert refuse(table, kept) == "SEEN"
    anew = KEPT[what](table)
    assert fault_of(table, entered(table, anew)) == refuse(table, anew) == ""


@pytest.mark.variants
@pytest.mark.parametrize("what", KEPT)
def test_what_others_do_voids_nothing(what: str) -> None:
    """The honest twin: letters cross, and Bob has answered meanwhile, but not Ann."""
    table = a_table()
    take_turn(table)
    until_asked(table, "ann")
    kept = KEPT[what](table)
    table.say("bob", "draw")
    assert fault_of(table, entered(table, kept)) == refuse(table, kept) == ""


@pytest.mark.variants
@pytest.mark.parametrize("what", KEPT)
def test_a_skip_makes_it_not_void(what: str) -> None:
    """An answer by default is no order of hers: whoever resigned from his sick-bed has resigned."""
    table = a_table()
    take_turn(table)
    until_asked(table, "ann")
    kept = KEPT[what](table)
    take_turn(table, ("ann",))
    until_asked(table, "ann")
    assert fault_of(table, entered(table, kept)) == refuse(table, kept) == ""


def test_no_word_is_good_for_all_times() -> None:
    """Ann plays with the host: she names orders that are not given yet. Once she gives one having seen more, it is void."""
    table = a_table()
    until_asked(table, "ann")
    kept = signed_now(table, "ann", "draw", after=[[900_000, 0], [-900_000, 0]])
    for _ in range(2):
        take_turn(table)
        until_asked(table, "ann")
    assert fault_of(table, entered(table, kept)) == refuse(table, kept) == "SEEN"


def test_an_order_of_another_revision_makes_it_void() -> None:
    """She offers a draw behind her first order, and then sends another: the offer counted for what the first would have done."""
    table = a_table()
    until_asked(table, "ann")
    ask = table.ledger.log.entries[-1]
    question = AskSeen.of(ask.n, ask.fields, ask.hash)
    legal = str(next(iter(table.game.options(table.referee.view("ann")))))
    table.signed["ann"][False] = (ask.n, 0)
    offer = signed_now(table, "ann", "draw")
    order = table.pens["ann"].order(question, legal, rev=1)
    at = {"at": table.course.clock}
    given = {"k": "order", "by": "ann", "say": order.say, "sig": order.sig, **at}
    assert objected(table, given, entry(table, "say", offer)) == "SEEN"
    first = table.pens["ann"].order(question, legal, rev=0)
    given = {"k": "order", "by": "ann", "say": first.say, "sig": first.sig, **at}
    assert objected(table, given, entry(table, "say", offer)) == ""


# -- order sent, then something said ------------------------------------------------------------------------------------


@pytest.mark.variants
@pytest.mark.parametrize("act", ["resign", "draw"])
@pytest.mark.parametrize("first", ["the order", "the word"])
def test_what_is_said_behind_an_order_counts_when_that_is_entered(act: str, first: str) -> None:
    """The honest twin: order sent, resignation sent; whichever comes first, both are entered, the order before."""
    table = a_table(3)
    until_asked(table, "ann", "bob", "cat")
    assert table.open
    ask = table.ledger.log.entries[-1].n
    legal = {seat: str(next(iter(table.game.options(table.referee.view(seat))))) for seat in table.open.to}
    table.signed["ann"][False] = (ask, 0)
    word = signed_now(table, "ann", act)
    if first == "the word":
        assert check_say(word, table.history, table.now), "it waits"
        early = entry(table, "say", word)
        assert fault_of(table, early) == objected(table, early) == "ORDERING", "and no host may enter it before"
    table.answer({seat: (order, "") for seat, order in legal.items()})
    until_asked(table)
    assert not check_say(word, table.history, table.now)
    table.scribe.say(word, table.now)
    if table.course.phase == "play":
        table._go_on()
    while table.open:
        take_turn(table)
    assert judged("tiny", table.whole()).verdict == "clean"
    kinds = [e.k for e in table.ledger.log.entries if e.k in ("order", "say") and e.fields["by"] == "ann" and e.n > ask]
    assert kinds[:2] == ["order", "say"]


def test_a_statement_that_waits_for_an_order_does_not_wait_for_ever() -> None:
    """The order never came. The host skips the seat, and the statement counts."""
    table = a_table()
    until_asked(table, "ann")
    table.signed["ann"][False] = (table.ledger.log.entries[-1].n, 0)
    word = signed_now(table, "ann", "resign")
    assert check_say(word, table.history, table.now)
    take_turn(table, ("ann",))
    until_asked(table, "ann")
    assert not check_say(word, table.history, table.now)
    table.scribe.say(word, table.now)
    assert judged("tiny", table.whole()).verdict == "clean"


def test_agreement_and_leave_do_not_wait() -> None:
    """Whoever has sent his order and agrees to a draw has agreed to it now."""
    table = a_table()
    until_asked(table, "ann", "bob")
    offer = table.say("bob", "draw")
    table.signed["ann"][False] = (table.course.question.n if table.course.question else 0, 0)
    table.say("ann", "agree", about=offer)
    assert judged("tiny", table.whole()).verdict == "clean"


def test_a_change_of_key_names_the_last_orders_too() -> None:
    """Of two changes of key that were signed, only the one that names what was signed last counts."""
    table = a_table()
    take_turn(table)
    until_asked(table, "ann")
    table.rekey("ann", a_key("the first"))
    log = Log.parse(table.whole())
    named = next(e.fields["say"]["after"] for e in log.entries if e.k == "rekey")
    given = [e.fields["say"] for e in log.entries if e.k == "order" and e.fields["by"] == "ann"][-1]
    assert named == [[given["ask"], given["rev"]]]
    assert verify(log).verdict == "unfinished"
