"""Who meets whom: laws of the rounds, for any number of players and any results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.club.pairing import Encounter, Played, knock_out, round_robin, swiss

RESULTS = st.lists(st.sampled_from([(2, 0), (0, 2), (1, 1)]), min_size=200, max_size=200)


def names(count: int) -> list[str]:
    return [f"player {no}" for no in range(count)]


def met(rounds: Sequence[Sequence[Encounter]]) -> list[frozenset[str]]:
    return [frozenset(pair) for pairs in rounds for pair in pairs if pair.second]


def all_rounds(count: int, *, twice: bool = False) -> list[list[Encounter]]:
    found: list[list[Encounter]] = []
    while pairs := round_robin(names(count), len(found) + 1, twice=twice):
        found.append(pairs)
    return found


@pytest.mark.parametrize("count", range(2, 15))
def test_in_a_round_robin_everybody_meets_everybody_once_and_sides_are_even(count: int) -> None:
    rounds = all_rounds(count)
    assert sorted(map(sorted, met(rounds))) == sorted(map(sorted, combinations(names(count), 2)))
    for pairs in rounds:
        there = [name for pair in pairs for name in pair if name]
        assert sorted(there) == sorted(names(count)), "each is there once, or rests"
    first = Counter(pair.first for pairs in rounds for pair in pairs if pair.second)
    assert max(first.values()) - min(first[name] for name in names(count)) <= 1


@pytest.mark.parametrize("count", [2, 5, 8])
def test_a_round_robin_that_goes_twice_changes_sides(count: int) -> None:
    rounds = all_rounds(count, twice=True)
    sides = Counter(pair for pairs in rounds for pair in pairs if pair.second)
    assert set(sides.values()) == {1}
    assert {Encounter(b, a) for a, b in sides} == set(sides)


def played(pairs: Sequence[Encounter], results: list[tuple[int, int]]) -> list[Played]:
    return [Played(pair, results.pop() if pair.second else (2, 0)) for pair in pairs]


def table(count: int, before: Sequence[Sequence[Played]]) -> list[str]:
    points = Counter[str]()
    for one in (one for round_ in before for one in round_):
        points.update(dict(one.each()))
    return sorted(names(count), key=lambda name: -points[name])


@pytest.mark.slow
@given(count=st.integers(2, 17), results=RESULTS)
@settings(max_examples=40)
def test_in_swiss_rounds_nobody_meets_anybody_twice_or_rests_twice(count: int, results: list[tuple[int, int]]) -> None:
    before: list[list[Played]] = []
    for _round in range((count - 1) // 2):
        before.append(played(swiss(table(count, before), before), results))
        there = [name for one in before[-1] for name in one.pair if name]
        assert sorted(there) == sorted(names(count))
    pairs = [[one.pair for one in round_] for round_ in before]
    assert max(Counter(met(pairs)).values(), default=1) == 1
    resting = Counter(pair.first for round_ in pairs for pair in round_ if not pair.second)
    assert max(resting.values(), default=1) == 1


def test_swiss_rounds_pair_like_with_like_and_the_upper_half_with_the_lower() -> None:
    first = swiss(names(8), [])
    assert [frozenset(pair) for pair in first] == [frozenset({f"player {no}", f"player {no + 4}"}) for no in range(4)]
    before = [played(first, [(2, 0)] * 4)]
    winners = {one.pair.first for one in before[0]}
    second = swiss(table(8, before), before)
    assert all(len(winners & set(pair)) in (0, 2) for pair in second)


def test_a_swiss_round_is_one_alone_whatever_order_edges_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """An organiser cannot choose among equal pairings, because the weights leave one best."""
    import networkx as nx

    usual = nx.max_weight_matching

    def otherwise(graph: nx.Graph, *, maxcardinality: bool) -> object:
        turned = nx.Graph()
        turned.add_nodes_from(reversed(list(graph.nodes)))
        turned.add_edges_from([(b, a, data) for a, b, data in reversed(list(graph.edges(data=True)))])
        return usual(turned, maxcardinality=maxcardinality)

    for count in (6, 9, 14):
        before = [played(swiss(names(count), []), [(1, 1), (2, 0)] * 10)]
        found = swiss(table(count, before), before)
        monkeypatch.setattr(nx, "max_weight_matching", otherwise)
        assert swiss(table(count, before), before) == found
        monkeypatch.undo()


def test_sides_change_in_swiss_rounds() -> None:
    before = [[Played(Encounter("a", "b"), (2, 0)), Played(Encounter("c", "d"), (2, 0))]]
    (top, _bottom) = swiss(["a", "c", "b", "d"], before)
    assert set(top) == {"a", "c"}
    before.append([Played(Encounter("a", "c"), (2, 0)), Played(Encounter("b", "d"), (2, 0))])
    third = swiss(["a", "b", "c", "d"], before)
    assert Encounter("d", "a") in third, "who had the first seat twice has the other now"


@pytest.mark.slow
@given(count=st.integers(2, 20), results=RESULTS)
@settings(max_examples=60)
def test_a_knock_out_leaves_one_who_never_lost(count: int, results: list[tuple[int, int]]) -> None:
    before: list[list[Played]] = []
    while pairs := knock_out(names(count), before):
        before.append(played(pairs, results if len(before) < 8 else [(2, 0)] * 200))
    lost = [
        name for round_ in before for one in round_ if one.pair.second and one.points != (1, 1)
        for name, had in one.each() if had == 0
    ]  # fmt: skip
    assert len(lost) == len(set(lost)) == count - 1


def test_in_a_knock_out_the_best_meet_last_and_a_draw_is_played_again() -> None:
    first = knock_out(names(6), [])
    assert first[0] == Encounter("player 0")
    assert Encounter("player 3", "player 4") in first
    drawn = [Played(pair, (1, 1) if pair == Encounter("player 3", "player 4") else (2, 0)) for pair in first]
    assert knock_out(names(6), [drawn]) == [Encounter("player 4", "player 3")]
