"""A new club, from nothing to the first game between two strangers, as “Let people find each other” says, command by command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbem.mail import Maildir, read_message

from .program import Program

CLUB = "club@example.org"


class Evening:
    """A host with folders for mail, and two people with the program and a folder each."""

    def __init__(self, folder: Path, program: Program) -> None:
        self.folder, self.program = folder, program

    def types(self, *words: object) -> str:
        code, said = self.program(*words)
        assert code == 0, said
        return " ".join(said.split())

    def sends(self, who: str) -> str:
        """Send what waits, and let the host look."""
        self.types("send", "--home", self.folder / who)
        return self.types("host", "run", "--once", "--dir", self.folder / "club")

    def letters(self, who: str, kind: str) -> list[str]:
        """The files of the letters of a kind that have come."""
        box = Maildir(self.folder / "club" / "mail" / who)
        return [str(path) for path, raw, _at in box.new() if f"{kind}." in read_message(raw).message_id]

    def code(self, who: str) -> str:
        (letter,) = self.letters(who, "register")
        found = re.search("CONFIRM ([0-9a-f]{32})", Path(letter).read_text("utf-8"))
        assert found
        return found[1]


@pytest.mark.slow
def test_two_strangers_come_to_their_first_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = Evening(tmp_path, Program(monkeypatch, capsys))
    evening.types("host", "init", tmp_path / "club", "--address", CLUB)
    with (tmp_path / "club" / "host.toml").open("a", encoding="utf-8") as settings:
        settings.write("\n[club]\n")
    assert "WRONG" not in evening.types("host", "check", "--dir", tmp_path / "club")
    for who in ("ann", "bob"):
        home = tmp_path / who
        evening.types("key", "--home", home, "--address", f"{who}@example.org")
        kept = json.loads((home / "settings.json").read_text("utf-8"))
        post = kept | {"post": str(tmp_path / "club" / "mail" / "host")}
        (home / "settings.json").write_text(json.dumps(post), "utf-8")
        evening.types("club", "register", who.capitalize(), "--at", CLUB, "--home", home)
        assert "asked: whether a stranger" in evening.sends(who)
        shown = evening.types("read", *evening.letters(who, "register"), "--home", home)
        assert f"This letter says that it is of {CLUB}, your host." in shown
        evening.types("club", "confirm", evening.code(who), "--home", home)
        assert "member: confirmed" in evening.sends(who)
    evening.types("club", "new", "hammer", "scenario=bruce", "hours=72", "side=scottish", "--home", tmp_path / "ann")
    assert "answered: NEW" in evening.sends("ann")
    evening.types("club", "join", "1", "--home", tmp_path / "bob")
    assert "answered: JOIN" in evening.sends("bob")
    for step in ("invitation", "roster"):
        for who in ("ann", "bob"):
            evening.types("join", *evening.letters(who, step), "--home", tmp_path / who)
            evening.sends(who)
    reports = [
        evening.types("read", *evening.letters(who, "report"), "--home", tmp_path / who) for who in ("ann", "bob")
    ]
    assert all("Entry 8, head" in report for report in reports)
    listed = evening.types("host", "members", "--dir", tmp_path / "club")
    assert "Ann ann@example.org" in listed
    assert "Bob bob@example.org" in listed
