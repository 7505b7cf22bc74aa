"""Orders sent ahead: used once, where they fit, for their own mark, game and seat; and never left out when the host has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.games import find
from pbem.kernel import Fit, Refusal, choose
from pbem.ledger import REACH, Entry, Log, complaint, verify
from pbem.player.papers import fitting
from pbem.referee import Envelope, Refused, check_ahead, receipt
from pbem.referee.replaying import Shelf
from pbem.referee.table import AT, Table
from pbem.reports.entries import Reader
from pbem.reports.told import view_at
from tests.attacks.ahead import ANN, AT_ONCE, BOB, a_game, a_table, ahead, answer, hand

from .forger import Forger, Piece, Sealed
from .judging import faulted, judged, shows_with_the_next_report, stands_in_every_copy
from .recorded import record


@pytest.mark.slow
def test_the_honest_game_is_in_order_in_every_copy() -> None:
    recorded = a_game()
    assert Forger(recorded).write().tidy().dump() == recorded.whole
    assert judged("tiny", recorded.whole).verdict == "clean"
    stands_in_every_copy(recorded)
    used = [e for e in Log.parse(recorded.whole).entries if e.k == "order" and e.fields["say"]["act"] == "ahead"]
    assert {entry.fields["by"] for entry in used} == {ANN, BOB}


def test_the_list_of_entries_says_that_an_order_was_sent_ahead() -> None:
    log = Log.parse(a_game().whole)
    order = next(e for e in log.entries if e.k == "order" and e.fields["say"]["act"] == "ahead")
    said = Reader(log, None).whole(order)
    assert f"{order.fields['by'].capitalize()} had sent the answer ahead: CARD" in said


# found by everybody, at once


@pytest.mark.variants
@pytest.mark.parametrize("misdeed", AT_ONCE)
def test_every_copy_shows_it_with_the_next_report(misdeed: Callable[[Forger], tuple[Piece, str]]) -> None:
    f = Forger(a_game())
    found, code = misdeed(f)
    shows_with_the_next_report(f, found, code, "host")


def test_a_seal_under_a_question_of_that_number_is_another() -> None:
    """Mark 3 and entry 3 are not confused: the line that opens the seal of one does not open the other's."""
    f = Forger(a_game())
    order = ahead(f)
    f.write()
    lines = [line for line in Log.parse(f.write().dump()).attachments if line.digest == order.digests["order"]]
    assert [line.fields[3] for line in lines] == [-order.fields["say"]["link_n"]]


# found by the audit


def used_where_it_does_not_fit(f: Forger) -> tuple[Piece, str]:
    order = ahead(f, ANN)
    order.say("order", "CARD c9\nCARD t1")
    return order, "ILLEGAL"


def used_though_it_was_taken_back(f: Forger) -> tuple[Piece, str]:
    order = ahead(f, ANN)
    order.say("order", "")
    return order, "ILLEGAL"


def read_as_another_card(f: Forger) -> tuple[Piece, str]:
    """The second line is told to have spoken, though the first fits."""
    order = ahead(f, BOB)
    other = next(
        card
        for card in ("c1", "c2", "c3", "c4", "c5", "c6", "c7")
        if card in _seen(f, order) and card not in order.value("order")
    )
    order.say("order", f"CARD {other}\n{order.value('order')}")
    return f.next("tell", order), "TELL"


def _seen(f: Forger, order: Piece) -> list[str]:
    log = Log.parse(f.recorded.whole)
    view = view_at(log, order.seat, f.pieces.index(f.asked(order)))
    assert view is not None
    return list(view["sides"][order.seat]["hand"])


def its_other_lines_shown(f: Forger) -> tuple[Piece, str]:
    """Bob's other line is shown to everybody with the card."""
    order = ahead(f, BOB)
    tell = f.next("tell", order)
    tell.fields["opens"].append(Sealed(order, "order"))
    return tell, "TELL"


def its_only_line_kept_back(f: Forger) -> tuple[Piece, str]:
    order = ahead(f, ANN)
    tell = f.next("tell", order)
    tell.fields["opens"] = [one for one in tell.fields["opens"] if one != Sealed(order, "order")]
    return tell, "TELL"


