"""A turn in one command, against small servers that fail as told: what is asked is answered, and nothing is lost."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import PbemError
from pbem.mail import Letter, read_message
from pbem.player import Desk
from pbem.player.overview import overview
from pbem.player.post import Fetcher
from tests.host.conftest import the_example_game_is_found
from tests.host.post import HOST, Club, a_club
from tests.mail.scripted import PASSWORD, ImapServer, SmtpServer, listening

__all__ = ["the_example_game_is_found"]

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


# -- a turn -------------------------------------------------------------------------------------------------------------


def test_a_turn_is_one_command(playing: Player) -> None:
    code, said = playing.turn(FIRST)
    assert code == 0, said
    assert "Which card do you play in turn 1?" in said
    assert "Signed:" in said
    assert "Sent: order." in said
    assert "You have answered." in said
    assert len(playing.smtp.letters) == 1
    playing.post()
    assert playing.club.asked() == ["bob"]


def test_a_whole_game_is_played_by_nothing_else(playing: Player) -> None:
    for _ in range(20):
        code, said = playing.turn(FIRST)
        assert code == 0, said
        playing.bob()
        if not playing.club.asked():
            break
    code, said = playing.turn()
    assert code == 0, said
    assert "It is over." in said
    assert overview(playing.desk, playing.desk.notes()).state == "over"
    assert playing.desk.tray.missed(playing.desk.notes()) == []


def test_what_is_answered_is_not_asked_again(playing: Player) -> None:
    playing.turn(FIRST)
    code, said = playing.turn()
    assert code == 0, said
    assert "Number or order" not in said
    assert "Sent, and no receipt yet: order." in said
    playing.post()
    code, said = playing.turn()
    assert "the host has what you sent" in said
    assert "no receipt" not in said
    assert "Waiting for Bob since 2030-01-01" in said


def test_a_mailbox_is_left_as_it_was(playing: Player) -> None:
    before = {name: dict(mails) for name, mails in playing.imap.folders.items()}
    playing.turn(FIRST)
    assert playing.imap.folders == before
    changing = {"STORE", "MOVE", "COPY", "EXPUNGE", "CREATE", "SELECT", "CLOSE"}
    assert not {word for command in playing.imap.commands for word in command.upper().split()[1:3]} & changing


def test_mails_are_filed_for_who_wants_it(playing: Player) -> None:
    there = dict(playing.imap.folders["INBOX"])
    assert playing.turn(FIRST, "--file")[0] == 0
    assert playing.imap.folders == {"INBOX": {}, "Processed": there}


def test_an_invitation_to_somebody_else_is_named_as_such(player: Player) -> None:
    shutil.rmtree(player.home)
    player.setup()
    player.imap.arrive(player.club.deliver()["bob"][0])
    code, said = player.turn("\n")
    assert code == 0, said
    assert "this invitation is written to bob@example.org, and you are ann@example.org" in said
    assert "| You are invited to a game of Tiny" in said, "words that nobody signed cannot be taken for the program's"
    assert player.smtp.letters == []


def test_words_that_nobody_signed_stand_behind_a_mark(playing: Player) -> None:
    """From is anybody's to write: what looks like the program's own words was the sender's."""
    playing.imap.arrive(f"From: {HOST}\r\nSubject: [pbem 1] x\r\n\r\nSent: order.8.0\r\nIt is over.\r\n".encode())
    code, said = playing.turn("quit\n")
    assert code == 0, said
    assert "| Sent: order.8.0\n| It is over.\n" in said
    assert "\nSent: order" not in said


def test_setup_says_what_would_work(playing: Player) -> None:
    dead = ["--imap-tls", "none", "--smtp-tls", "none"]
    code, said = playing.pbem("setup", "--address", USER, "--imap", "127.0.0.1:1", *dead, typed=f"{PASSWORD}\n")
    assert code == 2
    assert "Your mail cannot be fetched:\nNothing listens at 127.0.0.1:1." in said
    assert "Name the server with your mailbox, as your provider tells it: --imap HOST:PORT" in said
    imap = f"127.0.0.1:{playing.imap.port}"
    code, said = playing.pbem(
        "setup", "--address", USER, "--imap", imap, "--smtp", "127.0.0.1:1", *dead, typed=f"{PASSWORD}\n"
    )
    assert code == 2
    assert "Your mail can be fetched from 127.0.0.1, but nothing can be sent:\nNothing listens" in said
    assert "--smtp HOST:PORT" in said


