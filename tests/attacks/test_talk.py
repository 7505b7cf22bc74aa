"""What is said besides orders, in the hands of a host who cheats: forged, replayed, too early, too late, and what must follow.

The log is that of a game of three with all of it: leave, an offer that lapses, a seat that loses by time, a draw agreed by the
other two; and of one in which two resign.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import cache

import pytest
import tiny_game

from pbem.ledger import Log, complaint, redact, verify
from pbem.ledger.fields import plus_seconds
from pbem.referee import AskSeen, receipt
from pbem.referee.table import AT, Table

from .forger import Forger, Piece
from .judging import every_copy_shows, faulted, judged, stands_in_every_copy
from .recorded import Recorded, record, take_turn

DAY = 86_400


def _recorded(table: Table) -> Recorded:
    recorded = record(table)
    assert judged("tiny", recorded.whole).verdict == "clean"
    return recorded


@cache
def a_talk() -> Recorded:
    """Bob takes leave, Ann's offer lapses, Cat is late and out; Bob offers, Ann agrees."""
    table = Table(tiny_game.GAME, {"players": 3, "turns": 4}, "talk", hours=24, late="claim", leave=24)
    table.say("bob", "leave", hours=5)
    table.say("ann", "draw")
    take_turn(table)
    while len(table.open.to if table.open else ()) < 3:
        take_turn(table)
    take_turn(table, ("cat",), table.say("ann", "claim", at=table.course.due))
    entries = table.ledger.log.entries
    while not any(e.fields.get("why") == "out" and len(entries[e.fields["ask"]].fields["to"]) > 1 for e in entries):
        take_turn(table)
    table.say("ann", "agree", about=table.say("bob", "draw"))
    return _recorded(table)


@cache
def resignations() -> Recorded:
    """Cat resigns, the others play on; then Ann does, and Bob has won."""
    table = Table(tiny_game.GAME, {"players": 3, "turns": 2}, "resign")
    table.say("cat", "resign")
    take_turn(table)
    table.say("ann", "resign")
    return _recorded(table)


def said(f: Forger, act: str, no: int = 0) -> Piece:
    return list(f.all("say", lambda fields: fields["say"]["act"] == act))[no]


def a_forged_offer(f: Forger) -> Piece:
    offer = said(f, "draw")
    offer.signer = "bob"
    return offer


def a_forged_resignation(f: Forger) -> Piece:
    resigned = f.say("bob", "resign", said(f, "leave"))
    resigned.signer = "ann"
    return resigned


def a_say_comes_again(f: Forger) -> Piece:
    """As it was signed: its number was used."""
    offer = said(f, "draw", 1)
    f.stubborn = {"bob"}
    return f.insert(Piece(offer.fields, said=offer.said), before=said(f, "agree"))


def a_say_is_left_out(f: Forger) -> Piece:
    """The next one of the seat shows it."""
    f.drop(said(f, "draw"))
    return said(f, "claim")


def a_say_of_another_game(f: Forger) -> Piece:
    offer = said(f, "draw")
    offer.before_signing = lambda say: say.update(game="7" * 64)
    return offer


def an_offer_after_another_history(f: Forger) -> Piece:
    offer = said(f, "draw")
    offer.before_signing = lambda say: say.update(seen=[3, "7" * 64])
    return offer


def agreed_to_an_offer_that_lapsed(f: Forger) -> Piece:
    agreed = said(f, "agree")
    agreed.fields["say"]["about"] = said(f, "draw")
    agreed.fields["by"] = agreed.fields["say"]["seat"] = "bob"
    agreed.fields["say"]["no"] = 3
    return agreed


def agreed_before_it_was_offered(f: Forger) -> Piece:
    agreed = said(f, "agree")
    agreed.fields["say"]["seen"] = f.last("ask", said(f, "draw", 1))
    return agreed


def agreed_to_his_own_offer(f: Forger) -> Piece:
    agreed = said(f, "agree")
    agreed.fields["by"] = agreed.fields["say"]["seat"] = "bob"
    agreed.fields["say"]["no"] = 3
    return agreed


def agreed_to_leave(f: Forger) -> Piece:
    agreed = said(f, "agree")
    agreed.fields["say"]["about"] = said(f, "leave")
    return agreed


def the_game_goes_on_after_a_draw(f: Forger) -> Piece:
    return f.say("bob", "draw", f.first("end"))


def a_draw_that_nobody_agreed_to(f: Forger) -> Piece:
    f.drop(said(f, "agree"))
    end = f.first("end")
    end.fields["cause"] = said(f, "draw", 1)
    return end


def an_end_that_names_no_cause(f: Forger) -> Piece:
    end = f.first("end")
    del end.fields["cause"]
    return end


