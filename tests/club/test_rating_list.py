"""The list of ratings: a function of the logs, and of nothing else."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.club.people import People
from pbem.club.rating_list import RatingList
from pbem.club.results import LeftOut, RatedGame
from pbem.club.strength import SPREAD, Strength, after_game


def game(
    no: int, first: str, second: str, winner: int = 0, *, at: str = "", head: str = "", event: str = ""
) -> RatedGame:
    seats = {"north": (first,), "south": (second,)}
    won = ("north", "south")[winner : winner + 1] if winner >= 0 else ()
    return RatedGame(
        f"{no:064}", head or f"{no:063}e", at or f"2030-01-{no:02}T00:00:00Z", "tiny", event, ("club",), seats, won
    )


def row(found: RatingList, key: str, played: str = "tiny") -> Strength:
    return next(row.strength for row in found.games[played] if row.key == key)


GAMES = [game(1, "ann", "bob"), game(2, "bob", "carol"), game(3, "carol", "ann", 1), game(4, "ann", "bob", -1)]


def test_who_wins_rises_and_who_loses_falls() -> None:
    found = RatingList.of([game(1, "ann", "bob")])
    assert [player.key for player in found.games["tiny"]] == ["ann", "bob"]
    ann, bob = row(found, "ann"), row(found, "bob")
    assert ann.rating - 1500 == 1500 - bob.rating > 0
    assert ann.spread == bob.spread < SPREAD


def test_the_figures_are_these_on_every_machine() -> None:
    found = RatingList.of(GAMES)
    assert [(one.key, one.games, one.won, one.shared, one.strength) for one in found.games["tiny"]] == FIGURES


FIGURES = [
    ("ann", 3, 2, 1, Strength(291937, 75905)),
    ("bob", 3, 1, 1, Strength(255524, 75914)),
    ("carol", 2, 0, 0, Strength(200722, 78170)),
]


@pytest.mark.parametrize("order", list(itertools.permutations(GAMES)))
def test_the_order_of_the_logs_does_not_matter(order: tuple[RatedGame, ...]) -> None:
    assert RatingList.of([*order, order[0]]) == RatingList.of(GAMES)


def test_equals_are_listed_by_their_keys() -> None:
    found = RatingList.of([game(1, "bob", "ann", -1)])
    assert [player.key for player in found.games["tiny"]] == ["ann", "bob"]


def test_a_players_keys_are_one_player() -> None:
    changed = RatedGame(
        "5" * 64,
        "5" * 64,
        "2030-01-05T00:00:00Z",
        "tiny",
        "",
        ("club",),
        {"north": ("ann", "ann2"), "south": ("bob",)},
        (),
    )
    found = RatingList.of([*GAMES, changed, game(6, "ann2", "carol")])
    ann = next(player for player in found.games["tiny"] if player.key == "ann")
    assert (ann.keys, ann.games) == (("ann", "ann2"), 5)


def test_a_player_against_himself_does_not_count() -> None:
    found = RatingList.of([game(1, "ann", "ann")])
    assert found.games == {}
    assert found.left_out == (LeftOut(f"{1:064}", "One player has two of its seats."),)


def test_of_a_broken_copy_and_a_whole_one_the_whole_one_counts() -> None:
    whole = game(1, "ann", "bob")
    found = RatingList.of([LeftOut(whole.id, "An audit finds a fault."), whole])
    assert found.counted == (whole,)
    assert found.left_out == ()


def test_two_ends_of_one_game_count_neither() -> None:
    one, other = game(1, "ann", "bob", 0, head="a" * 64), game(1, "ann", "bob", 1, head="b" * 64)
    found = RatingList.of([one, other])
    assert found.counted == ()
    assert [left.why for left in found.left_out] == ["Copies of this game have different ends."]


def test_an_event_and_a_host_can_be_asked_for() -> None:
    mine, other = game(1, "ann", "bob", event="league"), game(2, "ann", "bob", event="cup")
    assert RatingList.of([mine, other], "league").counted == (mine,)
    found = RatingList.of([mine], hosts=("another club",))
    assert [left.why for left in found.left_out] == ["Its host is another: club."]


def test_strength_is_told_as_a_rating() -> None:
    assert (Strength().rating, Strength().deviation) == (1500, 350)


@given(st.permutations(["a", "b", "c", "d", "e"]), st.integers(1, 5))
def test_no_order_of_names_changes_what_a_game_gives(names: list[str], best: int) -> None:
    before = {name: Strength(20 * 10_000 + 7_919 * ord(name), SPREAD - 101 * ord(name)) for name in names}
    places = {name: 1 if ord(name) - ord("a") < best else 2 for name in names}
    after = after_game(before, places)
    assert after == after_game(dict(sorted(before.items())), places)
    assert all(after[name].spread < before[name].spread + 100 for name in names)


def test_people_are_told_apart_by_what_they_have_signed() -> None:
    people = People([("d",), ("c", "b"), ("b", "a"), ("e", "d")])
    assert [people.player(key) for key in "abcde"] == ["a", "a", "a", "d", "d"]
    assert people.keys("a") == ("a", "b", "c")
