"""`pbem setup`: both ways are tried, and the password is kept apart."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.cli.a_player import FIRST, USER, Player, no_keyring, player
from tests.host.conftest import the_example_game_is_found
from tests.mail.scripted import PASSWORD

__all__ = ["no_keyring", "player", "the_example_game_is_found"]


def everything(home: Path) -> str:
    return "".join(
        path.read_text("utf-8", "replace") for path in home.rglob("*") if path.is_file() and path.name != "password"
    )


def test_setup_tries_both_ways_and_keeps_the_password_apart(player: Player) -> None:
    code, said = player.setup()
    assert code == 0, said
    assert "has 0 mails for ann@example.org in INBOX" in said
    assert "takes letters without TLS" in said
    assert "no longer put into" in said, "those of Ann went into the host's folder"
    assert PASSWORD not in said
    assert PASSWORD not in everything(player.home)
    place = player.home / "password"
    assert (place.read_text("utf-8"), place.stat().st_mode & 0o777) == (f"{PASSWORD}\n", 0o600)


class Ring(ModuleType):
    """A keyring like the package's."""

    def __init__(self, broken: str = "") -> None:
        super().__init__("keyring")
        self.held: dict[tuple[str, str], str] = {}
        self.broken = broken

    def get_password(self, service: str, user: str) -> str | None:
        if self.broken:
            raise RuntimeError(self.broken)
        return self.held.get((service, user))

    def set_password(self, service: str, user: str, secret: str) -> None:
        if self.broken:
            raise RuntimeError(self.broken)
        self.held[service, user] = secret


