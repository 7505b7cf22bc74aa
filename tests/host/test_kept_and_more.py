"""Kept seats together with other things that a host does: what is said besides orders, time, press, requests, French."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.errors import UsageError
from pbem.games import find, manifest
from pbem.host.store.erasing import erase
from pbem.ledger import Log
from pbem.ledger.kept import look_at
from pbem.referee.audit import audit
from tests.stored import stored_rows

from .mailboxes import Mailboxes, address, text_of


def end(boxes: Mailboxes) -> Log:
    """Play to the end; the audit is clean."""
    log = boxes.play().robot.house.game(boxes.number).exported().dump()
    verdict = audit(log, lambda name: (find(name).rules, manifest(find(name))[1])).verdict
    assert verdict.verdict == "clean", verdict
    found = look_at(Log.parse(log))
    assert found is not None
    assert found.seed == "fits"
    assert all(one.orders == one.mailed for one in found.seats.values())
    return Log.parse(log)


def test_resigning_asks_for_a_yes_and_ends_the_game(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, _bob = boxes.begin().seats
        assert boxes.say(ann, "RESIGN", to=boxes.put_to(ann)) == f"to be confirmed: RESIGN, {ann}"
        assert not [one for one in boxes.log().entries if one.k == "say"]
        assert boxes.say(ann, "YES") == f"resign: {ann}"
        log = end(boxes)
        (say,) = [one for one in log.entries if one.k == "say"]
        assert "x:mail" in say.fields
        assert log.finished


def test_what_cannot_be_said_now_is_refused_with_its_reason(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, terms={"leave": 72}) as boxes:
        ann, _bob = boxes.begin().seats
        assert boxes.say(ann, "AWAY 1 DAY", to=boxes.put_to(ann)).startswith("refused: ORDERING")
        assert "nothing with a time limit is asked" in " ".join(boxes.last(ann).split())
        assert "Reply with a number" in boxes.last(ann)


def test_who_has_yet_to_say_yes_is_told_so_when_he_wants_something_else(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, _bob = boxes.begin().seats
        boxes.say(ann, "OFFER DRAW", to=boxes.put_to(ann))
        assert boxes.say(ann, "RESIGN", to=boxes.put_to(ann)).startswith("ignored")
        assert "Another letter waits for your YES or NO" in boxes.last(ann)


@pytest.mark.slow
def test_a_draw_is_offered_and_agreed_on_by_replies(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        for seat, outcome in ((ann, f"draw: {ann}"), (bob, f"agree: {bob}")):
            assert boxes.say(seat, "OFFER DRAW", to=boxes.put_to(seat)).startswith("to be confirmed")
            assert boxes.say(seat, "YES") == outcome
        assert end(boxes).entries[-1].fields["result"] == {"winner": "", "why": "agreed"}


def test_leave_is_taken_by_a_reply(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, hours=24, terms={"leave": 72}) as boxes:
        ann, _bob = boxes.begin().seats
        due = boxes.robot.house.game(boxes.number).row.due
        assert boxes.say(ann, "AWAY 2 DAYS", to=boxes.put_to(ann)) == f"leave: {ann}"
        assert boxes.robot.house.game(boxes.number).row.due > due
        assert boxes.say(ann, "AWAY 9 DAYS", to=boxes.put_to(ann)).startswith("refused: ORDERING")
        assert "You have 24 hours of leave left in this game, and ask for 216." in " ".join(boxes.last(ann).split())
        end(boxes)


def test_who_has_answered_is_not_asked_again_when_another_takes_leave(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, hours=24, terms={"leave": 72}) as boxes:
        ann, bob = boxes.begin().seats
        assert boxes.asked == [ann, bob]
        assert boxes.say(bob, "1", to=boxes.put_to(bob)) == f"order: {bob}"
        assert boxes.say(ann, "AWAY 2 DAYS", to=boxes.put_to(ann)) == f"leave: {ann}"
        told = " ".join(boxes.last(bob).split())
        assert "leave" in told
        assert "Waiting for Ann." in told
        assert "Reply with a number" not in told
        assert "Reply with a number" in boxes.last(ann)
        end(boxes)


@pytest.mark.slow
def test_an_answer_is_taken_back_by_a_reply_and_the_other_agrees_by_one(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, game="hammer", options={"scenario": "bruce", "years": 1}) as boxes:
        boxes.begin()
        for seat in list(boxes.asked):
            boxes.say(seat, "1", to=boxes.put_to(seat))
        (first,) = boxes.asked
        other = next(seat for seat in boxes.seats if seat != first)
        assert boxes.say(first, "1", to=boxes.put_to(first)) == f"order: {first}"
        assert boxes.asked == [other]
        assert boxes.say(first, "UNDO") == f"takeback: {first}"
        assert boxes.say(other, "UNDO", to=boxes.put_to(other)) == f"agree: {other}"
        assert boxes.asked == [first]
        end(boxes)


def test_who_stays_silent_is_skipped_and_the_game_goes_on(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, hours=24) as boxes:
        boxes.begin()
        boxes.minute += 25 * 60
        assert boxes.robot.tick(boxes.now()) == 1
        boxes.fetch()
        assert end(boxes).finished


def test_a_reminder_repeats_code_and_list(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, hours=24) as boxes:
        ann, _bob = boxes.begin().seats
        boxes.minute += 13 * 60
        boxes.robot.tick(boxes.now())
        boxes.fetch()
        assert boxes.say(ann, "1") == f"order: {ann}"


def test_press_goes_to_the_others_and_quotes_nothing(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        assert boxes.say(ann, "PRESS\nGood luck!", to=boxes.put_to(ann)).startswith("press")
        assert "Good luck!" in boxes.last(bob)
        assert "Your hand" not in boxes.last(bob)
        assert "reply PRESS TO ANN" in told_by_mail(boxes, -1, bob)
        assert boxes.say(bob, "PRESS TO ANN\nYou, too!") == f"press: {bob} to {ann}"


def told_by_mail(boxes: Mailboxes, since: int, seat: str) -> str:
    """The letters to a seat after so many, which must name no program and no signature."""
    text = " ".join(" ".join(map(text_of, boxes.letters[seat][since:])).split())
    assert not re.search("pbem [a-z]|our program|signed", text), text
    return text


def test_zone_and_address_are_changed_by_replies(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, hours=24) as boxes:
        ann, _bob = boxes.begin().seats
        since = len(boxes.letters[ann])
        assert boxes.say(ann, "ZONE Europe/Paris", to=boxes.put_to(ann)) == f"time: {ann}"
        assert boxes.robot.house.game(boxes.number).seats[ann].zone == "Europe/Paris"
        assert boxes.say(ann, "ADDRESS ann@new.example.org", to=boxes.put_to(ann)) == f"address: {ann}, to be confirmed"
        assert boxes.robot.house.game(boxes.number).seats[ann].address == address(ann)
        assert "has this clock: Europe/Paris." in told_by_mail(boxes, since, ann)
        assert boxes.say(ann, "RESEND", to=boxes.put_to(ann)) == "answered: RESEND"
        assert "The attached file is your copy" in told_by_mail(boxes, since, ann)


def test_requests_are_answered_beside_an_order(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, _bob = boxes.begin().seats
        assert boxes.say(ann, "BOARD", to=boxes.put_to(ann)) == "answered: BOARD"
        assert boxes.say(ann, "1\nHELP", to=boxes.put_to(ann)) in (f"order: {ann}", "answered: HELP")
        assert ann in [
            str(row)
            for row in boxes.robot.house.game(boxes.number).answers(boxes.robot.house.game(boxes.number).row.ask)
        ]


def test_a_rated_game_has_no_kept_seat(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="rated game"):
        Mailboxes(tmp_path, hours=24, terms={"rated": True})
    with Mailboxes(tmp_path / "own", (), hours=24, terms={"rated": True}) as boxes:
        assert all("JOIN" not in text_of(raw) for raws in boxes.letters.values() for raw in raws)


def test_a_game_with_own_keys_alone_takes_no_join_by_mail(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, ()) as boxes:
        ann, _bob = boxes.seats
        assert "x:kept" not in boxes.log().entries[0].fields["terms"]
        boxes.say(ann, "JOIN hm")
        assert not boxes.robot.house.game(boxes.number).seats[ann].key


def test_letters_in_french_are_answered_in_french(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, languages={"ann": "fr"}) as boxes:
        ann, _bob = boxes.begin().seats
        assert boxes.say(ann, "RESIGN", to=boxes.put_to(ann)).startswith("to be confirmed")
        assert "OUI" in boxes.last(ann)
        assert boxes.say(ann, "Non") == f"no: {ann}"


def test_mails_are_forgotten_so_many_days_after_the_game_and_with_an_address(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().play().seats
        store = boxes.office.store
        assert boxes.office.settings.keep_mails == boxes.robot.decider.kept.keep_days == 90
        boxes.minute += 89 * 24 * 60
        boxes.robot.tick(boxes.now())
        kept = {row["seat"] for row in stored_rows(store, "select seat from evidence")}
        assert kept == {ann, bob}
        erase(store, address(bob))
        assert {row["seat"] for row in stored_rows(store, "select seat from evidence")} == {ann}
        boxes.minute += 2 * 24 * 60
        boxes.robot.tick(boxes.now())
        assert not stored_rows(store, "select * from evidence")
        assert not stored_rows(store, "select * from evidence_parts")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("hammer", {"scenario": "bruce", "years": 1}),
        ("lords", {"players": 3, "rounds": 1}),
        ("swords", {"players": 2, "first": "pink"}),
    ],
)
def test_a_whole_game_by_replies(tmp_path: Path, game: str, options: dict[str, object]) -> None:
    with Mailboxes(tmp_path, game=game, options=options) as boxes:
        boxes.begin()
        log = end(boxes)
        assert log.finished


def test_small_talk_costs_nobody_an_answer_to_a_request(tmp_path: Path) -> None:
    """Each mail with words that are no order is told which were not read: that has a budget of its own."""
    with Mailboxes(tmp_path) as boxes:
        ann = boxes.begin().seats[0]
        for day in range(8):
            assert boxes.say(ann, f"What a day, number {day}.", to=boxes.put_to(ann)) == "ignored: prose"
        assert "Nothing in your mail could be read as an answer." in boxes.last(ann)
        assert boxes.say(ann, "RESEND", to=boxes.put_to(ann)) == "answered: RESEND"


def test_courtesies_around_an_answer_make_no_letter_and_words_do(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.begin().seats
        assert boxes.say(
            ann,
            "Hello Bob,\n\n1\n\nThanks, and good luck\nBest regards,\nAnn Miller\n12 Hill Street",
            to=boxes.put_to(ann),
        ) == (f"order: {ann}")
        assert not any("Not read as an order" in text_of(raw) for raw in boxes.letters[ann])
        boxes.say(bob, "1\nNice weather here.\nBob", to=boxes.put_to(bob))
        told = next(text_of(raw) for raw in boxes.letters[bob] if "Not read as an order" in text_of(raw))
        assert "  Nice weather here.\n" in told
        assert "  Bob\n" not in told
        assert "reply PRESS" in told


@pytest.mark.slow
def test_again_opens_another_game_with_the_seats_changed_once(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, options={"players": 3, "turns": 1}, hours=24, languages={"bob": "fr"}) as boxes:
        ann, bob, cat = boxes.begin().seats
        assert boxes.say(ann, "AGAIN", to=boxes.put_to(ann)) == "ignored: AGAIN", "not before the game is over"
        boxes.play()
        assert "Reply AGAIN to play once more, with the seats changed." in " ".join(boxes.last(ann).split())
        assert "Répondez REVANCHE" in " ".join(boxes.last(bob).split())
        sent = {seat: len(boxes.letters[seat]) for seat in boxes.seats}
        assert boxes.say(bob, "REVANCHE") == "again: game 2"
        assert all(len(boxes.letters[seat]) == sent[seat] + 1 for seat in boxes.seats)
        game = boxes.robot.house.game(2)
        assert {seat: row.address for seat, row in game.seats.items()} == {
            ann: address(bob), bob: address(cat), cat: address(ann)
        }  # fmt: skip
        assert game.seats[ann].language == "fr"
        assert game.ledger.entry(0)["terms"]["hours"] == 24
        assert boxes.say(cat, "AGAIN", to=boxes.put_to(cat)) == "duplicate: that game is open"
        assert boxes.say(ann, "JOIN once more") == f"joined: {cat}"
