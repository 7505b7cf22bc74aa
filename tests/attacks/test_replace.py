"""A player vanishes, and another takes his seat: with the agreement of all others, and all ready again.

He has vanished who was late twice in a row, or is out by a claim, and has signed nothing since; in a call who is not ready in twice
its time. One missed deadline was enough once, so that a puppet of the opponent's might have taken a seat overnight.
"""

from __future__ import annotations

from contextlib import suppress

import pytest
import tiny_game

from pbem.ledger import after, cj, pledged, sha256_hex
from pbem.ledger.course.state import Objection
from pbem.ledger.fields import plus_seconds
from pbem.referee import Pen
from pbem.referee.table import Table
from tests.attacks.replace import CODES, a_game, until_all_are_asked

from .adding import fault_of, later, objected, say, skip
from .forger import Forger
from .judging import every_copy_shows, judged, stands_in_every_copy
from .recorded import take_turn
from .rekey import NEW, SPARE, a_key


@pytest.mark.slow
@pytest.mark.parametrize("late", ["default", "claim"])
def test_the_honest_game_is_clean_in_every_copy(late: str) -> None:
    recorded = a_game(late)
    assert Forger(recorded).write().tidy().dump() == recorded.whole
    assert judged("tiny", recorded.whole).verdict == "clean"
    stands_in_every_copy(recorded)
    f = Forger(recorded)
    behind = f.pieces[f.pieces.index(f.first("amend")) :]
    assert any(piece.k == "order" and piece.seat == "bob" for piece in behind), "the newcomer answers for himself"


test_every_copy_shows_it_with_the_next_report = every_copy_shows(CODES, a_game)


# -- who has vanished ---------------------------------------------------------------------------------------------------


def a_table(players: int = 3, hours: int = 24, late: str = "default", leave: int = 0) -> Table:
    options = {"players": players, "turns": 4}
    return Table(tiny_game.GAME, options, "vanish", hours=hours, late=late, leave=leave, recovery=SPARE.key_line)


def miss(table: Table, seat: str = "bob") -> None:
    """The next time that the seat is asked, it is skipped."""
    while table.open and seat not in table.open.to:
        take_turn(table)
    take_turn(table, (seat,))


def given_away(table: Table, seat: str = "bob", at: str = "") -> str:
    """Let all others agree to a newcomer; return what is at fault with his taking the seat."""
    newcomer = Pen(NEW, table.id, seat).join()
    what = {"player": {"say": newcomer.say, "sig": newcomer.sig}}
    for other in table.seats:
        if other != seat and other not in table.course.gone:
            with suppress(Objection):  # he may have agreed before, and nothing has come of it
                table.say(other, "agree", at=at or None, what=sha256_hex(cj(what)))
    moment = later(table)
    amend = {"k": "amend", "at": moment, "what": what, "agreed": pledged(table.course, what) or []}
    if table.course.terms.hours:
        amend["due"] = plus_seconds(moment, table.course.call_length())
    fault = fault_of(table, amend)
    assert fault == objected(table, amend)
    return fault


def test_one_missed_deadline_is_no_vanishing() -> None:
    """The host and an opponent need two missed deadlines in a row, or a claim, to give a seat away."""
    table = a_table()
    miss(table)
    assert given_away(table) == "BIND"
    miss(table)
    assert given_away(table) == ""


@pytest.mark.slow
def test_a_player_who_signs_anything_in_between_is_present() -> None:
    """The host and an opponent try to give the seat away. An order, a statement or a change of key proves presence."""
    for act in ("order", "draw", "leave", "rekey"):
        table = a_table(leave=48)
        miss(table)
        while table.open and "bob" not in table.open.to:
            take_turn(table)
        match act:
            case "order":
                take_turn(table)
            case "rekey":
                table.rekey("bob", a_key("a new one"))
            case "leave":
                table.say("bob", act, hours=1)
            case _:
                table.say("bob", act)
        miss(table)
        assert table.course.seats["bob"].missed == 1, act
        assert given_away(table) == "BIND", act


