"""What a mail asks it also says how to answer: which lines to keep, what to type, where the page is, what comes of silence."""

from __future__ import annotations

from contextlib import suppress
from email import message_from_bytes, policy
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from pbem.errors import UsageError
from pbem.games import GamePack, find
from pbem.host import Office
from pbem.i18n import speaking
from pbem.kernel import Chance, View
from pbem.mail import read_message
from pbem.mail.hours import Hours
from pbem.referee import Pen
from pbem.reports.answering import answering, why_asked
from pbem.reports.choices import choices, default_number, numbered, only
from pbem.reports.report import Ways
from tests.conformance import outcome

from .post import Club, a_club, key_of, letter_of

PARIS = Hours("Europe/Paris")
PAGE = "https://desk.club.example/"


def words(raw: bytes) -> str:
    return " ".join(read_message(raw).text.split())


@pytest.mark.parametrize(("late", "sentence"), [("default", "number 1 counts"), ("claim", "may claim the game")])
def test_a_mail_that_asks_says_how_to_answer_and_what_comes_of_silence(
    tmp_path: Path, late: str, sentence: str
) -> None:
    """The order is question, events, numbered list, hand, board."""
    with a_club(tmp_path, hours=24, terms={"late": late, "leave": 0}) as club:
        club.begin()
        text = words(club.received["ann"][-1])
        happened, how = text.index("WHAT HAPPENED"), text.index("YOUR CHOICE")
        hand, board = text.index("YOUR HAND"), text.index("THE BOARD")
        assert text.index("Answer by") < happened < how < hand < board < text.index("head ")
        assert "pbem read MAIL, pbem order and pbem send" in text[how:]
        assert sentence in text[how:]
        assert "on the page" not in text, "this host shows none"


