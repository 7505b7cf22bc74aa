"""Mails that send orders ahead, and what comes of them: used when their question is put, or told why not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.errors import OrderError, RecordError, UsageError
from pbem.ledger import Log, verify
from pbem.mail import Incoming, read_block, read_message
from pbem.player.notes import Ahead
from pbem.player.showing import report
from pbem.referee.audit import audit
from tests.stored import stored_rows

from .post import Club, a_club, key_of, moment

ANN, BOB = "ann", "bob"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=4) as made:
        yield made.begin()


def hand(club: Club, seat: str) -> list[str]:
    desk = club.desks[seat]
    _, view, pack = desk.question(desk.notes())
    return [str(order) for order in pack.rules.options(view)]


def letter_with(club: Club, seat: str, text: str) -> bytes:
    """Let a seat write an order, or orders ahead; return the letter, which is not sent yet."""
    desk = club.desks[seat]
    desk.order(desk.notes(), text, "", club.now())
    (letter,) = club.letters(desk)
    return letter


def send(club: Club, seat: str, text: str) -> str:
    """Let a seat write and send an order, or orders ahead."""
    return club.take(letter_with(club, seat, text))


def to_the_next_card(club: Club) -> None:
    """Play until both are asked for a card again, or one of them alone."""
    club.read_all()
    while what(club) != "card":
        club.turn()


def what(club: Club) -> str:
    log = club.log()
    return str([entry for entry in log.entries if entry.k == "ask"][-1].fields["what"])


def put(log: Log) -> list[tuple[str, str]]:
    """Who answered questions that bear a mark, and how."""
    return [
        (entry.fields["by"], entry.fields["say"]["act"])
        for entry in log.entries
        if entry.k == "order" and "link" in entry.fields["say"]
    ]


def letters(club: Club, seat: str) -> list[Incoming]:
    return [read_message(raw) for raw in club.deliver()[seat]]


@pytest.mark.slow
def test_a_card_sent_ahead_is_played_and_nobody_is_asked_for_it(club: Club) -> None:
    """Both send the next card with this one: the game goes on until something else is asked, or a third turn begins."""
    for seat in (ANN, BOB):
        first, second = hand(club, seat)
        outcome = send(club, seat, f"{first}\nAHEAD CARD: {second}")
        assert outcome == f"order: {seat}"
    to_the_next_card(club)
    log = club.log()
    assert put(log)[:4] == [(ANN, "order"), (BOB, "order"), (ANN, "ahead"), (BOB, "ahead")]
    assert stored_rows(club.office.store, "select * from ahead") == []
    assert verify(log.dump()).verdict == "unfinished"
    club.play()
    rules = club.robot.house.game(1).rules["sha256"]
    found = audit(club.log().dump(), lambda _: (club.robot.house.pack("tiny").rules, rules))
    assert found.verdict.verdict == "clean"
    for desk in club.desks.values():
        assert desk.copy(desk.notes()).verdict().verdict == "clean"


@pytest.mark.slow
def test_the_report_says_that_it_was_used(club: Club) -> None:
    for seat in (ANN, BOB):
        first, second = hand(club, seat)
        send(club, seat, f"{first}\nAHEAD CARD: {second}")
    to_the_next_card(club)
    club.play()
    told = " ".join(report(club.desks[ANN].seat(club.notes(ANN)), 0).split())
    assert re.search(r"Your order sent ahead was used for “card”: CARD c\d\.", told)
    assert "Bob had sent the answer to “card” ahead." in told


@pytest.mark.slow
def test_who_waits_sees_nothing_of_what_was_sent_ahead(club: Club) -> None:
    """Ann has sent her next card; Bob is asked as ever, and reads that she is asked, too."""
    first, second = hand(club, ANN)
    send(club, ANN, f"{first}\nAHEAD CARD: {second}")
    club.take(club.order(BOB))
    to_the_next_card(club)
    assert club.asked() == [BOB]
    desk = club.desks[BOB]
    assert "Asked at the same time: Ann." in report(desk.seat(desk.notes()), 0)
    lines = club.received[BOB][-1]
    assert second.encode() not in lines
    assert put(club.log()) == [(ANN, "order"), (BOB, "order")]
    club.take(club.order(BOB))
    assert put(club.log())[2:4] == [(ANN, "ahead"), (BOB, "order")]


@pytest.mark.slow
def test_the_receipt_says_what_was_sent_ahead(club: Club) -> None:
    first, second = hand(club, ANN)
    send(club, ANN, f"{first}\nAHEAD CARD: {second}\nAHEAD CARD: {first}")
    kept = next(raw for raw in club.deliver()[ANN] if "what you sent ahead" in read_message(raw).subject)
    reading = club.desks[ANN].read(kept)
    assert "(mark 3, revision 0)" in reading.text
    assert "Mark 3:" in reading.words
    assert f"  {second}" in reading.words
    assert reading.warnings == ()
    path = club.folder / ANN / "games" / f"{club.log().game[:16]}.receipts"
    assert path.read_bytes().count(b'["got"') == 1


@pytest.mark.slow
def test_a_line_that_is_not_legal_gives_way_to_the_next(club: Club) -> None:
    first, second = hand(club, ANN)
    send(club, ANN, f"{first}\nAHEAD CARD: {first}\nAHEAD CARD: {second}")
    club.take(club.order(BOB))
    to_the_next_card(club)
    club.take(club.order(BOB))
    assert put(club.log())[2] == (ANN, "ahead")
    order = next(e for e in club.log().entries if e.k == "order" and e.fields["say"]["act"] == "ahead")
    tells = [e for e in club.log().entries if e.k == "tell" and e.n > order.n]
    digest = order.fields["say"]["seals"]["order"]
    assert all(digest not in tell.fields["opens"] for tell in tells), "the other lines stay hidden to the end"


@pytest.mark.slow
def test_one_that_does_not_fit_is_told_and_the_seat_is_asked(club: Club) -> None:
    first, _ = hand(club, ANN)
    send(club, ANN, f"{first}\nAHEAD CARD: {first}")
    club.take(club.order(BOB))
    to_the_next_card(club)
    assert club.asked() == [ANN, BOB]
    raw = club.received[ANN][-1]
    assert "YOUR ORDER SENT AHEAD" in read_message(raw).text
    reading = club.desks[ANN].read(raw)
    assert reading.warnings == ()
    assert "It was not used, so you are asked:" in reading.text
    assert f"- line 1: “{first}”: {first.removeprefix('CARD ')} is not in your hand" in " ".join(reading.text.split())
    told = " ".join(read_message(club.received[BOB][-1]).text.split())
    assert "SENT AHEAD" not in told
    outcome = send(club, ANN, hand(club, ANN)[0])
    assert outcome == f"order: {ANN}"
    club.take(club.order(BOB))
    orders = [e.fields["say"] for e in club.log().entries if e.k == "order" and e.fields["say"].get("link_n") == 3]
    assert [say["rev"] for say in orders] == [1, 0], "it counts on from what was sent ahead"


@pytest.mark.slow
def test_it_may_be_replaced_and_taken_back(club: Club) -> None:
    first, second = hand(club, ANN)
    assert send(club, ANN, f"AHEAD CARD: {second}") == "ahead: ann, marks 3"
    assert send(club, ANN, f"AHEAD 3: {first}") == "ahead: ann, marks 3"
    (row,) = stored_rows(club.office.store, "select rev, openings from ahead")
    assert (row["rev"], json.loads(row["openings"])[0][6]) == (1, first)
    assert send(club, ANN, "AHEAD CARD: ASK") == "ahead: ann, marks 3"
    assert "nothing. You will be asked." in " ".join(letters(club, ANN)[-1].text.split())
    club.take(club.order(ANN))
    club.take(club.order(BOB))
    to_the_next_card(club)
    assert club.asked() == [ANN, BOB]


@pytest.mark.slow
def test_one_that_answers_an_open_question_may_still_be_taken_back(club: Club) -> None:
    """Her card was there when the question was put, so Ann has not been asked; then she changes her mind."""
    first, second = hand(club, ANN)
    send(club, ANN, f"{first}\nAHEAD CARD: {second}")
    club.take(club.order(BOB))
    to_the_next_card(club)
    assert club.asked() == [BOB]
    assert send(club, ANN, "AHEAD 3: ASK") == "ahead: ann, marks 3"
    assert club.asked() == [ANN, BOB]
    club.read_all()
    club.take(club.order(ANN))
    club.take(club.order(BOB))
    assert put(club.log())[2:4] == [(ANN, "order"), (BOB, "order")]


@pytest.mark.slow
def test_the_last_card_sent_ahead_closes_a_question_that_waited_for_it(club: Club) -> None:
    """Ann's question is put; before she has read so she sends a card for its mark."""
    first, second = hand(club, ANN)
    late = letter_with(club, ANN, f"AHEAD CARD: {second}")
    club.take(club.order(ANN, first))
    club.take(club.order(BOB))
    while what(club) != "card" or len(put(club.log())) < 2:
        club.read_all()
        club.turn()
    assert club.asked() == [ANN, BOB]
    club.read_all()
    club.take(club.order(BOB))
    assert club.take(late) == "ahead: ann, marks 3"
    assert put(club.log())[2:4] == [(ANN, "ahead"), (BOB, "order")]


