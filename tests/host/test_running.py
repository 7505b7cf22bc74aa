"""A host that runs on: mail comes in by IDLE and by LMTP, servers go away and come back, and it ends when it is told to."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import StoreAway, WorldError
from pbem.host import Office, Running
from pbem.host.robot import Robot
from pbem.mail.imap import Bell
from tests.host.running import PATIENCE, Host, hand_over, running, with_a_door
from tests.mail.scripted import ImapServer, Line, SmtpServer, listening
from tests.stored import stored_rows

from .faults import joining, settle
from .post import Club, a_club, moment


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club


class Interrupting(SmtpServer):
    """Says nothing after it has been greeted; whoever talks to it is told to stop then, as by Ctrl-C."""

    def serve(self, line: Line, command: str) -> bool:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        line.sock.recv(1)  # until the other side gives up
        return False


@pytest.mark.skipif(os.name != "posix", reason="there no thread can be sent a signal")
def test_a_host_that_is_told_to_stop_waits_for_no_mail_server(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server has an hour to answer. The letter goes with the next start, under the same Message-ID."""
    with listening(Interrupting()) as server:
        office = settle(club, smtp=server, timeout=3600)
        letters = stored_rows(office.store, "select message_id, address, raw from outbox")
        host = Running(office, lambda: "2030-01-01T12:00:00Z", lambda _: None)
        before = signal.signal(signal.SIGINT, lambda *_: host.interrupt())
        try:
            host.run()
        finally:
            signal.signal(signal.SIGINT, before)
        assert host.is_stopped()
        assert stored_rows(office.store, "select message_id, address, raw from outbox where sent = 0") == letters
        assert "is being stopped" in office.troubles()[0]["why"]
    with listening(SmtpServer()) as server:
        office = settle(club, smtp=server)
        assert office.send("2030-01-01T13:00:00Z") == []
        assert len(server.letters) == len(letters)  # type: ignore[attr-defined]


def test_a_host_that_is_told_to_stop_leaves_the_rest_of_a_full_folder(club: Club) -> None:
    """The host finishes the current mail. A silent mailbox does not delay it."""
    box = club.office.inbox
    assert box is not None
    for no in range(9):
        box.deliver(b"Message-ID: <%d@x>\r\n\r\nmay I play?\r\n" % no)
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if line.startswith(("refused", "ignored")):
            host.stop()

    host = Running(club.office, lambda: "2030-01-01T12:00:00Z", say)
    host.run()
    assert len(list(box.new())) == 8
    assert club.office.robot.catch_up() == 0


def test_a_mailbox_that_does_not_answer_is_left_at_the_end(club: Club) -> None:
    with listening(ImapServer(silent=True)) as server:
        assert isinstance(server, ImapServer)
        settle(club, imap=server, timeout=3600).close()
        with running(club.folder / "host") as host:
            host.hear("waiting for mail")
        assert not host.thread.is_alive()
    for thread in threading.enumerate():  # the server is gone: now it ends, too
        if thread.name == "mailbox":
            thread.join(PATIENCE)
    club.office = Office(club.folder / "host")


@pytest.mark.parametrize("can", ["IDLE MOVE", ""], ids=["idle", "polling"])
def test_mail_is_taken_when_it_comes(club: Club, can: str) -> None:
    letters = joining(club)
    with listening(ImapServer(can=can)) as server:
        assert isinstance(server, ImapServer)
        settle(club, imap=server, every=1).close()
        with running(club.folder / "host") as host:
            for seat, letter in zip(("ann", "bob"), letters, strict=True):
                server.arrive(letter)
                host.hear(f"joined: {seat}")
        assert server.folders["INBOX"] == {}
        assert sum("LOGIN" in command for command in server.commands) == 1  # one connection all the time
    club.office = Office(club.folder / "host")


