"""What goes wrong with a turn in one command: servers that fail as told, letters of strangers, two machines; nothing is lost."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.mail import Letter, read_message
from pbem.player import Desk
from pbem.player.club import KnownClub, keep
from pbem.player.post import Fetcher
from tests.cli.a_player import FIRST, USER, Player, no_keyring, player, playing
from tests.host.conftest import the_example_game_is_found
from tests.host.post import HOST, a_club
from tests.mail.scripted import PASSWORD, ImapServer

__all__ = ["no_keyring", "player", "playing", "the_example_game_is_found"]


@pytest.mark.slow
def test_the_server_is_gone_after_the_signature(playing: Player) -> None:
    """The program keeps the signed order for the next turn."""
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


@pytest.mark.slow
@pytest.mark.parametrize(("cut", "after"), CUTS, ids=[f"{SMTP[c - 1]}-{'after' if a else 'before'}" for c, a in CUTS])
def test_the_line_is_cut_while_an_order_is_sent(playing: Player, cut: int, after: bool) -> None:
    """The program keeps the signed order for the next turn. If the cut follows the last dot, it uses the same
    Message-ID again."""
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


@pytest.mark.slow
def test_the_line_is_cut_at_each_command_while_mail_is_fetched(playing: Player, tmp_path: Path) -> None:
    """The program tries once more at once. It reads no mail twice and skips none."""
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


@pytest.mark.slow
def test_without_the_mailbox_what_is_here_can_be_answered(playing: Player) -> None:
    """The program says that it cannot reach the mailbox."""
    playing.turn("quit\n")
    playing.imap.answers = {"": "* BYE no"}
    code, said = playing.turn(FIRST)
    assert code == 1
    assert "Your mail cannot be fetched:" in said
    assert "Sent: order." in said


@pytest.mark.slow
def test_a_password_that_is_refused_is_told_in_sentences(playing: Player) -> None:
    """It shows the server's words and the remedy, but never the password."""
    playing.imap.answers = {"LOGIN": f"NO [AUTHENTICATIONFAILED] {PASSWORD} is wrong"}
    code, said = playing.turn("quit\n")
    assert code == 1
    assert "refuses the login of ann@example.org" in said
    assert "app password" in said
    assert PASSWORD not in said


@pytest.mark.slow
def test_a_server_that_cannot_judge_a_password_does_not_call_it_wrong(playing: Player) -> None:
    playing.imap.answers = {"LOGIN": "NO [UNAVAILABLE] Temporary authentication failure"}
    code, said = playing.turn("quit\n")
    assert code == 1
    assert "does not serve us: [UNAVAILABLE] Temporary authentication failure" in said
    assert "app password" not in said


@pytest.mark.slow
def test_a_letter_that_comes_twice_is_told_once(playing: Player) -> None:
    playing.turn(FIRST)
    playing.receipts()
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


@pytest.mark.slow
def test_letters_that_overtook_each_other_are_read_in_their_order(behind: tuple[Player, list[bytes]]) -> None:
    other, reports = behind
    for raw in reversed(reports):
        other.imap.arrive(raw)
    code, said = other.turn()
    assert code == 0, said
    assert "was left alone" not in said
    assert "It is over." in said


@pytest.mark.slow
def test_a_letter_whose_forerunner_is_missing_waits_for_it(behind: tuple[Player, list[bytes]]) -> None:
    """The program says once which mail is missing."""
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


@pytest.mark.slow
def test_a_strangers_mail_is_left_alone_and_holds_nothing_up(playing: Player) -> None:
    """A stranger writes as if he were a host. The program mentions the mail without its content."""
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


