"""A story says who holds what at the end, draws the opinion on the game, and counts what happened several times."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from pbem.games import find
from pbem.ledger import Log
from pbem.reports.replay import opened
from pbem.story.holdings import CHART, WIDE, drawn_opinion, held
from pbem.story.session import report
from pbem.story.telling import ALL, ToldGame
from tests.golden_logs import FOLDER

ROOT = Path(__file__).parents[2]


def telling(name: str, seat: str = ALL) -> ToldGame:
    log = Log.parse((FOLDER / f"{name}.pbem").read_bytes())
    return ToldGame(opened(log), find(log.entries[0].fields["rules"]["id"]), seat)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "title", "cell"),
    [
        ("hammer-homes", "At the end: The nobles", "Bruce"),
        ("lords-3", "At the end: The lords", "Wemyss 9"),
        ("swords-book", "At the end: Glory cards", "The Crown"),
    ],
)
def test_the_end_of_each_game_says_who_holds_what(name: str, title: str, cell: str) -> None:
    tables = {table.title: table for table in held(telling(name))}
    assert title in tables
    assert cell in " ".join(one for row in tables[title].rows for one in row)
    assert not any("areas" in one for one in tables), "the map shows the board"


def test_a_running_game_has_no_last_position() -> None:
    assert not [*held(telling("lords-begun", ""))]
    assert drawn_opinion(telling("lords-begun", "")) == {}


@pytest.mark.slow
def test_a_story_draws_the_opinion() -> None:
    told = telling("hammer-homes")
    made = report(told.opened, told.pack)
    assert f"]({CHART})" in made.markdown
    with Image.open(io.BytesIO(made.pictures[CHART])) as drawn:
        assert drawn.format == "PNG"
        assert drawn.width == WIDE
    assert CHART not in report(told.opened, told.pack, drawn=False).pictures


@pytest.mark.slow
def test_what_came_several_times_is_counted() -> None:
    told = telling("swords-book")
    text = report(told.opened, told.pack, drawn=False).markdown
    assert "Battle in Ross: Pink wins (4)" in text
    assert text.count("Battle in Ross: Pink wins") == 1
