"""What several tests need of talk: a_talk, resignations, said, a_forged_offer, a_forged_resignation, …."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import tiny_game

from pbem.ledger.fields import plus_seconds
from pbem.referee.table import AT, Table

from .forger import Forger, Piece
from .judging import judged
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
