"""What anybody may send: nothing of it makes the program stumble, and nothing that does holds a game for ever."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.host import Office
from pbem.host.moments import later
from pbem.kernel import Json
from pbem.ledger import COPY, cj
from pbem.referee import Envelope
from tests.stored import stored_rows

from .bad_input import pen, question
from .bounces import bounce, marked, ways_back
from .in_time import NoWay, due, held, skipped, stuck
from .post import Club, a_club, key_of, letter_of, moment
from .running import running, with_a_door

pytestmark = pytest.mark.usefixtures("letters_kept")
ENDLESS = "9" * 5000


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3, hours=24, terms={"leave": 48}) as club:
        yield club.begin()


def _forged(club: Club, **say: Json) -> bytes:
    return letter_of("mallory", Envelope({"game": club.log().game, **say}, "0" * 128))


def test_a_letter_by_a_number_without_end_in_a_page_holds_no_game(club: Club) -> None:
    """A stranger names a letter by 5,000 digits, which Python does not read. The host ignores the number."""
    raw = (
        f"From: x@example.net\r\nSubject: [pbem 1]\r\nContent-Type: text/html\r\n\r\nGAME 1<p>&#{ENDLESS};</p>".encode()
    )
    assert not club.take(raw).startswith("failed:")
    over = due(club)
    club.office.work(later(over, hours=1))
    assert skipped(club) == ["ann", "bob"]


@pytest.mark.variants
@pytest.mark.parametrize("seat", ["", "nobody", None, 5, []])
def test_a_forged_copy_of_no_seat_is_refused_and_holds_no_game(club: Club, seat: Json) -> None:
    """A stranger names a seat that does not exist, so that the program stumbles."""
    assert club.take(_forged(club, act="copy", seat=seat)).startswith("refused: BIND")
    assert club.take(_forged(club, act="copy")).startswith("refused: BIND")
    assert stuck(club) == []


@pytest.mark.slow
def test_a_sender_that_is_no_text_is_taken_at_the_door_and_holds_no_game(club: Club) -> None:
    """If told to come again, the mail would hold all deadlines, and late answers would be in time."""
    over = due(club)
    port = with_a_door(club)
    with running(club.folder / "host", [later(over, minutes=-1)]) as host:
        host.hear("waiting for mail")
        with smtplib.LMTP("127.0.0.1", port, timeout=10) as door:
            door.ehlo_or_helo_if_needed()
            for said in (b"MAIL FROM:<x\xff@example.net>\r\n", b"RCPT TO:<host+\xff@example.org>\r\n"):
                door.send(said)
                assert door.getreply()[0] == 250
            assert door.data(b"Subject: hello\r\n\r\nhm\r\n")[0] == 250
        host.hear("refused: FORM")
    club.office = Office(club.folder / "host")
    for minutes in (45, 90):  # so long after a start a mail server may bring what it kept
        club.office.work(later(over, minutes=minutes))
    assert skipped(club) == ["ann", "bob"]


@pytest.mark.slow
def test_what_nobody_has_signed_lifts_no_mark(club: Club) -> None:
    """A stranger forges a block, so that the host trusts a bad address again. Only signed or effective mail restores it."""
    first, second, *_ = ways_back(club, "ann")
    for way in (first, second):
        club.take(bounce(way, "5.1.1"))
    assert club.take(_forged(club, act="copy", seat="ann")).startswith("ignored")
    assert club.take(_forged(club, act="ready", seat="ann")).startswith("duplicate")
    assert len(marked(club)) == 1
    say = {"act": "copy", "game": club.log().game, "seat": "ann", "sha256": "0" * 64}
    club.take(letter_of("ann", Envelope(say, key_of("ann").sign(COPY, cj(say)))))
    assert marked(club) == []


@pytest.mark.slow
@pytest.mark.parametrize("place", ["order", "plans"])
def test_a_number_without_end_in_an_order_is_refused(club: Club, place: str) -> None:
    """A player sends 5,000 digits; a game's rules may stumble over them."""
    said: dict[str, Any] = {"order": "CARD 1", "plans": ""} | {place: f"FIGHT {ENDLESS} ROUNDS"}
    raw = letter_of("ann", pen(club, "ann").order(question(club), **said))
    assert club.take(raw).startswith("refused: FORM: A number in it has 100 digits or more")


@pytest.mark.slow
def test_a_mail_that_stays_stuck_holds_one_question_and_not_all_that_follow(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may answer the question that was open on its arrival. It holds later questions for up to `hold_days` after its
    arrival."""
    over = due(club)
    with monkeypatch.context() as patch:
        patch.setattr("pbem.host.deciding.read_block", lambda *_: 1 // 0)
        club.office.work(later(over, hours=-3))
        club.robot.take(b"From: ann@example.org\r\n\r\nhm\r\n", later(over, hours=-2), "imap")
        club.office.work(later(over, hours=1))
        assert skipped(club) == []
        for days in (2, 4, 6, 8):
            club.office.work(later(over, hours=24 * days))
        assert skipped(club) == ["ann", "bob"], "held for as long as the club says"
        following = due(club)
        club.office.work(later(following, hours=1))
        assert len(skipped(club)) > 2, "it came long before this question was put"
        assert stuck(club) != []


@pytest.mark.slow
def test_a_stuck_mail_that_came_earlier_by_another_way_holds_its_question(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host reads an earlier copy later, and holds that copy's deadline from then on."""
    over, raw = due(club), club.order("ann")
    with monkeypatch.context() as patch:
        patch.setattr("pbem.host.play.GamesInPlay.order", lambda *_: 1 // 0)
        patch.setattr("pbem.host.deciding.Decider._at_its_time", lambda *_: None)
        club.robot.take(raw, later(over, minutes=1), "lmtp")
        assert stuck(club) != []
        assert club.robot.take(raw, later(over, minutes=-1), "imap") == "duplicate"
        club.office.work(later(over, seconds=100))  # before it is tried again
        assert skipped(club) == []
        assert held(club) != []


@pytest.mark.slow
def test_refusing_later_letters_does_not_hold_the_question(club: Club) -> None:
    """A player's server answers “later” to all further letters, so that the question waits. He has the question, so it does not."""
    over = due(club)
    club.office.work(moment(club.minute))
    club.office.sending._carrier = NoWay(club.office, "bob@example.org")
    desk = club.desks["ann"]
    desk.speaker(desk.notes()).say("draw", club.now())
    (letter,) = club.letters(desk)
    assert club.take(letter) == "draw: ann"
    club.office.work(moment(club.minute))
    assert stored_rows(club.office.store, "select 1 from outbox where seat = 'bob' and sent = 0 and kind = 'report'")
    club.office.work(later(over, hours=1))
    assert skipped(club) == ["ann", "bob"]
