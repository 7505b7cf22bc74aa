"""Choosing between two known futures: who knows the next dice with and without a step may not choose whether to take it.

A host together with one player knew both: an answer that was the only legal one could be skipped on a marked question, nine
times in one game, with a clean audit; and by changing keys at will a die was rolled anew until it pleased (from 30 to 68 %
of fives and sixes). Now nobody is skipped on a marked question for having one answer, and a key rests for ten answers.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import tiny_game

from pbem.games import find
from pbem.ledger import PrivateKey, player_root
from pbem.ledger.course import REST
from pbem.ledger.fields import plus_seconds
from pbem.referee import Pen, Refused
from pbem.referee.table import Table

from .adding import Fields, entry, fault_of, later, objected, skip
from .forger import Forger
from .judging import judged, shows_with_the_next_report
from .recorded import record, take_turn
from .rekey import NEW, SPARE, THIEF, a_key


def a_table(late: str = "default", players: int = 2) -> Table:
    options = {"players": players, "turns": 3}
    return Table(tiny_game.GAME, options, "choices", hours=24, late=late, recovery=SPARE.key_line)


def a_long_table() -> Table:
    """A game in which each seat is asked many marked questions."""
    return Table(find("hammer").rules, {"scenario": "braveheart"}, "choices", hours=24, recovery=SPARE.key_line)


def changer(table: Table) -> str:
    """The seat whose player changes his key."""
    return table.seats[1]


# -- an answer that is the only one -------------------------------------------------------------------------------------


@pytest.mark.parametrize("late", ["default", "claim"])
def test_nobody_is_skipped_on_a_marked_question_for_having_one_answer(late: str) -> None:
    """ORDERING. Its link is the player's share in the dice; with the host's help he could otherwise choose to give it
    or not."""
    table = a_table(late=late)
    assert table.referee.open_mark
    only = skip(table, "bob", why="only")
    assert fault_of(table, only) == objected(table, only) == "ORDERING"


@pytest.mark.parametrize("late", ["default", "claim"])
def test_on_an_unmarked_question_the_only_answer_is_taken(late: str) -> None:
    """The honest twin: when the time is over, for whoever was asked for what all could have told."""
    table = a_table(late=late)
    while table.referee.open_mark:
        take_turn(table)
    (seat,) = table.waiting
    early = skip(table, seat, later(table), why="only")
    assert fault_of(table, early) == objected(table, early) == "ORDERING"
    only = skip(table, seat, why="only")
    assert fault_of(table, only) == objected(table, only) == ""


def test_a_late_answer_to_a_marked_question_is_counted_out_by_a_claim_only() -> None:
    """With a claim the host may not take the one answer either, and spare whoever is late."""
    table = a_table(late="claim", players=3)
    claim = table.say("ann", "claim", at=table.course.due)
    assert claim
    for seat, why, code in (("bob", "only", "ORDERING"), ("bob", "late", ""), ("ann", "late", "ORDERING")):
        assert fault_of(table, skip(table, seat, why=why)) == code


# -- another key --------------------------------------------------------------------------------------------------------


def changed(
    table: Table, key: PrivateKey, recovery: PrivateKey | None = None, chain_of: PrivateKey | None = None
) -> Fields:
    """The entry by which a seat changes to a key, signed by the one it has, or by the recovery key; with another's chain."""
    seat = changer(table)
    pen = Pen(key, table.id, seat, begun=table.course.next_no(seat))
    if chain_of:
        pen._chain = player_root(chain_of).chain(table.id, f"seat:{seat}", 0)
    seen, bound = table.ledger.log.head, table.course.seats[seat].next
    signer = recovery or table.pens[seat].key
    envelope = pen.rekey(signer, seen, table.after(seat), bound, recovery=recovery is not None)
    return entry(table, "rekey", envelope, due=plus_seconds(later(table), table.course.call_length()))


def refused(table: Table, key: PrivateKey, code: str, recovery: PrivateKey | None = None) -> None:
    """At the door, and in the log of a host who takes it."""
    with pytest.raises(Refused) as caught:
        table.change_key(changer(table), key, recovery)
    assert caught.value.code == code
    fields = changed(table, key, recovery)
    assert fault_of(table, fields) == objected(table, fields) == code


def answer(table: Table, marks: int, silent: tuple[str, ...] = ()) -> None:
    """Let so many more marked questions be put to the seat, and answered but for those who are silent."""
    seat = changer(table)
    until = table.course.seats[seat].mark + marks
    while not (table.course.seats[seat].mark == until and table.open and seat in table.open.to):
        take_turn(table, [s for s in silent if table.referee.open_mark and s in table.waiting])