def not_told(f: Forger) -> tuple[Piece, str]:
    """The report conceals that the card was sent ahead."""
    tell = f.next("tell", ahead(f))
    f.retell(tell, lambda fact: None if fact["f"] == "ahead" else fact)
    return tell, "TELL"


BY_THE_RULES = [
    used_where_it_does_not_fit, used_though_it_was_taken_back, read_as_another_card, its_other_lines_shown,
    its_only_line_kept_back, not_told,
]  # fmt: skip


@pytest.mark.parametrize("misdeed", BY_THE_RULES)
def test_the_audit_finds_it(misdeed: Callable[[Forger], tuple[Piece, str]]) -> None:
    f = Forger(a_game())
    found, code = misdeed(f)
    whole = f.write().tidy().dump()
    assert verify(whole).verdict == "clean"
    assert faulted(judged("tiny", whole)) == (found.n, code, "host")


@pytest.mark.slow
def test_a_premove_is_used_although_its_condition_is_false() -> None:
    """SEALBIND or PLAN. The host uses a premove for Player 2 at Player 1's question."""
    pack = find("hammer")
    table = Table(pack.rules, {"scenario": "braveheart"}, "if", hours=24)
    legal = {seat: str(next(iter(pack.rules.options(table.referee.view(seat))))) for seat in table.waiting}
    for seat in table.seats:
        table.ahead(seat, 3, "IF FIRST: PASS")
    table.answer({seat: (order, "") for seat, order in legal.items()})
    (second,) = table.waiting
    recorded = record(table)
    f = Forger(recorded)
    order = ahead(f)
    assert order.seat != second
    assert judged("hammer", f.write().tidy().dump()).verdict == "unfinished"
    order.say("order", "IF SECOND: PASS")
    assert faulted(judged("hammer", f.write().tidy().dump())) == (order.n, "ILLEGAL", "host")


def test_signed_before_a_question_was_voided() -> None:
    """A key was changed since: what was sent ahead before counts no more."""
    from .rekey import NEW

    table = a_table("void")
    answer(table)
    while table.referee.open_mark is None:
        answer(table)
    mark, before = table.referee.open_mark, table.pens[BOB].key
    table.rekey(BOB, NEW)
    put_again = table.referee.open_mark
    assert put_again == mark + REACH + 2
    table.ahead(ANN, put_again + 1, f"CARD {hand(table, ANN)[1]}")
    answer(table)
    while table.referee.open_mark in (None, put_again):
        answer(table)
    answer(table)
    recorded = record(table, {BOB: before})
    f = Forger(recorded)
    order = ahead(f, ANN)
    assert verify(f.write()).verdict == "unfinished"
    order.fields["say"]["seen"] = f.last("ask", f.first("rekey"))
    log = f.write()
    assert faulted(verify(log)) == (order.n, "SEEN", "host")


@pytest.mark.slow
def test_whoever_stands_ahead_at_a_call_sends_ahead_for_the_question_that_comes() -> None:
    """Lords: the first seat has had its turn, the second changes its key; no link reaches further than from where all are ready."""
    from .rekey import NEW

    pack = find("lords")
    table = Table(pack.rules, {"players": 2, "goal": 12}, "round", hours=24)

    while table.referee.open_mark in (None, 2) or len(set(table.referee.marks.values())) > 1:
        answer(table)
    (second,) = table.waiting
    (first,) = set(table.seats) - {second}
    before = table.referee.open_mark
    table.rekey(second, NEW)
    assert before
    ready = before + REACH + 1
    mark, most = table.course.seats[first].mark, table.course.most_ahead(first)
    assert (mark, most) == (ready + 1, ready + REACH)
    with pytest.raises(Refused, match=rf"can be sent ahead up to mark {most}\."):
        table.ahead(first, most + 1, "RECRUIT 1")
    table.ahead(first, mark + 1, "RECRUIT 1")
    asked = len(table.ledger.log.entries)
    while not any(e.k == "order" and e.fields["say"]["act"] == "ahead" for e in table.ledger.log.entries[asked:]):
        answer(table)
    assert judged("lords", table.whole()).verdict == "unfinished"