def an_end_by_an_earlier_say(f: Forger) -> Piece:
    end = f.first("end")
    end.fields["cause"] = said(f, "claim")
    return end


def an_agreed_draw_is_told_as_a_victory(f: Forger) -> Piece:
    end = f.first("end")
    end.fields["result"] = {"winner": "ann", "why": "agreed"}
    return end


def a_claim_too_early(f: Forger) -> Piece:
    claim = said(f, "claim")
    claim.fields["at"] = plus_seconds(claim.fields["at"], -1)
    return claim


def a_claim_before_the_leave_is_over(f: Forger) -> Piece:
    claim = f.say("cat", "claim", said(f, "draw"))
    claim.fields["at"] = AT
    return claim


def a_claim_with_nobody_late(f: Forger) -> Piece:
    """All three have answered, and yet the last is told to have been late."""
    first = f.answers(f.first("ask"))
    f.say("ann", "claim", first[0]).fields["at"] = plus_seconds(AT, DAY + 5 * 3600)
    return first[-1]


def the_claimant_is_late_himself(f: Forger) -> Piece:
    ask = f.last("ask", said(f, "claim"))
    order, skip = f.answers(ask)[0], f.answers(ask)[-1]
    f.insert(late := Piece({**skip.fields, "to": "ann"}), before=order)
    f.drop(order)
    tell = f.next("tell", late)
    tell.fields["opens"] = [sealed for sealed in tell.fields["opens"] if sealed.piece is not order]
    return late


def late_without_a_claim(f: Forger) -> Piece:
    """The terms leave it to the players to claim; a host who skips decides the game."""
    skip = f.answers(f.last("ask", said(f, "claim")))[-1]
    f.drop(said(f, "claim"))
    return skip


def who_was_late_is_said_to_have_had_no_choice(f: Forger) -> Piece:
    """Then nobody was late, and nobody can be out by the claim."""
    skip = f.answers(f.last("ask", said(f, "claim")))[-1]
    skip.fields["why"] = "only"
    return skip


def an_only_answer_is_taken_too_early(f: Forger) -> Piece:
    skip = late_without_a_claim(f)
    skip.fields |= {"why": "only", "at": plus_seconds(skip.fields["at"], -1)}
    return skip


def a_claim_that_comes_to_nothing(f: Forger) -> Piece:
    return f.say("ann", "draw", f.answers(f.last("ask", said(f, "claim")))[0])


def who_is_out_answers(f: Forger) -> Piece:
    out = next(p for p in f.all("skip") if p.fields["why"] == "out" and len(f.asked(p).fields["to"]) > 1)
    order = next(piece for piece in f.answers(f.asked(out)) if piece.k == "order")
    say = {**order.fields["say"], "seat": "cat"}
    again = Piece({**order.fields, "by": "cat", "say": say}, {"order": ["1" * 32, "X"], "plans": ["2" * 32, ""]})
    f.insert(again, before=out)
    f.drop(out)
    return again


def who_is_out_offers(f: Forger) -> Piece:
    return f.say("cat", "draw", f.first("end"))


def leave_over_the_budget(f: Forger) -> Piece:
    leave = said(f, "leave")
    leave.fields["say"]["hours"] = 25
    f.first("extend").fields["due"] = plus_seconds(AT, DAY + 25 * 3600)
    return leave


def leave_that_is_not_granted(f: Forger) -> Piece:
    f.drop(f.first("extend"))
    offer = said(f, "draw")
    offer.fields["say"]["seen"] = said(f, "leave")
    return offer


def leave_that_is_cut_short(f: Forger) -> Piece:
    more = f.first("extend")
    more.fields["due"] = plus_seconds(AT, DAY + 4 * 3600)
    return more


def time_is_taken_away(f: Forger) -> Piece:
    less = Piece({"k": "extend", "at": AT, "ask": f.first("ask"), "due": plus_seconds(AT, DAY), "why": "leave"})
    return f.insert(less, before=said(f, "draw"))


def time_for_leave_that_nobody_took(f: Forger) -> Piece:
    more = {"k": "extend", "at": AT, "ask": f.first("ask"), "due": plus_seconds(AT, DAY + 7 * 3600), "why": "leave"}
    return f.insert(Piece({**more, "cause": said(f, "leave")}), before=said(f, "draw"))


def time_for_a_closed_question(f: Forger) -> Piece:
    more = {"k": "extend", "at": AT, "ask": f.first("ask"), "due": "2030-01-20T00:00:00Z", "why": "kindness"}
    return f.insert(Piece(more), before=said(f, "draw", 1))


