"""Two friends play with nothing but their programs and the mails between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games.without_host import knowing_of
from pbem.referee.pair import audit_pair
from tests.pair.friends import TwoFriends


@pytest.mark.parametrize("game", ["swords"])
def test_two_play_a_whole_game_by_files(tmp_path: Path, game: str) -> None:
    both = TwoFriends(tmp_path, "--game", game)
    both.join()
    both.play()
    assert both.ann.log == both.bob.log
    assert audit_pair(both.ann.log, knowing_of).verdict == "clean"
    assert "It is over" in both.ann.does("games")