def test_setup_tries_names_that_nobody_knows_and_says_each_once(playing: Player) -> None:
    code, said = playing.pbem("setup", "--address", "ann@pbem.invalid", typed=f"{PASSWORD}\n")
    assert code == 2
    assert said.count("The name imap.pbem.invalid is not known.") == 1


def test_who_sets_up_another_address_is_told_where_his_letters_go(playing: Player) -> None:
    servers = ["--imap", f"127.0.0.1:{playing.imap.port}", "--smtp", f"127.0.0.1:{playing.smtp.port}"]
    tls = ["--imap-tls", "none", "--smtp-tls", "none"]
    code, said = playing.pbem("setup", "--address", "ann@example.net", *servers, *tls, typed=f"{PASSWORD}\n")
    assert code == 0
    assert f"Your hosts still write to {USER}: “pbem address ann@example.net”" in said


def test_an_order_that_is_left_is_asked_again_with_its_report(playing: Player) -> None:
    code, said = playing.turn("quit\n")
    assert code == 0
    assert "Nothing has been signed." in said
    assert playing.smtp.letters == []
    code, said = playing.turn(FIRST)
    assert "Which card do you play in turn 1?" in said
    assert len(playing.smtp.letters) == 1


def test_what_was_read_is_not_fetched_again(playing: Player) -> None:
    playing.turn("quit\n")
    playing.imap.commands.clear()
    playing.turn("quit\n")
    assert [command for command in playing.imap.commands if "FETCH" in command] == []


