"""`pbem host init`: a host in one command, by a dialogue at a terminal, or by options without a question."""

from __future__ import annotations

import re
import tomllib
from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.mail.scripted import PASSWORD, ImapServer, SmtpServer, listening

from .at_a_pty import AtAPty
from .program import Program

EXAMPLES = Path(__file__).parents[2] / "examples"
CLUB = "club@example.org"
TINY = ("--game", "tiny", "--option", "players=2", "--seat", "ann=ann@example.org", "--seat", "bob=bob@example.org")
MAIL = b"From: shop@example.org\r\nTo: club@example.org\r\nSubject: Your order\r\n\r\nIt has left.\r\n"


class Provider:
    """A provider with one mailbox; a few options name its servers."""

    def __init__(self, imap: ImapServer, smtp: SmtpServer) -> None:
        self.imap, self.smtp = imap, smtp

    @property
    def servers(self) -> list[str]:
        named = ["--imap", f"127.0.0.1:{self.imap.port}", "--smtp", f"127.0.0.1:{self.smtp.port}"]
        return [*named, "--imap-tls", "none", "--smtp-tls", "none"]


@pytest.fixture
def provider() -> Iterator[Provider]:
    with ExitStack() as stack:
        imap, smtp = stack.enter_context(listening(ImapServer())), stack.enter_context(listening(SmtpServer()))
        assert isinstance(imap, ImapServer)
        assert isinstance(smtp, SmtpServer)
        yield Provider(imap, smtp)


@pytest.fixture
def pbem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))
    monkeypatch.delenv("PBEM_HOST", raising=False)
    monkeypatch.delenv("PBEM_PASSPHRASE", raising=False)
    return Program(monkeypatch, capsys)


def lines_of(folder: Path) -> list[str]:
    """The lines of its settings that are no comments."""
    return [line for line in (folder / "host.toml").read_text("utf-8").split("\n") if line and line[0] != "#"]


# -- without a question ------------------------------------------------------------------------------------------------


def test_with_an_address_nothing_is_asked_and_mail_goes_by_folders(pbem: Program, tmp_path: Path) -> None:
    code, said = pbem("host", "init", tmp_path / "club", "--address", CLUB)
    assert code == 0, said
    assert lines_of(tmp_path / "club") == [
        f'address = "{CLUB}"', "pictures = true", "[in]", 'maildir = "mail/host"', "[out]", 'maildir = "mail/{local}"',
    ]  # fmt: skip
    assert said.splitlines()[-1].startswith(f"Invite somebody: pbem host new --dir {tmp_path / 'club'} --seat ")
    code, said = pbem("host", "new", "--dir", tmp_path / "club", *TINY)
    assert (code, said) == (0, "Game 1 is open; 2 invitations have been sent.\n")
    assert len(list((tmp_path / "club" / "mail" / "ann" / "new").iterdir())) == 1


