"""Which mail counts for a kept seat: each attack, and beside it the same mail without it, which counts."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.host.believed import A_DAY
from pbem.mail.codes import code_in
from tests.stored import stored_rows

from .mailboxes import Mailboxes, address, parsed, text_of

EVE = "eve@example.net"
VACATION = "I am away until the 2nd.\nBest regards"


@pytest.fixture
def boxes(tmp_path: Path) -> Iterator[Mailboxes]:
    with Mailboxes(tmp_path) as boxes:
        yield boxes.begin()


def answers(boxes: Mailboxes) -> list[str]:
    """The orders that are here for the open question."""
    (game,) = stored_rows(boxes.office.store, "select * from games")
    return [
        str(row["seat"])
        for row in stored_rows(boxes.office.store, "select * from answers")
        if row["ask"] == game["ask"]
    ]


def order_of(boxes: Mailboxes, seat: str) -> str:
    order = boxes.robot.house.game(boxes.number).order_here(seat)
    assert order is not None
    return str(order.answer.order)


# -- a mail that counts, and what it lacks where it does not ---------------------------------------------------------------


def test_code_and_address_of_the_seat_count_at_once(boxes: Mailboxes) -> None:
    ann, _bob = boxes.seats
    assert boxes.say(ann, "1", to=boxes.put_to(ann)) == f"order: {ann}"
    assert answers(boxes) == [ann]
    assert "You play" in boxes.last(ann)


@pytest.mark.parametrize("quote", [True, False])
def test_one_of_three_places_that_hold_the_code_is_enough(boxes: Mailboxes, quote: bool) -> None:
    ann, _bob = boxes.seats
    letter = boxes.put_to(ann)
    assert code_in(str(parsed(letter)["Reply-To"]))
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = address(ann), "host@example.org", "hm", "<1@x>"
    if quote:
        mail.set_content("1\n\n" + "\n".join(f"> {line}" for line in text_of(letter).split("\n")))
    else:
        mail["In-Reply-To"] = parsed(letter)["Message-ID"]
        mail.set_content("1\n")
    assert boxes.take(mail.as_bytes()) == f"order: {ann}"


def test_a_good_code_from_another_address_counts_with_a_yes_alone(boxes: Mailboxes) -> None:
    """A stranger answers a forwarded letter. He has its code but not the seat's mailbox, so the host asks the seat."""
    ann, _bob = boxes.seats
    assert boxes.say(ann, "2", to=boxes.put_to(ann), sender=EVE) == f"in doubt: {ann} is asked"
    assert answers(boxes) == []
    letter = boxes.letters[ann][-1]
    assert "Is this from you? Reply YES." in boxes.last(ann)
    assert EVE in boxes.last(ann)
    assert boxes.take(boxes.reply(ann, "YES", to=boxes.put_to(ann), sender=EVE)) != f"order: {ann}"
    assert answers(boxes) == []
    assert boxes.say(ann, "YES", to=letter) == f"order: {ann}"
    assert answers(boxes) == [ann]
    assert "settled already" in (boxes.say(ann, "YES", to=letter), boxes.last(ann))[1]


def test_a_no_lets_nothing_count(boxes: Mailboxes) -> None:
    ann, _bob = boxes.seats
    boxes.say(ann, "2", to=boxes.put_to(ann), sender=EVE)
    letter = boxes.letters[ann][-1]
    assert boxes.say(ann, "NO", to=letter) == f"no: {ann}"
    assert boxes.say(ann, "YES", to=letter).startswith("ignored")
    assert answers(boxes) == []


def test_yes_always_lets_mails_from_there_count_at_once(boxes: Mailboxes) -> None:
    ann, bob = boxes.seats
    other = "ann@telephone.example.net"
    boxes.say(ann, "2", to=boxes.put_to(ann), sender=other)
    assert boxes.say(ann, "YES ALWAYS") == f"order: {ann}"
    boxes.say(bob, "1", to=boxes.put_to(bob))
    seat = boxes.asked[0]
    if seat != ann:
        boxes.say(bob, "1", to=boxes.put_to(bob))
    assert boxes.say(ann, "1", to=boxes.put_to(ann), sender=other) == f"order: {ann}"


def test_an_address_without_a_code_counts_with_a_yes_alone(boxes: Mailboxes) -> None:
    """A stranger can forge From, so the host asks the seat."""
    ann, _bob = boxes.seats
    order = "CARD " + text_of(boxes.put_to(ann)).split("CARD ")[1].split()[0]
    assert boxes.take(boxes.reply(ann, order, to=boxes.put_to(ann), code=False)) == f"in doubt: {ann} is asked"
    assert answers(boxes) == []
    assert boxes.say(ann, "yes, please") == f"order: {ann}"
    assert order_of(boxes, ann) == order


