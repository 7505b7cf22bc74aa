"""What several tests need of plans typed: asked."""

from __future__ import annotations

from .bad_days import is_asked
from .friends import Friend, TwoFriends


def asked(both: TwoFriends, one: Friend, other: Friend) -> tuple[Friend, Friend]:
    """Let them write to each other, `one` first, until one of them is asked; return him, and the other."""
    for _letter in range(60):
        both.pass_on(one, other)
        one, other = other, one
        if is_asked(one):
            return one, other
    raise AssertionError
