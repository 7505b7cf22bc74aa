"""What has to be done over, or goes to another than was meant: a refused turn, an invitation that two answer, an address."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.ledger.pair import append, lines_of, signed_turn
from pbem.mail import read_message
from pbem.player.pair import laying
from pbem.referee.pair.play import vault_of
from tests.pair.bad_days import TINY, ahead, both, goes_on, letter_of
from tests.pair.friends import Friend, TwoFriends
from tests.pair.lost import whole_of

__all__ = ["both"]

WHEN = "2026-01-02T03:04:05Z"


def at_fault(one: Friend) -> Path:
    """His program has signed a turn that breaks the rules, as an older version might; return its letter."""
    table, key = one.table, one.desk.key
    no = 1 + sum(entry.k == "turn" and entry.fields["by"] == one.notes.seat for entry in table.entries)
    said = signed_turn(key, vault_of(table.entries, key), no, table.head, [{"do": "link", "x": "0" * 64}])
    table.path.write_bytes(one.log + append(table.head, said).line + b"\n")
    laying.again(one.desk.pairs.seat(one.notes), WHEN)
    letter = one.posts()
    assert letter is not None
    return letter


@pytest.mark.slow
def test_a_turn_that_was_refused_is_signed_again(both: TwoFriends) -> None:
    """Two versions of pbem disagree about a turn. `pbem read MAIL --instead` goes back before the refused turn and
    keeps it aside."""
    one, other = ahead(both)
    letter = at_fault(one)
    before, called = one.log, read_message(letter.read_bytes()).message_id
    code, said = other.pbem("read", letter)
    assert (code, "--instead" in said) == (2, True), said
    code, said = one.pbem("board")
    assert (code, "finds a fault in your own turn" in said, "--instead" in said) == (2, True, True), said
    whole = whole_of(other)
    earlier = one.table.path.with_suffix(".fork")
    earlier.write_bytes(b"what the friend has signed twice")
    assert one.pbem("read", whole)[0] == 2
    assert one.log == before
    assert "you can sign that turn again" in one.does("read", whole, "--instead")
    assert one.log == other.log
    assert earlier.read_bytes() == before
    assert earlier.with_name(f"{earlier.name}.2").read_bytes() == b"what the friend has signed twice"
    again = letter_of(both, one)
    assert read_message(again.read_bytes()).message_id != called
    other.does("read", again)
    goes_on(both)


@pytest.mark.slow
def test_nobody_goes_back_before_what_the_friend_has_signed(both: TwoFriends) -> None:
    one, other = ahead(both)
    early = whole_of(other)
    code, said = one.pbem("read", early, "--instead")
    assert (code, "nothing has been changed" in said) == (2, True), said
    other.does("read", letter_of(both, one))
    one.does("read", letter_of(both, other))
    log = one.log
    code, said = one.pbem("read", early, "--instead")
    assert (code, "nothing has been changed" in said) == (2, True), said
    assert one.log == log
    goes_on(both)


@pytest.mark.slow
def test_nobody_goes_back_behind_his_own_secret(both: TwoFriends) -> None:
    one, other = ahead(both)
    one.does("say", "resign", "--yes")
    log = one.log
    code, said = one.pbem("read", whole_of(other), "--instead")
    assert (code, "shows your secret" in said) == (2, True), said
    assert one.log == log
    goes_on(both)


@pytest.mark.slow
def test_two_who_join_by_one_invitation_are_no_fork(tmp_path: Path) -> None:
    """The first answer read counts. Nobody is at fault."""
    both = TwoFriends(tmp_path, *TINY)
    both.join()
    carol = Friend(tmp_path / "carol", "carol@example.org")
    carol.does("join", both.invitation)
    answer, second = both.bob.posts(), carol.posts()
    both.ann.does("read", answer)
    log = both.ann.log
    for extra in ((), ("--instead",)):
        code, said = both.ann.pbem("read", second, *extra)
        assert (code, "Two people have joined" in said, "FORK" in said) == (2, True, False), said
        code, said = carol.pbem("read", whole_of(both.ann), *extra)
        assert (code, "Two people have joined" in said) == (2, True), said
    assert both.ann.log == log
    assert not list((both.ann.home / "games").glob("*.fork"))
    goes_on(both)


@pytest.mark.slow
def test_a_letter_that_waits_goes_to_the_new_address(both: TwoFriends) -> None:
    """A player or his friend changes the address while letters wait to be sent."""
    one, other = ahead(both)
    one.answers(both.rng)
    one.does("copy", "--yes")
    before = [read_message(path.read_bytes()) for path in one.desk.tray.unsent()]
    one.does("address", "--friend", "new@example.com")
    one.does("address", "moved@example.com")
    after = [read_message(path.read_bytes()) for path in one.desk.tray.unsent()]
    assert [(mail.sender, [*mail.to]) for mail in after] == [("moved@example.com", ["new@example.com"])] * 2
    assert [(mail.log, mail.text, mail.subject) for mail in after] == [
        (mail.log, mail.text, mail.subject) for mail in before
    ]
    for path in one.desk.tray.unsent():
        other.does("read", one.desk.tray.sent(path))
    goes_on(both)


@pytest.mark.slow
def test_ones_own_letter_from_another_machine_is_not_called_the_friends(both: TwoFriends) -> None:
    one, other = ahead(both)
    twin = Friend(one.home.with_name("twin"), one.address)
    shutil.rmtree(twin.home)
    shutil.copytree(one.home, twin.home)
    letter = letter_of(both, one)
    said = twin.does("read", letter)
    assert "your friend has signed" not in said
    assert twin.log == one.log
    other.does("read", letter)
    goes_on(both)


@pytest.mark.slow
def test_a_new_key_that_no_turn_announces_yet_needs_the_one_before(both: TwoFriends) -> None:
    """The disk is lost after `pbem rekey` and before the next turn."""
    one, other = ahead(both)
    one.does("rekey", "--yes")
    kept = one.home.with_name("kept")
    one.home.rename(kept)
    one.home.mkdir()
    one.does("key", "--import", kept / "key", "--address", one.address)
    code, said = one.pbem("read", whole_of(other))
    assert (code, "key.before" in said) == (2, True), said
    shutil.copy(kept / "key.before", one.home)
    assert "is here again" in one.does("read", whole_of(other))
    assert lines_of(one.log)
    goes_on(both)


@pytest.mark.slow
def test_a_machine_with_the_old_key_is_told_so(both: TwoFriends) -> None:
    """The program says how to bring the new key there."""
    one, other = ahead(both)
    twin = Friend(one.home.with_name("twin"), one.address)
    shutil.rmtree(twin.home)
    shutil.copytree(one.home, twin.home)
    one.does("rekey", "--yes")
    letter = letter_of(both, one)
    for _time in range(2):
        code, said = twin.pbem("read", letter)
        assert (code, "another key" in said, "pbem key --import" in said) == (2, True, True), said
    other.does("read", letter)
    goes_on(both)


@pytest.mark.slow
def test_an_unknown_address_of_the_friend_is_asked_for(both: TwoFriends) -> None:
    """The program writes the waiting letters when you name the address."""
    one, other = ahead(both)
    whole = one.home / "whole.pbem"
    whole.write_bytes(one.log)
    for path in (one.home / "games").glob(f"{one.notes.game[:16]}.*"):
        path.unlink()
    assert "pbem address --friend" in one.does("read", whole)
    one.does("address", "--friend", other.address)
    other.does("read", letter_of(both, one))
    notes = one.notes
    notes.friend = ""
    one.desk.pairs.seat(notes).keep()
    said = one.pbem("read", letter_of(both, other))[1]
    assert "pbem address --friend ADDRESS" in said
    assert "still go to" not in said
    assert not one.desk.tray.unsent()
    one.does("address", "--friend", other.address)
    goes_on(both)  # with the letter that could not be written before


def test_without_the_key_no_other_key_is_promised(both: TwoFriends) -> None:
    """Only the key opens a seat of a game of two."""
    (both.ann.home / "key").unlink()
    code, said = both.ann.pbem("games")
    assert (code, "nothing but the key opens your seat" in said) == (2, True), said


def test_a_command_for_hosts_says_so_where_all_games_are_of_two(both: TwoFriends) -> None:
    for command in (("time", "--zone", "Europe/Paris"), ("letters", "short")):
        code, said = both.ann.pbem(*command)
        assert (code, "has no host" in said) == (2, True), said
