"""A small file whose views together fill a memory: a patch of ten bytes makes a view of any size anew, and each is kept."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from string import ascii_lowercase

import pytest

from pbem.cli import main
from pbem.errors import FormError
from pbem.kernel import Json
from pbem.ledger import Log
from pbem.reports.told import MOST_KEPT, Story, told
from tests.golden_logs import FOLDER

LONGEST = max(FOLDER.glob("*.pbem"), key=lambda path: path.stat().st_size)


def swollen(tells: int) -> Log:
    """A view of 17,576 names, and tells that change one of them."""
    log = Log(Log.parse(LONGEST.read_bytes()).lines[:1])
    names = ["".join(letters) for letters in product(ascii_lowercase, repeat=3)]
    views: list[Json] = [dict.fromkeys(names[at : at + 6000], 1) for at in range(0, len(names), 6000)]
    for view in [*views, *({"aaa": i} for i in range(tells))]:
        told_to_all = {"facts": [], "view": view}
        log.append({"k": "tell", "pub": told_to_all, "opens": [], "links": [], "rolls": [], "seals": {}})
    return log


def test_views_that_fill_a_memory_are_no_report_of_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A small file expands into large views."""
    log = swollen(300)
    data = log.dump()
    assert len(data) < 300_000
    with pytest.raises(FormError, match="larger than those of any game"):
        told(log, None)
    path = tmp_path / "swollen.pbem"
    path.write_bytes(data)
    monkeypatch.setattr("sys.argv", ["pbem", "replay", str(path)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "larger than those of any game" in capsys.readouterr().err


def test_large_views_that_change_seldom_are_folded() -> None:
    assert len(told(swollen(100), None)) == 103


def test_a_real_game_comes_nowhere_near_it() -> None:
    log = Log.parse(LONGEST.read_bytes())
    for seat in (None, *log.entries[0].fields["seats"]):
        story = Story(seat)
        assert len(story.follow(log)) > 40
        assert story._kept * 100 < MOST_KEPT