def test_where_the_host_shows_a_page_its_address_stands_there_and_the_player_s_program_agrees(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.robot.post.door = club.robot.post.page = PAGE
        club.begin()
        raw = club.received["ann"][-1]
        assert f"Or on the page of this host: {PAGE}" in words(raw)
        assert club.desks["ann"].read(raw).warnings == ()


def test_a_false_address_in_the_text_is_warned_of(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.robot.post.door = club.robot.post.page = PAGE
        club.begin()
        lie = club.received["ann"][-1].replace(PAGE.encode(), b"https://evil.example/")
        assert "not what the log says" in club.desks["ann"].read(lie).warnings[0]


@pytest.mark.slow
def test_html_says_it_in_the_same_order(tmp_path: Path) -> None:
    """Attachments and HTML say how to answer, too."""
    with a_club(tmp_path, hours=24, clock=PARIS) as club:
        club.robot.post.pictures = True
        club.begin()
        message = message_from_bytes(club.received["ann"][-1], policy=policy.default)
        made = [part.get_content() for part in message.walk() if part.get_content_type() == "text/html"]
        assert len(made) == 1, "no page is attached where nobody wants a large map"
        for html in made:
            assert html.index("Answer by") < html.index("What happened") < html.index("Your choice")
            assert "pbem order" in html
            assert "your time (Europe/Paris)" in html


def test_it_is_said_in_french_too() -> None:
    """How to answer, and what silence means."""
    with speaking("fr"):
        said = answering(Ways(PAGE, "claim"))
    assert said[1] == f"Ou sur la page de cet hôte\xa0: {PAGE}"
    assert "réclamer la partie" in said[-1]
    assert len(answering(Ways())) == len(said) - 2


@pytest.mark.slow
def test_deadlines_are_told_by_the_reader_s_clock_in_words(tmp_path: Path) -> None:
    """“Friday 4 January, 02:00 your time, in 2 days 23 hours”."""
    with a_club(tmp_path, hours=71, clock=PARIS, languages={"bob": "fr"}) as club:
        club.begin()
        raw = club.received["ann"][-1]
        assert "Answer by Friday 4 January, " in words(raw)
        assert "your time (Europe/Paris), in 2 days 23 hours." in words(raw)
        assert club.desks["ann"].read(raw).warnings == (), "his program comes to the same words"
        assert "vendredi 4 janvier" in words(club.received["bob"][-1])
        assert "dans 2 jours 23 heures" in words(club.received["bob"][-1])


def test_a_subject_says_what_it_is_about_and_by_when(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24) as club:
        club.begin()
        said = read_message(club.received["ann"][-1]).subject
        assert said.endswith("your move by Wednesday: Which card do you play in turn 1"), said
        assert b"\nSubject: [pbem 1] " in club.received["ann"][-1], "the tag begins the line"


@pytest.mark.slow
def test_a_reply_without_a_block_is_told_how_one_answers(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24) as club:
        club.begin()
        club.answer_to(b"From: ann@example.org\r\nSubject: Re: your move\r\n\r\nCARD c3\r\n")
        said = words(club.received["ann"][-1])
        assert "How to answer:" in said
        assert "pbem read MAIL, pbem order and pbem send" in said
        assert "STATUS, BOARD, RESEND" in said
        club.take(club.order("ann"))
        club.take(club.order("bob"))


def test_an_invitation_says_where_the_program_is_and_how_a_key_is_made(tmp_path: Path) -> None:
    """It also says how to decline."""
    with a_club(tmp_path) as club:
        said = words(_invited(club, page="", program=""))
        assert "pbem key --address ann@example.org pbem join FILE pbem send" in said
        assert "Ask the person who runs the host" in said
        assert "tell the person who runs the host" in said, "how to decline"
        assert PAGE in words(_invited(club, page=PAGE, program=""))
        assert "https://example.org/pbem" in words(_invited(club, page="", program="https://example.org/pbem"))


def _invited(club: Club, page: str, program: str) -> bytes:
    from pbem.host.roster import invite_again

    post = club.robot.post
    post.page, post.program = page, program
    with club.office.store.decision():
        invite_again(club.robot.house.game(club.number), "ann", post, club.now())
    return club.deliver()["ann"][-1]


@pytest.mark.slow
def test_who_wants_two_lines_gets_two_lines_with_all_that_his_program_needs(tmp_path: Path) -> None:
    with a_club(tmp_path, hours=24, languages={"ann": "fr"}) as club:
        club.begin()
        assert club.take(_choice(club, "ann", "short")) == "mail: ann"
        assert "deux lignes" in words(club.deliver()["ann"][-1])
        readings = []
        for _question in range(4):  # whom the dice ask next, they say
            for seat in club.asked():
                club.take(club.order(seat))
            for seat, letters in club.deliver().items():
                read = [(read_message(raw).text.strip(), club.desks[seat].read(raw)) for raw in letters]
                readings += read if seat == "ann" else []
        assert not any("WHAT HAPPENED" in text for text, _reading in readings)
        short = [reading for text, reading in readings if len(text.splitlines()) == 2]
        assert short
        for reading in short:
            assert reading.warnings == ()
            assert "WHAT HAPPENED" in reading.text, "his program shows the whole of it, from the log"
        assert any("WHAT HAPPENED" in read_message(raw).text for raw in club.received["bob"])


def _choice(club: Club, seat: str, mail: str) -> bytes:
    return letter_of(seat, Pen(key_of(seat), club.log().game, seat).post(mail, 1), "My mail.")


def test_the_only_answer_says_why_it_is_asked() -> None:
    """It also says what silence means, and that a plan or a premove would save the mail."""
    hammer, tournament = find("hammer"), find("tournament")
    assert "not late" in why_asked(hammer, marked=False, due=True)
    assert "not late" not in why_asked(hammer, marked=False, due=False)
    marked = why_asked(hammer, marked=True, due=True)
    assert "your share of the coming dice" in marked
    assert "AHEAD" in marked, "what would have spared the mail"
    assert "PLAN" in why_asked(hammer, marked=False, due=False)
    assert "AHEAD" not in why_asked(tournament, marked=True, due=True), "where nothing can be sent ahead"
    assert "--only-answers" in marked


def first_card(seed: int = 1) -> tuple[View, GamePack]:
    """The first question of Hammer, as the English see it, whose lowest card the rules take for who is silent."""
    pack = find("hammer")
    stop = pack.rules.start(pack.complete({}))
    while isinstance(stop.wants, Chance):
        stop = pack.rules.step(stop.state, outcome(stop.wants, Random(seed)))
    return pack.rules.read_view(pack.rules.view(stop.state, "english")), pack


def test_what_silence_means_is_told_by_its_number() -> None:
    """The rules take the lowest card, and the list has it."""
    view, pack = first_card()
    listed = choices(pack, view)
    silent = default_number(pack, view, listed)
    assert listed[silent - 1].order == str(pack.rules.default(view))
    assert f"number {silent} counts" in answering(Ways(late="default"), silent)[-1]
    assert len(answering(Ways(late="default"))) == 1, "what is forced was said already"


def test_nobody_thinks_for_a_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbered answers follow from the view alone, without a built-in player. The first is the default for silence."""
    view, pack = first_card()
    monkeypatch.setattr(type(pack.look), "advice", lambda look, view: pytest.fail("a built-in player was asked"))
    monkeypatch.setattr(type(pack.look), "touches", lambda look, view, draft: pytest.fail("touches were made"))
    listed = choices(pack, view)
    assert {one.order for one in listed} == set(map(str, pack.rules.options(view)))
    assert numbered(listed).startswith("  1  Move ")


def test_a_log_that_asks_where_its_view_does_not_is_shown_all_the_same() -> None:
    """Whoever writes a log may let it ask anything; what is wrong with it the audit says."""
    pack = find("hammer")
    stop = pack.rules.start(pack.complete({}))
    view = pack.rules.read_view(pack.rules.view(stop.state, None))
    assert not only(view, pack)
    assert choices(pack, view) == ()


def test_options_are_told_in_words() -> None:
    """In each game and language, as “Bruce cards: out”."""
    lords, hammer = find("lords"), find("hammer")
    assert "Bruce cards: out" in lords.told(lords.complete({}))
    assert "Bruce cards: in, of strength 12, with ranks 97 and 98" in lords.told(lords.complete({"bruce": True}))
    assert not [line for line in lords.told(lords.complete({})) if "ranks:" in line]
    assert hammer.told(hammer.complete({}))[:2] == ["scenario Braveheart", "the rules of edition 4.0"]
    swords, tournament = find("swords"), find("tournament")
    said = swords.told(swords.complete({"glory": "first", "first": "pink", "castles": "any"}))
    assert said[1] == "glory cards: The Crown, Edinburgh Castle, A Bloody Banner"
    assert {
        "4 players",
        "Pink begins",
        "every castle on the border acts, also for a player without cubes in the region",
    } < set(said)
    assert tournament.told(tournament.complete({"players": ["ann", "bob"], "games": ["years=3"]})) == [
        "2 players: Ann, Bob",
        "then games of Hammer of the Scots: scenario Braveheart, the rules of edition 4.0, at most 3 years are played",
    ]


@pytest.mark.parametrize("game", ["hammer", "lords", "swords", "tournament"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_option_is_told_by_its_name_and_value_alone(game: str, language: str) -> None:
    """Whatever value an option has, there are words for it; a value as it is typed stands in none."""
    pack = find(game)
    model = pack.rules.options_model
    words = {value for field in model.model_fields.values() for value in get_args(field.annotation)} - {
        "",
        "4.0",
        "2.3",
    }
    for name, field in model.model_fields.items():
        for value in get_args(field.annotation) or [field.default]:
            with speaking(language), suppress(UsageError):
                said = pack.told(pack.complete({name: value}))
                assert not [line for line in said if line.partition(": ")[2] in words], (name, value, said)


def test_the_settings_name_page_and_program(tmp_path: Path) -> None:
    Office.create(tmp_path, key_of("host"), "host@example.org").close()
    place = tmp_path / "host.toml"
    text = place.read_text("utf-8")
    place.write_text(
        f'program = "https://example.org/pbem"\n{text}\n[door]\naddress = "{PAGE}"\npage = "page"\n', "utf-8"
    )
    office = Office(tmp_path)
    try:
        assert (office.robot.post.page, office.robot.post.program) == (PAGE, "https://example.org/pbem")
    finally:
        office.close()
