"""How a game went, as its end tells it: nobles by year, battles, dice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.rules.printed import BLOCKS, NOBLES, SIDES
from pbem.games.hammer.views import HammerView
from pbem.kernel import Fact, Json, Stop, View
from pbem.look import PageTable
from tests.conformance import Record, play


def _told(record: Record) -> list[tuple[View, list[Json]]]:
    return [(record.view(i, None), list(_heard(stop))) for i, stop in enumerate(record.stops)]


def _heard(stop: Stop) -> Iterator[Json]:
    for event in stop.events:
        if isinstance(event, Fact) and (heard := event.heard_by(None)) is not None:
            yield heard


def _tables() -> dict[str, PageTable]:
    record = play(GAME, {}, 4, 400)
    return {part.title: part for part in LOOK.closing(_told(record)) if isinstance(part, PageTable)}


def test_the_nobles_are_told_by_year_and_are_as_many_each_year() -> None:
    table = _tables()["Nobles at the end of each year"]
    assert [row[0] for row in table.rows] == sorted({row[0] for row in table.rows})
    assert len(table.rows) > 1
    assert all(int(english) + int(scots) == len(NOBLES) for _, english, scots in table.rows)


def test_dice_are_counted_with_what_was_to_be_expected() -> None:
    record = play(GAME, {}, 4, 400)
    fires = [fact for _, facts in _told(record) for fact in facts if fact["f"] == "fire"]
    rows = _tables()["The dice of the battles"].rows
    assert sum(int(row[1]) for row in rows) == sum(len(fact["dice"]) for fact in fires) > 20
    assert sum(int(row[2]) for row in rows) == sum(fact["hits"] for fact in fires)
    for _side, dice, hits, expected, luck in rows:
        assert 0 < float(expected) <= int(dice)
        assert abs(int(hits) - float(expected) - float(luck.replace("−", "-"))) < 0.11


def test_a_side_is_not_told_who_fought_for_it_by_the_printed_owner() -> None:
    """A noble fires for whom he stands with: each side's dice are those of the blocks that it revealed."""
    facts = [
        {"f": "reveal", "side": "english", "blocks": {"mar": 3}},
        {"f": "fire", "block": "Mar", "rating": 2, "dice": [1, 5, 6], "hits": 1},
        {"f": "reveal", "side": "scottish", "blocks": {"mar": 1}},
        {"f": "fire", "block": "Mar", "rating": 3, "dice": [4], "hits": 0},
    ]
    view = play(GAME, {}, 4, 3).view(0, None)
    table = next(part for part in LOOK.closing([(view, facts)]) if isinstance(part, PageTable) and "dice" in part.title)
    assert table.rows == (("English", "3", "1", "1.0", "+0.0"), ("Scots", "1", "0", "0.5", "−0.5"))
    assert not BLOCKS["Mar"].owner


def test_of_many_years_some_are_named_and_both_sides_beside_their_lines() -> None:
    view = play(GAME, {}, 4, 3).view(0, None)
    assert isinstance(view, HammerView)
    course: list[tuple[View, list[Json]]] = [(view.model_copy(update={"year": year}), []) for year in range(1297, 1315)]
    drawn = str(next(part for part in LOOK.closing(course) if not isinstance(part, PageTable)))
    named = [
        (float(x), says) for x, says in re.findall(r'<text class="small mid" x="([\d.]+)" y="154">(\d{4})<', drawn)
    ]
    assert named[0][1] == "1297"
    assert all(later[0] - one[0] > 30 for one, later in pairwise(named))
    (english,), (scots,) = (re.findall(rf'y="([\d.]+)">{name}<', drawn) for name in ("English", "Scots"))
    assert abs(float(english) - float(scots)) > 13


def test_of_several_years_there_is_a_drawing_with_a_line_for_each_side() -> None:
    drawn = next(part for part in LOOK.closing(_told(play(GAME, {}, 4, 400))) if not isinstance(part, PageTable))
    assert all(f'class="move {side}"' in drawn for side in SIDES)
    assert re.findall(r">(129\d)<", drawn)[:2] == ["1297", "1298"]