def test_options_name_a_mailbox_which_is_tried(pbem: Program, provider: Provider, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(f"{PASSWORD}\n", "utf-8")
    options = ("--address", CLUB, *provider.servers, "--password-file", tmp_path / "secret")
    code, said = pbem("host", "init", tmp_path / "club", *options)
    assert code == 0, said
    assert f"has 0 mails for {CLUB} in INBOX" in said
    assert "takes letters without TLS" in said
    assert "Processed" in provider.imap.folders
    settings = tomllib.loads((tmp_path / "club" / "host.toml").read_text("utf-8"))
    account = {"host": "127.0.0.1", "tls": "none", "user": CLUB, "password_file": str(tmp_path / "secret")}
    assert settings["in"] == {"imap": account | {"port": provider.imap.port}}
    assert settings["out"] == {"smtp": account | {"port": provider.smtp.port}}
    assert len(lines_of(tmp_path / "club")) <= 14
    assert pbem("host", "new", "--dir", tmp_path / "club", *TINY)[0] == 0
    assert [to for _sender, to, _raw in provider.smtp.letters] == ["ann@example.org", "bob@example.org"]


def test_what_does_not_work_leaves_nothing_behind(pbem: Program, provider: Provider, tmp_path: Path) -> None:
    options = ("--address", CLUB, *provider.servers)
    code, said = pbem("host", "init", tmp_path / "club", *options)
    assert (code, f"Where is the password of {CLUB}?" in said) == (2, True)
    provider.imap.answers = {"LOGIN": "NO [AUTHENTICATIONFAILED] bad"}
    code, said = pbem("host", "init", tmp_path / "club", *options, "--password-command", "echo wrong")
    assert code == 1
    assert f"refuses the login of {CLUB}: [AUTHENTICATIONFAILED] bad" in said
    assert not (tmp_path / "club").exists()
    provider.imap.heal()
    assert pbem("host", "init", tmp_path / "club", *options, "--password-command", "echo right")[0] == 0
    code, said = pbem("host", "init", tmp_path / "club", *options, "--password-command", "echo right")
    assert (code, "There is a host in" in said) == (2, True)


@pytest.mark.parametrize("letter", ["\u202e", "\u200b", "\n", "\x1b"])
def test_a_title_has_no_letters_that_nobody_sees(pbem: Program, tmp_path: Path, letter: str) -> None:
    assert pbem("host", "init", tmp_path / "club", "--address", CLUB)[0] == 0
    code, said = pbem("host", "new", "--dir", tmp_path / "club", *TINY, "--title", f"The {letter}War")
    assert (code, f"nobody sees (U+{ord(letter):04X}): leave it out" in said) == (2, True)
    assert pbem("host", "new", "--dir", tmp_path / "club", *TINY, "--title", "La guerre d’Écosse")[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Without a terminal nothing is asked: name folder and address, as in pbem host init club --address"),
        (("club",), "as in pbem host init club --address"),
        (("--address", CLUB), f"Name the folder, too: pbem host init club --address {CLUB}"),
        (("club", "--address", "club"), "“club” is not an e-mail address"),
        (("club", "--address", CLUB, "--password-env", "A", "--token-command", "b"), "The password is in one place"),
    ],
)
def test_what_is_missing_is_said_where_nobody_can_be_asked(
    pbem: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, printed = pbem("host", "init", *words)
    assert (code, said in printed) == (2, True), printed
    assert list(tmp_path.iterdir()) == []


def test_all_settings_are_printed(pbem: Program) -> None:
    from pbem.host.new_settings import every_line

    assert pbem("host", "settings", "--all") == (0, every_line())
    assert pbem("host", "settings") == (0, every_line(experts=False))


# -- tokens ------------------------------------------------------------------------------------------------------------


def bearer(token: str) -> bytes:
    return f"user={CLUB}\x01auth=Bearer {token}\x01\x01".encode()


def test_a_host_plays_by_a_mailbox_that_takes_tokens_alone(pbem: Program, provider: Provider, tmp_path: Path) -> None:
    """XOAUTH2 both ways; a token is fetched anew for each connection, as one does not last."""
    provider.imap.can += " AUTH=XOAUTH2"
    provider.imap.answers = {"LOGIN": "NO [AUTHENTICATIONFAILED] tokens alone"}
    (token := tmp_path / "token").write_text("t0ken-1\n", "utf-8")
    options = ("--address", CLUB, *provider.servers, "--token-command", f"cat {token}")
    host = tmp_path / "club"
    code, said = pbem("host", "init", host, *options)
    assert code == 0, said
    assert provider.imap.tokens == [bearer("t0ken-1")]
    token.write_text("t0ken-2\n", "utf-8")
    assert pbem("host", "new", "--dir", host, *TINY)[0] == 0
    provider.imap.arrive(
        b"From: ann@example.org\r\nTo: club@example.org\r\nMessage-ID: <1@x>\r\nSubject: [pbem 1]\r\n\r\nHELP\r\n"
    )
    code, said = pbem("host", "run", "--once", "--dir", host)
    assert code == 0, said
    assert provider.imap.tokens[-1] == bearer("t0ken-2")
    logins = [command.split() for command in provider.smtp.commands if command.startswith("AUTH")]
    assert {way for _auth, way, _said in logins} == {"XOAUTH2"}
    assert {b64decode(said) for _auth, _way, said in logins} == {bearer("t0ken-1"), bearer("t0ken-2")}
    assert [to for _sender, to, _raw in provider.smtp.letters] == [
        "ann@example.org",
        "bob@example.org",
        "ann@example.org",
    ]
    assert provider.imap.folders["INBOX"] == {}
    assert "t0ken" not in "".join(path.read_text("utf-8", "replace") for path in host.iterdir() if path.is_file())


def test_a_token_that_is_refused_is_told_without_it(pbem: Program, provider: Provider, tmp_path: Path) -> None:
    provider.imap.can += " AUTH=XOAUTH2"
    command = ("--token-command", "echo t0ken-of-the-club")
    assert pbem("host", "init", tmp_path / "club", "--address", CLUB, *provider.servers, *command)[0] == 0
    provider.smtp.answers = {"AUTH": "535 5.7.3 t0ken-of-the-club is over"}
    code, said = pbem("host", "check", "--dir", tmp_path / "club")
    assert code == 1
    assert "5.7.3 … is over" in said
    assert "t0ken-of-the-club is" not in said
    assert "what “echo t0ken-of-the-club” prints" in said, "the settings' own words"


# -- at a terminal -----------------------------------------------------------------------------------------------------


def environment(**more: str) -> dict[str, str]:
    return {"PBEM_GAMES": str(EXAMPLES), "PBEM_PASSPHRASE": "", **more}


@pytest.mark.slow
def test_a_host_by_a_dialogue_a_wrong_password_first(provider: Provider, tmp_path: Path) -> None:
    provider.imap.answers = {"LOGIN": "NO [AUTHENTICATIONFAILED] bad"}
    person = AtAPty(tmp_path, "host", "init", *provider.servers, env=environment())
    person.answers("Its folder (Enter: club)")
    person.answers("The e-mail address", "club")
    person.sees("“club” is not an e-mail address")
    person.answers("The e-mail address", CLUB)
    person.answers(f"Password of {CLUB}", "wrong")
    person.sees(f"refuses the login of {CLUB}: [AUTHENTICATIONFAILED] bad. Was the password typed rightly?")
    provider.imap.heal()
    person.answers("Number (Enter: 1)", "")
    person.answers(f"Password of {CLUB}", PASSWORD)
    person.sees("takes letters without TLS")
    person.sees("Invite somebody: pbem host new --dir club --seat")
    assert person.ends() == 0
    assert PASSWORD not in person.shown
    secret = tmp_path / "club" / "password"
    assert (secret.read_text("utf-8"), secret.stat().st_mode & 0o777) == (f"{PASSWORD}\n", 0o600)
    assert lines_of(tmp_path / "club").count('password_file = "password"') == 2
    check = AtAPty(tmp_path, "host", "check", "--dir", "club", env=environment())
    assert check.ends() == 0, check.shown
    again = AtAPty(tmp_path, "host", "init", "club", env=environment())
    again.sees("There is a host in club already.")
    assert again.ends() == 2


@pytest.mark.slow
def test_servers_are_named_after_those_of_the_address_have_failed(provider: Provider, tmp_path: Path) -> None:
    person = AtAPty(
        tmp_path, "host", "init", "club", "--imap", "127.0.0.1:9", "--smtp", "127.0.0.1:9", env=environment()
    )
    person.answers("The e-mail address", CLUB)
    person.answers(f"Password of {CLUB}", PASSWORD)
    person.sees("Nothing listens at 127.0.0.1:9")
    person.answers("Number (Enter: 2)")
    person.answers("Server with the mailbox", f"127.0.0.1:{provider.imap.port}:1")
    person.sees("names no server")
    person.answers("Server with the mailbox", f"127.0.0.1:{provider.imap.port}")
    person.answers("How does TLS begin", "perhaps")
    person.answers("How does TLS begin", "none")
    person.answers("Server that takes letters", f"127.0.0.1:{provider.smtp.port}")
    person.answers("How does TLS begin", "none")
    person.sees("Invite somebody")
    assert person.ends() == 0


@pytest.mark.slow
def test_a_mailbox_with_mail_in_it_is_asked_about(provider: Provider, tmp_path: Path) -> None:
    provider.imap.arrive(MAIL)
    for answer, code in (("", 1), ("y", 0)):
        person = AtAPty(tmp_path, "host", "init", "club", *provider.servers, env=environment())
        person.answers("The e-mail address", CLUB)
        person.answers(f"Password of {CLUB}", PASSWORD)
        person.sees("There is 1 mail in it.")
        person.answers("a mailbox for the host alone? [y/N]", answer)
        assert person.ends() == code
        assert (tmp_path / "club").exists() == (code == 0)
    assert len(provider.imap.folders["INBOX"]) == 1


@pytest.mark.slow
def test_a_token_is_asked_for_where_the_provider_takes_no_password(provider: Provider, tmp_path: Path) -> None:
    """The address alone says so; tokens are said to be printed by a command, and the mailbox works."""
    provider.imap.can += " AUTH=XOAUTH2"
    person = AtAPty(tmp_path, "host", "init", "club", *provider.servers, env=environment())
    person.answers("The e-mail address", "club@outlook.com")
    person.sees("no longer accepts passwords from mail programs, only tokens (OAuth 2.0)")
    person.answers("Command that prints a token", "false")
    person.sees("gave no password for club@outlook.com: it ended with code 1")
    person.answers("Number (Enter: 5)")
    person.answers("Command that prints a token", "echo t0ken")
    person.sees("Invite somebody")
    assert person.ends() == 0
    assert 'token_command = "echo t0ken"' in lines_of(tmp_path / "club")


@pytest.mark.slow
def test_who_leaves_has_made_nothing(tmp_path: Path) -> None:
    person = AtAPty(tmp_path, "host", "init", env=environment())
    person.answers("Its folder")
    person.answers("The e-mail address", "club@gmail.com")
    person.answers("Number (Enter: 1)")
    person.sees("gmail.com wants an “app password” from mail programs")
    person.sees("Password of club@gmail.com (Enter alone for other ways): ")
    person.leaves()
    person.sees("Nothing has been written.")
    assert person.ends() == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "lines"), [(2, ["[in.lmtp]", "port = 8024", "[out.sendmail]"]), (3, ["[in]", "[out]"])]
)
def test_other_ways_for_mail_are_chosen_by_number(tmp_path: Path, number: int, lines: list[str]) -> None:
    person = AtAPty(tmp_path, "host", "init", "club", env=environment())
    person.answers("The e-mail address", CLUB)
    person.answers("Number (Enter: 1)", "9")
    person.sees("Type a number from 1 to 3.")
    person.answers("Number (Enter: 1)", str(number))
    assert person.ends() == 0, person.shown
    assert [line for line in lines_of(tmp_path / "club") if line in lines] == lines
    assert re.search(r"set PBEM_PASSPHRASE", person.shown)
    assert list(tmp_path.iterdir()) == [tmp_path / "club"]