class Overtaken(ImapServer):
    """A second mail comes while the mailbox is searched: the server tells of it there, and not again."""

    second = b""
    first = True

    def serve(self, line: Line, command: str) -> bool:
        told = f"* {len(self.folders['INBOX']) + 1} EXISTS"
        if not self.second or "UID SEARCH" not in command or not self.folders["INBOX"]:
            return super().serve(line, command)
        second, self.second = self.second, b""
        if self.first:
            line.say(told)
        kept = super().serve(line, command)
        if not self.first:
            line.say(told)
        self.last += 1
        line.told = self.last
        self.folders["INBOX"][self.last] = second
        return kept


@pytest.mark.parametrize("first", [True, False], ids=["with the answer", "after it"])
def test_a_mail_that_comes_between_looking_and_waiting_is_taken(club: Club, first: bool) -> None:
    letters = joining(club)
    with listening(Overtaken()) as server:
        assert isinstance(server, Overtaken)
        server.first, server.second = first, letters[1]
        settle(club, imap=server).close()
        with running(club.folder / "host") as host:
            server.arrive(letters[0])
            host.hear("joined: ann")
            host.hear("joined: bob")
    club.office = Office(club.folder / "host")


def test_a_mailbox_that_goes_away_does_not_end_the_host(club: Club) -> None:
    """`pbem host run` carries on and opens the mailbox again later."""
    letters = joining(club)
    with listening(ImapServer()) as server:
        assert isinstance(server, ImapServer)
        settle(club, imap=server).close()
        with running(club.folder / "host") as host:
            server.arrive(letters[0])
            host.hear("joined: ann")
            server.cut = len(server.commands) + 2
            server.arrive(letters[1])
            host.hear("was cut")
            server.heal()
            host.hear("imap: it works again")
        assert server.folders["INBOX"] == {}
    club.office = Office(club.folder / "host")
    assert club.office.status()["games_readying"] == 1


@pytest.mark.slow
def test_a_mail_server_hands_mail_over(club: Club) -> None:
    letters = joining(club)
    port = with_a_door(club)
    with running(club.folder / "host") as host:
        host.hear("waiting for mail")
        assert hand_over(port, "host@example.org", letters[0]) == (250, b"2.0.0 Taken")
        host.hear("joined: ann")
        assert hand_over(port, "HOST+7@example.org", letters[0])[0] == 250
        host.hear("duplicate")
        assert hand_over(port, "carl@example.org", letters[1])[0] == 550
        assert hand_over(port, "host@example.org", b"x" * 1_000_100)[0] == 250
        long = b"Subject: x\r\n\r\n" + b"x" * 5000 + b"\r\n"
        assert hand_over(port, "host@example.org", long)[0] == 250
    club.office = Office(club.folder / "host")
    rows = stored_rows(club.office.store, "select door, sender, recipient from inbox where door = 'lmtp'")
    assert rows[0] == {"door": "lmtp", "sender": "ann@example.org", "recipient": "host@example.org"}