def test_two_that_were_missed_long_ago_count_no_more() -> None:
    table = a_table()
    miss(table)
    miss(table)
    table.say("bob", "draw")
    assert given_away(table) == "BIND"


def test_an_answer_that_was_the_only_one_is_not_missed() -> None:
    """So that nobody is asked for it in vain; and he has not vanished who was asked for nothing."""
    table = a_table()
    miss(table)
    only = a_question_with_one_answer(table)
    log = fault_of(table, skip(table, only, why="only"))
    assert log == ""
    before = table.course.seats[only].missed
    assert after(table.course, skip(table, only, why="only")).seats[only].missed == before


def a_question_with_one_answer(table: Table) -> str:
    """Play to an unmarked question; the seat that is asked."""
    while table.open and table.referee.open_mark is not None:
        take_turn(table)
    assert table.open
    return table.open.to[0]


def test_who_loses_by_time_has_vanished() -> None:
    table = a_table(late="claim")
    until_all_are_asked(table)
    take_turn(table, ("bob",), table.say("ann", "claim", at=table.course.due))
    assert given_away(table, "cat") == "BIND"
    assert given_away(table) == ""


def test_who_has_resigned_has_not_vanished() -> None:
    table = a_table()
    table.say("bob", "resign")
    take_turn(table)
    assert given_away(table) == "BIND"


@pytest.mark.parametrize("missed", [0, 1])
def test_in_a_call_who_is_not_ready_in_its_time_has_missed_once_and_in_twice_that_time_twice(missed: int) -> None:
    """Else a seat that is in nobody's hands would hold up a game with two for ever: who called claims nothing by it."""
    table = a_table(2)
    for _ in range(missed):
        miss(table)
    while table.open and len(table.open.to) < 2:
        take_turn(table)
    table.change_key("ann", a_key("ann's new one"))
    table.ready("ann")
    due = table.course.due
    once, twice = due, plus_seconds(due, 86_400)
    for at, gone in ((plus_seconds(once, -1), 0), (once, 1), (plus_seconds(twice, -1), 1), (twice, 2)):
        fault = "" if missed + gone >= 2 else "BIND"
        newcomer = Pen(NEW, table.id, "bob").join()
        what = {"player": {"say": newcomer.say, "sig": newcomer.sig}}
        agreed = say(table, "ann", "agree", at, what=sha256_hex(cj(what)))
        n = table.course.next
        amend = {"k": "amend", "at": at, "what": what, "agreed": [n], "due": plus_seconds(at, 86_400)}
        assert fault_of(table, agreed, amend) == objected(table, agreed, amend) == fault, (at, missed)


def test_a_newcomer_comes_in_a_call_and_the_game_goes_on() -> None:
    table = a_table(2)
    table.change_key("ann", a_key("ann's new one"))
    table.ready("ann")
    table.replace("bob", NEW, at=plus_seconds(table.course.due, 86_400))
    while table.open:
        take_turn(table)
    assert judged("tiny", table.whole()).verdict == "clean"


def test_without_a_time_limit_nobody_vanishes() -> None:
    table = a_table(2, hours=0)
    table.change_key("ann", a_key("ann's new one"))
    table.ready("ann")
    assert given_away(table, at=plus_seconds(later(table), 365 * 86_400)) == "BIND"


def test_a_newcomer_may_speak_at_once() -> None:
    """What his predecessor signed last is not his to name. (At first his word counted as kept back, for not naming it.)"""
    table = a_table()
    take_turn(table)
    miss(table)
    miss(table)
    table.replace("bob", NEW)
    offer = table.say("bob", "draw")
    table.say("ann", "agree", about=offer)
    table.say("cat", "agree", about=offer)
    assert judged("tiny", table.whole()).verdict == "clean"
    assert table.ledger.log.entries[-1].k == "end"
