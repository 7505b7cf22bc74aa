"""Tables of more than two: laws of who sits where, for any number of players and any results."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.club.pairing import Encounter, Played
from pbem.club.seating import MOST_AT_TABLE, TABLE_WON, at_tables, gained, shared_out, sizes

SIZES = st.sampled_from([(2, 3), (2, 5), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5)])
RESULTS = st.lists(st.integers(0, 4), min_size=400, max_size=400)


def names(count: int) -> list[str]:
    return [f"player {no}" for no in range(count)]


def points(before: Sequence[Sequence[Played]]) -> Counter[str]:
    found = Counter[str]()
    for one in (one for played in before for one in played):
        found.update(dict(one.each()))
    return found


def table(count: int, before: Sequence[Sequence[Played]]) -> list[str]:
    had = points(before)
    return sorted(names(count), key=lambda name: -had[name])


def after(seated: Sequence[Encounter], results: list[int]) -> list[Played]:
    """The round with some results."""
    half = (TABLE_WON // 2,)
    return [Played(one, half if one.rests else shared_out([(results.pop(),) for _name in one])) for one in seated]


@pytest.mark.slow
@given(count=st.integers(2, 23), size=SIZES, results=RESULTS)
@settings(max_examples=60)
def test_everybody_sits_once_or_rests_and_no_table_is_too_small(
    count: int, size: tuple[int, int], results: list[int]
) -> None:
    least, most = size
    before: list[list[Played]] = []
    for _round in range(4):
        seated = at_tables(table(count, before), before, least, most)
        if not seated:
            assert count < least
            return
        assert sorted(name for one in seated for name in one) == sorted(names(count))
        tables = [len(one) for one in seated if not one.rests]
        assert least <= min(tables) <= max(tables) <= most
        assert max(tables) - min(tables) <= 1
        before.append(after(seated, results))
        rested = Counter(one.pair.first for played in before for one in played if one.pair.rests)
        assert max(rested.values(), default=0) - min((rested[name] for name in names(count)), default=0) <= 1


@pytest.mark.slow
@given(count=st.integers(4, 20), size=SIZES, results=RESULTS)
@settings(max_examples=40)
def test_no_two_could_change_places_and_make_it_better(count: int, size: tuple[int, int], results: list[int]) -> None:
    before: list[list[Played]] = []
    for _round in range(3):
        seated = at_tables(table(count, before), before, *size)
        had = points(before)
        pairs = (pair for played in before for one in played for pair in combinations(one.pair, 2))
        met = Counter(frozenset(pair) for pair in pairs)
        for one, other in combinations([one for one in seated if not one.rests], 2):
            assert all(gained(one, i, other, j, had, met) <= 0 for i in range(len(one)) for j in range(len(other)))
        before.append(after(seated, results))


@pytest.mark.parametrize(("count", "size", "rounds"), [(9, 3, 4), (16, 4, 3), (32, 4, 5), (64, 4, 8)])
def test_where_there_are_enough_nobody_meets_anybody_twice(count: int, size: int, rounds: int) -> None:
    before: list[list[Played]] = []
    for number in range(rounds):
        seated = at_tables(table(count, before), before, size, size)
        before.append(after(seated, [(7 * no + number) % 5 for no in range(count)]))
    met = Counter(frozenset(pair) for played in before for one in played for pair in combinations(one.pair, 2))
    assert set(met.values()) == {1}


def test_at_first_the_strong_are_dealt_out_and_later_those_of_like_points_sit_together() -> None:
    first = at_tables(names(9), [], 3, 3)
    assert [set(one) for one in first] == [{f"player {no}", f"player {no + 3}", f"player {no + 6}"} for no in range(3)]
    before = [[Played(one, shared_out([(0,), (1,), (2,)])) for one in first]]
    second = at_tables(table(9, before), before, 3, 3)
    had = points(before)
    assert [sorted(had[name] for name in one) for one in second] == [[24, 24, 24], [12, 12, 12], [0, 0, 0]]


def test_who_has_had_the_first_seat_least_often_has_it() -> None:
    before: list[list[Played]] = []
    for _round in range(3):
        before.append([Played(one, (12, 12, 12)) for one in at_tables(names(9), before, 3, 3)])
    assert len({one.pair.first for played in before for one in played}) == 9


def test_those_of_one_team_sit_apart_as_long_as_there_is_a_way() -> None:
    apart = {
        frozenset(("player 0", "player 3")),
        frozenset(("player 1", "player 4")),
        frozenset(("player 2", "player 5")),
    }
    for one in at_tables(names(6), [], 3, 3, apart):
        assert not any(pair <= set(one) for pair in apart)
    (alone,) = at_tables(names(3), [], 3, 3, {frozenset(("player 0", "player 1"))})
    assert len(alone) == 3


@pytest.mark.parametrize("count", range(2, MOST_AT_TABLE + 1))
def test_a_table_shares_out_as_much_for_each_who_sits_at_it_however_they_come_out(count: int) -> None:
    assert 2 * sum(shared_out([(0,)] * count)) == count * TABLE_WON
    in_order = shared_out([(place,) for place in range(count)])
    assert (in_order[0], in_order[-1], sum(in_order)) == (0, TABLE_WON, count * TABLE_WON // 2)
    assert math.gcd(TABLE_WON // 2, count - 1) == count - 1, "nothing is lost by dividing"


@pytest.mark.parametrize(
    ("count", "least", "most", "wanted"),
    [(12, 4, 4, [4, 4, 4]), (7, 4, 4, [4]), (11, 3, 4, [4, 4, 3]), (6, 4, 5, [5]), (7, 2, 3, [3, 2, 2]), (1, 2, 5, [])],
)
def test_as_few_rest_as_can_be(count: int, least: int, most: int, wanted: list[int]) -> None:
    assert sizes(count, least, most) == wanted
