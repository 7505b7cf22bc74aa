"""Who is a person gets an answer, whatever servers wrote into the head of his mail; and no two robots keep each other busy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from pbem.host.outbox import Draft
from pbem.mail import read_message, write_block

from .post import HOST, Club, a_club
from .requests import request

HEADS = {
    "Exchange": {"X_Auto_Response_Suppress": "DR, OOF, AutoReply"},
    "Exchange, all": {"X_Auto_Response_Suppress": "All"},
    "a program": {"Auto_Submitted": "auto-generated"},
    "a forwarder": {"X_Loop": "ann@forward.example.net"},
    "a forwarder of the host's own address": {
        "X_Loop": HOST,
        "Return_Path": "<SRS0=ab=cd=example.org=ann@example.org>",
    },
    "SRS of Exchange": {"Return_Path": "<bounces+SRS=Xb3kq=ZZ@club.onmicrosoft.com>"},
    "SRS twice": {"Return_Path": "<SRS1=ab=forward.example.net==cd=ef=example.org=ann@example.com>"},
    "VERP": {"Return_Path": "<bounces+77-ann=example.org@mail.example.net>"},
    "VERP in Sender": {"Sender": "bounce-77@mail.example.net"},
}
"""What servers and programs write into the head of people's mail."""
BLOCK = "BEGIN PBEM ORDERS\n0C4ME 9HJQA 0C4ME 9HJQA 0C4ME\nEND PBEM ORDERS"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3) as club:
        yield club.begin()


@pytest.mark.slow
def test_people_get_an_answer_whatever_their_servers_write(club: Club) -> None:
    """Servers add the headers that robots use, or forward the host's own mail."""
    for no, (name, head) in enumerate(HEADS.items()):
        club.minute += 15
        outcome, letters = club.answer_to(request("STATUS", Message_ID=f"<a{no}@x>", **head))
        assert outcome == "answered: STATUS", name
        assert len(letters["ann"]) == 1, name
        outcome, letters = club.answer_to(request(f"CARD c1\nEND\n\n{BLOCK}", Message_ID=f"<b{no}@x>", **head))
        assert outcome.startswith("refused: FORM: The signed block was damaged"), name
        assert len(letters["ann"]) == 1, name


ROBOTS = {
    "auto-replied": {"Auto_Submitted": "auto-replied"},
    "an empty sender": {"Return_Path": "<>"},
    "away, by Exchange": {"Auto_Submitted": "auto-generated", "X_Auto_Response_Suppress": "All"},
    "a list": {"List_Id": "<club.example.org>", "Precedence": "list"},
    "our own loop": {"X_Loop": f"pbem {HOST}"},
}


def test_a_damaged_block_is_answered_though_a_robot_brought_it_and_words_are_not(club: Club) -> None:
    """A player behind such a server learns that the block is damaged."""
    for no, (name, head) in enumerate(ROBOTS.items()):
        club.minute += 15
        outcome, letters = club.answer_to(request("I am away.", Message_ID=f"<a{no}@x>", **head))
        assert outcome.startswith("ignored: written by a robot"), name
        assert not letters["ann"], name
        outcome, letters = club.answer_to(request(f"CARD c1\nEND\n\n{BLOCK}", Message_ID=f"<b{no}@x>", **head))
        assert outcome.startswith("refused: FORM: The signed block was damaged"), name
        assert len(letters["ann"]) == 1, name


QUOTED = {
    "behind marks": "I am away.\n\n> " + BLOCK.replace("\n", "\n> "),
    "below a line": f"I am away.\n\n-----Original Message-----\nFrom: {HOST}\n\n{BLOCK}",
    "below a head": f"I am away.\n\nVon: pbem\nGesendet: heute\nAn: Ann\nBetreff: Zug\n\n{BLOCK}",
}


def test_an_answer_of_a_robot_that_quotes_a_block_is_not_answered(club: Club) -> None:
    for no, (shape, name) in enumerate(product(QUOTED, ("auto-replied", "an empty sender", "away, by Exchange"))):
        outcome, letters = club.answer_to(request(QUOTED[shape], Message_ID=f"<{no}@x>", **ROBOTS[name]))
        assert outcome == "ignored: written by a robot", (shape, name)
        assert not letters["ann"], (shape, name)


def test_an_answer_of_a_robot_that_quotes_our_letter_without_any_mark_is_not_answered(club: Club) -> None:
    """Its words are told from the player's by the letters that were sent to him."""
    letter = (
        f"Somebody would take the seat, with this key: 3f29 c1d0\nWhat he has signed is this, as it came:\n\n{BLOCK}"
    )
    with club.office.store.decision():
        game = club.robot.house.game(club.number)
        club.robot.post.lay(game, "ann", club.now(), Draft("notice.x", "a notice", letter))
    away = request(f"I am away.\n{letter}", **ROBOTS["auto-replied"])
    outcome, letters = club.answer_to(away)
    assert outcome == "ignored: written by a robot"
    assert all(b"was not taken" not in raw for raw in letters["ann"])


def test_a_report_that_brings_a_block_back_is_not_answered(club: Club) -> None:
    heads: tuple[dict[str, str], ...] = ({}, {"Auto_Submitted": "auto-replied"}, {"Return_Path": "<>"})
    for no, (head, type_) in enumerate(product(heads, ("delivery-status", "disposition-notification"))):
        kind = f'multipart/report; report-type={type_}; boundary="b"'
        raw = request(f"--b\n\n{BLOCK}\n--b--", Content_Type=kind, Message_ID=f"<{no}@x>", **head)
        outcome, letters = club.answer_to(raw)
        assert outcome.startswith("ignored")
        assert not letters["ann"]


@pytest.mark.slow
def test_two_hosts_that_write_to_each_other_come_to_rest(tmp_path: Path) -> None:
    """Each has the other's address as a seat's, by a joke or by forwarding. The hosts answer no robot's quotation."""
    other = "other@example.org"
    with a_club(tmp_path / "one") as one, a_club(tmp_path / "two") as two:
        for club, address in ((one, other), (two, HOST)):
            club.begin()
            with club.office.store.decision():
                game = club.robot.house.game(club.number)
                game.change_seat("ann", address=address)
        for club, own in ((one, HOST), (two, other)):
            club.robot.post.address = club.robot.order.own = own
        one.take(request("STATUS", sender=other))
        sent = []
        for _round in range(40):
            for club, away, name in ((one, two, "other"), (two, one, "host")):
                letters = club.box(name)
                sent += letters
                for raw in letters:
                    assert away.take(raw).startswith(("ignored", "refused", "duplicate"))
            one.minute += 11
            two.minute += 11
        assert len(sent) < 8
        assert not one.box("other")
        assert not two.box("host")


@pytest.mark.slow
def test_an_echo_that_says_nothing_of_itself_comes_to_rest(club: Club) -> None:
    """It returns each letter with a block, as if from its player. The host answers ten a day."""
    answered = 0
    waiting = [request(f"{BLOCK}", Message_ID="<0@x>")]
    for no in range(1, 40):
        club.minute += 11
        _, letters = club.answer_to(waiting.pop())
        answered += len(letters["ann"])
        text = read_message((letters["ann"] or club.received["ann"])[-1]).text
        waiting.append(request(f"{text}\n{BLOCK}", Message_ID=f"<{no}@x>"))
    assert answered == 10


def test_a_whole_block_counts_by_whatever_robot_it_comes(club: Club) -> None:
    signed = write_block(club.signed(club.order("ann")))
    assert club.take(request(f"END\n\n{signed}", **ROBOTS["auto-replied"], **HEADS["SRS of Exchange"])) == "order: ann"
