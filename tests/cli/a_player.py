"""A player with a mailbox and a server that takes letters: what the tests of `pbem setup` and `pbem turn` are told in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import PbemError
from pbem.host.outbox import WAITS_FOR
from pbem.player import Desk
from tests.host.post import Club, a_club
from tests.mail.scripted import PASSWORD, ImapServer, SmtpServer, listening

USER = "ann@example.org"


class Player:
    """Ann with a mailbox and a server that takes letters; Bob and the host as between people."""

    def __init__(self, club: Club, imap: ImapServer, smtp: SmtpServer, home: Path) -> None:
        self.club, self.imap, self.smtp, self.home = club, imap, smtp, home
        self.taken = 0

    def pbem(self, *arguments: object, typed: str = "") -> tuple[int, str]:
        """Run a command of Ann's; return its code, and what was shown or what error ended it."""
        words = [*map(str, arguments), "--home", str(self.home)]
        result = CliRunner().invoke(app, words, input=typed, env={"PBEM_PASSPHRASE": ""})
        if isinstance(result.exception, PbemError):
            return 2, result.output + str(result.exception)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.output

    def setup(self, *more: object, typed: str = f"{PASSWORD}\n") -> tuple[int, str]:
        servers = ["--imap", f"127.0.0.1:{self.imap.port}", "--smtp", f"127.0.0.1:{self.smtp.port}"]
        tls = ["--imap-tls", "none", "--smtp-tls", "none"]
        return self.pbem("setup", "--address", USER, *servers, *tls, *more, typed=typed)

    def turn(self, typed: str = "", *more: object) -> tuple[int, str]:
        return self.pbem("turn", *more, typed=typed)

    def post(self) -> None:
        """Bring the host's new letters to Ann's mailbox, and her letters to the host."""
        for _sender, _to, raw in self.smtp.letters[self.taken :]:
            self.club.take(raw)
        self.taken = len(self.smtp.letters)
        for raw in self.club.deliver()["ann"]:
            self.imap.arrive(raw)
        for raw in self.club.received["bob"][self.read_by_bob :]:
            self.club.desks["bob"].read(raw)
        self.read_by_bob = len(self.club.received["bob"])

    read_by_bob = 0

    def receipts(self) -> None:
        """Let the time pass for which a receipt waits for a report with its lines, and bring it."""
        self.post()
        self.club.minute += WAITS_FOR
        self.post()

    def bob(self) -> None:
        """Bob does what he is asked, until Ann is asked."""
        desk = self.club.desks["bob"]
        self.post()
        if "bob" in self.club.asked():
            self.club.take(self.club.order("bob"))
        while self.club.asked() == ["bob"]:
            self.post()
            self.club.take(self.club.order("bob"))
        self.post()
        assert desk.tray.unsent() == []

    @property
    def desk(self) -> Desk:
        return Desk(self.home)

    def begin(self) -> None:
        """The game has begun, and the first report lies in Ann's mailbox; her desk is the one that joined."""
        self.club.begin()
        self.taken = len(self.smtp.letters)
        self.read_by_bob = len(self.club.received["bob"])
        for raw in self.club.received["ann"]:
            self.imap.arrive(raw)


@pytest.fixture
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)


@pytest.fixture
def player(tmp_path: Path, no_keyring: None) -> Iterator[Player]:
    with ExitStack() as stack:
        club = stack.enter_context(a_club(tmp_path / "club"))
        imap = stack.enter_context(listening(ImapServer()))
        smtp = stack.enter_context(listening(SmtpServer()))
        assert isinstance(imap, ImapServer)
        assert isinstance(smtp, SmtpServer)
        yield Player(club, imap, smtp, club.folder / "ann")


@pytest.fixture
def playing(player: Player) -> Player:
    """Ann's account is named, and the first question waits in her mailbox."""
    player.begin()
    assert player.setup()[0] == 0
    return player


FIRST = "1\ny\n"
"""The first order of those that are listed, and that it is right."""
