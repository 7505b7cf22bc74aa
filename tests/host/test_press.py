"""Press between players, and those who look on: nothing of it moves a game, nobody's address is told, nobody poses as the host."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import UsageError
from pbem.host import observers
from pbem.mail import read_message, said_otherwise, write_block
from pbem.mail.letter import fold_lines
from pbem.mail.press import A_DAY, MARK, marked, press_in
from pbem.referee import Pen
from tests.mail.quoting import PAGES, PLAIN, reply
from tests.stored import stored_rows

from .post import HOST, Club, a_club, key_of, moment
from .requests import request
from .says import in_order

pytestmark = pytest.mark.usefixtures("letters_kept")

EVE = "eve@elsewhere.org"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, players=3, turns=1, hours=24) as club:
        yield club.begin()


def said(raws: list[bytes]) -> str:
    return read_message(raws[-1]).text


def signed(club: Club, seat: str, text: str, to: str = "") -> bytes:
    desk = club.desks[seat]
    desk.speaker(desk.notes()).write(text, to, club.now())
    (letter,) = club.letters(desk)
    return letter


@pytest.mark.slow
def test_signed_press_goes_to_all_others_and_a_copy_to_its_writer(club: Club) -> None:
    before = club.state()
    outcome, letters = club.answer_to(signed(club, "ann", "Shall we three\nshare it?"))
    assert outcome == "press: ann to bob, cat"
    assert "From Ann to you, Cat, in A test:" in said(letters["bob"])
    assert "\n  | Shall we three\n  | share it?\n" in said(letters["cat"])
    assert "signed by the key of Ann" in " ".join(said(letters["cat"]).split())
    assert "You wrote to Bob, Cat" in said(letters["ann"])
    assert club.state() == before, "press is no part of the log, and moves nothing"
    in_order(club)


@pytest.mark.slow
def test_press_to_one_seat_is_for_that_seat(club: Club) -> None:
    outcome, letters = club.answer_to(signed(club, "ann", "Against Cat?", "bob"))
    assert outcome == "press: ann to bob"
    assert not letters["cat"]
    assert "PRESS TO ANN" in " ".join(said(letters["bob"]).split())
    outcome, letters = club.answer_to(signed(club, "ann", "Hm?", "dora"))
    assert outcome.startswith("refused: BIND")
    assert 'Press can go to bob, cat, or to all, but not to "dora"' in said(letters["ann"])


@pytest.mark.slow
def test_no_letter_of_press_holds_an_address(club: Club) -> None:
    club.answer_to(request("PRESS\nHello", sender="Ann of the Hill <ann@example.org>"))
    for seat in ("bob", "cat"):
        letter = message_from_bytes(club.received[seat][-1], policy=policy.default)
        assert "press from Ann" in letter["Subject"]
        assert b"ann@example.org" not in club.received[seat][-1]
        assert b"Hill" not in club.received[seat][-1]


@pytest.mark.slow
def test_a_plain_mail_is_handed_on_as_unsigned(club: Club) -> None:
    outcome, letters = club.answer_to(
        request("Press to Bob\nWill you pass?\n> CARD c1\n\nAnn\n-- \nAnn, Hill Street 5")
    )
    assert outcome == "press: ann to bob"
    text = said(letters["bob"])
    assert "  | Will you pass?\n  |\n  | Ann\n" in text
    assert "Nobody has signed it" in " ".join(text.split())
    assert "Hill Street" not in text
    assert "CARD" not in text
    assert "If it was not you" in " ".join(said(letters["ann"]).split()), "whose name is used learns of it"


@pytest.mark.slow
def test_press_of_a_stranger_or_a_robot_goes_nowhere(club: Club) -> None:
    assert club.answer_to(request("PRESS\nHello", sender=EVE)) == (
        "ignored: PRESS from an address that is not registered",
        {"ann": [], "bob": [], "cat": []},
    )
    outcome, letters = club.answer_to(request("PRESS\nI am away", Auto_Submitted="auto-replied"))
    assert outcome.startswith("ignored: written by a robot")
    assert not letters["bob"]


@pytest.mark.slow
def test_signed_press_counts_once_however_it_is_dressed(club: Club) -> None:
    raw = signed(club, "ann", "Once")
    assert club.take(raw) == "press: ann to bob, cat"
    assert club.take(raw.replace(b"Message-ID: <", b"Message-ID: <again.")).startswith("duplicate")
    assert [row["n"] for row in stored_rows(club.office.store, "select count(*) as n from press")] == [1]


@pytest.mark.slow
def test_there_is_so_much_press_in_a_day(club: Club) -> None:
    for no in range(10):
        assert club.take(request(f"PRESS\nNumber {no}", Message_ID=f"<{no}@x>")).startswith("press: ann")
    outcome, letters = club.answer_to(request("PRESS\nOne more", Message_ID="<10@x>"))
    assert outcome.startswith("refused: ASK: 10 pieces")
    assert not letters["bob"]
    assert club.take(signed(club, "ann", "What is signed is counted by itself")).startswith("press: ann")
    assert club.take(request("PRESS\nHi", sender="bob@example.org")).startswith("press: bob")
    club.minute += 25 * 60
    assert club.take(request("PRESS\nTomorrow", Message_ID="<11@x>")).startswith("press: ann")


FORGED: dict[str, tuple[dict[str, Any], str, str]] = {
    "by another key": ({}, "bob", "SIG"),
    "a number that is none": ({"no": 0}, "ann", "FORM"),
    "no words": ({"text": 5}, "ann", "FORM"),
    "nothing": ({"text": "  \n "}, "ann", "FORM"),
    "a book": ({"text": "x" * 4001}, "ann", "FORM"),
    "a column": ({"text": "x\n" * 121}, "ann", "FORM"),
    "to himself": ({"to": "ann"}, "ann", "BIND"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORGED)
def test_what_is_no_press_is_handed_on_to_nobody(club: Club, name: str) -> None:
    more, signer, code = FORGED[name]
    log, desk = club.log(), club.desks["ann"]
    pen = Pen(key_of(signer), log.game, "ann")
    what: dict[str, Any] = {"text": "Hello", "to": "", "no": 7} | more
    desk.tray.write(desk.notes(), "press.7", pen.press(**what), "", club.now())
    (letter,) = club.letters(desk)
    outcome, letters = club.answer_to(letter)
    assert outcome.startswith((f"refused: {code}", "ignored"))
    assert not letters["bob"]
    assert not letters["cat"]


TRICKS = (
    "Ann writes to\rThe host:\u2028BEGIN PBEM ORDERS\x0bGAME 1\u202e\n"
    + 40 * " "
    + "END\n"
    + "x" * 300
    + "\n-- \n.\nFrom me"
)


@pytest.mark.slow
def test_press_cannot_pose_as_the_robot(club: Club) -> None:
    _, letters = club.answer_to(signed(club, "ann", TRICKS))
    head, _, rest = said(letters["bob"]).partition("in A test:\n\n")
    lines = rest.split("\n\nThe host passes")[0].split("\n")
    assert all(line.startswith(MARK.rstrip()) for line in lines)
    assert len(lines) > 10
    assert read_message(letters["bob"][0]).command is None
    assert "From Ann to you, Cat," in head


@settings(max_examples=150)
@given(st.text(max_size=400) | st.text("> |\n.-x \t", max_size=400))
def test_whatever_is_written_every_line_is_marked_and_folded_by_nobody(text: str) -> None:
    lines = marked(text)
    assert all(line.startswith(MARK.rstrip()) and len(line) <= 72 for line in lines.split("\n"))
    assert fold_lines(lines) == lines
    assert all(letter == "\n" or letter.isprintable() for letter in lines)


def test_a_page_of_press_shows_its_signs_and_does_nothing(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        club.robot.post.pictures = True
        _, letters = club.answer_to(signed(club, "ann", "<script>alert(1)</script> & <img src=x onerror=y>"))
        letter = message_from_bytes(letters["bob"][0], policy=policy.default)
        page = letter.get_body(("html",))
        assert page is not None
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;img" in page.get_content()
        assert "<script" not in page.get_content()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("PRESS\nHello", "Hello"),
        ("GAME 1\nPRESS TO BOB:\n\n Hello \n\nBye\nEND\nmore", "Hello \n\nBye"),
        ("press\n> quoted\n  > deeper\nown", "own"),
        ("PRESS", ""),
    ],
)
def test_what_of_a_mail_is_press(text: str, words: str) -> None:
    assert press_in(text) == words


# --- what is quoted -----------------------------------------------------------------------------------------------------


def handed_on(club: Club, raw: bytes, seat: str = "bob") -> str:
    outcome, letters = club.answer_to(raw)
    assert outcome.startswith("press: ann")
    return said(letters[seat])


SHAPES = [*({"text": shape} for shape in PLAIN), *({"page": shape} for shape in PAGES)]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, len(SHAPES), A_DAY))
def test_press_hands_on_nothing_of_a_letter_that_is_quoted(club: Club, first: int) -> None:
    """Outlook quotes without `>`, so the report with the player's hand follows the PRESS line."""
    report = read_message(club.received["ann"][-1]).text[:2500]
    for shape in SHAPES[first : first + A_DAY]:
        text = handed_on(club, reply("PRESS\n\nShall we share it?\nAnn", report, **shape))
        words = [line.removeprefix(MARK) for line in text.split("\n") if line.startswith(MARK)]
        assert words == ["Shall we share it?", "Ann"], shape


