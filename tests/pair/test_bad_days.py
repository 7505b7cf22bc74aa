"""What goes wrong between two friends: nothing is lost, nothing is half done, and it is said in plain words."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.errors import Fault
from pbem.ledger import read_line
from pbem.ledger.pair import append, lines_of, signed_turn, united
from pbem.referee.pair.play import vault_of
from tests.pair.bad_days import (
    TINY,
    ahead,
    both,
    goes_on,
    goes_on_with,
    letter_of,
)
from tests.pair.friends import Friend, TwoFriends

__all__ = ["both"]  # fixtures


@pytest.mark.slow
def test_a_letter_that_is_read_twice_changes_nothing(both: TwoFriends) -> None:
    """The program says so."""
    one, other = ahead(both)
    letter = letter_of(both, one)
    other.does("read", letter)
    before = other.log
    assert "already read this letter" in other.does("read", letter)
    assert other.log == before
    goes_on(both)


@pytest.mark.slow
def test_an_older_letter_changes_nothing(both: TwoFriends) -> None:
    assert "already" in both.bob.does("read", both.invitation)
    goes_on(both)


@pytest.mark.slow
def test_a_letter_that_overtook_another_waits_for_it(both: TwoFriends) -> None:
    """The program says which letter is missing. The friend's whole log replaces a lost one."""
    one, other = ahead(both)
    first = letter_of(both, one)
    other.does("read", first)
    second = letter_of(both, other)
    lost = Friend(other.home.parent / "lost", other.address)
    shutil.rmtree(lost.home)
    one.does("read", second)
    third = letter_of(both, one)
    entries = lines_of(one.log)
    # the other has an older state of his folder, which lacks what came last
    kept = [entry for entry in entries if entry.n <= other.table.head[0]][:4]
    other.table.path.write_bytes(b"".join(entry.line + b"\n" for entry in kept))
    code, said = other.pbem("read", third)
    assert (code, "an earlier letter is missing" in said) == (2, True), said
    one.does("copy", "--yes")
    whole = one.posts()
    assert whole is not None
    other.does("read", whole)
    goes_on(both)


@pytest.mark.slow
def test_a_letter_of_another_game_is_not_taken(both: TwoFriends, tmp_path: Path) -> None:
    """The refusal says what to do."""
    another = TwoFriends(tmp_path / "another", *TINY)
    another.join()
    another.play(2)
    letter = letter_of(another, ahead(another)[0])
    code, said = both.ann.pbem("read", letter)
    assert (code, "is not on this desk" in said) == (2, True), said
    goes_on(both)


