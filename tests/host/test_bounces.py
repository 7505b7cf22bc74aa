"""What comes back: known by the token in its address, counted, shown to whoever runs the host, forgotten when he writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.host import Robot, Store
from pbem.host.observers import observe
from pbem.ledger.terms import terms
from tests.host.bounces import bounce, marked, ways_back
from tests.stored import stored_row, stored_rows

from .post import HOST, Club, a_club, key_of, moment


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


def test_every_letter_has_a_way_back_of_its_own_that_nobody_can_guess(club: Club) -> None:
    ways = [way for seat in club.desks for way in ways_back(club, seat)]
    assert len(set(ways)) == len(ways) >= 6
    assert all(way.startswith("host+b-") and len(way.split("@")[0]) == len("host+b-") + 32 for way in ways)


def test_answers_have_an_empty_sender(club: Club) -> None:
    club.take(club.order("ann"))
    club.take(b"From: bob@example.org\r\n\r\nhm\r\n")
    for kind in ("receipt", "refusal"):
        assert stored_rows(club.office.store, "select sender, token from outbox where kind = ?", kind) == [
            {"sender": "", "token": None}
        ]


def test_two_hard_bounces_mark_an_address_and_a_signed_mail_lifts_the_mark(club: Club) -> None:
    """Letters to the address come back; `status` shows the mark."""
    first, second, *_ = ways_back(club, "ann")
    assert club.take(bounce(first, "5.1.1")) == "bounce: hard, 5.1.1, of a letter to ann@example.org"
    assert marked(club) == []
    club.take(bounce(second, "5.1.1"))
    assert marked(club) == ["ann@example.org (2 letters came back for good)"]
    club.take(b"From: ann@example.org\r\n\r\nSTATUS\r\n")
    assert marked(club), "anybody can write this"
    assert club.take(club.order("ann")) == "order: ann"
    assert marked(club) == []
    club.take(bounce(first, "5.1.1", 2))
    assert marked(club) == [], "counted anew"


def test_a_complaint_marks_at_once_and_ends_looking_on(club: Club) -> None:
    """An abuse report (RFC 5965) needs the letter's token. It marks the address and ends only looking on."""
    observe(club.robot.house.game(1), "olga@example.org", club.robot.post, moment(club.minute))
    (letter,) = club.box("olga")
    token = stored_row(club.office.store, "select token from outbox where address = 'olga@example.org'")
    assert token
    report = (
        "From: fbl@provider.example\r\nTo: host@example.org\r\nSubject: complaint\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=feedback-report; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nThis is an abuse report.\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\n"
        "Feedback-Type: abuse\r\nVersion: 1\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n{}\r\n--b--\r\n"
    )
    assert club.take(report.format(f"X-Pbem-Way-Back: {'0' * 32}\r\n\r\nhm").encode()).startswith("ignored")
    assert club.robot.store.looking_on("olga@example.org")
    said = club.take(report.format(letter.decode("latin-1")).encode("latin-1"))
    assert said == "complaint: about a letter to olga@example.org"
    assert marked(club) == ["olga@example.org (its reader calls our letters unwanted)"]
    assert not club.robot.store.looking_on("olga@example.org")


@pytest.mark.parametrize(("hours", "is_marked"), [(17, True), (19, False)])
def test_five_soft_ones_in_three_days_mark_an_address(club: Club, hours: int, is_marked: bool) -> None:
    (way, *_) = ways_back(club, "bob")
    for no in range(5):
        assert club.take(bounce(way, "4.2.2", no)).startswith("bounce: soft")
        club.minute += hours * 60
    assert bool(marked(club)) == is_marked


def test_a_bounce_is_never_answered_and_its_text_never_read(club: Club) -> None:
    """It quotes our report with its example orders, and whoever made it up may quote more."""
    before = club.state()
    order = club.order("ann").decode()
    (way, *_) = ways_back(club, "ann")
    outcome, letters = club.answer_to(bounce(way, "5.1.1", text=order + "\r\nSTATUS"))
    assert outcome.startswith("bounce: hard")
    assert letters == {"ann": [], "bob": []}
    assert club.state() == before


def test_a_bounce_with_a_token_of_nobody_marks_nobody(club: Club) -> None:
    for no in range(9):
        assert club.take(bounce(f"host+b-{no:024x}@example.org", "5.1.1", no)).startswith(
            "ignored: sent to the way back"
        )
    assert marked(club) == []


