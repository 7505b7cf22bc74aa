"""Each seat is written to in its own language: letters, pages, calendar; and the game is the same in all of them."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.host import observers
from pbem.host.outbox import WAITS_FOR
from pbem.i18n import speaking
from pbem.mail import read_message
from tests.stored import stored_row, stored_rows

from .post import Club, a_club, moment
from .requests import answer, request

pytestmark = pytest.mark.usefixtures("letters_kept")


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with a_club(tmp_path_factory.mktemp("english"), hours=24) as club:
        yield club.begin().play()


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Ann reads French, Bob English; Ann's first order comes twice, and a mail of hers holds nothing."""
    with a_club(tmp_path_factory.mktemp("mixed"), hours=24, languages={"ann": "fr"}) as club:
        club.robot.post.pictures = True
        yield club.begin().play()


def heads(club: Club, seat: str) -> list[tuple[str, str]]:
    """Language and subject of each letter to a seat."""
    letters = [message_from_bytes(raw, policy=policy.default) for raw in club.received[seat]]
    return [(letter["Content-Language"], letter["Subject"].partition(": ")[2]) for letter in letters]


def test_a_game_in_two_languages_is_the_same_game(english: Club, mixed: Club) -> None:
    assert mixed.log().dump() == english.log().dump()
    assert len(mixed.received["ann"]) == len(english.received["ann"])


def test_every_letter_is_in_the_language_of_its_seat(mixed: Club) -> None:
    assert {language for language, _ in heads(mixed, "ann")} == {"fr"}
    assert {language for language, _ in heads(mixed, "bob")} == {"en"}
    assert any("à vous de jouer" in subject for _, subject in heads(mixed, "ann"))
    assert any("your move" in subject for _, subject in heads(mixed, "bob"))


def test_text_page_and_calendar_are_french_together(mixed: Club) -> None:
    letter = message_from_bytes(mixed.received["ann"][2], policy=policy.default)
    texts = {
        part.get_content_type(): str(part.get_content())
        for part in letter.walk()
        if part.get_content_maintype() == "text"
    }
    assert "À VOUS DE CHOISIR" in texts["text/plain"]
    assert '<html lang="fr">' in texts["text/html"]
    assert "À vous de choisir</h2>" in texts["text/html"]
    assert "SUMMARY:A test\u00a0: à vous de jouer" in texts["text/calendar"]


def test_a_program_that_speaks_another_language_believes_the_letter(mixed: Club, tmp_path: Path) -> None:
    """What a report says is rendered again in the language of the letter, and nothing is warned of."""
    desk = mixed.new_desk("ann", "again")
    for raw in mixed.received["ann"]:
        reading = desk.read(raw)
        assert reading.warnings == ()
        assert "Vous jouez" not in reading.text or not reading.since
    with speaking("fr"):
        assert "Vous jouez Ann." in desk.read(mixed.received["ann"][2]).text


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3) as club:
        yield club.begin()


@pytest.mark.slow
def test_a_line_in_a_mail_chooses_the_language(club: Club) -> None:
    assert "Désormais, les courriers d'A test vous parviennent en français." in answer(club, "LANGUAGE fr")
    assert "Une réponse est attendue de vous" in answer(club, "STATUS")
    assert "From now on" not in answer(club, "HELP")
    assert "in English from now on" in answer(club, "LANGUAGE EN")
    club.turn()
    assert {language for language, _ in heads(club, "bob")} == {"en"}


def test_a_line_above_another_request_does_both(club: Club) -> None:
    outcome, letters = club.answer_to(request("LANGUAGE fr\r\nHELP"))
    assert outcome == "answered: HELP"
    assert "Ce que lit l'hôte d'A test" in read_message(letters["ann"][0]).text


def test_an_unknown_language_is_refused_and_nothing_changes(club: Club) -> None:
    outcome, letters = club.answer_to(request("LANGUAGE xx"))
    assert outcome.startswith("refused: FORM: There is no translation into “xx” here. The languages are: en, fr.")
    assert "en, fr" in read_message(letters["ann"][0]).text
    assert "An answer is asked of you" in answer(club, "STATUS", Message_ID="<2@x>")