def test_a_letter_that_comes_twice_is_a_duplicate(club: Club) -> None:
    _, second = hand(club, ANN)
    letter = letter_with(club, ANN, f"AHEAD CARD: {second}")
    assert club.take(letter) == "ahead: ann, marks 3"
    before = club.state()
    again = letter.replace(b"Subject: ", b"Subject: once more: ")
    assert club.take(again) == "duplicate: that is here"
    assert club.state() == before


@pytest.mark.slow
def test_a_mail_is_taken_whole_or_not_at_all(club: Club) -> None:
    """The order is good; what goes with it is an older revision of what is here."""
    first, second = hand(club, ANN)
    desk, twin = club.desks[ANN], club.new_desk(ANN, "laptop")
    for raw in club.received[ANN][:3]:
        twin.read(raw)
    assert send(club, ANN, f"AHEAD CARD: {second}") == "ahead: ann, marks 3"
    assert desk.notes().sent_ahead(3).rev == 0
    twin.order(twin.notes(), f"{first}\nAHEAD CARD: {first}", "", club.now())
    (letter,) = club.letters(twin)
    before = club.state()
    assert club.take(letter).startswith("refused: DOUBLE: Revision 0 of your order for mark 3 is here already")
    assert club.state() == before
    assert stored_rows(club.office.store, "select rev from ahead") == [{"rev": 0}]
    (*_, kept) = [raw for raw in club.deliver()[ANN] if "sent ahead" in read_message(raw).subject]
    twin.read(kept)
    assert twin.notes().sent_ahead(3) == (0, second, twin.notes().sent_ahead(3).seen)
    twin.order(twin.notes(), f"{first}\nAHEAD CARD: {first}", "", club.now())
    (letter,) = club.letters(twin)
    assert club.take(letter) == f"order: {ANN}"
    assert stored_rows(club.office.store, "select rev from ahead") == [{"rev": 1}]


