"""The board and the questions: kept as text, and made from the seat's own view alone."""

from __future__ import annotations

import random

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.kernel import Ask, Json
from tests.conformance import play
from tests.hammer.builder import Table
from tests.hammer.golden import compare
from tests.hammer.look_board import _attack, _page


def test_the_board_as_each_side_sees_it() -> None:
    table = _attack()
    table.dice(3)
    for seat in (ENGLISH, SCOTTISH, None):
        compare(f"board_{seat or 'public'}.txt", _page(table, seat))


def test_a_move_is_asked_with_the_groups_and_their_borders() -> None:
    table = Table(
        {"Ross": "Ross", "Annan": "York Knights, Edward"}, {"Lanark": "Wallace, Norse", "Mar": "Mar", "Fife": "Keith"}
    )
    table.turn("Move 3", "Move 2")
    compare("move.txt", _page(table, ENGLISH))


def test_hidden_blocks_are_counted_and_not_named() -> None:
    view = (
        Table({"Ross": "Ross", "England": "Edward"}, {"Fife": "Wallace, Keith", "Mar": "Mar"})
        .turn("Move 2", "Move 1")
        .view(ENGLISH)
    )
    text = LOOK.board(view) + LOOK.hand(view) + LOOK.question(view)
    assert "Wallace" not in text
    assert "Keith" not in text
    assert "Fife S2" in text
    assert "Edward 4 (B4)" in text


def test_a_strength_below_the_full_one_shows_both() -> None:
    view = Table({"Ross": "Ross"}, {"Fife": "Wallace 2", "Mar": "Mar"}).turn("Move 2", "Move 1").view(SCOTTISH)
    assert "Wallace 2/4 (A3)" in LOOK.board(view)


def test_the_score_counts_moray_only_where_he_may_be_on_the_map() -> None:
    there = Table({"Ross": "Ross"}, {"Mar": "Mar", "Fife": "Moray"}).turn("Move 2", "Move 1")
    dead = Table({"Ross": "Ross"}, {"Mar": "Mar", "dead": "Moray"}).turn("Move 2", "Move 1")
    assert "English 12, Scots 2 (Moray among them)" in LOOK.board(there.view(SCOTTISH))
    assert "English 12, Scots 1 (and Moray, if he is on the map)" in LOOK.board(there.view(ENGLISH))
    for seat in (ENGLISH, SCOTTISH, None):
        assert "English 12, Scots 1 (Moray is off the map)" in LOOK.board(dead.view(seat))


@pytest.mark.slow
def test_what_a_seat_reads_comes_from_its_view_alone() -> None:
    rng = random.Random(7)
    record = play(GAME, {}, 7, limit=200)
    for stop in record.stops[::10]:
        wanted = stop.wants
        for seat in wanted.seats if isinstance(wanted, Ask) else ():
            view = GAME.read_view(GAME.view(stop.state, seat))
            twin = GAME.read_view(GAME.view(GAME.determinise(view, rng), seat))
            for part in (LOOK.question, LOOK.template, LOOK.board, LOOK.hand):
                assert part(twin) == part(view)


def test_the_order_of_keys_in_a_view_changes_no_text() -> None:
    rng = random.Random(8)
    for stop in play(GAME, {}, 8, limit=200).stops[::10]:
        wanted = stop.wants
        for seat in wanted.seats if isinstance(wanted, Ask) else ():
            plain = GAME.view(stop.state, seat)
            turned = _shuffled(plain, rng)
            assert turned == plain
            for part in (LOOK.question, LOOK.template, LOOK.board, LOOK.hand):
                assert part(GAME.read_view(turned)) == part(GAME.read_view(plain))


def _shuffled(value: Json, rng: random.Random) -> Json:
    if isinstance(value, dict):
        return {key: _shuffled(value[key], rng) for key in rng.sample(list(value), len(value))}
    return [_shuffled(inner, rng) for inner in value] if isinstance(value, list) else value
