"""Whole games of two without a host: both programs go on together, and the audit finds them in order."""

from __future__ import annotations

from itertools import groupby

import pytest

from pbem.errors import Fault, OrderError
from pbem.ledger import player_root
from pbem.ledger.pair import signed_word, united, verify_pair
from pbem.ledger.pair.vault import kept_under
from pbem.referee.pair import audit_pair
from tests.pair.playing import offering

from .playing import Couple, at_random, find, key_of

GAMES = [
    ("tiny", {"players": 2}, 1),
    ("tiny", {"players": 2, "turns": 8}, 2),
    ("swords", {"players": 2}, 3),
    ("tournament", {"players": "ann,bob"}, 4),
]


def audited(couple: Couple) -> tuple[str, str | None, str | None, int | None]:
    verdict = audit_pair(couple.dump(), lambda rules: couple.pack.knowing)
    return verdict.verdict, verdict.code, verdict.party, verdict.entry


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options", "seed"), GAMES)
def test_a_whole_game_by_two_is_in_order(game: str, options: dict[str, object], seed: int) -> None:
    couple = Couple(find(game), options, seed=str(seed))
    assert couple.play(at_random(seed))
    results = {seat: play.result for seat, play in couple.plays.items()}
    assert len({str(result) for result in results.values()}) == 1
    assert verify_pair(couple.dump()).verdict == "clean"
    assert audited(couple)[0] == "clean"


@pytest.mark.slow
def test_some_turns_of_hammer_cost_few_mails_that_carry_no_decision() -> None:
    couple = Couple(find("hammer"), {"scenario": "bruce"}, seed="7")
    couple.play(at_random(7), most=60)
    assert couple.decisions > 40
    assert verify_pair(couple.dump()).verdict == "unfinished"
    give_up(couple)
    assert audited(couple)[0] == "clean"


def give_up(couple: Couple) -> None:
    """Let whose turn it is give up, and the other show his secret."""
    seat = next(iter(couple.plays.values())).course.baton
    couple.give(seat, couple.plays[seat].turn(couple.keys[seat], besides=[{"do": "say", "what": "resign"}]))
    other = couple.plays[seat].other
    couple.give(other, couple.plays[other].turn(couple.keys[other]))


def test_who_gives_up_ends_the_game() -> None:
    couple = Couple(find("tiny"), {"players": 2})
    couple.play(at_random(1), most=12)
    seat = couple.plays["ann"].course.baton
    give_up(couple)
    assert couple.plays["ann"].result == {"seats": [seat], "why": "resigned", "winner": couple.plays[seat].other}
    assert audited(couple)[0] == "clean"


def test_who_gives_up_in_the_others_turn_is_quoted_by_him() -> None:
    couple = Couple(find("tiny"), {"players": 2})
    couple.play(at_random(1), most=12)
    seat = couple.plays["ann"].course.baton
    other = couple.plays[seat].other
    word = signed_word(couple.keys[other], couple.plays[other].vault, couple.plays[other].course.head, "resign")
    couple.give(seat, couple.plays[seat].turn(couple.keys[seat], besides=[word]))
    couple.give(other, couple.plays[other].turn(couple.keys[other]))
    assert (couple.plays["ann"].result or {})["winner"] == seat
    assert audited(couple)[0] == "clean"


def test_a_draw_is_offered_and_agreed_to() -> None:
    couple = Couple(find("tiny"), {"players": 2})
    couple.play(at_random(1), most=12)
    seat = couple.plays["ann"].course.baton
    play, other = couple.plays[seat], couple.plays[seat].other
    play.turn(couple.keys[seat])
    order = str(play.game.default(play.view))
    couple.give(seat, play.turn(couple.keys[seat], order, besides=[{"do": "say", "what": "draw"}]))
    couple.give(other, couple.plays[other].turn(couple.keys[other], besides=[{"do": "say", "what": "agree"}]))
    couple.give(seat, couple.plays[seat].turn(couple.keys[seat]))
    assert couple.plays["ann"].result == {"winner": "", "why": "agreed"}
    assert audited(couple)[0] == "clean"


def test_a_turn_in_which_nothing_is_decided_ends_no_offer() -> None:
    couple, seat = offering()
    assert [one.course.offer for one in couple.plays.values()] == [seat, seat]
    play, other = couple.plays[seat], couple.plays[seat].other
    if made := play.turn(couple.keys[seat]):
        couple.give(seat, made)
        couple.give(other, couple.plays[other].turn(couple.keys[other], besides=[{"do": "say", "what": "agree"}]))
        couple.give(seat, play.turn(couple.keys[seat]))
        assert play.result == {"winner": "", "why": "agreed"}
        assert audited(couple)[0] == "clean"


