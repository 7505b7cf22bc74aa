"""A club that nobody looks after, for weeks: every mail accounted for, every game clean, ratings that follow from the logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from .season import play


@pytest.mark.parametrize("seed", [2, 5])
def test_a_club_runs_itself(tmp_path: Path, seed: int) -> None:
    season = play(tmp_path, seed, people=12, days=24)
    assert season.count["games ended"] > 1
    assert season.count["mail order"] > 5
    assert season.count["rated games counted"] > 0
    season.office.close()