def test_what_was_not_used_stands_in_no_copy_and_other_lines_in_none_but_its_owners_until_the_end() -> None:
    table = a_table("privacy")
    mark = table.referee.open_mark or 0
    kept = hand(table, ANN)[1]
    table.ahead(ANN, mark + 1, f"CARD t9\nCARD {kept}")  # Ann's second line speaks
    table.ahead(BOB, mark + 1, "CARD t8")  # no line of Bob's does
    table.answer({ANN: (f"CARD {hand(table, ANN)[0]}", ""), BOB: (f"CARD {hand(table, BOB)[0]}", "")})
    while table.referee.open_mark in (None, mark):
        answer(table)
    while table.referee.open_mark == mark + 1:
        answer(table)
    copies = {seat: table.copy(seat) for seat in table.seats}
    assert {seat: b"CARD t9" in copy for seat, copy in copies.items()} == {ANN: True, BOB: False}
    assert b"CARD t8" not in table.whole()
    while table.open:
        answer(table)
    assert b"CARD t9" in table.copy(BOB)
    assert b"CARD t8" not in table.whole()
    assert judged("tiny", table.whole()).verdict == "clean"


def test_what_was_signed_before_a_take_back_is_not_taken_after_it() -> None:
    """SEEN. The same question comes again with the same mark and link."""
    from .takeback import _taken_back

    signed: list[Envelope] = []

    def sign(table: Table) -> bool:
        (seat,) = set(table.seats) - {table.referee.trail.points[-1].seat}
        signed.append(table.pens[seat].ahead(table.course.most_ahead(seat) - 1, table.ledger.log.head, "PASS"))
        return True

    table = _taken_back(find("hammer").rules, sign)
    say = signed[-1].say
    assert say["seen"][0] < table.course.since
    assert table.course.most_ahead(say["seat"]) >= say["link_n"]
    with pytest.raises(Refused, match="has voided the order sent ahead"):
        check_ahead(signed[-1], table.history, is_open=False)


@pytest.mark.slow
def test_another_host_goes_on_with_a_game_in_which_orders_were_sent_ahead() -> None:
    """What was used is in the copies; what was not is sent again."""
    table = a_table("moved")
    mark = table.referee.open_mark or 0
    table.ahead(ANN, mark + 1, f"CARD t9\nCARD {hand(table, ANN)[1]}")
    while table.referee.open_mark in (None, mark):
        answer(table)
    answer(table)
    assert any(e.k == "order" and e.fields["say"]["act"] == "ahead" for e in table.ledger.log.entries)
    table.move("another")
    while table.open:
        answer(table)
    assert judged("tiny", table.whole()).verdict == "clean"


# found on complaint


def envelope(sent: Envelope) -> dict[str, Any]:
    return {"say": sent.say, "sig": sent.sig, "openings": [list(line) for line in sent.openings]}


def complain(table: Table, sent: Envelope, later: Envelope | None = None) -> tuple[object, ...]:
    data = table.whole()
    got = receipt(table.host_key, table.id, sent.say, AT)

    def fits(seat: str, ask: int, text: str) -> bool | None:
        view = view_at(Log.parse(data), seat, ask)
        return None if view is None else isinstance(choose(table.game, table.game.read_view(view), text), Fit)

    found = complaint(envelope(sent), got, data, fits, envelope(later) if later else None)
    return (found.verdict, found.code, found.party) if found.verdict == "fault" else (found.verdict, found.reason)


def a_skip(text: str) -> tuple[Table, Envelope, Envelope]:
    """A game whose host took Ann's order for the second turn, and then skips her; what she signed to replace it, too."""
    table = a_table("skip")
    card = hand(table, ANN)[1]
    mark = table.referee.open_mark or 0
    sent = table.ahead(ANN, mark + 1, text.format(card=card))
    later = table.ahead(ANN, mark + 1, "", rev=1)
    table.kept.clear()
    answer(table)
    while table.referee.open_mark is None:
        answer(table)
    answer(table, (ANN,))
    return table, sent, later


