"""What the writer of a reply wrote himself is told from what his mail program quotes, in whatever way it does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail import read_message
from pbem.mail.text import plain
from pbem.mail.unquoting import letter_lines, letters_alone, ours_among, own_part
from tests.corpora import SAID, messages

from .quoting import PAGES, PLAIN, reply

OWN = "PRESS to bob\n\nShall we share it?\nYou take Fife: I do not mind.\n\nAnn"
WORDS = OWN.partition("\n\n")[2]
LETTER = """pbem 3: Hammer of the Scots

WHAT IS ASKED OF YOU NOW
Annan: Bruce is down to 1. Retreat, fire or pass?

  BATTLE Annan: Bruce FIRE
  # BATTLE Annan: Bruce PASS

YOUR HAND
Move 1, Herald, Pillage, Sea Move

Entry 41, head 3f29 c1d0 77aa"""


@pytest.mark.parametrize("shape", PLAIN)
def test_a_quotation_in_a_text_is_cut_off(shape: str) -> None:
    own = own_part(PLAIN[shape](OWN, LETTER))
    assert letter_lines(own) == letter_lines(OWN)
    assert read_message(reply(OWN, LETTER, shape)).press.split() == WORDS.split()


@pytest.mark.parametrize("shape", PAGES)
def test_a_quotation_in_a_page_is_cut_off(shape: str) -> None:
    assert letter_lines(own_part(plain(PAGES[shape](OWN, LETTER)))) == letter_lines(OWN)
    assert read_message(reply(OWN, LETTER, page=shape)).press.split() == WORDS.split()


@pytest.mark.parametrize("shape", [*PLAIN, *PAGES])
def test_a_quotation_alone_is_nothing_of_ones_own(shape: str) -> None:
    text = PLAIN[shape]("", LETTER) if shape in PLAIN else ""
    page = PAGES[shape]("", LETTER) if shape in PAGES else ""
    assert letter_lines(own_part(text), own_part(plain(page))) in ([], ["annhillstreet5"])


def test_the_page_says_what_is_quoted_where_the_text_does_not() -> None:
    for shape in PAGES:
        text, page = f"{OWN}\n\n{LETTER}", plain(PAGES[shape](OWN, LETTER))
        assert letter_lines(own_part(text, page)) == letter_lines(OWN), shape


@pytest.mark.parametrize("page", ["", "\n \n", "Your mail program cannot show this mail.", "> quoted\nSomething more"])
def test_a_page_that_says_something_else_takes_nothing_away(page: str) -> None:
    assert own_part(OWN, page) == OWN


def test_what_a_program_wraps_off_a_quoted_line_is_nothing_of_ones_own() -> None:
    quoted = "> Round 1: Bruce 4 against Lancaster Archers 3 and Wales Archers, of whom there were\n2\n> and more"
    assert own_part(f"yes\n\n{quoted}") == "yes"
    several = "> They have so many:\n(6).\n> steps in\nFife\n> and in Annan  they have\n3\n> in all"
    assert own_part(f"{several}\n\nyes") == "yes"
    assert own_part("> fire or pass?\n2\n> YOUR HAND") == "2", "an answer between the lines of the letter"


def test_a_move_that_is_wrapped_before_its_arrow_goes_on() -> None:
    move = "MOVE England: Hobelars, Lancaster Knights, York Infantry > Annan"
    assert own_part(f"{move}\n> Carrick\nDONE\n\n> quoted\n> more", unwrapped=True) == f"{move} > Carrick\nDONE"
    assert own_part(f"{move}\n> Carrick\nDONE") == f"{move}\nDONE", "press hands on nothing that may be quoted"
    assert own_part(f"{move}\n> the letter\n> its next line", unwrapped=True) == move
    assert own_part("yes\n> the letter", unwrapped=True) == "yes"
    wrote = "On Tue, 1 Jan 2030 at 11:03, the host of our club <host@example.org> wrote:\n> the letter\n\nno"
    assert own_part(wrote, unwrapped=True) == "no"
    assert own_part(f"yes\n{wrote}", unwrapped=True) == "yes\n\nno"


REAL = messages("replies")


@pytest.mark.parametrize(
    "path",
    REAL or [pytest.param(None, marks=pytest.mark.skip(reason="not fetched: run “python tests/corpora.py”"))],
    ids=lambda path: path.name if path else "none",
)
def test_replies_that_programs_have_really_written_are_cut(path: Path) -> None:
    raw = path.read_bytes()
    own = read_message(raw).own if path.suffix == ".eml" else own_part(plain(raw.decode("utf-8", "replace")))
    assert letter_lines(own) == letter_lines(SAID[path.suffix == ".html"])


def test_who_wrote_what_is_quoted_is_said_in_any_language() -> None:
    quoted = "> --- Reply above this line · 7F3K-9QWX-2M4P ---\n> Bruce?\n"
    assert own_part(f"2\n\nHost 于 2030年1月1日周二写道：\n\n{quoted}") == "2"
    assert own_part(f"PRESS\nSo be it:\nAnnan\n{quoted}") == "PRESS\nSo be it:\nAnnan"


def test_own_lines_between_and_below_quoted_ones_count() -> None:
    text = "On 1 January 2030 pbem wrote:\n> one\n\nyes\n\n> two\nno\n"
    assert letter_lines(own_part(text)) == ["yes", "no"]
    page = '<div class="gmail_quote"><blockquote>one</blockquote><div>yes</div><blockquote>two</blockquote></div><div>no</div>'
    assert letter_lines(own_part(plain(page))) == ["yes", "no"]


@pytest.mark.parametrize(
    "text",
    [
        "From Fife to Atholl: two blocks\nTo whom it may concern",
        "On Tuesday I wrote: no.\nOn Wednesday: yes",
        "Offer: Fife\nReturn: Mentieth\nTerms: none",
        "--- my plan ---\nhold Moray",
        "Sent from Fife: two blocks of mine.\nWhat now?",
        "HOME Bruce > Carrick\nMOVE Wallace FROM Selkirk TO Fife",
        "De Bruce: rien\nA: 1\nB: 2",
        "Am I right: you hold two?\nYes:\nno",
    ],
)
def test_a_players_words_are_not_taken_for_a_quotation(text: str) -> None:
    assert own_part(text) == text


def test_lines_of_the_letter_are_found_among_ones_own_however_they_are_wrapped() -> None:
    letter = letter_lines(LETTER)
    for quoted in (
        LETTER,
        LETTER.replace("\n", "\n    "),
        LETTER.upper().replace(",", " "),
        LETTER.replace("Retreat", "\nRetreat"),
        " ".join(LETTER.split()),
        "YOUR HAND\n\n\nMove 1, Herald, Pillage, Sea Move",
    ):
        assert ours_among(f"Shall we?\n\n{quoted}", letter), quoted
    for own in (OWN, "", "YOUR HAND", "Move 1, Herald, Pillage, Sea Move\nis what I hold", "yes\nno", "1\n2"):
        assert not ours_among(own, letter), own


def test_nothing_sent_before_means_nothing_is_ours() -> None:
    assert not ours_among("hello\n\nAnn", [])


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(["> x", "a", "", "--", "On 1 Jan 2030 x@y wrote:", "From: a@b", "To: c", "Subject: d", "____"])
    )
)
def test_what_is_cut_is_made_of_its_lines_and_cutting_again_takes_nothing_but_ends(lines: list[str]) -> None:
    own_part("\n".join(lines), unwrapped=True)
    own = own_part("\n".join(lines)).split("\n")
    rest = iter(lines)
    assert all(line in rest for line in own if line)
    assert "> x" not in own


def test_letters_alone_are_what_python_calls_letters_and_digits() -> None:
    text = "".join(map(chr, range(0x20000)))
    assert letters_alone(text) == "".join(letter for letter in text.casefold() if letter.isalnum())
