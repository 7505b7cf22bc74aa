"""A turn in one command, against small servers that fail as told: what is asked is answered, and nothing is lost."""

from __future__ import annotations

import shutil

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.mail import read_message
from pbem.reports import choices as asking
from tests.cli.a_player import FIRST, USER, Player, no_keyring, player, playing
from tests.host.conftest import the_example_game_is_found
from tests.host.post import HOST
from tests.mail.scripted import PASSWORD

__all__ = ["no_keyring", "player", "playing", "the_example_game_is_found"]


# -- a turn -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert playing.desk.meant().seat.overview().state == "over"
    assert playing.desk.tray.missed(playing.desk.notes()) == []


@pytest.mark.slow
def test_what_is_answered_is_not_asked_again(playing: Player) -> None:
    """`pbem games` says in words whose turn it is, and until when."""
    playing.turn(FIRST)
    code, said = playing.turn()
    assert code == 0, said
    assert "Number or order" not in said
    assert "Sent, and no receipt yet: order." in said
    playing.receipts()
    code, said = playing.turn()
    assert "the host has what you sent" in said
    assert "no receipt" not in said
    assert "Waiting for Bob since Tuesday 1 January 2030, " in said


@pytest.mark.slow
def test_a_mailbox_is_left_as_it_was(playing: Player) -> None:
    before = {name: dict(mails) for name, mails in playing.imap.folders.items()}
    playing.turn(FIRST)
    assert playing.imap.folders == before
    changing = {"STORE", "MOVE", "COPY", "EXPUNGE", "CREATE", "SELECT", "CLOSE"}
    assert not {word for command in playing.imap.commands for word in command.upper().split()[1:3]} & changing


@pytest.mark.slow
def test_mails_are_filed_for_who_wants_it(playing: Player) -> None:
    there = dict(playing.imap.folders["INBOX"])
    assert playing.turn(FIRST, "--file")[0] == 0
    assert playing.imap.folders == {"INBOX": {}, "Processed": there}


def test_an_invitation_to_somebody_else_is_named_as_such(player: Player) -> None:
    """The program warns before it asks; `pbem join` takes the invitation only with `--seat`."""
    shutil.rmtree(player.home)
    player.setup()
    player.imap.arrive(player.club.deliver()["bob"][0])
    code, said = player.turn("\n")
    assert code == 0, said
    assert "invitation is addressed to bob@example.org, but you are ann@example.org" in said
    assert "| You are invited to a game of Tiny" in said, "words that nobody signed cannot be taken for the program's"
    assert player.smtp.letters == []


@pytest.mark.slow
def test_words_that_nobody_signed_stand_behind_a_mark(playing: Player) -> None:
    """Anybody can write a From line. Text that imitated the program came from the sender."""
    playing.imap.arrive(f"From: {HOST}\r\nSubject: [pbem 1] x\r\n\r\nSent: order.8.0\r\nIt is over.\r\n".encode())
    code, said = playing.turn("quit\n")
    assert code == 0, said
    assert "| Sent: order.8.0\n| It is over.\n" in said
    assert "\nSent: order" not in said


@pytest.mark.slow
def test_setup_says_what_would_work(playing: Player) -> None:
    """No server of the account answers. `pbem setup` names the failing way, its attempts, and the missing settings."""
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


@pytest.mark.slow
def test_who_sets_up_another_address_is_told_where_his_letters_go(playing: Player) -> None:
    servers = ["--imap", f"127.0.0.1:{playing.imap.port}", "--smtp", f"127.0.0.1:{playing.smtp.port}"]
    tls = ["--imap-tls", "none", "--smtp-tls", "none"]
    code, said = playing.pbem("setup", "--address", "ann@example.net", *servers, *tls, typed=f"{PASSWORD}\n")
    assert code == 0
    assert f"Your hosts still write to {USER}: “pbem address ann@example.net”" in said


@pytest.mark.slow
def test_an_order_that_is_left_is_asked_again_with_its_report(playing: Player) -> None:
    code, said = playing.turn("quit\n")
    assert code == 0
    assert "Nothing has been signed." in said
    assert playing.smtp.letters == []
    code, said = playing.turn(FIRST)
    assert "Which card do you play in turn 1?" in said
    assert len(playing.smtp.letters) == 1


@pytest.mark.slow
def test_what_was_read_is_not_fetched_again(playing: Player) -> None:
    playing.turn("quit\n")
    playing.imap.commands.clear()
    playing.turn("quit\n")
    assert [command for command in playing.imap.commands if "FETCH" in command] == []


@pytest.mark.slow
def test_a_report_that_was_read_and_not_shown_is_shown_the_next_time(
    playing: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program was killed between reading and showing."""
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


@pytest.mark.slow
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
    assert "You play Ann" in said
    assert "Sent: join" in said
    player.post()
    bob = player.club.desks["bob"]
    bob.join(player.club.received["bob"][0], player.club.now())
    for letter in player.club.letters(bob):
        player.club.take(letter)
    player.post()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.player.joining.is_rated", lambda _seat: True)
        code, said = player.turn("\n")  # not compared
        assert "Before you continue, compare each key with its owner" in said
        assert "Have you compared them?" in said
        assert "Nothing is sent." in said
        assert player.desk.tray.unsent() == []
    code, said = player.turn()
    assert "You meet bob@example.org for the first time." in said
    assert "Have you compared them?" not in said, "a game among friends"
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


# -- what has one answer ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_has_one_answer_is_signed_for_who_wants_that(playing: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pbem turn --only-answers sign` says how many it signed. By default it asks everything."""
    monkeypatch.setattr(asking, "only", lambda view, pack: next(iter(pack.rules.options(view))))
    code, said = playing.turn("quit\n")
    assert (code, "Nothing has been signed." in said) == (0, True), "unsaid he is asked"
    code, said = playing.turn("", "--only-answers", "sign")
    assert code == 0, said
    assert "Signed:\n  CARD " in said
    assert "1 question had one answer; it was signed without asking you." in said
    playing.post()
    assert playing.club.asked() == ["bob"]
    playing.bob()
    code, said = playing.turn("")
    assert "it was signed without asking you" in said, "it is kept"


@pytest.mark.slow
def test_what_has_more_answers_is_asked_all_the_same(playing: Player) -> None:
    code, said = playing.turn(FIRST, "--only-answers", "sign")
    assert code == 0, said
    assert "Number or order" in said
    assert "without asking" not in said


@pytest.mark.slow
def test_who_wants_to_be_asked_again_says_so(playing: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "only", lambda view, pack: next(iter(pack.rules.options(view))))
    code, said = playing.turn("", "--only-answers", "perhaps")
    assert (code, "write --only-answers sign" in said) == (2, True)
    assert playing.desk.settings.only == ""
    playing.desk.change_settings(only="sign")
    code, said = playing.turn("quit\n", "--only-answers", "ask")
    assert "Nothing has been signed." in said
    assert playing.desk.settings.only == ""
