"""What a player gets by mail of what lies at the door: all, two lines, or nothing, by his signed word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.host.outbox import WAITS_FOR
from pbem.mail import read_message
from pbem.player import settled
from pbem.referee import Envelope, Pen
from tests.host.post import Club, a_club, key_of, letter_of
from tests.stored import stored_row

from .doors import DoorHost, at_work


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=2) as club:
        yield club.begin()


def choice(club: Club, seat: str, mail: str, no: int, key: str = "") -> bytes:
    """The letter by which a seat says what it wants by mail."""
    return letter_of(seat, Pen(key_of(key or seat), club.log().game, seat).post(mail, no), "My mail.")


def play(club: Club, host: DoorHost) -> None:
    """Play to the end, by the door alone."""
    seen = dict.fromkeys(club.desks, 0)
    while club.asked():
        for seat in club.asked():
            assert host.door(club, seat).bring(club.order(seat)).became == "taken"
        for seat, desk in club.desks.items():
            for no, raw in host.door(club, seat).all_letters(seen[seat]):
                desk.read(raw)
                seen[seat] = no


def mailed(club: Club, seat: str) -> list[str]:
    """What the letters say that came by mail since."""
    return [read_message(raw).text for raw in club.deliver()[seat]]


@pytest.mark.slow
@pytest.mark.parametrize("wanted", ["all", "short", "none"])
def test_what_comes_by_mail_is_as_he_wants_and_the_log_is_the_same(club: Club, wanted: str) -> None:
    with at_work(club) as host:
        answer = host.door(club, "ann").bring(choice(club, "ann", wanted, 1))
        assert answer.became == "taken"
        assert len(answer.letters) == 1
        play(club, host)
        letters = [read_message(raw) for _no, raw in host.door(club, "ann").all_letters()]
        whole = [one.text for one in letters if ".receipt." not in one.message_id]  # reports bring those by mail
    assert len(whole) > 2, "the door has everything"
    confirmed, *came = mailed(club, "ann")
    assert "at the door" in confirmed, "so much he is told by mail, whatever he wants there"
    if wanted == "none":
        assert came == []
    elif wanted == "all":
        assert [confirmed, *came] == whole
    else:
        assert came
        assert all(text.strip().splitlines()[1:] == ["http://127.0.0.1:1/"] for text in came)
        assert any("the game is over" in text for text in came)
    assert len(mailed(club, "bob")) == 0 < len(club.received["bob"]), "he gets them as ever"


def test_what_came_by_mail_is_answered_by_mail(club: Club) -> None:
    with at_work(club) as host:
        host.door(club, "ann").bring(choice(club, "ann", "none", 1))
    club.office.robot.post.door = "http://127.0.0.1:1/"
    club.take(club.order("ann"))
    club.minute += WAITS_FOR
    assert any("your order is here" in read_message(raw).subject for raw in club.deliver()["ann"])


def test_a_host_without_a_door_sends_everything(club: Club) -> None:
    """A player wanted no mail, and the operator removes the web address. All letters come by mail again."""
    outcome = club.take(choice(club, "ann", "none", 1))
    assert outcome == "mail: ann"
    club.take(club.order("ann"))
    club.minute += WAITS_FOR
    assert [bool(text) for text in mailed(club, "ann")] == [True, True]


def test_a_statement_that_is_old_or_anothers_changes_nothing(club: Club) -> None:
    """Somebody wants to switch off another player's mail. The statement needs a signature and a higher number."""
    assert club.take(choice(club, "ann", "short", 2)) == "mail: ann"
    row = stored_row(club.office.store, "select mail, mails from seats where seat = 'ann'")
    for letter, outcome in (
        (choice(club, "ann", "none", 1), "refused: DOUBLE"),
        (choice(club, "ann", "none", 2), "refused: DOUBLE"),
        (choice(club, "ann", "none", 3, "bob"), "refused: SIG"),
        (choice(club, "ann", "nothing", 3), "refused: FORM"),
        (choice(club, "ann", "none", -1), "refused: FORM"),
        (choice(club, "ann", "short", 2) + b"\r\n\r\nonce more", "duplicate: that is known"),
    ):
        assert club.take(letter).startswith(outcome)
        assert stored_row(club.office.store, "select mail, mails from seats where seat = 'ann'") == row


def test_a_statement_is_signed_in_a_namespace_of_its_own(club: Club) -> None:
    pen = Pen(key_of("ann"), club.log().game, "ann")
    other = pen.say({"act": "post", "mail": "none", "no": 1})
    assert club.take(letter_of("ann", Envelope(other.say, other.sig))).startswith("refused: SIG")


@pytest.mark.slow
def test_an_address_to_be_confirmed_gets_its_code_by_mail_alone(club: Club) -> None:
    """Only mail shows that somebody reads letters there."""
    with at_work(club) as host:
        host.door(club, "ann").bring(choice(club, "ann", "none", 1))
        desk = club.desks["ann"]
        settled.move(desk.speaker(desk.notes()), "new@example.org", None, club.now())
        (letter,) = club.letters(desk)
        found = host.door(club, "ann").bring(letter)
        assert found.became == "taken"
        assert not any(b"CONFIRM" in one.mail for one in found.letters)
    assert any(b"CONFIRM" in raw for raw in club.box("new"))