@pytest.mark.slow
def test_the_systems_keyring_holds_the_password(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the keyring is locked or empty, the program says so without the keyring's words."""
    ring = Ring()
    monkeypatch.setitem(sys.modules, "keyring", ring)
    code, said = player.setup()
    assert code == 0, said
    assert "in your system's keyring" in said
    assert ring.held == {("pbem", USER): PASSWORD}
    assert not (player.home / "password").exists()
    player.begin()
    assert player.turn(FIRST)[0] == 0
    ring.held.clear()
    code, said = player.turn()
    assert (code, "keyring has no password for ann@example.org" in said) == (2, True)
    ring.broken = f"locked, {PASSWORD}"
    code, said = player.turn()
    assert code == 1
    assert "keyring does not open (RuntimeError)" in said
    assert PASSWORD not in said


def test_a_keyring_that_takes_nothing_is_passed_over_unless_it_is_wanted(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", Ring("no recommended backend"))
    code, said = player.setup("--keep", "keyring")
    assert (code, "No keyring here" in said) == (2, True)
    assert player.setup()[0] == 0
    assert (player.home / "password").exists()


def test_a_command_prints_the_password(player: Player, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(f"{PASSWORD}\n", "utf-8")
    code, said = player.setup("--password-command", f"cat {tmp_path / 'secret'}", typed="")
    assert code == 0, said
    assert PASSWORD not in everything(player.home)
    (tmp_path / "secret").unlink()
    code, said = player.turn()
    assert code == 2
    assert "gave no password for ann@example.org: it ended with code 1" in said


@pytest.mark.variants
@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("no-such-program", "No such file"),
        ("sh -c 'echo opensesame; exit 3'", "it ended with code 3"),
        ("true", "it printed nothing"),
        ("printf '\\377'", "it is not text"),
        ("sh 'unended", "No closing quotation"),
    ],
)
def test_a_command_that_fails_is_told_without_what_it_printed(player: Player, command: str, why: str) -> None:
    """What the password command printed may contain the password."""
    code, said = player.setup("--password-command", command, typed="")
    assert code == 2
    assert why in said
    assert PASSWORD not in said.replace(command, "")


def test_a_wrong_password_is_asked_for_again(player: Player) -> None:
    player.imap.answers = {"LOGIN": "NO [AUTHENTICATIONFAILED] bad"}
    code, said = player.setup(typed="one\ntwo\nthree\n")
    assert code == 2
    assert said.count("refuses the login of ann@example.org: [AUTHENTICATIONFAILED] bad") == 3
    assert "Was the password typed rightly?" in said
    settings = json.loads((player.home / "settings.json").read_text("utf-8"))
    assert settings["imap"] == {}


def test_nothing_is_kept_where_sending_does_not_work(player: Player) -> None:
    player.smtp.answers = {"AUTH": "535 5.7.8 no: AGFubkBleGFtcGxlLm9yZwBvcGVuc2VzYW1l"}
    code, said = player.setup(typed=f"{PASSWORD}\n" * 3)
    assert code == 2
    assert "535" in said or "5.7.8 no: …" in said
    assert "AGFubkBleGFtcGxlLm9yZwBvcGVuc2VzYW1l" not in said
    assert not (player.home / "password").exists()


def test_tokens_are_printed_by_a_command_and_said_by_xoauth2(player: Player) -> None:
    from base64 import b64decode

    player.imap.can += " AUTH=XOAUTH2"
    code, said = player.setup("--token-command", "echo t0ken-of-ann", typed="")
    assert code == 0, said
    (auth,) = [command for command in player.smtp.commands if command.startswith("AUTH")]
    expected = b"user=ann@example.org\x01auth=Bearer t0ken-of-ann\x01\x01"
    assert (auth.split()[1], b64decode(auth.split()[2])) == ("XOAUTH2", expected)
    assert player.imap.tokens == [expected]
    player.smtp.answers = {"AUTH": "535 5.7.3 t0ken-of-ann is over"}
    code, said = player.setup("--token-command", "echo t0ken-of-ann", typed="")
    assert code == 2
    assert "t0ken-of-ann is over" not in said


def test_turn_before_setup_says_so(player: Player) -> None:
    assert player.turn() == (2, "“pbem turn” does not know your mail account yet: name it once with “pbem setup”.")


def test_letters_beyond_ascii_are_in_passwords_too(player: Player) -> None:
    from base64 import b64decode

    player.imap.can += " AUTH=PLAIN"
    code, said = player.setup(typed="öffne dich\n")
    assert code == 0, said
    (auth,) = [command for command in player.smtp.commands if command.startswith("AUTH")]
    assert b64decode(auth.split()[2]) == "\0ann@example.org\0öffne dich".encode()


def test_servers_are_guessed_by_the_address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Names that do not answer are passed over; what was tried is told."""
    from pbem.errors import LoginRefused, WorldError
    from pbem.player import account

    asked: list[tuple[str, str]] = []

    def fetches(_: object, settings: dict[str, Any], _home: Path, *, moves: bool) -> tuple[str, int]:
        assert not moves, "a player's mail stays where it is"
        asked.append((settings["host"], settings["tls"]))
        if settings["host"] != "mail.example.org":
            raise WorldError(f"The name {settings['host']} is not known.")
        return "well", 0

    def sends(_: object, settings: dict[str, Any], _home: Path) -> tuple[str, int]:
        asked.append((settings["host"], settings["tls"]))
        if settings["tls"] == "tls":
            raise WorldError("nothing listens")
        raise LoginRefused("no")

    monkeypatch.setattr(account, "_fetches", fetches)
    monkeypatch.setattr(account, "_sends", sends)
    ann = account.Login("ann@example.org", secret="x")
    with pytest.raises(account.AccountError) as caught:
        account.tried(ann, tmp_path)
    assert asked == [
        ("imap.example.org", "tls"), ("mail.example.org", "tls"), ("smtp.example.org", "tls"), ("smtp.example.org", "starttls"),
    ]  # fmt: skip
    head = "Your mail can be fetched from mail.example.org, but nothing can be sent:"
    assert str(caught.value) == f"{head}\nnothing listens\nno"
    assert caught.value.refused
