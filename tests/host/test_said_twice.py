"""What is said twice, later or too late: revisions, joins, robots, deadlines."""

from __future__ import annotations

import base64
import sqlite3
from hashlib import sha256
from pathlib import Path

import pytest

from pbem.kernel import tidy
from pbem.ledger import SAY, cj
from pbem.mail import Incoming, read_message, write_block
from pbem.mail.mime import Excess
from pbem.referee import Envelope
from tests.a_postgres import of_a_file

from .bad_input import club, hand, letter, order, pen, question, second_turn
from .post import HOST, Club, a_club, key_of

__all__ = ["club", "second_turn"]


# --- revisions and things said twice ----------------------------------------------------------------------------------


def test_a_later_revision_counts_until_the_question_is_closed(club: Club) -> None:
    one, two = hand(club, "bob")
    assert club.take(club.order("bob", one)) == "order: bob"
    assert club.take(club.order("bob", two)) == "order: bob"
    club.take(club.order("cat"))
    log = club.log()
    logged = next(entry for entry in reversed(log.entries) if entry.k == "order" and entry.fields["by"] == "bob")
    assert logged.fields["say"]["rev"] == 1
    (opening,) = [a.fields for a in log.attachments if a.digest == logged.fields["say"]["seals"]["order"]]
    assert opening[6] == two


def test_an_earlier_revision_that_comes_late_is_refused(club: Club) -> None:
    """The later revision counts."""
    late, second = club.order("bob"), club.order("bob")
    club.take(second)
    before = club.state()
    assert club.take(late).startswith("refused: DOUBLE")
    assert club.state() == before


def test_a_second_order_with_the_same_revision_is_refused_and_told_what_to_do(club: Club) -> None:
    one, two = (order(club, text) for text in hand(club, "bob"))
    club.take(one)
    before = club.state()
    outcome, letters = club.answer_to(two)
    assert outcome.startswith("refused: DOUBLE")
    assert "revision 1" in read_message(letters["bob"][0]).text
    assert club.state() == before
    assert club.take(order(club, hand(club, "bob")[1], rev=1)) == "order: bob"


def test_the_same_order_in_another_mail_is_no_second_order(club: Club) -> None:
    raw = club.order("bob")
    assert club.take(raw) == "order: bob"
    before = club.state()
    outcome, letters = club.answer_to(letter("Did you get this?\n" + read_message(raw).text))
    assert outcome.startswith("duplicate")
    assert not any(letters.values())
    assert club.state() == before


def test_an_order_is_taken_whatever_the_mail_looks_like(club: Club) -> None:
    """The signature says who wrote it: not the address, not the headers that mailing lists and gateways add."""
    text = read_message(club.order("bob")).text
    assert club.take(letter(text, "gateway@example.net", Precedence="list", **{"List-Id": "<club>"})) == "order: bob"


def test_whose_turn_it_is_not_is_told_so(club: Club) -> None:
    for seat in ("bob", "cat"):
        club.take(club.order(seat))
    club.read_all()
    (asked,) = club.asked()
    other = next(seat for seat in club.desks if seat != asked)
    before = club.state()
    made = pen(club, other).order(question(club), "ACT BANK")
    outcome, letters = club.answer_to(letter(write_block(made), f"{other}@example.org"))
    assert outcome.startswith("refused: ASK: Nothing is asked of")
    assert asked.capitalize() in read_message(letters[other][0]).text
    assert club.state() == before


@pytest.mark.slow
def test_when_the_game_is_over_nothing_can_be_ordered(club: Club) -> None:
    late = order(club)
    for seat in ("bob", "cat"):
        club.take(club.order(seat))
    club.read_all()
    club.play()
    before = club.state()
    outcome, letters = club.answer_to(late)
    assert outcome == "refused: ASK: This game is over; nothing can be ordered any more."
    assert len(letters["bob"]) == 1
    assert club.state() == before


# --- joining ----------------------------------------------------------------------------------------------------------


