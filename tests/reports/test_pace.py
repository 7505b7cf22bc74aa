"""A replay passes through a game by what matters: no step for “the English stay”, the cards before a move, a volley that misses."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from bench.games import Players
from pbem.games import find
from pbem.ledger import Log
from pbem.referee.table import Table
from pbem.reports.pace import LONGEST, grouped, pace_of, role, steps_of
from pbem.reports.replay import EVERYTHING, PUBLIC, Film, films
from pbem.reports.told import told

HAMMER = find("hammer")
CEILING = {"bruce": 290, "braveheart": 350}
"""The most steps of a game of 45 turns between the built-in players. Each decision by itself needed 390 and 468."""


@cache
def _game(scenario: str, seed: int) -> Log:
    table = Table(HAMMER.rules, {"scenario": scenario}, f"pace{seed}")
    assert table.play(Players(HAMMER, table.seats, seed).say, 1500)
    return Log.parse(table.whole())


@cache
def _begun() -> tuple[Log, list[Film]]:
    table = Table(HAMMER.rules, {"scenario": "bruce"}, "pace6")
    table.play(Players(HAMMER, table.seats, 6).say, 40)
    log = Log.parse(table.whole())
    return log, films(log, HAMMER)


@pytest.mark.slow
@pytest.mark.parametrize(("scenario", "seed"), [("bruce", 6), ("braveheart", 1)])
def test_a_game_of_45_turns_has_no_more_steps_than_its_ceiling(scenario: str, seed: int) -> None:
    log = _game(scenario, seed)
    made = films(log, HAMMER, "")
    turns = [turn for turn in made[0].turns.found if not turn.depth and "Game Turn" in turn.name]
    assert len(turns) == 45
    assert len(told(log, None)) + 1 > CEILING[scenario] + 80, "each decision by itself"
    assert len(made[0].frames) <= CEILING[scenario]


@pytest.mark.slow
def test_every_view_has_the_same_steps_and_tells_everything() -> None:
    log, made = _begun()
    assert len(made) == 4
    assert {tuple(film.frames) for film in made} == {tuple(made[0].frames)}
    for film in made:
        seat = None if film.seat in (PUBLIC, EVERYTHING) else film.seat
        assert list(film.course) == [tell.n for tell in told(log, seat)], (
            "what closes a game still counts each decision"
        )
    reports = told(log, None)
    assert len(made[0].frames) < len(reports)
    assert max(made[0].frames) == reports[-1].n


@pytest.mark.slow
def test_a_turn_begins_at_a_step() -> None:
    _log, made = _begun()
    for film in made:
        begun = [turn.n for turn in film.turns.found]
        assert begun
        assert set(begun) <= set(film.frames)


def test_what_leads_and_what_trails() -> None:
    pace = pace_of(HAMMER.package)
    stays = {"f": "regroup", "to": {}}
    goes = {"f": "regroup", "to": {"mar": ["King"]}}
    miss, hit = {"f": "fire", "hits": 0}, {"f": "fire", "hits": 2}
    assert role(pace, [stays]) == "trails"
    assert role(pace, [goes]) == role(pace, [hit, {"f": "hit"}]) == role(pace, [{"f": "takeback"}]) == ""
    assert role(pace, [miss]) == role(pace, [stays, {"f": "turn"}]) == "leads"
    assert role(pace, [stays, {"f": "unheard of"}]) == role(pace, ["made up"]) == ""
    assert role({}, []) == ""


def test_a_step_has_few_reports_and_the_last_report_has_its_own() -> None:
    pace = pace_of(HAMMER.package)
    public = {n: [{"f": "fire", "hits": 0}] for n in range(2, 40)}
    steps = steps_of(pace, public)
    sizes = [len(inside) for _first, inside in grouped(steps, public)]
    assert sizes[0] == sizes[-1] == 1
    assert max(sizes) == LONGEST
    assert all(one <= other for one, other in pairwise(steps.values()))
    assert steps_of(pace, {}) == {}


def test_a_report_that_only_one_seat_has_is_a_step() -> None:
    told_to_ann = {2: [1], 4: [1], 5: [1], 8: [1]}
    assert list(grouped({2: 2, 4: 4, 8: 4}, told_to_ann)) == [(2, [2]), (4, [4, 8]), (5, [5])]


def test_a_game_without_a_table_has_a_step_for_each_report(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pace_of("json") == pace_of(find("lords").package) == {}
    assert steps_of({}, {2: [], 4: [], 6: []}) == {2: 2, 4: 4, 6: 6}
