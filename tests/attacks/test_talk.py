"""What is said besides orders, in the hands of a host who cheats: forged, replayed, too early, too late, and what must follow.

The log is that of a game of three with all of it: leave, an offer that lapses, a seat that loses by time, a draw agreed by the
other two; and of one in which two resign.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest
import tiny_game

from pbem.ledger import Log, complaint, redact, verify
from pbem.ledger.fields import plus_seconds
from pbem.referee import AskSeen, receipt
from pbem.referee.table import AT, Table
from tests.attacks.talk import AT_ONCE, a_talk, resignations, said

from .forger import Forger, Piece
from .judging import every_copy_shows, faulted, judged, stands_in_every_copy


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
    """A host or player makes thousands of offers at once. An audit needs no square of their number."""

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