def test_joining_twice_is_joining_once(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        invitations = {seat: raws[0] for seat, raws in club.deliver().items()}
        for _ in range(2):
            club.desks["ann"].join(invitations["ann"], club.now())
            outcome = club.take(club.letters(club.desks["ann"])[0])
        assert outcome.startswith("duplicate")
        club.desks["bob"].join(invitations["bob"], club.now())
        club.take(club.letters(club.desks["bob"])[0])
        rosters = {seat: raws[-1] for seat, raws in club.deliver().items()}
        for _ in range(2):
            club.desks["ann"].join(rosters["ann"], club.now())
            outcome, letters = club.answer_to(club.letters(club.desks["ann"])[0])
        assert outcome.startswith("duplicate")
        assert not any(letters.values())
        assert [entry.k for entry in club.log().entries] == ["game", "join", "join", "ready"]


IDENTITY_KEY = (
    "ssh-ed25519 " + base64.b64encode(b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + (1).to_bytes(32, "little")).decode()
)


@pytest.mark.variants
@pytest.mark.parametrize(
    ("key", "change", "why"),
    [
        pytest.param("mallory", {"seat": "dan"}, "has no seat “dan”", id="no_such_seat"),
        pytest.param("ann", {}, "already has another seat of the game", id="one_key_for_two_seats"),
        pytest.param("mallory", {"key": IDENTITY_KEY}, "neutral point", id="a_key_that_signs_everything"),
        pytest.param("mallory", {"key": key_of("bob").key_line}, "signature does not fit", id="somebody_elses_key"),
    ],
)
def test_a_seat_is_not_given_away(tmp_path: Path, key: str, change: dict[str, str], why: str) -> None:
    """Nor to who has no token: `tests/attacks/test_seats.py` has that."""
    with a_club(tmp_path) as club:
        invitations = {seat: raws[0] for seat, raws in club.deliver().items()}
        club.desks["ann"].join(invitations["ann"], club.now())
        club.take(club.letters(club.desks["ann"])[0])
        before = club.state()
        say = {**pen(club, "bob", key).join().say, **change}
        raw = letter(write_block(Envelope(say, key_of(key).sign(SAY, cj(say)))))
        outcome, letters = club.answer_to(raw)
        assert why in outcome
        assert tidy(why) in " ".join(read_message(letters["bob"][0]).text.split())
        assert club.state() == before


def test_ready_is_said_to_the_roster_that_all_joined(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        for seat, raws in club.deliver().items():
            club.desks[seat].join(raws[0], club.now())
            club.take(club.letters(club.desks[seat])[0])
        before = club.state()
        early = pen(club, "bob").ready((1, club.log().entries[1].hash))
        outcome, _ = club.answer_to(letter(write_block(early)))
        assert outcome.startswith("refused: SEEN")
        assert club.state() == before


# --- robots, deadlines ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_robots_come_to_rest(club: Club) -> None:
    """Automatic answers that do not say so get one error in ten minutes, ten a day."""
    answers = []
    for no in range(30):
        club.minute += 4
        _, letters = club.answer_to(letter(f"Out of office, number {no}"))
        answers.append(len(letters["bob"]))
    assert answers[:4] == [1, 0, 1, 0]
    assert sum(answers) == 10
    assert club.take(club.order("bob")) == "order: bob"


def test_who_signs_gets_an_answer_each_time(club: Club) -> None:
    for text in ("CARD c99", "CARD", "GO"):
        _, letters = club.answer_to(order(club, text))
        assert len(letters["bob"]) == 1


@pytest.mark.slow
def test_an_order_that_arrives_too_late_finds_the_question_closed(tmp_path: Path) -> None:
    """Even where nobody has looked at the clock since: what counts is when it arrived."""
    with a_club(tmp_path, hours=1) as club:
        club.begin()
        club.take(club.order("ann"))
        late = club.order("bob")
        club.minute += 60
        assert club.take(late).startswith("refused: ASK")
        (skip,) = [entry.fields for entry in club.log().entries if entry.k == "skip"]
        assert skip["to"] == "bob"
        assert skip["at"] > club.log().entries[skip["ask"]].fields["due"]


@pytest.mark.slow
def test_a_question_is_closed_by_the_clock_once(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=1) as club:
        club.begin()
        due = club.log().entries[-1].fields["due"]
        assert club.robot.tick(due) == 0, "the last moment is in time"
        assert club.robot.tick("2030-01-01T12:00:00Z") == 1
        assert [entry.fields["to"] for entry in club.log().entries if entry.k == "skip"] == ["ann", "bob"]
        assert club.robot.tick("2030-01-01T12:00:01Z") == 0


@of_a_file("another program looks into the file")
def test_a_mail_is_stored_as_it_came_before_it_is_read(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    raw, at = b"\x00Subject: \xff\r\n\r\n\x80", club.now()

    def read(*_: object, **__: object) -> Incoming:
        assert not club.robot.store.db.conn.execute(
            "select 1 from inbox where raw = ? and outcome <> ''", [raw]
        ).fetchall()
        with sqlite3.connect(club.folder / "host" / "pbem.sqlite") as another:  # it sees what is committed
            rows = another.execute(
                "select sha256, raw, at, door, sender, recipient from inbox order by id desc"
            ).fetchall()
        another.close()
        assert rows[0] == (sha256(raw).hexdigest(), raw, at, "pipe", "eve@example.org", HOST)
        return Incoming(excess=Excess("It was looked at.", 0))

    monkeypatch.setattr("pbem.host.essence.read_message", read)
    assert club.robot.take(raw, at, "pipe", "eve@example.org", HOST) == "unreadable: It was looked at."
