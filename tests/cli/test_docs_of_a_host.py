"""What the how-to pages promise the operator of a host: mail through folders, and a backup that is checked."""

from __future__ import annotations

import re
import shutil
import tomllib
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.project.source import ROOT

from .odd_uses import pbem, the_example_game_is_found
from .program import Program

__all__ = ["pbem", "the_example_game_is_found"]

HOW_TO = ROOT / "docs" / "how-to"


@pytest.fixture
def host(tmp_path: Path, pbem: Program, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A host without a mailbox, as the page makes it, with one game that is open."""
    monkeypatch.chdir(tmp_path)
    assert pbem("host", "init", "club", "--address", "club@example.org")[0] == 0
    seats = ("--seat", "ann=ann@example.org", "--seat", "bob=ann@example.net")
    assert pbem("host", "new", "--dir", "club", "--game", "tiny", "--option", "players=2", *seats)[0] == 0
    return tmp_path / "club"


def letters(host: Path, of: str) -> list[Path]:
    return sorted((host / "mail" / of / "new").iterdir())


def test_a_host_without_a_mailbox_has_the_settings_that_its_page_shows(host: Path) -> None:
    passage = (HOW_TO / "run-a-host.md").read_text("utf-8").partition("**Folders.**")[2]
    shown = re.search(r"```toml\n(.*?)```", passage, re.DOTALL)
    assert shown is not None
    settings = tomllib.loads((host / "host.toml").read_text("utf-8"))
    assert tomllib.loads(shown[1]) == {name: settings[name] for name in ("in", "out")}


def test_mail_is_carried_through_folders(host: Path, pbem: Program) -> None:
    """A second address that begins alike has a folder of its own; a mail is moved to `cur` once the host has decided."""
    assert len(letters(host, "ann")) == len(letters(host, "ann@example.net")) == 1
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = (
        "ann@example.org", "club@example.org", "Help", "<1@example.org>",
    )  # fmt: skip
    mail.set_content("HELP\n")
    way = host / "mail" / "host"
    (way / "tmp" / "1.eml").write_bytes(bytes(mail))
    assert pbem("host", "run", "--once", "--dir", host)[0] == 0
    assert [path.name for path in (way / "tmp").iterdir()] == ["1.eml"]
    (way / "tmp" / "1.eml").rename(way / "new" / "1.eml")
    assert pbem("host", "run", "--once", "--dir", host)[0] == 0
    assert list((way / "new").iterdir()) == []
    assert len([path for path in (way / "cur").iterdir() if path.name.startswith("1.eml")]) == 1
    assert len(letters(host, "ann")) == 2


def test_a_backup_is_checked_in_a_folder_of_its_own(host: Path, pbem: Program) -> None:
    """The letters that a restored host writes stay below that folder, and the games are there."""
    passage = (
        (HOW_TO / "watch-over-a-host.md").read_text("utf-8").partition("## Check a backup")[2].partition("\n## ")[0]
    )
    commands = re.findall(r"^pbem (.+)$", passage, re.MULTILINE)
    assert [line.split()[1] for line in commands] == ["init", "restore", "check", "games"]
    before = [letters(host, of) for of in ("ann", "ann@example.net")]
    assert pbem("host", "backup", "saved.sqlite", "--dir", "club")[0] == 0
    trial = host.parent / "trial"
    trial.mkdir(0o700)
    shutil.copy2(host / "key", trial)
    said = ""
    for line in commands:
        code, said = pbem(*line.split(), *(["--yes"] if " restore " in line else []))
        assert (code, "WRONG" in said) == (0, False), said
    assert "Tiny: entry 0, paused" in said
    assert [letters(host, of) for of in ("ann", "ann@example.net")] == before
    assert letters(trial, "ann")
