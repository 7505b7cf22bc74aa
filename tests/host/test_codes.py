"""Reply codes: each question of each seat has one, nobody else can work it out, and a mail brings it in one of three places."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.host import codes
from pbem.host.codes import OpenQuestion, code_for, question_at, question_of, questions_of
from pbem.host.store.rows import GameRow
from pbem.ledger.chains import Root
from pbem.mail import read_message
from pbem.mail.above import cut_line
from pbem.mail.address import game_address, reply_address
from pbem.mail.codes import ALPHABET, codes_in, in_groups, read_code

from .post import HOST, a_club

ROOT, G = Root(b"r" * 32), "3f" * 32
CODE = code_for(ROOT, G, "scottish", 41)


def mail(text: str, to: str = "host@example.org", answers: str = "") -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"], made["Message-ID"] = "ann@example.org", to, "Re: your move", "<1@ann>"
    if answers:
        made["In-Reply-To"] = made["References"] = f"<{answers}>"
    made.set_content(text)
    return made.as_bytes()


def test_a_code_is_sixty_bits_of_the_hosts_secret_for_a_question() -> None:
    number = int(ROOT.secret_for("reply", G, "scottish", "41")[:15], 16)
    assert sum(ALPHABET.index(letter) << 5 * place for place, letter in enumerate(reversed(CODE))) == number
    others = {code_for(root, game, seat, n) for root in (ROOT, Root(b"s" * 32)) for game in (G, "4" * 64)
              for seat in ("scottish", "english") for n in (41, 42)}  # fmt: skip
    assert len(others) == 16
    assert code_for(ROOT, G, "scottish", 41) == CODE, "a reminder repeats it"


def test_the_open_questions_of_a_game_are_those_of_the_seats_that_are_asked() -> None:
    columns: dict[str, Any] = {
        "opts": {},
        "nonce": "",
        "stage": "playing",
        "hours": 0,
        "title": "",
        "at": "",
        "due": "",
        "result": None,
        "snapshot": None,
    }
    row = GameRow(id=1, g=G, game="hammer", ask=41, asked=["english", "scottish"], **columns)
    assert questions_of(row) == [OpenQuestion(G, "english", 41), OpenQuestion(G, "scottish", 41)]
    assert questions_of(GameRow(id=1, g=G, game="hammer", ask=None, asked=[], **columns)) == []


def test_a_code_belongs_to_one_of_the_open_questions_or_to_none() -> None:
    opened = [OpenQuestion(G, "english", 41), OpenQuestion(G, "scottish", 41)]
    assert question_of(ROOT, CODE, opened) == opened[1]
    assert question_of(ROOT, CODE, opened[:1]) is None
    assert question_of(ROOT, "", opened) is None


@pytest.mark.parametrize(
    "typed", [in_groups(CODE), CODE.lower(), f" {in_groups(CODE).lower()} ", CODE.replace("0", "o").replace("1", "l")]
)
def test_a_code_is_read_forgivingly(typed: str) -> None:
    assert read_code(typed) == CODE


def test_the_code_of_a_closed_question_is_found_and_one_that_lies_beyond_the_log() -> None:
    seats = ["english", "scottish"]
    assert question_at(ROOT, CODE, G, seats, 0, 50) == OpenQuestion(G, "scottish", 41)
    assert question_at(ROOT, CODE, G, seats, 0, 40) is None
    assert question_at(ROOT, CODE, G, seats, 41, 60) == OpenQuestion(G, "scottish", 41)
    assert question_at(ROOT, CODE, G, seats[:1], 0, 60) is None


@pytest.mark.parametrize("typed", ["", CODE[:-1], f"{CODE}0", CODE[:-1] + "U", "@" * 12])
def test_what_is_no_code_is_none(typed: str) -> None:
    assert read_code(typed) == ""


@pytest.mark.parametrize(
    "raw",
    [
        mail("2", to=reply_address("host@example.org", CODE)),
        mail("2", answers=f"{G[:16]}.report.41.scottish.{CODE}@example.org"),
        mail(f"2\n\nOn 1 Jan 2030 pbem wrote:\n> {cut_line(CODE)}\n> Bruce?"),
        mail(f"2\n\n{cut_line(CODE)}\nBruce?"),
        mail(f"2\n\n>> {cut_line(CODE).lower()}"),
    ],
    ids=["address", "Message-ID", "quoted line", "line", "line twice quoted"],
)
def test_a_mail_brings_its_code_in_one_of_three_places(raw: bytes) -> None:
    assert read_message(raw).codes == (CODE,)
    assert read_message(raw).own == "2"


def test_a_message_id_that_an_opponent_has_worked_out_brings_no_code() -> None:
    for name in ("report.41.scottish", "report.41.scottish.", "invitation.scottish", "reminder.41.scottish.300"):
        assert read_message(mail("2", answers=f"{G[:16]}.{name}@example.org")).codes == ()
    forged = f"{G[:16]}.report.41.scottish.{'0' * 12}@example.org"
    assert (
        question_of(ROOT, read_message(mail("2", answers=forged)).codes[0], [OpenQuestion(G, "scottish", 41)]) is None
    )


def test_the_code_of_the_letter_answered_goes_before_those_in_the_text() -> None:
    older = code_for(ROOT, G, "scottish", 30)
    text = f"> {cut_line(CODE)}\n>> {cut_line(older)}"
    assert codes_in([], [f"{G[:16]}.report.41.scottish.{CODE}@h"], f"> {cut_line(older)}") == (CODE, older)
    assert codes_in([], [], text) == (CODE, older)
    assert codes_in([reply_address("h@x.org", older)], [], text) == (older, CODE)


def test_each_letter_of_a_game_begins_with_the_line_and_without_a_code_where_no_reply_counts(tmp_path: Path) -> None:
    with a_club(tmp_path, players=2, turns=1, hours=24) as club:
        club.begin()
        raws = club.received["ann"]
        for raw in raws:
            assert read_message(raw).text.lstrip().startswith(cut_line())
            assert not read_message(raw).codes
            message = message_from_bytes(raw, policy=policy.default)
            assert str(message["Reply-To"]) == game_address(HOST, club.number)
            pages = [
                part for part in message.walk() if part.get_content_type() == "text/html" and not part.is_attachment()
            ]
            assert all(cut_line() in part.get_content() for part in pages)


def test_a_question_to_a_seat_that_may_reply_has_its_code_in_three_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codes, "may_reply", lambda game, seat: seat == "ann")
    with a_club(tmp_path, players=2, turns=1, hours=24) as club:
        club.begin()
        game = club.robot.house.game(club.number)
        code = code_for(club.robot.house.root, game.g, "ann", game.row.ask or 0)
        raw = club.received["ann"][-1]
        message = message_from_bytes(raw, policy=policy.default)
        assert f".{code}@" in str(message["Message-ID"])
        assert str(message["Reply-To"]) == reply_address(HOST, code)
        assert read_message(raw).text.lstrip().startswith(cut_line(code))
        assert question_of(club.robot.house.root, code, questions_of(game.row)) == OpenQuestion(
            game.g, "ann", game.row.ask or 0
        )
        assert not read_message(club.received["bob"][-1]).codes
        club.minute += 13 * 60
        club.robot.tick(club.now())
        (reminder,) = club.deliver()["ann"]
        assert f".{code}@" in str(message_from_bytes(reminder, policy=policy.default)["Message-ID"]), (
            "a reminder repeats it"
        )
