"""Two friends play with nothing but their programs and the mails between them, as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games.without_host import knowing_of
from pbem.referee.pair import audit_pair
from tests.pair.friends import TwoFriends

TINY = ("--game", "tiny", "--option", "turns=3")


@pytest.mark.slow
def test_two_play_a_whole_game_by_files(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, *TINY)
    both.join()
    both.play()
    assert both.ann.log == both.bob.log
    assert audit_pair(both.ann.log, knowing_of).verdict == "clean"
    for friend in (both.ann, both.bob):
        assert "It is over" in friend.does("games")
        assert not friend.desk.tray.unsent()
        assert "game is over" in friend.does("board").lower()


def test_the_first_letters_are_recognised_and_the_friends_key_is_trusted(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, *TINY, "--hours", 72)
    letter = both.ann.posts()
    assert letter is not None
    told = both.bob.does("read", letter)
    assert "Nothing has been signed" in told
    assert "72 hours" in told
    assert not list(both.bob.desk.pairs.games())
    joined = both.bob.does("join", letter)
    both.bob.answers(both.rng)
    read = both.ann.does("read", both.bob.posts())
    from pbem.ledger.aloud import aloud

    for said, friend in ((joined, both.ann), (read, both.bob)):
        assert f"You meet {friend.desk.settings.address} for the first time." in said
        assert aloud(friend.desk.key_line) in said
    assert "the game has begun" in read


@pytest.mark.parametrize("word", ["--rules", "--seat", "--token"])
def test_what_says_nothing_of_a_friends_invitation_is_refused(tmp_path: Path, word: str) -> None:
    both = TwoFriends(tmp_path, "--game", "tiny")
    letter = both.ann.posts()
    code, said = both.bob.pbem("join", letter, word, "ann")
    assert code == 2
    assert word in said
    assert not both.bob.desk.tray.unsent()
    both.bob.does("join", letter)


@pytest.mark.slow
def test_a_few_turns_of_hammer(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, "--game", "hammer", "--side", "scottish")
    both.join()
    both.play(8)
    assert both.mails == 8
    shorter, longer = sorted((both.ann.log, both.bob.log), key=len)
    assert longer.startswith(shorter)  # who read last may have signed what holds no decision


@pytest.mark.slow
def test_after_a_game_with_decks_the_same_friends_begin_another(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, "--game", "hammer")
    both.join()
    both.play(5)
    decks = [
        act
        for entry in both.ann.table.entries
        for act in entry.fields.get("say", {}).get("acts", ())
        if act["do"] == "deck"
    ]
    assert {act["no"] for act in decks} == {1, 2}
    for one, other in ((both.ann, both.bob), (both.bob, both.ann)):
        one.does("with", other.address, "--game", "tiny")
        letter = max(one.desk.tray.unsent(), key=lambda path: path.stat().st_mtime_ns)
        assert "You play" in other.does("join", letter)
