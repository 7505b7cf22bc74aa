"""The first hour of somebody who has a mailbox and s-nail, and reads nothing but his mail: from the invitation to turn 3."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.servers.games import a_host, pbem, running

from .nail import Reader, needs_nail
from .people import words_of
from .real import Servers

pytestmark = pytest.mark.slow


@needs_nail
def test_somebody_with_nothing_but_a_mailbox_gets_to_the_third_turn(tmp_path: Path, servers: Servers) -> None:
    home = a_host(tmp_path, servers, "imap smtp")
    reader = Reader(tmp_path, servers, "ann")
    seats = ("--seat", "english=sensible", "--seat", "scottish=ann@players.test")
    pbem("host", "new", "--dir", str(home), "--game", "hammer", *seats, "--hours", "72", "--zone", "Europe/London")
    with running(home):
        letter = reader.wait("invitation")
        assert "Against:   the English (a built-in player)" in words_of(letter)
        reader.reply(letter, "JOIN seven old boats")
        letter, texts = reader.wait("report"), list[str]()
        reader.reply(letter, "Hello! How do I play a card?")
        asked = reader.wait("told")
        assert "Nothing in your mail could be read as an answer." in words_of(asked)
        reader.reply(asked, "HELP")
        assert words_of(reader.wait("reply")).split("\n")[1].startswith("You play Hammer of the Scots by replying")
        reader.reply(letter, "1?")
        refused = reader.wait("refusal")
        assert "This asks something. Write the number alone." in words_of(refused)
        reader.reply(refused, "1")
        for _ in range(40):
            letter = reader.wait("report")
            texts.append(words_of(letter))
            if "turn 3" in str(letter["Subject"]):
                break
            listed = re.findall(r"^ {2}(\d) {2}\S", texts[-1], re.MULTILINE)
            reader.reply(letter, f"Hello,\n{listed[min(3, len(listed)) - 1]}\nThanks, Ann")
        else:
            raise AssertionError("the third turn does not come")
    assert not any("Not read as an order" in words_of(one) for one in reader.letters()[reader.there - len(texts) :])
    assert all("pbem " not in text for text in texts), "no letter of the game asks for a program"