def test_a_mail_server_is_told_to_come_again_while_the_store_is_busy(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host answers 451."""
    letters = joining(club)
    port = with_a_door(club)
    with running(club.folder / "host") as host:
        assert host.running is not None
        host.hear("waiting for mail")
        with monkeypatch.context() as patch:
            patch.setattr(host.running.office.robot, "take", _busy)
            code, said = hand_over(port, "host@example.org", letters[0])
        assert code == 451
        assert b"cannot be used now" in said
        assert hand_over(port, "host@example.org", letters[0])[0] == 250
        host.hear("joined: ann")
    club.office = Office(club.folder / "host")


def test_a_mail_server_that_drips_is_cut_off_and_holds_up_no_other(club: Club) -> None:
    """A mail server delivers by LMTP, one byte at a time. The host takes other mail meanwhile."""
    letters = joining(club)
    port = with_a_door(club)
    settings = club.folder / "host" / "host.toml"
    settings.write_text(settings.read_text("utf-8").replace(f"port = {port}", f"port = {port}\nlongest = 0.5"), "utf-8")
    with running(club.folder / "host") as host:
        host.hear("waiting for mail")
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
            line.recv(100)
            for command in (b"LHLO x", b"MAIL FROM:<>", b"RCPT TO:<host@example.org>", b"DATA"):
                line.sendall(command + b"\r\n")
                line.recv(1000)
            assert hand_over(port, "host@example.org", letters[0])[0] == 250
            host.hear("joined: ann")
            with pytest.raises(ConnectionError):
                _drip(line)
    club.office = Office(club.folder / "host")


def _drip(line: socket.socket) -> None:
    for _ in range(3000):
        line.sendall(b"x\r\n")
        threading.Event().wait(0.01)


def _busy(*_: object) -> str:
    raise WorldError("it is locked")


def _stumble(*_: object) -> str:
    raise ZeroDivisionError("a fault of ours")


def test_a_mail_that_always_stumbles_does_not_end_it(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    letters = joining(club)
    port = with_a_door(club)
    monkeypatch.setattr("pbem.host.roster.join", _stumble)
    with running(club.folder / "host") as host:
        host.hear("waiting for mail")
        assert hand_over(port, "host@example.org", letters[0])[0] == 250, (
            "it is stored, and its sender is not to come again"
        )
        host.hear("failed: ZeroDivisionError: a fault of ours")
        monkeypatch.undo()
        assert hand_over(port, "host@example.org", letters[1])[0] == 250
        host.hear("joined: bob")
    club.office = Office(club.folder / "host")
    assert club.office.status()["mails_stuck"] == 1
    assert club.robot.retry() == ["joined: ann"]


@pytest.mark.variants
@pytest.mark.parametrize("part", ["keep", "catch_up", "tick"])
def test_no_error_ends_the_host(club: Club, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pbem host run` reports the error. A mail that is not stored gets 451 or stays in its mailbox."""
    letters = joining(club)
    port = with_a_door(club)
    clock = ["2030-01-01T12:00:00Z"]
    monkeypatch.setattr(f"pbem.host.robot.Robot.{part}", _stumble)
    with running(club.folder / "host", clock) as host:
        host.hear("waiting for mail")
        if part == "keep":
            assert hand_over(port, "host@example.org", letters[0])[0] == 451
        host.hear("ZeroDivisionError: a fault of ours")
        monkeypatch.undo()
        clock[0] = "2030-01-01T13:00:00Z"
        assert hand_over(port, "host@example.org", letters[0])[0] == 250
        host.hear("joined: ann")
    club.office = Office(club.folder / "host")


def test_a_mailbox_over_which_the_program_stumbles_is_opened_again(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    letters = joining(club)
    monkeypatch.setattr("pbem.host.run.RETRY", (0.01, 0.01))
    with listening(ImapServer()) as server:
        assert isinstance(server, ImapServer)
        settle(club, imap=server).close()
        with monkeypatch.context() as patch:
            patch.setattr("pbem.mail.imap._read", _stumble)
            server.arrive(letters[0])
            with running(club.folder / "host") as host:
                host.hear("imap: ZeroDivisionError: a fault of ours")
                patch.undo()
                host.hear("joined: ann")
    club.office = Office(club.folder / "host")


@pytest.mark.slow
def test_a_mail_that_cannot_be_read_holds_up_no_other(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """`status` shows the file in the mail folder until the host can read it."""
    letters = joining(club)
    assert club.office.inbox is not None
    places = [club.office.inbox.deliver(raw, 1893456000 + no) for no, raw in enumerate(letters)]
    opens = Path.open

    def refuse(path: Path, *how: Any) -> Any:
        if path == places[0]:
            raise PermissionError(13, "Permission denied")
        return opens(path, *how)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        decided, (trouble,) = club.office.work(club.now())
    assert decided == ["joined: bob"]
    assert trouble.startswith("maildir: The mail ")
    assert [found["way"] for found in club.office.troubles()] == ["maildir"]
    assert club.office.work(club.now()) == (["joined: ann"], [])
    assert club.office.troubles() == []


def test_a_bell_that_was_put_away_wakes_nobody() -> None:
    bell = Bell()
    bell.ring()
    bell.wait(PATIENCE)
    bell.close()
    bell.ring()
    never = Bell()
    never.close()
    never.ring()


class Busy(SmtpServer):
    """While a letter is sent, a mail comes in at another door; `gone` says how many letters had gone when it was decided."""

    host: Host | None = None
    mail = b""
    gone = -1

    def serve(self, line: Line, command: str) -> bool:
        if command.upper() == "DATA" and self.mail and self.host and self.host.running:
            mail, self.mail = self.mail, b""
            self.host.running._hand_in(mail, None, None).add_done_callback(self._note)
        return super().serve(line, command)

    def _note(self, _: object) -> None:
        self.gone = len(self.letters)


def test_mail_that_arrives_is_decided_before_the_next_letter_goes_out(club: Club) -> None:
    """Slow sending delays no decision."""
    with listening(Busy()) as smtp:
        assert isinstance(smtp, Busy)
        settle(club, smtp).close()
        smtp.host = Host(club.folder / "host", ["2030-01-01T12:00:00Z"])
        smtp.mail = b"Subject: hm\r\n\r\nanything\r\n"
        with running(club.folder / "host", host=smtp.host) as host:
            host.hear("refused")
        assert smtp.gone == 1, "one of two letters"
    club.office = Office(club.folder / "host")


def test_letters_go_when_their_wait_is_over(club: Club) -> None:
    clock = ["2030-01-01T12:00:00Z"]
    with listening(SmtpServer(answers={"RCPT": "450 later"})) as smtp, listening(ImapServer()) as imap:
        assert isinstance(smtp, SmtpServer)
        assert isinstance(imap, ImapServer)
        settle(club, smtp, imap).close()
        with running(club.folder / "host", clock) as host:
            assert "450 later" in host.hear("waits for another try")
            smtp.heal()
            clock[0] = "2030-01-01T12:01:01Z"
            for no in range(2):  # when the second is decided, what followed from the first is sent
                imap.arrive(b"Subject: hm\r\n\r\nanything %d\r\n" % no)
                host.hear("refused")
        assert len(smtp.letters) == 2
    club.office = Office(club.folder / "host")


class _Box:
    """A mailbox with one letter, which stays there until it is done with."""

    unmoved = ""

    def __init__(self, raw: bytes) -> None:
        self.letters = {1: raw}

    def new(self) -> Iterator[tuple[int, bytes, str]]:
        yield from [(number, raw, moment(0)) for number, raw in self.letters.items()]

    def done(self, number: int) -> None:
        del self.letters[number]

    def wait(self, bell: Any) -> None:
        bell.wait(60)

    def close(self) -> None:
        """Nothing is open."""


def test_a_store_that_is_away_is_not_called_a_mailbox_that_does_not_work(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise deadlines would be held for the mailbox, which is tried again ever more seldom."""
    box, tries = _Box(joining(club)[0]), [0]
    monkeypatch.setattr(Office, "mailbox", lambda _office: box)
    monkeypatch.setattr("pbem.host.run.STARTING", (0,))
    take = Robot.take

    def away(robot: Robot, *args: Any, **more: Any) -> str:
        tries[0] += 1
        if tries[0] <= 12:
            raise StoreAway("The disk is full.")
        return take(robot, *args, **more)

    monkeypatch.setattr(Robot, "take", away)
    with running(club.folder / "host") as host:
        said = [host.hear("")]
        while "joined: ann" not in said[-1]:
            said.append(host.hear(""))
    assert said.index("store: The disk is full.") < said.index("store: it works again")
    assert not [line for line in said if line.startswith("imap: ")]
    assert box.letters == {}
    club.office = Office(club.folder / "host")