@pytest.mark.slow
def test_press_that_holds_lines_of_our_letter_is_not_handed_on_and_its_writer_is_told_why(club: Club) -> None:
    """An unknown program quotes in its own way. The answer says what to delete."""
    for no, raw in enumerate(club.received["ann"][-2:]):
        report = read_message(raw).text.partition("\n")[2][:2500]  # without the line that would cut it off
        outcome, letters = club.answer_to(request(f"PRESS\nShall we share it?\n\n{report}", Message_ID=f"<{no}@x>"))
        assert outcome.startswith("refused: FORM: I cannot tell your words from mine")
        assert not letters["bob"]
        assert not letters["cat"]
        assert "Delete what your mail program quotes" in " ".join(said(letters["ann"]).split())
        club.minute += 20
    assert not stored_rows(club.office.store, "select * from press"), (
        "and it uses up none of what he may hand on in a day"
    )


@pytest.mark.slow
def test_press_may_say_a_line_of_ours_and_what_another_was_told(club: Club) -> None:
    line = max(read_message(club.received["ann"][-1]).text.split("\n"), key=len)
    assert line.strip() in " ".join(handed_on(club, request(f"PRESS\n{line}\nWhat is that?")).replace("|", "").split())
    words = "PRESS\nNobody reads this twice,\nor so they say"
    handed_on(club, request(words, Message_ID="<2@x>"))
    assert handed_on(club, request(words, Message_ID="<3@x>")), "what he wrote himself he may say again"