@pytest.mark.slow
def test_a_mail_over_which_the_program_stumbles_holds_up_no_other(
    playing: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program says so and tries again with the next mails."""
    own = dict(playing.imap.folders["INBOX"])
    playing.imap.folders["INBOX"].clear()
    playing.imap.arrive(stranger(log=b'["what"]\n'))
    for raw in own.values():
        playing.imap.arrive(raw)
    read = Desk.read

    def stumble(desk: Desk, raw: bytes, *more: Any, **options: Any) -> object:
        if b"eve@example.net" in raw:
            raise ZeroDivisionError("a fault of ours")
        return read(desk, raw, *more, **options)

    monkeypatch.setattr(Desk, "read", stumble)
    code, said = playing.turn(FIRST)
    assert code == 1
    assert "was left alone: The program stumbles over it: ZeroDivisionError: a fault of ours" in said
    assert len(playing.smtp.letters) == 1


@pytest.mark.slow
def test_what_nobody_has_signed_stands_behind_a_mark_in_a_turn(playing: Player) -> None:
    """A stranger forges the host's From line: words, an invitation, a question about an address."""
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
    """Its words may be a stranger's."""
    player.setup()
    player.post()
    _, said = player.turn("\n")
    assert "host@example.org writes, and nobody has signed it:" in said
    words = said.partition("nobody has signed it:")[2].partition("Do you want to join?")[0].strip().splitlines()
    assert all(line.startswith("|") for line in words)


def test_no_more_invitations_wait_than_anybody_answers(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger can send any number; twenty wait."""
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


@pytest.mark.slow
def test_large_mails_of_strangers_are_not_all_held_at_once(playing: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pbem turn` fetches them one by one."""
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


@pytest.mark.slow
def test_a_mailbox_whose_numbers_changed_is_looked_through_again(playing: Player) -> None:
    """UIDVALIDITY changed; the program reports nothing twice."""
    playing.turn(FIRST)
    playing.receipts()
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


@pytest.mark.slow
def test_two_machines_play_one_seat(playing: Player, tmp_path: Path) -> None:
    """Each learns of the other's order by the receipt, and does not ask again."""
    playing.turn("quit\n")
    other = Player(playing.club, playing.imap, playing.smtp, tmp_path / "other")
    shutil.copytree(playing.home, other.home)
    assert playing.turn(FIRST)[0] == 0
    playing.receipts()
    code, said = other.turn()
    assert code == 0, said
    assert "the host has what you sent" in said
    assert "Number or order" not in said
    assert len(playing.smtp.letters) == 1


@pytest.mark.slow
def test_an_order_whose_question_was_closed_is_not_sent(playing: Player) -> None:
    """The program sets the order aside and says so."""
    playing.smtp.answers = {"": "421 not now"}
    playing.turn(FIRST)
    playing.smtp.heal()
    (late,) = playing.desk.tray.unsent()
    raw = late.read_bytes()
    assert playing.club.take(raw) == "order: ann"  # it went another way
    playing.bob()
    code, said = playing.turn("quit\n")
    assert code == 0, said
    assert "it is now in “replaced”" in said
    assert playing.smtp.letters == []


@pytest.mark.slow
def test_what_other_commands_signed_goes_when_its_writer_wants_it(playing: Player) -> None:
    playing.turn("quit\n")
    assert playing.pbem("say", "resign", "--yes")[0] == 0
    assert "These letters wait:" in playing.turn("n\nquit\n")[1]
    assert playing.smtp.letters == []
    playing.turn("y\nquit\n")
    assert len(playing.smtp.letters) == 1


CODE = "0123456789abcdef0123456789abcdef"


def asks_of_a_club(subject: str = "[pbem] do you want to be a member?") -> bytes:
    text = f"If you want to belong to the club, answer with\n\n  CONFIRM {CODE}\n"
    return Letter(HOST, USER, subject, text, "register.ann.1@example.org", datetime(2030, 1, 1, tzinfo=UTC)).raw()


def test_a_code_of_a_club_is_no_change_of_address_and_holds_up_no_later_letter(player: Player) -> None:
    """A club asks whether you want to be a member. The program reads all mail first, then asks until you answer."""
    player.setup()
    keep(player.home, KnownClub(HOST))
    player.imap.arrive(asks_of_a_club())
    player.post()
    said = player.turn()[1]  # nothing is typed, as where nobody sits before it
    assert "Do you want to send the code back?" in said
    assert "Do you read your letters at" not in said
    assert len(Fetcher(player.desk).invitations()) == 1, "the invitation behind it was read"
    said = player.turn("\nlater\n")[1]
    assert said.count("Do you want to") == 2, "the code is asked about again, and then the invitation"
    ((_, to, raw),) = player.smtp.letters
    assert (to, read_message(raw).command) == (HOST, ("CONFIRM", None, "", CODE))
    assert "send the code back" not in player.turn("later\n")[1]


@pytest.mark.slow
def test_a_code_that_nobody_asked_for_waits_until_it_is_answered(playing: Player) -> None:
    playing.turn("quit\n")
    playing.imap.arrive(asks_of_a_club().replace(b"[pbem] do", b"=?utf-8?b?W3BiZW1d?= do"))
    for typed in ("\nquit\n", "later\nquit\n", "no\nquit\n"):
        assert "Do you want to send the code back?" in playing.turn(typed)[1]
    assert "send the code back" not in playing.turn("quit\n")[1]
    assert playing.smtp.letters == []


@pytest.mark.slow
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
