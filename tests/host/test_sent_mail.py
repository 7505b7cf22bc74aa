"""`pbem complain --sent`: what lies in a player's folder of sent mails, beside what the log has of his seat."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import UsageError
from pbem.host import believed
from pbem.host.answers import read_answer
from pbem.host.sent_mail import compared
from pbem.ledger import Log

from .mailboxes import Mailboxes, text_of


def test_a_sent_mail_is_compared_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player shows a mail of another game: refused. A sent mail accuses nobody."""
    with Mailboxes(tmp_path) as boxes:
        ann, bob = boxes.seats
        joins = boxes.reply(ann, "JOIN seven goats")
        boxes.take(joins)
        boxes.say(bob, "JOIN six sheep")
        true, other = boxes.reply(ann, "1", boxes.put_to(ann)), boxes.reply(bob, "1", boxes.put_to(bob))
        boxes.take(true)
        with monkeypatch.context() as patch:
            patch.setattr(believed, "read_answer", lambda own, asked: read_answer(own.replace("1", "2"), asked))
            boxes.take(other)
        prose = boxes.reply(ann, "Hello!", boxes.put_to(ann))
        boxes.play()
        data = boxes.robot.house.game(boxes.number).exported().dump()
        log = Log.parse(data)
    assert compared(joins, log) == f"Your words “seven goats” are those that the log has for {ann}."
    assert "are in no join of this log: it has ann: “seven goats”; bob: “six sheep”" in compared(
        joins.replace(b"seven goats", b"eight goats"), log
    )
    assert compared(true, log).startswith(f"The log has for {ann} what this mail orders: “")
    assert "Was there a later mail about the same question?" in compared(other, log)
    assert compared(prose, log).startswith("No order can be read in this mail")
    with pytest.raises(UsageError, match="answers no letter of this game"):
        compared(true.replace(log.game[:16].encode(), b"0" * 16), log)
    (tmp_path / "game.pbem").write_bytes(data)
    (tmp_path / "sent.eml").write_bytes(true)
    done = CliRunner().invoke(app, ["complain", str(tmp_path / "game.pbem"), "--sent", str(tmp_path / "sent.eml")])
    assert done.exit_code == 0
    assert "what this mail orders" in " ".join(done.output.split())
    done = CliRunner().invoke(
        app, ["complain", str(tmp_path / "game.pbem"), "--sent", str(tmp_path / "sent.eml"), "--json"]
    )
    found = json.loads(done.output)
    assert (found["seat"], found["same"], found["mail"]) == (ann, True, found["log"])
    assert json.loads(compared(joins, log, as_json=True)) == {"words": "seven goats", "seats": [ann], "same": True}
    assert "--sent" in str(CliRunner().invoke(app, ["complain", str(tmp_path / "game.pbem")]).exception)


def test_a_mail_in_the_words_of_a_french_list_is_read_by_an_english_reader(tmp_path: Path) -> None:
    with Mailboxes(tmp_path, languages={"ann": "fr"}) as boxes:
        ann, bob = boxes.begin().seats
        listed = next(line for line in text_of(boxes.put_to(ann)).split("\n") if re.match(r" {0,4}2  ", line))
        mail = boxes.reply(ann, listed.strip(), boxes.put_to(ann))
        assert boxes.take(mail) == f"order: {ann}"
        boxes.say(bob, "1", to=boxes.put_to(bob))
        log = Log.parse(boxes.play().robot.house.game(boxes.number).exported().dump())
    assert compared(mail, log).startswith(f"The log has for {ann} what this mail orders")