def test_a_host_that_ignored_it_has_dropped_it() -> None:
    table, sent, _ = a_skip("CARD {card}")
    assert verify(table.whole()).verdict == "unfinished"
    assert complain(table, sent) == ("fault", "DROPPED", "host")


def test_one_that_did_not_fit_was_not_dropped() -> None:
    table, sent, _ = a_skip("CARD t9")
    verdict, reason = complain(table, sent)
    assert verdict == "unfounded"
    assert "did not fit" in str(reason)


def test_one_that_its_owner_replaced_was_not_dropped() -> None:
    """The host answers the complaint with the later order."""
    table, sent, later = a_skip("CARD {card}")
    verdict, reason = complain(table, sent, later)
    assert verdict == "unfounded"
    assert "replaced" in str(reason)


def test_a_superseded_revision_that_was_used() -> None:
    table = a_table("superseded")
    first, second = hand(table, ANN)
    mark = table.referee.open_mark or 0
    table.ahead(ANN, mark + 1, f"CARD {second}")
    old = table.kept[ANN, mark + 1]
    later = table.ahead(ANN, mark + 1, "", rev=1)
    table.kept[ANN, mark + 1] = old
    table.answer({seat: (f"CARD {hand(table, seat)[0]}", "") for seat in table.waiting})
    while table.waiting != (BOB,) or table.referee.open_mark is None:
        answer(table)
    answer(table)
    assert first
    assert complain(table, later) == ("fault", "DROPPED", "host")
    verdict, reason = complain(table, old)
    assert verdict == "unfounded"
    assert "not left out" in str(reason)


def test_two_orders_for_one_mark_with_one_revision_are_shown() -> None:
    table = a_table("double")
    one, two = hand(table, ANN)
    mark = table.referee.open_mark or 0
    pen, seen = table.pens[ANN], table.ledger.log.head
    first, second = pen.ahead(mark + 1, seen, f"CARD {one}"), pen.ahead(mark + 1, seen, f"CARD {two}")
    answer(table)
    while table.referee.open_mark is None:
        answer(table)
    found = complaint(envelope(first), envelope(second), table.whole())
    assert (found.code, found.party) == ("DOUBLE", ANN)


# refused at the door


def test_what_can_be_for_no_question_to_come_is_refused() -> None:
    table = a_table("door")
    mark = table.referee.open_mark or 0
    with pytest.raises(Refused, match=r"sent ahead up to mark 4\."):
        table.ahead(ANN, mark + 3, "CARD c1")
    answer(table)
    while table.referee.open_mark is None:
        answer(table)
    with pytest.raises(Refused, match="mark 2 is closed"):
        table.ahead(ANN, mark, "CARD c1")


def fits_by(table: Table, sha256: str, shelf: Shelf) -> bool | None:
    """Does what Ann sent ahead fit the question that she was skipped at, where rules with that SHA-256 are installed?"""
    data = table.whole()
    skip = next(entry for entry in Log.parse(data).entries if entry.k == "skip")
    other = type("Other", (type(table.game),), {"why_not": lambda game, view, order: Refusal("never")})()
    return fitting(data, lambda _game: (other, sha256), shelf)(ANN, skip.fields["ask"], f"CARD {hand_at(table, skip)}")


def hand_at(table: Table, skip: Entry) -> str:
    view = view_at(Log.parse(table.whole()), ANN, skip.fields["ask"])
    assert view is not None
    return str(view["sides"][ANN]["hand"][0])


def test_whether_it_fits_is_judged_by_the_rules_that_the_log_names() -> None:
    table, _sent, _later = a_skip("CARD {card}")
    named = Log.parse(table.whole()).entries[0].fields["rules"]["sha256"]
    assert fits_by(table, named, {}) is False, "these are the very rules, by which nothing is legal"
    assert fits_by(table, "9" * 64, {}) is None, "other bytes, of which nobody knows how they play"
    assert fits_by(table, "9" * 64, {("tiny", 1, named): (table.game, named)}) is True, (
        "the right ones lie on the shelf"
    )
