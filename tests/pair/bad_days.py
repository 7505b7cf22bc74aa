"""What several tests need of bad days: both, is_asked, letter_of, ahead, goes_on, …."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games.without_host import knowing_of
from pbem.player.pair import turns
from pbem.referee.pair import audit_pair
from tests.pair.friends import Friend, TwoFriends

TINY = ("--game", "tiny", "--option", "turns=2")


@pytest.fixture
def both(tmp_path: Path) -> TwoFriends:
    """The game is on, and one of them is asked something."""
    both = TwoFriends(tmp_path, *TINY)
    both.join()
    one, other = both.bob, both.ann
    for _letter in range(50):
        both.pass_on(one, other)
        one, other = other, one
        if is_asked(one):
            return both
    raise AssertionError


def is_asked(friend: Friend) -> bool:
    return turns.go_on(friend.desk.pairs.seat(friend.notes), "2026-01-02T03:04:05Z") is not None


def letter_of(both: TwoFriends, one: Friend) -> Path:
    one.answers(both.rng)
    path = one.posts()
    assert path is not None
    return path


def ahead(both: TwoFriends) -> tuple[Friend, Friend]:
    """Who is asked, and the other."""
    return (both.ann, both.bob) if both.ann.desk.pairs.seat(both.ann.notes).state == "mine" else (both.bob, both.ann)


def goes_on(both: TwoFriends) -> None:
    """The game is played to its end after all."""
    one, other = both.ann, both.bob
    for _letter in range(200):
        done = both.pass_on(one, other)
        one, other = other, one
        if not done and not both.pass_on(one, other):
            break
    assert both.ann.log == both.bob.log
    assert audit_pair(both.ann.log, knowing_of).verdict == "clean"


def goes_on_with(both: TwoFriends, letter: Path) -> None:
    _one, other = (both.ann, both.bob) if "/ann/" in str(letter) else (both.bob, both.ann)
    other.does("read", letter)
    goes_on(both)