Mount = Callable[[Forger], Piece]
AT_ONCE: dict[str, list[Mount]] = {
    "SIG": [a_forged_offer, a_forged_resignation],
    "BIND": [
        a_say_of_another_game, agreed_to_an_offer_that_lapsed, agreed_to_his_own_offer, agreed_to_leave,
        time_for_leave_that_nobody_took,
    ],
    "SEEN": [an_offer_after_another_history, agreed_before_it_was_offered],
    "ORDERING": [
        a_say_comes_again, a_say_is_left_out, the_game_goes_on_after_a_draw, a_draw_that_nobody_agreed_to,
        an_end_that_names_no_cause, an_end_by_an_earlier_say, a_claim_too_early, a_claim_before_the_leave_is_over,
        a_claim_with_nobody_late, the_claimant_is_late_himself, late_without_a_claim, a_claim_that_comes_to_nothing,
        who_was_late_is_said_to_have_had_no_choice, an_only_answer_is_taken_too_early,
        who_is_out_answers, who_is_out_offers, leave_over_the_budget, leave_that_is_not_granted, leave_that_is_cut_short,
        time_is_taken_away, time_for_a_closed_question,
    ],
    "TELL": [an_agreed_draw_is_told_as_a_victory],
}  # fmt: skip


@pytest.mark.slow
def test_the_honest_talk_is_clean_in_every_copy() -> None:
    for recorded in (a_talk(), resignations()):
        assert Forger(recorded).write().tidy().dump() == recorded.whole
        stands_in_every_copy(recorded)


test_every_copy_shows_it_with_the_next_report = every_copy_shows(AT_ONCE, a_talk)


def the_rules_let_the_others_play_on(f: Forger) -> tuple[Piece, str]:
    resigned = said(f, "resign")
    end = Piece(
        {"k": "end", "at": AT, "result": {"winner": "ann", "why": "resigned", "seats": ["cat"]}, "cause": resigned},
        has_head=True,
    )
    f.pieces[f.pieces.index(resigned) + 1 :] = [end]
    return end, "ORDERING"


def another_has_won(f: Forger) -> tuple[Piece, str]:
    end = f.first("end")
    end.fields["result"] = {**end.fields["result"], "winner": "cat"}
    return end, "TELL"


@pytest.mark.parametrize("mount", [the_rules_let_the_others_play_on, another_has_won])
def test_the_audit_finds_it(mount: Callable[[Forger], tuple[Piece, str]]) -> None:
    f = Forger(resignations())
    found, code = mount(f)
    whole = f.write().tidy().dump()
    assert verify(whole).verdict == "clean"
    assert faulted(judged("tiny", whole)) == (found.n, code, "host")


def test_a_claim_where_the_terms_know_none() -> None:
    f = Forger(resignations())
    claim = f.say("ann", "claim", said(f, "resign"))
    assert faulted(verify(f.write().tidy())) == (claim.n, "ORDERING", "host")


@pytest.mark.parametrize(("seconds", "verdict"), [(-1, "fault"), (1, "unfounded")])
def test_an_order_that_came_before_the_claim_was_dropped(seconds: int, verdict: str) -> None:
    """DROPPED: late it was, but nobody had claimed."""
    recorded = a_talk()
    f = Forger(recorded)
    log = f.write()
    skip = next(piece for piece in f.all("skip") if piece.fields["why"] == "late")
    ask, at = f.asked(skip), plus_seconds(skip.fields["at"], seconds)
    envelope = recorded.table.pens["cat"].order(AskSeen.of(ask.n, ask.fields, ask.hash), "X")
    found = complaint(
        {"say": envelope.say, "sig": envelope.sig}, receipt(recorded.host, log.game, envelope.say, at), log
    )
    assert (found.verdict, found.code) == (verdict, "DROPPED" if verdict == "fault" else None)


def test_a_copy_in_the_middle_of_the_talk_verifies() -> None:
    whole = Log.parse(a_talk().whole)
    for n in [a.fields[2] for a in whole.attachments if a.k == "head"][:-1]:
        for seat in a_talk().table.seats:
            assert verify(redact(whole.cut(n), seat), seat).verdict == "unfinished"


@pytest.mark.slow
def test_many_offers_take_memory_as_a_log_of_their_length_does() -> None:
    """Offers that stand together are carried from entry to entry: to keep how far each entry had come would take their square."""

    def most(offers: int) -> int:
        table = Table(tiny_game.GAME, {"players": 3, "turns": 2}, "many offers")
        for _offer in range(offers):
            table.say("ann", "draw")
        data = table.whole()
        tracemalloc.start()
        try:
            assert judged("tiny", data).verdict == "unfinished"
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    most(10)  # what is loaded once
    assert most(600) < 2.6 * most(300)
