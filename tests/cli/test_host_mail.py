"""The commands that deal with real mail: check, take, retry, status, run; and a player who sends by a mail server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli.app import app
from pbem.mail import Maildir
from pbem.mail.incoming import MAX_MAIL
from tests.chaos.installed import PBEM
from tests.host.faults import settle
from tests.host.post import HOST, Club, a_club
from tests.mail.scripted import PASSWORD, USER, ImapServer, SmtpServer, listening
from tests.stored import stored_row


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).resolve().parents[2] / "examples"))
    with a_club(tmp_path) as club:
        yield club


def pbem(*words: object, typed: bytes | None = None) -> Result:
    return CliRunner().invoke(app, list(map(str, words)), input=typed)


def test_check_says_what_works_and_what_to_do(club: Club) -> None:
    home = club.folder / "host"
    with listening(SmtpServer()) as smtp, listening(ImapServer(answers={"LOGIN": "NO wrong"})) as imap:
        settle(club, smtp, imap)
        found = pbem("host", "check", "--dir", home)
        assert found.exit_code == 1
        assert f"well   Nobody else can read {home / 'password'}.\n" in found.stdout
        assert (
            f"WRONG  127.0.0.1 refuses the login of {USER}: wrong. Is the password in the file password" in found.stdout
        )
        assert f"well   127.0.0.1:{smtp.port} takes letters" in found.stdout
        imap.heal()
        assert pbem("host", "check", "--dir", home).exit_code == 0
        assert PASSWORD not in found.stdout


def test_status_shows_what_waits_and_retry_sends_it(club: Club) -> None:
    home = club.folder / "host"
    with listening(SmtpServer(answers={"RCPT": "550 5.1.1 nobody here"})) as smtp:
        assert isinstance(smtp, SmtpServer)
        settle(club, smtp)
        run = pbem("host", "run", "--once", "--dir", home)
        assert run.exit_code == 1
        assert "A letter to ann@example.org was refused for good: 127.0.0.1 says 550 5.1.1 nobody here." in run.stderr
        shown = pbem("host", "status", "--dir", home).stdout
        assert "letters refused       2\n" in shown
        assert "to ann@example.org was refused for good, after 1 try:\n  127.0.0.1 says 550" in shown
        smtp.heal()
        again = pbem("host", "retry", "--dir", home)
        assert (again.exit_code, again.stdout) == (0, "2 letters were tried again.\n")
        assert len(smtp.letters) == 2
        assert "letters refused       0\n" in pbem("host", "status", "--dir", home).stdout


@pytest.mark.variants
@pytest.mark.parametrize(
    ("options", "raw", "code", "said"),
    [
        (("--recipient", HOST, "--sender", ""), b"Subject: x\n\nhello\n", 0, ""),
        (("--recipient", HOST.replace("@", "+1@")), b"Subject: x\n\nhello\n", 0, ""),
        (("--recipient", "carl@example.org"), b"Subject: x\n\nhello\n", 67, "is not an address of this host"),
        ((), b"x" * (2 * MAX_MAIL + 1), 0, ""),
        ((), b"", 67, "no mail came"),
    ],
)
def test_take_answers_a_mail_server_by_its_exit_code(
    club: Club, options: tuple[str, ...], raw: bytes, code: int, said: str
) -> None:
    took = pbem("host", "take", *options, "--dir", club.folder / "host", typed=raw)
    assert took.exit_code == code, took.output
    assert said in took.stderr


def test_take_keeps_the_envelope_and_takes_mail_though_letters_wait(club: Club) -> None:
    home = club.folder / "host"
    with listening(SmtpServer()) as gone:
        pass
    office = settle(club, gone)
    took = pbem("host", "take", "--sender", "a@x", "--recipient", HOST, "--dir", home, typed=b"Subject: x\n\nhello\n")
    assert took.exit_code == 0
    assert "letters wait for another try: Nothing listens" in took.stderr
    row = stored_row(office.store, "select door, sender, recipient from inbox")
    assert row == {"door": "pipe", "sender": "a@x", "recipient": HOST}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM to be caught")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_run_ends_well_when_it_is_told_to(club: Club, number: signal.Signals) -> None:
    Maildir(club.folder / "host" / "mail" / "host").deliver(b"Subject: x\r\n\r\nhello\r\n")
    command = [
        str(PBEM),
        "host",
        "run",
        "--dir",
        str(club.folder / "host"),
    ]
    env = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as host:
        assert host.stdout is not None
        assert host.stderr is not None
        assert host.stdout.readline() == "waiting for mail\n"
        assert host.stdout.readline().startswith("refused")
        host.send_signal(number)
        assert host.wait(60) == 0
        assert host.stderr.read() == ""


def test_a_player_sends_by_his_mail_server(club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "eve"
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", PASSWORD)
    made = pbem("key", "--address", "ann@example.org", "--smtp", "127.0.0.1", "--home", home)
    assert made.exit_code == 0
    invitation = club.deliver()["ann"][0]
    assert pbem("join", "-", "--home", home, typed=invitation).exit_code == 0
    with listening(SmtpServer(answers={"RCPT": "550 nobody"})) as smtp:
        assert isinstance(smtp, SmtpServer)
        settings = home / "settings.json"
        at = f'"host": "127.0.0.1", "port": {smtp.port}, "tls": "none"'
        settings.write_text(settings.read_text("utf-8").replace('"host": "127.0.0.1"', at), "utf-8")
        refused = pbem("send", "--home", home)
        assert refused.exit_code == 1
        assert isinstance(refused.exception, BaseException)
        assert len(list((home / "out").iterdir())) == 1
        smtp.heal()
        sent = pbem("send", "--home", home)
        assert sent.stdout.startswith("sent: ")
        ((sender, to, raw),) = smtp.letters
        assert (sender, to.partition("+")[0].partition("@")[0]) == ("ann@example.org", "host")
    assert club.take(raw) == "joined: ann"