def test_a_number_without_a_code_is_none(boxes: Mailboxes) -> None:
    ann, _bob = boxes.seats
    boxes.take(boxes.reply(ann, "2", to=boxes.put_to(ann), code=False))
    assert answers(boxes) == []


def test_a_message_id_that_was_worked_out_has_no_code(boxes: Mailboxes) -> None:
    """A player can work out Message-IDs of letters, but not their codes."""
    ann, _bob = boxes.seats
    letter = str(parsed(boxes.put_to(ann))["Message-ID"])
    begun, code = letter.removesuffix("@example.org>").rsplit(".", 1)
    assert len(code) == 12
    for no, (known, counts) in enumerate(((begun, 0), (f"{begun}.{'0' * 12}", 0), (f"{begun}.{code}", 1))):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = (
            address(ann),
            "host@example.org",
            "hm",
            f"<{no}@x>",
        )
        mail["In-Reply-To"] = f"{known}@example.org>"
        mail.set_content("1\n")
        boxes.take(mail.as_bytes())
        assert len(answers(boxes)) == counts, known


def test_mail_that_the_hosts_own_server_calls_forged_is_asked_about(boxes: Mailboxes) -> None:
    """The mail fails DMARC, so the host asks the seat."""
    ann, _bob = boxes.seats
    boxes.robot.decider.kept.authserv = "mx.example.org"
    forged = {"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.org"}
    raw = boxes.reply(ann, "1", to=boxes.put_to(ann))
    head = b"".join(f"{name}: {value}\r\n".encode() for name, value in forged.items())
    assert boxes.take(b"Received: from y by x\r\n" + head + raw) == f"order: {ann}"  # anybody may have written that
    assert (
        boxes.take(head + b"Received: from y by x\r\n" + boxes.reply(ann, "2", to=boxes.put_to(ann)))
        == f"in doubt: {ann} is asked"
    )
    assert boxes.say(ann, "YES") == f"order: {ann}"


# -- robots -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mark",
    [{"Auto-Submitted": "auto-replied"}, {"Return-Path": "<>"}, {"Precedence": "auto_reply"}, {"X-Autoreply": "yes"}],
)
def test_a_vacation_mail_orders_nothing_and_is_told_of_once(boxes: Mailboxes, mark: dict[str, str]) -> None:
    """With or without the marks of an automatic answer."""
    ann, _bob = boxes.seats
    for _ in range(2):
        outcome = boxes.say(ann, f"1\n{VACATION}", to=boxes.put_to(ann), headers=mark)
        assert outcome.startswith("ignored: written by a robot")
    assert answers(boxes) == []
    assert sum("was written by a program" in text_of(raw) for raw in boxes.letters[ann]) == 1


def test_a_vacation_mail_without_a_mark_orders_nothing(boxes: Mailboxes) -> None:
    ann, _bob = boxes.seats
    assert boxes.say(ann, VACATION, to=boxes.put_to(ann)).startswith("ignored: prose")
    assert answers(boxes) == []
    assert "I am away until the 2nd." in boxes.last(ann)


@pytest.mark.parametrize(
    "mark",
    [
        {"List-Id": "<x.example.org>"},
        {"Precedence": "list"},
        {"X-Auto-Response-Suppress": "All"},
        {"Auto-Submitted": "auto-generated"},
    ],
)
def test_marks_of_lists_and_servers_do_not_matter_with_a_good_code(boxes: Mailboxes, mark: dict[str, str]) -> None:
    """A stranger or a server adds list headers; the player's answer counts."""
    ann, _bob = boxes.seats
    assert boxes.say(ann, "1", to=boxes.put_to(ann), headers=mark) == f"order: {ann}"


def test_a_robot_without_a_mark_and_the_host_come_to_rest(boxes: Mailboxes) -> None:
    """It answers each of the host's letters; after twelve in an hour the host is silent."""
    ann, _bob = boxes.seats
    for written in range(40):
        there = len(boxes.letters[ann])
        boxes.say(ann, f"{VACATION} ({written})")
        if len(boxes.letters[ann]) == there:
            break
    assert written == 12
    assert boxes.say(ann, "1", to=boxes.put_to(ann)) == f"order: {ann}", "its owner is back"


# -- closed, crossed, repeated ------------------------------------------------------------------------------------------------


def test_an_answer_to_a_closed_question_changes_nothing_and_says_how_it_stands(boxes: Mailboxes) -> None:
    """A player uses an old number for a new list."""
    ann, bob = boxes.seats
    old = boxes.put_to(ann)
    boxes.say(ann, "1", to=old)
    boxes.say(bob, "1", to=boxes.put_to(bob))
    entries = len(boxes.log().entries)
    assert boxes.say(ann, "2", to=old) == "ignored: its question is closed"
    assert len(boxes.log().entries) == entries
    assert "That question is closed" in boxes.last(ann)