def test_an_offer_is_over_with_the_next_answer() -> None:
    couple, seat = offering()
    play, other = couple.plays[seat], couple.plays[seat].other
    while play.course.offer:
        couple.play(at_random(1), most=1)
    assert [one.course.offer for one in couple.plays.values()] == ["", ""]
    while play.course.baton != other:
        couple.play(at_random(1), most=1)
    with pytest.raises(Fault) as found:
        couple.plays[other].turn(couple.keys[other], besides=[{"do": "say", "what": "agree"}])
    assert found.value.code == "BIND"


def test_who_quotes_an_offer_and_answers_has_not_agreed() -> None:
    couple = Couple(find("tiny"), {"players": 2})
    couple.play(at_random(1), most=12)
    while couple.plays[seat := couple.plays["ann"].course.baton].question is None:
        couple.play(at_random(1), most=1)
    play, other = couple.plays[seat], couple.plays[seat].other
    offer = signed_word(couple.keys[other], couple.plays[other].vault, play.course.head, "draw")
    play.turn(couple.keys[seat], besides=[offer])
    assert play.course.offer == other
    couple.give(seat, play.turn(couple.keys[seat], str(play.game.default(play.view))))
    assert play.course.offer == ""


def test_a_game_goes_on_with_another_key() -> None:
    couple = Couple(find("tiny"), {"players": 2})
    couple.play(at_random(1), most=12)
    seat = couple.plays["ann"].course.baton
    play, new = couple.plays[seat], key_of("a new key")
    kept = kept_under(player_root(new), play.course.game, seat, play.vault.secret)
    made = play.turn(couple.keys[seat], besides=[{"do": "rekey", "key": new.key_line, "kept": kept}])
    made = made or play.turn(couple.keys[seat], str(play.game.default(play.view)))
    couple.give(seat, made)
    couple.keys[seat] = new
    assert couple.again(seat).vault.secret == play.vault.secret
    assert couple.play(at_random(2))
    assert audited(couple)[0] == "clean"


def test_an_order_that_is_not_legal_changes_nothing() -> None:
    couple = Couple(find("tiny"), {"players": 2})
    couple.play(at_random(1), most=12)
    seat = couple.plays["ann"].course.baton
    play = couple.plays[seat]
    play.turn(couple.keys[seat])
    before = play.needs(), play.course.head
    with pytest.raises(OrderError):
        play.turn(couple.keys[seat], "CARD No Such Thing")
    assert (play.needs(), play.course.head) == before
    assert couple.play(at_random(2))


def test_two_copies_are_one_game_or_tell_who_has_signed_twice() -> None:
    couple = Couple(find("tiny"), {"players": 2})
    couple.play(at_random(1), most=10)
    shorter = couple.dump()
    seat = couple.plays["ann"].course.baton
    fork = couple.again(seat)
    couple.play(at_random(1), most=3)
    assert united(shorter, couple.dump()) == couple.dump() == united(couple.dump(), shorter)
    other = shorter + b"".join(
        e.line + b"\n" for e in fork.turn(couple.keys[seat], besides=[{"do": "say", "what": "resign"}])
    )
    with pytest.raises(Fault) as found:
        united(other, couple.dump())
    assert (found.value.code, found.value.party) == ("FORK", seat)


@pytest.mark.slow
def test_what_is_hidden_is_long_in_few_ways() -> None:
    couple = Couple(find("swords"), {"players": 2}, seed="5")
    couple.play(at_random(5))
    hidden = [act["c"] for e in couple.entries[3:] for act in e.fields["say"]["acts"] if "c" in act]
    assert hidden
    assert {len(text) for text in hidden} == {704}


def test_a_secret_of_a_lost_desk_comes_back_from_the_key() -> None:
    couple = Couple(find("tiny"), {"players": 2})
    couple.play(at_random(1), most=20)
    for seat, play in couple.plays.items():
        again = couple.again(seat)
        assert again.vault.secret == play.vault.secret
        assert again.peer.own == play.peer.own
        assert [fact for _n, fact in again.news] == [fact for _n, fact in play.news]


def test_acts_of_one_turn_come_in_an_order_that_costs_few_mails() -> None:
    couple = Couple(find("tiny"), {"players": 2})
    couple.play(at_random(1))
    kinds = {
        " ".join(do for do, _same in groupby(act["do"] for act in e.fields["say"]["acts"])) for e in couple.entries[3:]
    }
    assert any("order play" in kind for kind in kinds), kinds
