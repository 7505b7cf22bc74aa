"""What is lost at one of two friends, in part or whole, and how it comes back; what may not be signed meanwhile."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Fault
from pbem.ledger import PrivateKey
from pbem.ledger.pair import Vault, joined, lines_of, united, verify_pair
from pbem.player.pair import beginning
from tests.pair.attacks_hidden import Bends
from tests.pair.bad_days import TINY, ahead, both, goes_on, goes_on_with, letter_of
from tests.pair.friends import Friend, TwoFriends
from tests.pair.lost import whole_of
from tests.pair.said import passes

__all__ = ["both"]


def is_cut(friend: Friend, count: int = 1) -> bytes:
    """His log lacks its last lines; return what it was."""
    log, path = friend.log, friend.table.path
    path.write_bytes(b"".join(log.splitlines(keepends=True)[:-count]))
    return log


@pytest.mark.slow
@pytest.mark.parametrize("with_before", [False, True])
def test_a_lost_folder_is_restored_by_the_newer_key(both: TwoFriends, with_before: bool) -> None:
    """The disk is lost after `pbem rekey`. A player with only the old key is told so."""
    one, other = ahead(both)
    one.does("rekey", "--yes")
    other.does("read", letter_of(both, one))
    passes(other, one)
    passes(one, other)
    log, kept = one.log, one.home.with_name("kept")
    one.home.rename(kept)
    one.home.mkdir()
    one.does("key", "--import", kept / "key", "--address", one.address)
    if with_before:
        shutil.copy(next(kept.glob("key.before*")), one.home)
    assert "is here again" in one.does("read", whole_of(other))
    assert one.log == log
    goes_on(both)


def test_the_key_that_was_replaced_is_said_to_be_it(both: TwoFriends) -> None:
    one, other = ahead(both)
    one.does("rekey", "--yes")
    other.does("read", letter_of(both, one))
    kept = one.home.with_name("kept")
    one.home.rename(kept)
    one.home.mkdir()
    one.does("key", "--import", next(kept.glob("key.before*")), "--address", one.address)
    code, said = one.pbem("read", whole_of(other))
    assert (code, "another key" in said) == (2, True), said


@pytest.mark.slow
def test_a_damaged_log_is_moved_away_and_replaced(both: TwoFriends) -> None:
    """`pbem games` says that the log is missing, and each command says what to do. The friend's whole log replaces it."""
    one, other = ahead(both)
    other.does("read", letter_of(both, one))
    passes(other, one)
    log, path = one.log, one.table.path
    path.write_bytes(log[:-20] + b"\n")
    code, said = one.pbem("board")
    assert (code, "is damaged" in said) == (2, True)
    assert "is damaged" in one.does("send")
    path.rename(path.with_suffix(".away"))
    assert "Its log is not here" in one.does("games")
    assert '"state": "lost"' in one.does("games", "--json")
    for command in (("board",), ("order",), ("say", "draw", "--yes"), ("resend",), ("copy", "--yes"), ("check",)):
        code, said = one.pbem(*command)
        assert (code, "is not here any longer" in said) == (2, True), said
    one.does("read", whole_of(other))
    assert one.log == log
    assert one.notes.friend == other.address
    goes_on(both)


@pytest.mark.slow
def test_who_has_joined_and_lost_his_log_before_his_letter_came_takes_it_from_both_letters(tmp_path: Path) -> None:
    """His friend has no more than the invitation: the rest is in the letter that he sent."""
    both = TwoFriends(tmp_path, *TINY)
    both.join()
    log, path = both.bob.log, both.bob.table.path
    assert both.bob.posts() is not None
    path.rename(path.with_suffix(".away"))
    assert "is here again" in both.bob.does("read", both.invitation)
    assert both.bob.log == log
    both.bob.does("resend")
    again = both.bob.posts()
    assert again is not None
    both.ann.does("read", again)
    goes_on(both)


@pytest.mark.slow
def test_a_turn_that_the_log_lacks_is_taken_from_its_letter(both: TwoFriends) -> None:
    """After a restored backup or a torn write the log lacks your last turn. Without the letter, the program signs nothing."""
    one, _other = ahead(both)
    letter = letter_of(both, one)
    log = is_cut(one)
    (one.table.path.with_suffix(".seen")).unlink()
    code, said = one.pbem("order", "-", typed=one.order)
    assert (code, "not asked anything" in said) == (2, True), said
    assert one.log == log
    goes_on_with(both, letter)


@pytest.mark.slow
def test_nothing_is_signed_after_an_end_that_was_cut(both: TwoFriends) -> None:
    one, other = ahead(both)
    letter = letter_of(both, one)
    letter = letter.rename(one.home / "gone.eml")
    log = is_cut(one)
    for path in one.home.glob("replaced/*.eml"):
        path.unlink()
    for _time in range(2):
        code, said = one.pbem("order", "-", typed=one.order)
        assert (code, "a fork by you" in said) == (2, True), said
    other.does("read", letter)
    one.does("read", whole_of(other))
    assert one.log[: len(log)] == log
    goes_on(both)


@pytest.mark.slow
def test_a_copy_shorter_than_what_was_signed_is_not_continued(both: TwoFriends) -> None:
    one, other = ahead(both)
    short = whole_of(other)
    other.does("read", letter_of(both, one))
    passes(other, one)
    longer = whole_of(other)
    log, path = one.log, one.table.path
    for letter in one.home.glob("sent/*.eml"):
        letter.unlink()
    path.unlink()
    code, said = one.pbem("read", short)
    assert (code, "you had played further" in said) == (2, True), said
    assert not path.exists()
    one.does("read", longer)
    assert one.log == log
    goes_on(both)