def test_an_out_of_office_note_to_the_way_back_counts_for_nothing(club: Club) -> None:
    (way, *_) = ways_back(club, "ann")
    note = f"From: ann@example.org\r\nTo: {way}\r\nSubject: away\r\n\r\nI am away.\r\n".encode()
    assert club.take(note) == "ignored: an answer to the way back of a letter to ann@example.org"
    assert stored_rows(club.office.store, "select * from bounces") == []


def test_an_order_that_goes_to_the_way_back_too_counts(club: Club) -> None:
    """Some programs answer to the envelope's sender, or to all."""
    (way, *_) = ways_back(club, "ann")
    order = club.order("ann").decode()
    head, _, rest = order.partition("\n\n")
    assert club.take(f"Cc: {way}\n{head}\n\n{rest}".encode()) == "order: ann"


def test_a_host_whose_address_takes_no_tags_has_none_in_its_letters(tmp_path: Path) -> None:
    """Nothing would come back there, and some servers let nobody send as an address that he does not have."""
    store = Store(tmp_path / "host.sqlite", new=True)
    robot = Robot(store, key_of("host"), HOST, tags=False)
    addresses = {"ann": "ann@example.org", "bob": "bob@example.org"}
    robot.new_game("tiny", {"players": 2, "turns": 1}, addresses, "A test", terms(0), "fresh", moment(1))
    rows = stored_rows(store, "select sender, raw from outbox")
    assert {row["sender"] for row in rows} == {HOST}
    assert not any(b"host+" in row["raw"] for row in rows)
    store.db.close()


def a_letter(club: Club) -> bytes:
    """A letter to Ann that has a way back, as it goes over the wire."""
    letter = next(raw for raw in club.received["ann"] if b"X-Pbem-Way-Back" in raw)
    return letter.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def returned(raw: bytes, status: str, part: str = "message/rfc822", no: int = 0) -> bytes:
    """A bounce to the plain address, which brings a letter back, or its head."""
    head, body = raw.split(b"\r\n\r\n", 1)
    there = head + b"\r\n\r\n" + (body if part == "message/rfc822" else b"")
    ending = f"\r\n--b\r\nContent-Type: {part}\r\n\r\n".encode() + there + b"\r\n--b--\r\n"
    return bounce(HOST, status, no).replace(b"\r\n--b--\r\n", ending)


@pytest.mark.parametrize("part", ["message/rfc822", "text/rfc822-headers"])
def test_a_bounce_to_the_plain_address_is_known_by_the_token_of_the_letter_it_brings_back(
    club: Club, part: str
) -> None:
    """Bounces come to the plain address where the provider accepts no other sender. The token is in the header of the
    returned letter."""
    letter = a_letter(club)
    outcome, letters = club.answer_to(returned(letter, "5.1.1", part))
    assert outcome == "bounce: hard, 5.1.1, of a letter to ann@example.org"
    assert letters == {"ann": [], "bob": []}
    club.take(returned(letter, "5.1.1", part, 2))
    assert marked(club) == ["ann@example.org (2 letters came back for good)"]


def test_who_does_not_know_the_token_makes_no_bounce(club: Club) -> None:
    letter = a_letter(club)
    without = re.sub(rb"X-Pbem-Way-Back: .*\r\n", b"", letter)
    forged = re.sub(rb"(X-Pbem-Way-Back: ).*\r\n", rb"\g<1>00ff\r\n", letter)
    in_the_text = without.replace(b"\r\n\r\n", b"\r\n\r\nX-Pbem-Way-Back: " + token(letter) + b"\r\n", 1)
    for no, raw in enumerate((without, forged, in_the_text)):
        assert not club.take(returned(raw, "5.1.1", no=no)).startswith("bounce")
    assert stored_rows(club.office.store, "select * from bounces") == []


def test_an_order_that_brings_a_letter_of_the_host_with_it_is_no_bounce(club: Club) -> None:
    """As when somebody forwards the report together with his order."""
    letter = a_letter(club)
    order = club.order("ann").decode()
    text = order.partition("\r\n\r\n")[2]
    mail = (
        (
            'From: ann@example.org\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n'
            f"Content-Transfer-Encoding: quoted-printable\r\n\r\n{text}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n"
        ).encode()
        + letter
        + b"\r\n--b--\r\n"
    )
    assert club.take(mail) == "order: ann"


def token(letter: bytes) -> bytes:
    found = re.search(rb"X-Pbem-Way-Back: (\S+)", letter)
    assert found is not None
    return found[1]