def asking(raw: bytes, language: str) -> bytes:
    """The same letter with a line LANGUAGE above its words."""
    head, _, body = raw.partition(b"\r\n\r\n")
    return head + b"\r\n\r\n" + f"LANGUAGE {language}\r\n\r\n".encode() + body


def test_whoever_joins_is_written_to_in_the_language_of_his_program(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        for seat, raws in club.deliver().items():
            for raw in raws:
                club.desks[seat].join(raw, club.now())
            (letter,) = club.letters(club.desks[seat])
            club.take(asking(letter, "fr") if seat == "ann" else letter)
        rosters = club.deliver()
        assert "comparez les clés" in str(message_from_bytes(rosters["ann"][0], policy=policy.default)["Subject"])
        assert "compare the keys" in str(message_from_bytes(rosters["bob"][0], policy=policy.default)["Subject"])


@pytest.mark.slow
def test_a_refusal_is_told_in_the_language_that_its_mail_asks_for(club: Club) -> None:
    first, second = club.order("ann"), club.order("ann")
    club.answer_to(second)
    outcome, letters = club.answer_to(asking(first, "fr"))
    assert outcome.startswith("refused: DOUBLE: La révision 1 de votre réponse est déjà là")
    text = read_message(letters["ann"][0]).text
    assert "Votre courrier a été lu, et rien n'a changé dans la partie." in text
    assert "La révision 1 de votre réponse est déjà là" in text
    assert "Vos courriers vont" in answer(club, "STATUS")


def test_an_order_with_the_line_is_what_was_signed(club: Club) -> None:
    outcome = club.take(asking(club.order("ann"), "fr"))
    club.minute += WAITS_FOR
    letters = club.deliver()
    assert outcome == "order: ann"
    text = read_message(letters["ann"][0]).text
    assert "Votre ordre pour A test a été lu ainsi" in text
    assert "LANGUAGE" not in text


def test_a_letter_that_is_reminded_keeps_its_language(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24, languages={"ann": "fr"}) as club:
        club.begin()
        club.robot.tick(moment(60 * 13))
        club.deliver()
        assert ("fr", "votre réponse est attendue") in heads(club, "ann")
        assert ("en", "your answer is awaited") in heads(club, "bob")


@pytest.mark.slow
def test_who_looks_on_reads_his_language(club: Club) -> None:
    game = club.robot.house.game(club.number)
    with club.office.store.decision():
        observers.observe(game, "eve@example.org", club.robot.post, club.now(), "fr")
        observers.observe(game, "finn@example.org", club.robot.post, club.now())
    club.turn()
    sent = "select address, raw from outbox where kind in ('observer', 'public') order by id"
    found = [(row["address"][:4], read_message(row["raw"]).language) for row in stored_rows(club.office.store, sent)]
    assert sorted(set(found)) == [("eve@", "fr"), ("finn", "en")]
    assert club.take(request("LANGUAGE fr", "finn@example.org")) == "answered: LANGUAGE"
    row = stored_row(club.office.store, "select address, raw from outbox order by id desc")
    assert row is not None
    assert (row["address"], read_message(row["raw"]).language) == ("finn@example.org", "fr")
    assert club.take(request("HELP", "finn@example.org")).startswith("ignored")


def test_the_host_s_own_language_is_that_of_who_chose_none(club: Club) -> None:
    club.robot.post.language = "fr"
    assert "Une réponse est attendue" in answer(club, "STATUS")
    assert "in English" in answer(club, "LANGUAGE en")
    assert "An answer is asked" in answer(club, "STATUS", Message_ID="<3@x>")


def test_troubles_of_the_host_have_one_name_in_all_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> str:
        raise ZeroDivisionError

    with a_club(tmp_path, languages={"ann": "fr"}) as club:
        club.robot.post.pictures = True
        with monkeypatch.context() as patch:
            patch.setattr("pbem.reports.html.page", stumble)
            club.begin()
        assert "drawing for Ann in game 1" in {found["way"] for found in club.office.status()["troubles"]}
