"""A player's commands and the door: turn and send go there once the host has signed where it is, and by mail where it is shut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.mail import Maildir
from pbem.mail.door import announcement
from pbem.player import Desk
from tests.door.commands import first_turn, here
from tests.host.post import Club, a_club, key_of
from tests.stored import stored_row

from .doors import at_work


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


def pbem(home: Path, *arguments: str, typed: str = "") -> str:
    """What a command shows."""
    result = CliRunner().invoke(app, [*arguments, "--home", str(home)], input=typed, env={"PBEM_PASSPHRASE": ""})
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.slow
def test_a_turn_goes_by_the_door_alone(club: Club) -> None:
    with at_work(club, here()) as host:
        first_turn(club, host)
        (seat, *_others) = club.asked()
        home = club.folder / seat
        assert Desk(home).notes().door == host.address
        said = pbem(home, "turn", typed="1\ny\n\n\n")
        assert "You won the turn: BANK 3 points" in said, "fetched at the door"
        assert "Brought to the host's door: order." in said
        assert stored_row(club.office.store, "select door from inbox order by id desc limit 1") == {"door": "door"}


def test_a_letter_that_cannot_be_delivered_there_goes_by_mail(club: Club) -> None:
    """The host's web address or its proxy is closed. The program says that it uses mail."""
    with at_work(club, here()) as host:
        first_turn(club, host)
        (seat, *_others) = club.asked()
        home = club.folder / seat
        for raw in host.door(club, seat).all_letters(1):
            Desk(home).read(raw[1])
    desk = Desk(home)
    _to, view, pack = desk.question(desk.notes())
    desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", club.now())
    said = pbem(home, "send")
    assert "was not brought to the host's door" in said
    assert "cannot be reached" in said
    assert "sent: " in said
    assert len(list(Maildir(club.folder / "post").new())) == 1


@pytest.mark.slow
def test_nobody_is_sent_to_a_door_that_the_host_has_not_signed(club: Club) -> None:
    """A stranger or another host writes the header, or it was signed for another game or is older."""
    with at_work(club, here()) as host:
        first_turn(club, host)
        seat = club.asked()[0]
        desk = Desk(club.folder / seat)
        notes, game = desk.notes(), club.log().game
        (_no, raw), *_more = host.door(club, seat).all_letters(notes.at_door)
    evil = "https://evil.example/"
    for forged in (
        announcement(key_of("mallory"), game, 99, evil),
        announcement(key_of("host"), "ab" * 32, 99, evil),
        announcement(key_of("host"), game, 99, evil).replace("evil", "veil"),
        announcement(key_of("host"), game, 99, "http://evil.example/"),
        announcement(key_of("host"), game, notes.door_from - 1, evil),
    ):
        head = raw.replace(b"X-Pbem-Door:", b"X-Pbem-Door: " + forged.encode() + b"\r\nX-Pbem-Old:", 1)
        desk.read(head)
        assert desk.notes().door == notes.door
    desk.read(
        raw.replace(
            b"X-Pbem-Door:", b"X-Pbem-Door: " + announcement(key_of("host"), game, 99, evil).encode() + b"\r\nX-Old:", 1
        )
    )
    assert desk.notes().door == evil, "its host has signed that"


def test_an_invitation_says_where_the_door_is_and_the_seat_is_taken_there(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        text = here()
        with at_work(club, text):
            pass  # from now on its letters say where the door is
        club.office.robot.invite(club.number, "ann", club.now())
        invitation = club.deliver()["ann"][-1]
        with at_work(club, text):
            home = club.folder / "ann"
            club.desks["ann"].join(invitation, club.now())
            assert "Brought to the host's door: join" in pbem(home, "send")
        assert stored_row(club.office.store, "select key from seats where seat = 'ann'") == {
            "key": key_of("ann").key_line
        }


@pytest.mark.slow
def test_letters_says_what_comes_by_mail(club: Club) -> None:
    with at_work(club, here()) as host:
        first_turn(club, host)
        home = club.folder / "ann"
        said = pbem(home, "letters", "none")
        assert "by mail comes from now on: none (number 1)" in said
        assert "No door of this host" not in said
        assert "From now on the letters of A test are at the door" in pbem(home, "send")
        assert Desk(home).notes().mails == 1
    assert stored_row(club.office.store, "select mail from seats where seat = 'ann'") == {"mail": "none"}
    result = CliRunner().invoke(app, ["letters", "some", "--home", str(home)])
    assert "not one of these: all, short, none" in str(result.exception)


@pytest.mark.slow
def test_a_key_that_is_locked_keeps_nobody_from_his_mail(club: Club) -> None:
    with at_work(club, here()) as host:
        first_turn(club, host)
        home = club.folder / club.asked()[0]
        (home / "key").write_bytes(key_of(home.name).dump(b"a secret"))
        said = pbem(home, "games")
        result = CliRunner().invoke(app, ["turn", "--home", str(home)], env={"PBEM_PASSPHRASE": ""})
        assert "nothing could be fetched at the host's door: The key file is locked" in result.output
        assert said