@pytest.mark.slow
def test_a_quoted_order_is_not_read_as_the_player_s_own_words(club: Club) -> None:
    letter = club.signed(club.order("ann"))
    quoted = "From: pbem\nSent: today\nTo: Ann\nSubject: your move\n\nBATTLE Annan: Bruce FIRE\nEND\n\n"
    assert said_otherwise(f"{quoted}{write_block(letter)}", letter) == []
    assert said_otherwise(f"BATTLE Annan: Bruce FIRE\nEND\n\n{write_block(letter)}", letter) == [
        "BATTLE Annan: Bruce FIRE"
    ]


# --- who looks on -------------------------------------------------------------------------------------------------------


def to_eve(club: Club) -> list[dict[str, Any]]:
    return stored_rows(club.office.store, "select message_id, raw from outbox where address = ? order by id", EVE)


def look_on(club: Club) -> None:
    with club.office.store.decision():
        observers.observe(club.robot.house.game(club.number), EVE, club.robot.post, club.now())


@pytest.mark.slow
def test_who_looks_on_is_sent_what_everybody_may_know_after_every_tell(club: Club) -> None:
    look_on(club)
    tells = [entry.k for entry in club.log().entries].count("tell")
    club.play()
    letters = [read_message(row["raw"]) for row in to_eve(club)]
    assert len(letters) == 1 + [entry.k for entry in club.log().entries].count("tell") - tells
    assert all("You look on." in letter.text and "YOUR HAND" not in letter.text for letter in letters[1:])
    assert "THE GAME IS OVER" in letters[-1].text
    assert not any(letter.log or letter.seat for letter in letters)
    in_order(club)


@pytest.mark.slow
def test_what_an_observer_reads_does_not_depend_on_what_is_hidden(club: Club) -> None:
    """Its text is the report of the public view: that of no seat, made from public facts alone."""
    look_on(club)
    club.turn()
    store = club.robot.house.game(club.number)
    public = club.log().entries
    told = [entry.fields["pub"]["facts"] for entry in public if entry.k == "tell"][1:]
    assert store.ledger.told("", next(e.n for e in public if e.k == "ask")) == told
    assert "your" not in read_message(to_eve(club)[1]["raw"]).text.lower().replace("your move", "")


@pytest.mark.slow
def test_an_observers_mail_is_no_order_and_not_answered(club: Club) -> None:
    look_on(club)
    before = club.state()
    for text in ("CARD c1", "STATUS", "RESEND", "PRESS\nGo left!"):
        outcome, letters = club.answer_to(request(text, sender=EVE))
        assert outcome.startswith(("refused", "ignored"))
        assert not any(letters.values())
    assert len(to_eve(club)) == 1
    assert club.state() == before


@pytest.mark.slow
def test_who_looks_on_can_stop_it_by_mail(club: Club) -> None:
    look_on(club)
    before = club.log().dump()
    assert club.answer_to(request("Unsubscribe", sender=EVE.upper()))[0] == "answered: UNSUBSCRIBE"
    assert "You do not look on at" in read_message(to_eve(club)[-1]["raw"]).text
    club.turn()
    assert len(to_eve(club)) == 2
    assert club.log().dump().startswith(before)
    assert club.answer_to(request("UNSUBSCRIBE", sender=EVE))[0].startswith("ignored")
    assert "UNSUBSCRIBE is for people who look on" in club.answer_to(request("UNSUBSCRIBE"))[0]


@pytest.mark.slow
def test_who_looked_on_can_look_away(club: Club) -> None:
    look_on(club)
    game = club.robot.house.game(club.number)
    with pytest.raises(UsageError, match="looks on at game 1 already"):
        observers.observe(game, EVE.upper(), club.robot.post, moment(club.minute))
    observers.look_away(game, EVE.upper())
    club.turn()
    assert len(to_eve(club)) == 1
    with pytest.raises(UsageError, match="does not look on"):
        observers.look_away(game, EVE)


@pytest.mark.slow
@pytest.mark.parametrize("address", ["ANN@example.org", HOST, "host+g1@example.org"])
def test_neither_a_player_nor_the_host_looks_on(club: Club, address: str) -> None:
    with pytest.raises(UsageError):
        observers.observe(club.robot.house.game(club.number), address, club.robot.post, moment(club.minute))
