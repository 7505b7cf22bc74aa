"""What each mail program quotes is cut off: press hands on nothing of it, and a quoted letter alone orders nothing."""

from __future__ import annotations

from random import Random

import pytest

from pbem.host.answers import read_answer
from pbem.mail import read_message
from pbem.mail.above import cut_line
from pbem.mail.unquoting import letter_lines, ours_among

from .programs import PROGRAMS, Sent, reply
from .questions import first

LETTER = f"""{cut_line("7F3K9QWX2M4P")}
Bruce is down to 1 in Annan: retreat, fire or pass?

YOUR CHOICE
  1  BATTLE Annan: Bruce FIRE
  2  BATTLE Annan: Bruce PASS

YOUR HAND  Move 1, Herald, Pillage, Sea Move. The English hold 4 cards."""
SENT = Sent(
    LETTER,
    "3f29c1d03f29c1d0.report.31.scottish.7F3K9QWX2M4P@example.org",
    "host+r-7F3K9QWX2M4P@example.org",
    "your move",
)
SAID = "Shall we share it?\nYou take Fife: I do not mind."


@pytest.mark.parametrize("program", PROGRAMS)
def test_press_hands_on_the_writers_own_lines_and_nothing_of_the_hand(program: str) -> None:
    """A PRESS mail quotes the report with the player's hand."""
    mail = read_message(reply(program, f"PRESS to bob\n\n{SAID}", SENT, Random(program)))
    words = mail.press.removesuffix("Sent from my iPhone").strip()
    quiet = program in (
        "wraps what it quotes, below",
        "a gateway",
    )  # PRESS is the first of one's own lines, or it is none
    assert letter_lines(words) == letter_lines(SAID) or (quiet and not words)
    assert "Herald" not in mail.press
    assert not ours_among(mail.press, letter_lines(LETTER))


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_quoted_letter_alone_orders_nothing(program: str) -> None:
    """By any program, in any language."""
    mail = read_message(reply(program, "", SENT, Random(program)))
    found = read_answer(mail.own, first("lords", "RECRUIT", 12))
    assert not found.order
    assert not found.commands
    assert mail.codes == ("7F3K9QWX2M4P",)