def test_a_report_that_was_read_and_not_shown_is_shown_the_next_time(
    playing: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the program is killed between reading and showing."""
    playing.turn(FIRST)
    playing.bob()
    from pbem.cli import turn

    class Killed(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(turn._Sitting, "_show", die)
        with pytest.raises(Killed):
            CliRunner().invoke(app, ["turn", "--home", str(playing.home)], catch_exceptions=False)
    code, said = playing.turn("quit\n")
    assert code == 0
    assert "WHAT HAPPENED" in said.upper()
    assert "- Ann plays c" in said


# -- joining ------------------------------------------------------------------------------------------------------------


def test_a_game_is_joined_by_the_letters_in_the_mailbox(player: Player) -> None:
    shutil.rmtree(player.home)
    code, said = player.setup()
    assert code == 0
    assert "A key was made for you" in said
    player.post()
    code, said = player.turn("yes\n")
    assert code == 0, said
    assert "You are invited to a game of Tiny" in said
    assert read_message(player.club.received["ann"][0]).token not in said
    assert "You take the seat ann" in said
    assert "Sent: join" in said
    player.post()
    bob = player.club.desks["bob"]
    bob.join(player.club.received["bob"][0], player.club.now())
    for letter in player.club.letters(bob):
        player.club.take(letter)
    player.post()
    code, said = player.turn("\n")  # not compared
    assert "Have you compared them?" in said
    assert "Nothing is sent." in said
    assert player.desk.tray.unsent() == []
    code, said = player.turn("y\n")
    assert "Sent: ready" in said
    bob.join(player.club.received["bob"][-1], player.club.now())
    for letter in player.club.letters(bob):
        player.club.take(letter)
    player.post()
    code, said = player.turn(FIRST)
    assert code == 0, said
    player.post()
    assert player.club.asked() == ["bob"]


def test_an_invitation_is_nothing_before_it_is_taken_up(player: Player) -> None:
    player.setup()
    player.post()
    assert player.turn("\n")[0] == 0
    assert list(player.desk.games()) == []
    assert "Do you want to join?" in player.turn("never\n")[1]
    assert "Do you want to join?" not in player.turn()[1]
    assert player.smtp.letters == []


# -- what goes wrong ----------------------------------------------------------------------------------------------------


def test_the_server_is_gone_after_the_signature(playing: Player) -> None:
    playing.smtp.answers = {"": "421 not now"}
    code, said = playing.turn(FIRST)
    assert code == 1
    assert "does not serve us now: 421 not now" in said
    assert "It is kept, signed; the next “pbem turn” sends it." in said
    assert "Waits to be sent: order." in said
    (letter,) = playing.desk.tray.unsent()
    signed = letter.read_bytes()
    playing.smtp.heal()
    code, said = playing.turn()
    assert code == 0, said
    assert "Sent: order." in said
    assert "Number or order" not in said
    assert read_message(playing.smtp.letters[0][2]).text == read_message(signed).text


SMTP = ["EHLO", "AUTH", "MAIL", "RCPT", "DATA", "the letter"]
CUTS = [(cut, after) for cut in range(1, 7) for after in (False, True) if (cut, after) != (5, True)]
"""Where the line is cut; DATA is carried out with the letter."""


@pytest.mark.parametrize(("cut", "after"), CUTS, ids=[f"{SMTP[c - 1]}-{'after' if a else 'before'}" for c, a in CUTS])
def test_the_line_is_cut_while_an_order_is_sent(playing: Player, cut: int, after: bool) -> None:
    playing.smtp.commands.clear()
    playing.smtp.cut, playing.smtp.after = cut, after
    code, said = playing.turn(FIRST)
    assert code == 1, said
    playing.smtp.heal()
    code, said = playing.turn()
    assert code == 0, said
    assert len(set(playing.smtp.ids)) == 1
    playing.post()
    assert playing.club.asked() == ["bob"]
    assert len(playing.smtp.letters) == 1 + (after and cut == 6)


def test_the_line_is_cut_at_each_command_while_mail_is_fetched(playing: Player, tmp_path: Path) -> None:
    whole = ImapServer(folders={"INBOX": dict(playing.imap.folders["INBOX"])})
    assert playing.turn("quit\n")[0] == 0
    count = len(playing.imap.commands)
    assert whole.folders == playing.imap.folders
    for cut in range(1, 2 * count):
        (playing.home / "mailbox.json").unlink()
        playing.imap.commands.clear()
        playing.imap.cut, playing.imap.after = (cut + 1) // 2, bool(cut % 2)
        code, said = playing.turn("quit\n")  # a second try follows at once
        assert code == 0, said
        assert "Which card do you play in turn 1?" in said
    playing.imap.heal()


def test_without_the_mailbox_what_is_here_can_be_answered(playing: Player) -> None:
    playing.turn("quit\n")
    playing.imap.answers = {"": "* BYE no"}
    code, said = playing.turn(FIRST)
    assert code == 1
    assert "Your mail cannot be fetched:" in said
    assert "Sent: order." in said


def test_a_password_that_is_refused_is_told_in_sentences(playing: Player) -> None:
    playing.imap.answers = {"LOGIN": f"NO [AUTHENTICATIONFAILED] {PASSWORD} is wrong"}
    code, said = playing.turn("quit\n")
    assert code == 1
    assert "refuses the login of ann@example.org" in said
    assert "app password" in said
    assert PASSWORD not in said


def test_a_server_that_cannot_judge_a_password_does_not_call_it_wrong(playing: Player) -> None:
    playing.imap.answers = {"LOGIN": "NO [UNAVAILABLE] Temporary authentication failure"}
    code, said = playing.turn("quit\n")
    assert code == 1
    assert "does not serve us: [UNAVAILABLE] Temporary authentication failure" in said
    assert "app password" not in said


def test_a_letter_that_comes_twice_is_told_once(playing: Player) -> None:
    playing.turn(FIRST)
    playing.post()
    newest = max(playing.imap.folders["INBOX"])
    playing.imap.arrive(playing.imap.folders["INBOX"][newest])
    code, said = playing.turn()
    assert code == 0, said
    assert said.count("the host has what you sent") == 1
    playing.imap.arrive(
        b"Received: by another way; Tue, 1 Jan 2030 12:00:00 +0000\r\n" + playing.imap.folders["INBOX"][newest]
    )
    assert "the host has what you sent" not in playing.turn()[1]


@pytest.fixture
def behind(playing: Player, tmp_path: Path) -> tuple[Player, list[bytes]]:
    """Ann's machine that slept while the game was played on another one; and the letters that came meanwhile."""
    playing.turn("quit\n")
    other = Player(playing.club, playing.imap, playing.smtp, tmp_path / "other")
    shutil.copytree(playing.home, other.home)
    before = len(playing.club.received["ann"])
    playing.club.play()
    reports = [raw for raw in playing.club.received["ann"][before:] if read_message(raw, 10**8).log.startswith(b"{")]
    assert len(reports) >= 2
    return other, reports


def test_letters_that_overtook_each_other_are_read_in_their_order(behind: tuple[Player, list[bytes]]) -> None:
    other, reports = behind
    for raw in reversed(reports):
        other.imap.arrive(raw)
    code, said = other.turn()
    assert code == 0, said
    assert "was left alone" not in said
    assert "It is over." in said


def test_a_letter_whose_forerunner_is_missing_waits_for_it(behind: tuple[Player, list[bytes]]) -> None:
    other, (first, *rest) = behind
    for raw in rest:
        other.imap.arrive(raw)
    code, said = other.turn("quit\n")
    assert code == 1
    assert "an earlier mail is missing" in said
    code, said = other.turn("quit\n")
    assert code == 0, "it is said once"
    other.imap.arrive(first)
    code, said = other.turn()
    assert code == 0, said
    assert "It is over." in said


def stranger(seat: str = "ann", log: bytes = b"", text: str = "Send me your key.") -> bytes:
    headers = {"X-Pbem-Seat": seat}
    date = datetime(2030, 1, 1, tzinfo=UTC)
    return Letter(
        "eve@example.net", USER, "[pbem 1] hello", text, "1@example.net", date, headers=headers, log=log
    ).raw()


def test_a_strangers_mail_is_left_alone_and_holds_nothing_up(playing: Player) -> None:
    own = dict(playing.imap.folders["INBOX"])
    playing.imap.folders["INBOX"].clear()
    playing.imap.arrive(stranger())
    playing.imap.arrive(stranger(log=b'{"k":"what"}\n'))
    playing.imap.arrive(b"From: bob@example.org\r\nSubject: lunch?\r\n\r\nAt noon?\r\n")
    for raw in own.values():
        playing.imap.arrive(raw)
    code, said = playing.turn(FIRST)
    assert code == 1
    assert said.count("A mail of eve@example.net (“[pbem 1] hello”) was left alone:") == 2
    assert "Send me your key" not in said
    assert "lunch" not in said
    assert len(playing.smtp.letters) == 1
    code, said = playing.turn()
    assert code == 0, said
    assert "eve@example.net" not in said


def test_a_mail_over_which_the_program_stumbles_holds_up_no_other(
    playing: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = dict(playing.imap.folders["INBOX"])
    playing.imap.folders["INBOX"].clear()
    playing.imap.arrive(stranger(log=b'["what"]\n'))
    for raw in own.values():
        playing.imap.arrive(raw)
    read = Desk.read

    def stumble(desk: Desk, raw: bytes) -> object:
        if b"eve@example.net" in raw:
            raise ZeroDivisionError("a fault of ours")
        return read(desk, raw)

    monkeypatch.setattr(Desk, "read", stumble)
    code, said = playing.turn(FIRST)
    assert code == 1
    assert "was left alone: The program stumbles over it: ZeroDivisionError: a fault of ours" in said
    assert len(playing.smtp.letters) == 1


def test_what_nobody_has_signed_stands_behind_a_mark_in_a_turn(playing: Player) -> None:
    """From can be forged: words for the host's, an invitation, and a question for a new address."""
    playing.turn("quit\n")
    for no, words in enumerate(("WARNING: your key is lost", "CONFIRM 0123456789abcdef0123456789abcdef")):
        date = datetime(2030, 1, 1, tzinfo=UTC)
        playing.imap.arrive(Letter(HOST, USER, "[pbem 1] x", f"one\n{words}\n", f"{no}@example.net", date).raw())
    _, said = playing.turn("n\nquit\n")
    for words in ("WARNING: your key is lost", "CONFIRM 0123"):
        assert f"| {words}" in said
        assert f"\n{words}" not in said
    assert said.count("host@example.org writes, and nobody has signed it:") == 2


def test_an_invitation_stands_behind_a_mark(player: Player) -> None:
    player.setup()
    player.post()
    _, said = player.turn("\n")
    assert "host@example.org writes, and nobody has signed it:" in said
    words = said.partition("nobody has signed it:")[2].partition("Do you want to join?")[0].strip().splitlines()
    assert all(line.startswith("|") for line in words)


def test_no_more_invitations_wait_than_anybody_answers(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever knows an address can send as many as he likes."""
    monkeypatch.setattr("pbem.player.post._INVITED", 1)
    player.setup()
    player.post()
    with a_club(player.home.parent.parent / "other", turns=3) as other:
        other.minute = 60
        for raw in other.deliver()["ann"]:
            player.imap.arrive(raw.replace(b"host@example.org", b"eve@example.net"))
        _, said = player.turn("\n")
        assert said.count("Do you want to join?") == 1
        assert "1 invitations wait for an answer already" in said
        _, said = player.turn("never\n")
        assert said.count("Do you want to join?") == 1
        assert player.turn("\n")[1].count("Do you want to join?") == 1, "the other one, then"


def test_large_mails_of_strangers_are_not_all_held_at_once(playing: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.player.post._HELD", 10_000)
    own = dict(playing.imap.folders["INBOX"])
    playing.imap.folders["INBOX"].clear()
    for no in range(5):
        playing.imap.arrive(stranger(text=f"{no}" * 6000, log=b'{"k":"what"}\n'))
    for raw in own.values():
        playing.imap.arrive(raw)
    taken: list[bytes] = []
    take = Fetcher.take
    monkeypatch.setattr(Fetcher, "take", lambda post, raw: taken.append(raw) or take(post, raw))  # type: ignore[func-returns-value]
    _, said = playing.turn(FIRST)
    assert len([raw for raw in taken if b"eve@example.net" in raw]) == 5 + 1, "one is tried again at once"
    assert said.count("A mail of eve@example.net") == 5
    assert len(playing.smtp.letters) == 1
    taken.clear()
    playing.turn()
    assert len([raw for raw in taken if b"eve@example.net" in raw]) == 5, "and all the next time"


def test_a_mailbox_whose_numbers_changed_is_looked_through_again(playing: Player) -> None:
    playing.turn(FIRST)
    playing.post()
    assert "the host has what you sent" in playing.turn()[1]
    playing.imap.validity, playing.imap.last = 2, 0
    mails = list(playing.imap.folders["INBOX"].values())
    playing.imap.folders["INBOX"].clear()
    for raw in mails:
        playing.imap.arrive(raw)
    code, said = playing.turn()
    assert code == 0, said
    assert "the host has what you sent" not in said
    assert "WHAT HAPPENED" not in said
    playing.bob()
    code, said = playing.turn(FIRST)
    assert code == 0, said
    assert "WHAT HAPPENED" in said


def test_two_machines_play_one_seat(playing: Player, tmp_path: Path) -> None:
    """What one has signed the other learns by the receipt, and does not ask."""
    playing.turn("quit\n")
    other = Player(playing.club, playing.imap, playing.smtp, tmp_path / "other")
    shutil.copytree(playing.home, other.home)
    assert playing.turn(FIRST)[0] == 0
    playing.post()
    code, said = other.turn()
    assert code == 0, said
    assert "the host has what you sent" in said
    assert "Number or order" not in said
    assert len(playing.smtp.letters) == 1


def test_an_order_whose_question_was_closed_is_not_sent(playing: Player) -> None:
    playing.smtp.answers = {"": "421 not now"}
    playing.turn(FIRST)
    playing.smtp.heal()
    (late,) = playing.desk.tray.unsent()
    raw = late.read_bytes()
    assert playing.club.take(raw) == "order: ann"  # it went another way
    playing.bob()
    code, said = playing.turn("quit\n")
    assert code == 0, said
    assert "lies in “replaced” now" in said
    assert playing.smtp.letters == []


def test_what_other_commands_signed_goes_when_its_writer_wants_it(playing: Player) -> None:
    playing.turn("quit\n")
    assert playing.pbem("say", "resign")[0] == 0
    assert "These letters wait:" in playing.turn("n\nquit\n")[1]
    assert playing.smtp.letters == []
    playing.turn("y\nquit\n")
    assert len(playing.smtp.letters) == 1


def test_a_new_address_is_confirmed_from_its_mailbox(playing: Player) -> None:
    playing.turn("quit\n")
    assert playing.pbem("address", USER)[0] == 0
    playing.club.desks["ann"].settings = playing.desk.settings
    assert "Sent: address.1" in playing.turn("y\nquit\n")[1]
    code_line = "CONFIRM 0123456789abcdef0123456789abcdef"
    playing.imap.arrive(
        Letter(
            HOST, USER, "[pbem 1] Do you read this?", f"Answer with\n\n  {code_line}\n", "2@example.org",
            datetime(2030, 1, 1, tzinfo=UTC), headers={"X-Pbem-Seat": "ann"},
        ).raw()
    )  # fmt: skip
    sent = len(playing.smtp.letters)
    _, said = playing.turn("y\nquit\n")
    assert "Do you read your letters at ann@example.org?" in said
    (_, to, raw) = playing.smtp.letters[sent]
    assert (to, read_message(raw).command) == (HOST, ("CONFIRM", None, "", code_line.split()[1]))


# -- given out ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """A desktop that writes down what it is to open."""
    (tmp_path / "bin").mkdir()
    program, opened = tmp_path / "bin" / "xdg-open", tmp_path / "opened"
    program.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n', "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setattr(sys, "platform", "linux")
    return lambda: opened.read_text("utf-8").splitlines() if opened.exists() else []


def test_a_letter_that_is_given_out_is_not_sent_before_its_receipt(
    player: Player, desktop: Callable[[], list[str]]
) -> None:
    player.begin()
    desk = player.club.desks["ann"]
    desk.read(player.club.received["ann"][-1])
    _, view, pack = desk.question(desk.notes())
    desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", player.club.now())
    (letter,) = desk.tray.unsent()
    raw = letter.read_bytes()
    code, said = player.pbem("send", "--open")
    assert code == 0, said
    assert len(desktop()) == 1
    assert desktop()[0].startswith("mailto:host%40example.org" if "%40" in desktop()[0] else "mailto:host@example.org")
    assert not list((player.home / "sent").glob("*.order.*"))
    code, said = player.pbem("games")
    assert "Given out, and no receipt yet: order." in said
    assert "pbem send --again" in said
    code, said = player.pbem("send", "--again", "--eml", player.home / "again.eml")
    assert code == 0, said
    assert (player.home / "again.eml").read_bytes().endswith(raw[-200:])
    player.club.take(raw)
    for one in player.club.deliver()["ann"]:
        player.desk.read(one)
    code, said = player.pbem("games")
    assert "no receipt" not in said
    assert [path.name for path in (player.home / "sent").glob("*.order.*")] == [letter.name]
    assert list((player.home / "given").iterdir()) == []


def test_a_letter_too_long_for_a_link_is_opened_as_a_file(player: Player, desktop: Callable[[], list[str]]) -> None:
    player.begin()
    desk = player.club.desks["ann"]
    desk.read(player.club.received["ann"][-1])
    _, view, pack = desk.question(desk.notes())
    desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", player.club.now())
    (letter,) = desk.tray.unsent()
    letter.write_bytes(letter.read_bytes().replace(b"END\r\n", b"# a long remark\r\n" * 90 + b"END\r\n", 1))
    assert player.pbem("send", "--open")[0] == 0
    (opened,) = desktop()
    assert opened.endswith(".eml")
    assert Path(opened).read_bytes().startswith(b"X-Unsent: 1\r\n")


def test_without_a_desktop_the_letter_stays(player: Player, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    player.begin()
    desk = player.club.desks["ann"]
    desk.speaker(desk.notes()).press("hello", "", player.club.now())
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", str(tmp_path))
    code, said = player.pbem("send", "--open")
    assert (code, "There is no desktop here" in said) == (2, True)
    assert len(desk.tray.unsent()) == 1


def test_games_are_listed_for_programs(playing: Player) -> None:
    playing.turn("quit\n")
    (one,) = json.loads(playing.pbem("games", "--json")[1])
    assert (one["state"], one["waits_for"], one["seat"]) == ("mine", ["ann", "bob"], "ann")


# -- setup --------------------------------------------------------------------------------------------------------------


def everything(home: Path) -> str:
    return "".join(
        path.read_text("utf-8", "replace") for path in home.rglob("*") if path.is_file() and path.name != "password"
    )


def test_setup_tries_both_ways_and_keeps_the_password_apart(player: Player) -> None:
    code, said = player.setup()
    assert code == 0, said
    assert "holds 0 mails for ann@example.org in INBOX" in said
    assert "takes letters without TLS" in said
    assert "no more into" in said, "those of Ann went into the host's folder"
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


def test_the_systems_keyring_holds_the_password(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert (code, "keyring holds no password for ann@example.org" in said) == (2, True)
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
    assert (code, "There is no keyring here" in said) == (2, True)
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


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("no-such-program", "No such file"),
        ("sh -c 'echo opensesame; exit 3'", "it ended with code 3"),
        ("true", "it printed nothing"),
        ("printf '\\377'", "it is no text"),
        ("sh 'unended", "No closing quotation"),
    ],
)
def test_a_command_that_fails_is_told_without_what_it_printed(player: Player, command: str, why: str) -> None:
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

    def fetches(_: object, settings: dict[str, Any], _home: Path) -> str:
        asked.append((settings["host"], settings["tls"]))
        if settings["host"] != "mail.example.org":
            raise WorldError(f"The name {settings['host']} is not known.")
        return "well"

    def sends(_: object, settings: dict[str, Any], _home: Path) -> str:
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
