"""How a game went, as its end tells it: nobles by year, battles, dice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from pbem.games import find
from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.rules.printed import BLOCKS, ENGLISH, SCOTTISH, SIDES
from pbem.games.hammer.views import HammerView
from pbem.kernel import Fact, Json, Stop, View
from pbem.ledger import Log
from pbem.look import PageTable
from pbem.reports.replay import films
from tests.conformance import Record, play

HAMMER = find("hammer")
TAKEN_BACK = Path(__file__).parents[1] / "golden" / "logs" / "hammer-taken-back.pbem"


def _told(record: Record) -> list[tuple[View, list[Json]]]:
    return [(record.view(i, None), list(_heard(stop))) for i, stop in enumerate(record.stops)]


def _heard(stop: Stop) -> Iterator[Json]:
    for event in stop.events:
        if isinstance(event, Fact) and (heard := event.heard_by(None)) is not None:
            yield heard


def _tables() -> dict[str, PageTable]:
    record = play(GAME, {}, 4, 400)
    return {part.title: part for part in LOOK.closing(_told(record)) if isinstance(part, PageTable)}


NOBLES_BY_YEAR = "Nobles at the end of each year"


def _by_year(record: Record, seat: str | None) -> dict[str, tuple[str, str]]:
    last = {stop.state.board.year: i for i, stop in enumerate(record.stops)}
    course: list[tuple[View, list[Json]]] = [(record.view(i, seat), []) for i in last.values()]
    table = next(part for part in LOOK.closing(course) if isinstance(part, PageTable) and part.title == NOBLES_BY_YEAR)
    return {year: (english, scots) for year, english, scots in table.rows}


def test_the_nobles_of_each_year_are_those_that_victory_counts() -> None:
    """Moray counts for the Scots while he is on the map. Readers who cannot know it see both numbers."""
    years = both = 0
    for seed in (4, 5):
        record = play(GAME, {}, seed, 400)
        boards = {str(stop.state.board.year): stop.state.board for stop in record.stops}
        told = {seat: _by_year(record, seat) for seat in (None, *SIDES)}
        for year, board in boards.items():
            english, scots = (str(len(board.nobles(side))) for side in SIDES)
            assert told[SCOTTISH][year] == (english, scots), (seed, year)
            for seat in (None, ENGLISH):
                assert told[seat][year][0] == english
                assert scots in told[seat][year][1].split(" or "), (seed, year, seat)
                both += "or" in told[seat][year][1]
            years += 1
    assert years > 3
    assert both


def test_a_tie_says_that_moray_was_there_and_a_majority_of_one_that_he_was_not() -> None:
    view = play(GAME, {}, 4, 3).view(0, None)
    assert isinstance(view, HammerView)
    sides = dict(zip(view.nobles, (["english"] * 7 + ["scottish"] * 6), strict=True))
    for winner, why, scots, moray in [
        ("scottish", "tie wallace", "7", "1"), ("english", "tie no wallace", "7", "1"), ("english", "majority", "6", "0"),
        ("english", "king killed", "6 or 7", "not known"),
    ]:  # fmt: skip
        over = view.model_copy(update={"nobles": sides, "result": {"winner": winner, "why": why}})
        final, by_year = [part for part in LOOK.closing([(over, [])]) if isinstance(part, PageTable)][:2]
        assert final.title == "The final count"
        assert final.rows == (("Nobles", "7", scots), ("of them Moray", "0", moray)), why
        assert by_year.rows == ((str(over.year), "7", scots),), why


def test_a_replay_of_everything_counts_moray_as_the_scots_do() -> None:
    log = Log.parse(TAKEN_BACK.read_bytes())
    everything = films(log, HAMMER)[0]
    told = " ".join(re.sub("<[^>]+>", " ", "\n".join(everything.frames[max(everything.frames)][2])).split())
    _before, title, table = told.partition(NOBLES_BY_YEAR)
    assert title
    assert " or " not in table.partition("Moray")[0]


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
