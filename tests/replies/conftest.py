"""The games from which several tests take questions are played once, before them."""

from __future__ import annotations

import pytest

from tests.replies.questions import answered


@pytest.fixture(scope="session", autouse=True)
def played() -> None:
    """Play the game and the beginnings that the tests look at: what several share counts as no test's own."""
    answered("hammer", 1)
    answered("hammer", 1, 80)
    for game in ("hammer", "lords", "swords"):
        answered(game, 1, 40)
        answered(game, 1, 60)