@pytest.mark.slow
def test_a_key_is_not_changed_again_before_ten_answers() -> None:
    """A player who knows his next dice, with the host's help, changes the key to roll again. The first change is free,
    then one in ten marked answers."""
    table = a_long_table()
    table.rekey(changer(table), NEW)
    for answered in range(REST):
        if answered % 4 == 0 or answered == REST - 1:
            refused(table, a_key(f"again {answered}"), "ORDERING")
        assert table.course.seats[changer(table)].rested == answered
        answer(table, 1)
    again = a_key("at last")
    assert fault_of(table, changed(table, again)) == ""
    table.rekey(changer(table), again)
    refused(table, a_key("and again"), "ORDERING")


def test_questions_that_he_lets_go_by_do_not_count() -> None:
    table = a_long_table()
    table.rekey(changer(table), NEW)
    answer(table, REST, silent=(changer(table),))
    refused(table, a_key("again"), "ORDERING")


def test_the_recovery_key_undoes_what_the_key_did_and_no_more() -> None:
    """A thief who has the key is undone at once; but the two keys of one player do not roll three times."""
    table = a_table()
    table.rekey(changer(table), THIEF)
    table.rekey(changer(table), NEW, SPARE)
    refused(table, a_key("by the key"), "ORDERING")
    refused(table, a_key("by the recovery key"), "ORDERING", SPARE)


def test_the_recovery_key_is_not_used_twice() -> None:
    """A player and the host try it as a second way to roll again. It reverses the key's last act, once."""
    table = a_table()
    table.rekey(changer(table), NEW, SPARE)
    refused(table, a_key("by the key"), "ORDERING")
    refused(table, a_key("by the recovery key"), "ORDERING", SPARE)


def test_what_one_seat_changed_does_not_keep_another_from_changing() -> None:
    table = a_table()
    table.rekey(changer(table), NEW)
    table.rekey("ann", a_key("ann's new one"))
    while table.open:
        take_turn(table)
    assert judged("tiny", table.whole()).verdict == "clean"


# -- a key or chain that somebody knows ---------------------------------------------------------------------------------


def his_own(table: Table) -> PrivateKey:
    return table.pens[changer(table)].key


KNOWN: dict[str, Callable[[Table], PrivateKey]] = {
    "his own": his_own,
    "another's": lambda table: table.pens["ann"].key,
    "the host's": lambda table: table.host_key,
}


@pytest.mark.variants
@pytest.mark.parametrize("whose", KNOWN)
def test_a_key_that_is_in_use_is_not_taken(whose: str) -> None:
    """BIND: with the key that he has he would begin his chain anew, at will."""
    table = a_table()
    refused(table, KNOWN[whose](table), "BIND")


@pytest.mark.slow
def test_nobody_goes_back_to_a_key_that_he_had() -> None:
    """BIND, for keys and chains: a thief who has the old key knows all its links."""
    table = a_long_table()
    first = table.pens[changer(table)].key
    table.rekey(changer(table), NEW)
    answer(table, REST)
    refused(table, first, "BIND")
    table.rekey(changer(table), a_key("a third"))
    answer(table, REST)
    for known in (first, NEW):
        refused(table, known, "BIND")
    assert fault_of(table, changed(table, a_key("a fourth"))) == ""


def test_nobody_goes_back_to_a_chain_that_he_had() -> None:
    """BIND: under another key the same links would come again, in the same order."""
    table = a_table()
    own = changed(table, NEW, chain_of=his_own(table))
    assert own["say"]["chain"] == table.course.seats[changer(table)].anchor
    assert fault_of(table, own) == objected(table, own) == "BIND"


def test_the_key_of_a_former_host_is_nobodys_any_more() -> None:
    table = a_table()
    former = table.host_key
    table.move("another")
    refused(table, former, "BIND")


def test_a_thief_who_took_the_seat_does_not_come_back_with_his_key() -> None:
    table = a_long_table()
    table.rekey(changer(table), THIEF)
    table.rekey(changer(table), NEW, SPARE)
    answer(table, REST)
    refused(table, THIEF, "BIND")


def test_two_seats_are_not_taken_with_one_key() -> None:
    """BIND, at the join: one player would answer for both."""
    f = Forger(record(a_table()))
    ann, bob = f.all("join")
    bob.fields["say"]["key"] = ann.fields["say"]["key"]
    bob.signer = "ann"
    shows_with_the_next_report(f, bob, "BIND")