@pytest.mark.slow
def test_no_game_is_joined_twice(both: TwoFriends) -> None:
    bob = both.bob
    log = bob.log
    for gone in ("two", "seen", "pbem"):
        next((bob.home / "games").glob(f"*.{gone}")).unlink()
        code, said = bob.pbem("join", both.invitation)
        assert (code, "have played this game before" in said) == (2, True), said
    shutil.rmtree(bob.home / "sent")
    code, said = bob.pbem("join", both.invitation)
    assert (code, "have played this game before" in said) == (2, True), said
    bob.does("read", whole_of(both.ann))
    assert bob.log == log
    assert lines_of(log)


def test_a_copy_and_the_last_letter_wait_beside_each_other(both: TwoFriends) -> None:
    """`pbem copy` and `pbem resend` give their letters different Message-IDs."""
    one, _other = ahead(both)
    letter_of(both, one)
    one.does("copy", "--yes")
    one.does("resend")
    letters = one.desk.tray.unsent()
    assert len(letters) == 2
    heads = {line for path in letters for line in path.read_bytes().splitlines() if line.startswith(b"Message-ID")}
    assert len(heads) == 2


@pytest.mark.slow
def test_a_turn_whose_own_secret_shows_a_fault_is_refused_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob bound another half of the common key than his secret gives. The letter is evidence for everybody."""
    both = TwoFriends(tmp_path, *TINY)

    def bends(key: PrivateKey, vault: Vault, *more: Any) -> dict[str, Any]:
        return joined(key, Bends(vault, mix=Vault(vault.game, vault.seat, "7" * 64).mix), *more)

    with monkeypatch.context() as patch:
        patch.setattr(beginning, "joined", bends)
        both.join()
    for _time in range(30):
        while passes(both.ann, both.bob) + passes(both.bob, both.ann):
            pass
        if both.bob.desk.pairs.seat(both.bob.notes).state == "mine":
            break
        both.ann.answers(both.rng)
    with monkeypatch.context() as patch:
        # else his own program would sign no such thing
        patch.setattr("pbem.ledger.pair.course.open_all", lambda course, _seat: course)
        both.bob.does("say", "resign", "--yes")
    letter = both.bob.posts()
    assert letter is not None
    before = both.ann.log
    code, said = both.ann.pbem("read", letter)
    assert code == 2
    assert "SEALBIND" in said
    assert "Everybody can see it" in said
    assert both.ann.log == before
    verdict = verify_pair(both.ann.table.path.with_suffix(".fault").read_bytes())
    assert (verdict.code, verdict.party) == ("SEALBIND", "bob")


def _signed_on_two_machines(both: TwoFriends) -> tuple[Friend, Friend, Friend, Path]:
    """One has answered on two machines; the friend has read the letter of the first: one, twin, other, the second letter."""
    for _time in range(20):
        one, other = ahead(both)
        twin = Friend(one.home.with_name("twin"), one.address)
        shutil.rmtree(twin.home)
        shutil.copytree(one.home, twin.home)
        first = letter_of(both, one)
        second = letter_of(both, twin)
        other.does("read", first)
        if one.log != twin.log:
            return one, twin, other, second
        shutil.rmtree(twin.home)
        while passes(other, one) + passes(one, other):
            pass
    raise AssertionError


@pytest.mark.slow
def test_who_has_signed_on_two_machines_takes_the_log_that_his_friend_goes_on_with(both: TwoFriends) -> None:
    """The program says that both turns are yours. `pbem read MAIL --instead` takes the friend's log and keeps your own
    aside."""
    one, twin, other, _second = _signed_on_two_machines(both)
    log = twin.log
    code, said = twin.pbem("read", whole_of(other))
    assert (code, "You have signed two different entries" in said, "--instead" in said) == (2, True, True), said
    assert twin.log == log
    while (letter := other.posts()) is None:
        other.answers(both.rng)
    code, said = twin.pbem("read", letter)
    assert (code, "--instead" in said) == (2, True), said
    code, said = twin.pbem("read", letter, "--instead")
    assert (code, "takes the whole log" in said) == (2, True), said
    assert twin.log == log
    said = twin.does("read", whole_of(other), "--instead")
    assert "is your friend's now" in said
    assert twin.log.startswith(other.log)
    fork = next((twin.home / "games").glob("*.fork"))
    assert fork.read_bytes() == log
    with pytest.raises(Fault, match="two different turns"):
        united(twin.log, log)
    name = "ann" if one is both.ann else "bob"
    setattr(both, name, twin)
    goes_on(both)


@pytest.mark.slow
def test_a_log_that_differs_by_the_friend_s_turn_replaces_nothing(both: TwoFriends) -> None:
    """FORK. `--instead` accepts a log only if it parts at your own turn, or after all that your friend has signed."""
    _one, twin, other, second = _signed_on_two_machines(both)
    log = other.log
    for extra in ((), ("--instead",)):
        code, said = other.pbem("read", whole_of(twin), *extra)
        assert (code, said.startswith("FORK")) == (2, True), said
        assert other.log == log
        code, said = other.pbem("read", second, *extra)
        assert (code, said.startswith("FORK")) == (2, True), said
        assert other.log == log