@pytest.mark.slow
def test_an_order_that_replaces_one_not_sent_takes_along_what_that_sent_ahead(club: Club) -> None:
    first, second = hand(club, ANN)
    desk = club.desks[ANN]
    desk.order(desk.notes(), f"{first}\nAHEAD CARD: {second}", "", club.now())
    desk.order(desk.notes(), first, "", club.now())
    (letter,) = club.letters(desk)
    assert club.take(letter) == f"order: {ANN}"
    assert len(stored_rows(club.office.store, "select * from ahead")) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AHEAD CARD c1", "a line sent ahead names its question and an order"),
        ("AHEAD 9: CARD c1", "for this mark nothing can be sent ahead now"),
        ("AHEAD CARD: CARD c99", "there is no such card here"),
        ("AHEAD CARD IF XYZZY: CARD c1", "has no conditions"),
        ("AHEAD CARD: CARD c1\nAHEAD CARD: ASK", "this must be the only line"),
        ("\n".join(f"AHEAD CARD: CARD c{n % 7 + 1}" for n in range(21)), "20 lines for one question are the most"),
    ],
)
def test_what_cannot_be_read_is_said_before_it_is_signed(club: Club, text: str, said: str) -> None:
    desk = club.desks[ANN]
    with pytest.raises(OrderError, match=said):
        desk.order(desk.notes(), text, "", club.now())
    assert desk.tray.unsent() == []
    assert desk.notes().ahead == {}


def test_nothing_is_sent_ahead_before_the_game_begins(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        (raw,) = club.deliver()[ANN]
        club.desks[ANN].join(raw, club.now())
        with pytest.raises(UsageError, match="the game has not begun"):
            club.desks[ANN].order(club.notes(ANN), "AHEAD CARD: CARD c1", "", moment(9))


@pytest.mark.slow
def test_nobody_is_ready_with_a_link_that_was_given(club: Club) -> None:
    """As in another history, of which the copy holds nothing any more."""
    desk = club.desks[BOB]
    desk.keys.rekey(key_of("bob again"), club.now())
    (letter,) = club.letters(desk)
    club.take(letter)
    (*_, raw) = club.deliver()[ANN]
    desk, notes = club.desks[ANN], club.notes(ANN)
    notes.note_ahead(9, Ahead(0, "CARD c1", 2))
    desk.keep(notes)
    with pytest.raises(RecordError, match="with a link that may be known already"):
        desk.join(raw, club.now())
    assert desk.tray.unsent() == []


@pytest.mark.slow
def test_a_key_that_changes_voids_what_was_sent_ahead(club: Club) -> None:
    """And the host knows no link with which anybody is ready."""
    first, second = hand(club, ANN)
    send(club, ANN, f"AHEAD CARD: {second}")
    club.read_all()
    desk = club.desks[BOB]
    desk.keys.rekey(key_of("bob again"), club.now())
    (letter,) = club.letters(desk)
    club.take(letter)
    known = max(map(int, club.notes(ANN).ahead))
    for seat, raws in club.deliver().items():
        club.desks[seat].join(raws[-1], club.now())
        (ready,) = club.letters(club.desks[seat])
        block = read_block(read_message(ready).text)
        assert block
        assert block.say["link_n"] > known
        club.take(ready)
    club.read_all()
    club.take(club.order(ANN, first))
    club.take(club.order(BOB))
    to_the_next_card(club)
    assert club.asked() == [ANN, BOB]