def test_a_later_mail_replaces_an_earlier_one_by_arrival(boxes: Mailboxes) -> None:
    """The mails crossed."""
    ann, _bob = boxes.seats
    early, late = boxes.now(), boxes.now()
    first, second = (boxes.reply(ann, said, to=boxes.put_to(ann)) for said in ("1", "2"))
    assert boxes.take(second, late) == f"order: {ann}"
    kept = order_of(boxes, ann)
    assert boxes.take(first, early) == "ignored: a later order is here"
    assert order_of(boxes, ann) == kept
    assert "A later mail of yours counts instead." in boxes.last(ann)


def test_the_same_answer_once_more_is_no_other_order(boxes: Mailboxes) -> None:
    """Somebody sends the same mail again."""
    ann, _bob = boxes.seats
    boxes.say(ann, "1", to=boxes.put_to(ann))
    assert boxes.say(ann, "1", to=boxes.put_to(ann)).startswith("duplicate")
    assert [row["rev"] for row in stored_rows(boxes.office.store, "select rev from answers")] == [0]


def test_a_yes_that_comes_when_the_question_is_closed_lets_nothing_count(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, hours=24) as boxes:
        ann, bob = boxes.begin().seats
        boxes.say(ann, "2", to=boxes.put_to(ann), sender=EVE)
        letter = boxes.letters[ann][-1]
        boxes.say(bob, "1", to=boxes.put_to(bob))
        boxes.minute += 25 * 60
        boxes.robot.tick(boxes.now())
        boxes.fetch()
        assert boxes.say(ann, "YES", to=letter) == "ignored: its question is closed"
        assert not [one for one in boxes.log().entries if one.k == "order" and one.fields["by"] == ann]


# -- floods -------------------------------------------------------------------------------------------------------------------


def test_one_letter_at_a_time_asks_for_a_yes_and_so_many_in_a_day(boxes: Mailboxes) -> None:
    """Three a day."""
    ann, _bob = boxes.seats
    letters = 0
    for no in range(2 * A_DAY + 2):
        outcome = boxes.say(ann, "2", to=boxes.put_to(ann), sender=f"eve{no}@example.net")
        if outcome.startswith("in doubt"):
            letters += 1
            assert boxes.say(ann, "2", to=boxes.put_to(ann), sender=EVE).startswith("ignored")  # one is open
            assert boxes.say(ann, "NO") == f"no: {ann}"
        else:
            assert outcome.startswith("ignored")
    assert letters == A_DAY
    assert boxes.say(ann, "1", to=boxes.put_to(ann)) == f"order: {ann}"


def test_what_moves_nothing_is_asked_about_never(boxes: Mailboxes) -> None:
    ann, _bob = boxes.seats
    before = len(boxes.letters[ann])
    assert boxes.say(ann, "Hello, who are you?", to=boxes.put_to(ann), sender=EVE).startswith("ignored")
    assert len(boxes.letters[ann]) == before


# -- joining ------------------------------------------------------------------------------------------------------------------


def test_the_address_that_answers_join_is_the_seats(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, _bob = boxes.seats
        assert boxes.say(ann, "JOIN hm", sender="ann@elsewhere.example.net") == f"joined: {ann}"
        assert boxes.robot.house.game(boxes.number).seats[ann].address == "ann@elsewhere.example.net"


def test_join_without_the_code_of_the_invitation_takes_no_seat(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, _bob = boxes.seats
        boxes.take(boxes.reply(ann, "JOIN hm", code=False))
        assert not boxes.robot.house.game(boxes.number).seats[ann].key


def test_a_code_of_an_invitation_that_was_withdrawn_takes_no_seat(tmp_path: Path) -> None:
    """Only the present invitation counts."""
    with Mailboxes(tmp_path) as boxes:
        ann, _bob = boxes.seats
        old = boxes.letters[ann][-1]
        boxes.robot.invite(boxes.number, ann, boxes.now(), "cat@example.org")
        boxes.fetch("cat")
        boxes.say(ann, "JOIN hm", to=old)
        assert not boxes.robot.house.game(boxes.number).seats[ann].key
        assert boxes.say("cat", "JOIN hm") == f"joined: {ann}"


def test_two_seats_share_an_address_only_where_that_was_allowed(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.seats
        boxes.say(ann, "JOIN one")
        assert boxes.say(bob, "JOIN two", sender=address(ann)).startswith("refused: BIND")
        assert boxes.say(bob, "JOIN two") == f"joined: {bob}"


def test_a_host_that_calls_a_join_lost_has_no_seat_of_it(tmp_path: Path) -> None:
    """The writer notices, because no letter confirms the join."""
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.seats
        before = len(boxes.letters[ann])
        assert len(boxes.letters[ann]) == before
        boxes.say(bob, "JOIN two")
        assert boxes.asked == [ann]
        assert boxes.say(ann, "JOIN one") == f"joined: {ann}"
        assert any("you have joined" in str(parsed(raw)["Subject"]) for raw in boxes.letters[ann])