@pytest.mark.slow
def test_a_damaged_letter_is_not_taken(both: TwoFriends) -> None:
    """The program says how the friend sends it again."""
    one, other = ahead(both)
    letter, before = letter_of(both, one), other.log
    last = lines_of(one.log)[-1].line
    cut = one.home / "cut.pbem"
    cut.write_bytes(last[: len(last) // 2] + b"\n")
    code, said = other.pbem("read", cut)
    assert code == 2
    assert "damaged, or not all of them came" in said
    assert "pbem resend" in said
    other_name = one.home / "changed.pbem"
    changed = last.replace(b'"sig":"', b'"sig":"-', 1)
    other_name.write_bytes(changed + b"\n")
    code, said = other.pbem("read", other_name)
    assert code == 2
    assert "nothing was taken" in said.lower()
    assert other.log == before
    other.does("read", letter)
    goes_on(both)


@pytest.mark.slow
def test_a_turn_at_fault_is_not_taken_and_its_signer_is_named(both: TwoFriends) -> None:
    """The program names entry, code and signer, and keeps the turn."""
    one, other = ahead(both)
    before = one.log
    entries = lines_of(before)
    key = one.desk.key
    no = 1 + sum(entry.k == "turn" and entry.fields["by"] == one.notes.seat for entry in entries)
    bad = append(
        one.table.head,
        signed_turn(key, vault_of(entries, key), no, one.table.head, [{"do": "link", "x": "0" * 64}]),
    )
    file = one.home / "bad.pbem"
    file.write_bytes(bad.line + b"\n")
    other_before = other.log
    code, said = other.pbem("read", file)
    assert code == 2
    assert f"signed by {one.table.pack.look.seat_name(one.notes.seat)}" in said
    assert "the game waits as it did" in said
    assert other.log == other_before
    evidence = next((other.home / "games").glob("*.fault"))
    code, said = other.pbem("verify", evidence)
    goes_on(both)


@pytest.mark.slow
def test_a_second_turn_behind_the_same_entry_is_a_fork(both: TwoFriends) -> None:
    """A player takes a decision back so. FORK: the first turn counts, and both are evidence."""
    one, other = ahead(both)
    twin = Friend(one.home.parent / "twin", one.address)
    shutil.rmtree(twin.home)
    shutil.copytree(one.home, twin.home)
    first = letter_of(both, one)
    other.does("read", first)
    entries = lines_of(twin.log)
    key = twin.desk.key
    no = 1 + sum(entry.k == "turn" and entry.fields["by"] == twin.notes.seat for entry in entries)
    second = append(twin.table.head, signed_turn(key, vault_of(entries, key), no, twin.table.head, []))
    file = twin.home / "second.pbem"
    file.write_bytes(second.line + b"\n")
    before = other.log
    code, said = other.pbem("read", file)
    assert code == 2
    assert said.startswith(f"FORK: {one.notes.seat}")
    assert other.log == before
    fork = next((other.home / "games").glob("*.fork"))
    with pytest.raises(Fault, match="two different turns"):
        united(other.log, fork.read_bytes())
    goes_on(both)


@pytest.mark.slow
def test_what_somebody_else_writes_is_not_taken(both: TwoFriends) -> None:
    """A stranger writes or changes a friend's turn. The program says that the signature is missing."""
    one, other = ahead(both)
    letter = letter_of(both, one)
    stranger = Friend(one.home.parent / "stranger", "eve@example.org")
    entries = lines_of(other.log)
    say = read_line(lines_of(one.log)[-1].line)
    say["sig"] = stranger.desk.key.sign("pbem-say-v1", b"nothing")
    forged = append(other.table.head, {k: v for k, v in say.items() if k not in ("n", "prev")})
    file = stranger.home / "forged.pbem"
    file.write_bytes(forged.line + b"\n")
    code, said = other.pbem("read", file)
    assert code == 2
    assert "somebody else wrote it" in said
    assert len(lines_of(other.log)) == len(entries)
    sent_on = letter.read_bytes().replace(b"From: " + one.address.encode(), b"From: carol@example.org")
    moved = stranger.home / "moved.eml"
    moved.write_bytes(sent_on)
    said = other.does("read", moved)
    assert "carol@example.org" in said
    assert "pbem address" in said
    goes_on(both)


@pytest.mark.slow
def test_a_turn_once_signed_is_never_signed_otherwise(both: TwoFriends) -> None:
    """A friend tries to change his order. His log has the first one, and his program sends it again."""
    one, _other = ahead(both)
    letter = letter_of(both, one)
    before = one.log
    code, said = one.pbem("order", "-", typed=one.order)
    assert code == 2
    assert "not asked anything" in said
    one.does("resend")
    again = one.posts()
    assert again is not None
    assert lines_in(again) == lines_in(letter)
    assert one.log == before
    goes_on_with(both, again)


def lines_in(letter: Path) -> bytes:
    from pbem.mail import read_message

    return read_message(letter.read_bytes()).log


@pytest.mark.slow
def test_a_lost_disk_is_restored_from_the_key_and_the_friend_s_copy(both: TwoFriends) -> None:
    one, other = ahead(both)
    shutil.rmtree(other.home / "games")
    one.does("copy", "--yes")
    whole = one.posts()
    assert whole is not None
    said = other.does("read", whole)
    assert "is here again" in said
    assert other.log == one.log
    assert other.notes.friend == one.address
    goes_on(both)


@pytest.mark.slow
def test_snapshots_may_be_thrown_away_or_made_up(both: TwoFriends) -> None:
    """Somebody puts a false snapshot beside a log of two. Without the seat's secret it has no valid mark."""
    for friend in (both.ann, both.bob):
        (seen,) = (friend.home / "games").glob("*.seen")
        seen.write_bytes(b"0" * 64 + b' {"head":[3,"00"]}\n')
    goes_on(both)


@pytest.mark.slow
def test_what_is_signed_stands_in_the_log_before_its_letter_is_written(
    both: TwoFriends, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full. `pbem resend` writes the letter later."""
    from pbem.player.pair import laying

    def fails(*_arguments: object) -> bytes:
        raise OSError(28, "No space left on device")

    one, _other = ahead(both)
    before = len(lines_of(one.log))
    with monkeypatch.context() as patch:
        patch.setattr(laying, "write", fails)
        with pytest.raises(OSError, match="No space"):
            one.answers(both.rng)
    assert len(lines_of(one.log)) > before
    assert not one.desk.tray.unsent()
    one.does("resend")
    letter = one.posts()
    assert letter is not None
    goes_on_with(both, letter)
