"""What several tests need of said: passes, ends."""

from __future__ import annotations

from pbem.games.without_host import knowing_of
from pbem.referee.pair import audit_pair
from tests.pair.friends import Friend, TwoFriends


def passes(one: Friend, other: Friend) -> str:
    """Hand every letter that waits to the other."""
    said = ""
    while (letter := one.posts()) is not None:
        said += other.does("read", letter)
    return said


def ends(both: TwoFriends) -> str:
    """Both hand over what their programs say by themselves; return how the game ended."""
    for _time in range(4):
        passes(both.ann, both.bob)
        passes(both.bob, both.ann)
    assert both.ann.log == both.bob.log
    assert audit_pair(both.ann.log, knowing_of).verdict == "clean"
    return both.ann.does("board")
